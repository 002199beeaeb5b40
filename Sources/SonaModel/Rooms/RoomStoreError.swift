package import SonaDatabase

/// Why a room could not be made, found or changed.
package enum RoomStoreError: Error, Sendable, Equatable {
    /// The owner has as many rooms as one may have.
    case limitReached
    /// There is no account with that UID: a guest, or somebody who has gone.
    case ownerUnknown
    case roomUnknown
    /// A title of more than 200 bytes, an unknown delivery, a lead outside 150–10000 ms, a state that is none.
    case invalid
    case busy(retryAfterMilliseconds: Int)
    case storage(DatabaseError)

    /// The code in Protocol/spec/errors.md.
    package var code: String {
        switch self {
        case .limitReached: "room.limit_reached"
        case .ownerUnknown: "auth.account_required"
        case .roomUnknown: "room.not_found"
        case .invalid: "request.invalid"
        case .busy: "server.busy"
        case .storage: "server.storage_failed"
        }
    }

    init(_ error: any Error) {
        switch error {
        case let error as RoomStoreError: self = error
        case let error as DatabaseError: self.init(database: error)
        case is CancellationError: self = .storage(DatabaseError(kind: .interrupted))
        default: self = .storage(DatabaseError(kind: .other, detail: "\(error)"))
        }
    }

    private init(database error: DatabaseError) {
        switch error.kind {
        case .check: self = .invalid
        case .busy: self = .busy(retryAfterMilliseconds: 1_000)
        default: self = .storage(error)
        }
    }
}
