package import SonaDatabase

/// Why a room could not be made, found or changed.
package enum RoomStoreError: Error, Sendable, Equatable {
    /// The owner has as many rooms as one may have.
    case limitReached
    /// There is no account with that UID: a guest, or somebody who has gone.
    case ownerUnknown
    case roomUnknown
    /// Its owner ended it for good.
    case closed
    /// A title of more than 200 bytes, an unknown delivery, a lead outside 150–10000 ms, a state that is none.
    case invalid
    /// Nothing in the title shows, or something in it disturbs what is around.
    case titleInvalid
    case busy(retryAfterMilliseconds: Int)
    /// The database's error is for logs: `code` says nothing of it.
    case storage(DatabaseError)

    /// The code in Protocol/spec/errors.md.
    package var code: String {
        switch self {
        case .limitReached: "room.limit_reached"
        case .ownerUnknown: "auth.account_required"
        case .roomUnknown: "room.not_found"
        case .closed: "room.closed"
        case .invalid, .titleInvalid: "request.invalid"
        case .busy: "server.busy"
        case .storage: "server.storage_failed"
        }
    }
}

extension RoomStoreError: DomainError {
    package init?(_ error: DatabaseError) {
        switch error.kind {
        case .check: self = .invalid
        case .busy, .timedOut: self = .busy(retryAfterMilliseconds: 1_000)
        default: return nil
        }
    }
}
