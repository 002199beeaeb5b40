package import SonaDatabase

/// Why a photo was not taken.
package enum PhotoError: Error, Sendable, Equatable {
    /// Neither PNG nor JPEG nor WebP, or a form of one that is not read, such as a moving picture.
    case typeUnsupported
    case tooLarge
    /// So many pixels that it was not decoded.
    case tooManyPixels
    case damaged
    /// Too many photos are being worked on.
    case busy(retryAfterMilliseconds: Int)
    case databaseBusy(retryAfterMilliseconds: Int)
    /// The account has sent as many as `AccountBudgets` allows.
    case tooMany(retryAfterMilliseconds: Int)
    case userUnknown
    /// The database's error is for logs: `code` says nothing of it.
    case storage(DatabaseError)

    /// The code in Protocol/spec/errors.md.
    package var code: String {
        switch self {
        case .typeUnsupported: "photo.type_unsupported"
        case .tooLarge: "photo.too_large"
        case .tooManyPixels: "photo.too_many_pixels"
        case .damaged: "photo.damaged"
        case .busy: "photo.busy"
        case .databaseBusy: "server.busy"
        case .tooMany: "request.rate_limited"
        case .userUnknown: "user.not_found"
        case .storage: "server.storage_failed"
        }
    }
}

extension PhotoError: DomainError {
    package init?(_ error: DatabaseError) {
        switch error.kind {
        case .busy, .timedOut: self = .databaseBusy(retryAfterMilliseconds: 1_000)
        // The account was removed meanwhile.
        case .foreignKey: self = .userUnknown
        default: return nil
        }
    }
}
