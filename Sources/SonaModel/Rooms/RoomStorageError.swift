package import SonaDatabase
package import SonaText
package import SonaWire

/// Why what is stored of a room could not be told or changed.
package enum RoomStorageError: Error, Sendable, Equatable {
    case roomUnknown
    /// Its owner ended it for good.
    case roomClosed
    /// What they are in the room does not allow it.
    ///
    /// - Parameter capability: `nil` where somebody is as high as they, or higher.
    case forbidden(Capability?)
    /// - Parameter untilMilliseconds: `nil` until somebody lifts it.
    case muted(untilMilliseconds: Int64?)
    /// Nobody may write in the room.
    case chatOff
    /// There is no account with that UID.
    case userUnknown
    /// Guests may not: they are gone in a day.
    case accountRequired
    /// The room lets no guests in.
    case guestsNotAllowed
    /// - Parameter untilMilliseconds: `nil` for good.
    case banned(untilMilliseconds: Int64?, reason: String?)
    /// No such invite, or one of another room.
    case inviteInvalid
    case inviteExpired
    case inviteUsedUp
    case inviteRevoked
    /// As many members, bans, mutes or live invites as a room may have.
    case limitReached
    /// There is no such message, or it has been deleted.
    case messageUnknown
    /// It is somebody else's message.
    case notAuthor
    /// An author's change comes after `ChatStore.editMilliseconds`.
    case messageTooOld
    /// What can't be: a standing for the owner, a text or a number outside its bounds.
    case invalid
    case textInvalid(DisplayTextError)
    case busy(retryAfterMilliseconds: Int)
    /// The database's error is for logs: `code` says nothing of it.
    case storage(DatabaseError)

    /// The code in Protocol/spec/errors.md.
    package var code: String {
        switch self {
        case .roomUnknown: "room.not_found"
        case .roomClosed: "room.closed"
        case .forbidden: "room.forbidden"
        case .muted: "chat.muted"
        case .chatOff: "chat.off"
        case .userUnknown: "user.not_found"
        case .accountRequired: "auth.account_required"
        case .guestsNotAllowed: "room.guests_not_allowed"
        case .banned: "room.banned"
        case .inviteInvalid: "invite.invalid"
        case .inviteExpired: "invite.expired"
        case .inviteUsedUp: "invite.used_up"
        case .inviteRevoked: "invite.revoked"
        case .limitReached: "room.limit_reached"
        case .messageUnknown: "chat.not_found"
        case .notAuthor: "room.forbidden"
        case .messageTooOld: "chat.too_late"
        case .invalid: "request.invalid"
        case .textInvalid: "chat.text_invalid"
        case .busy: "server.busy"
        case .storage: "server.storage_failed"
        }
    }
}

extension RoomStorageError: DomainError {
    package init?(_ error: DatabaseError) {
        switch error.kind {
        case .check: self = .invalid
        // The only foreign key that a write may fail on is the room.
        case .foreignKey: self = .roomUnknown
        case .busy, .timedOut: self = .busy(retryAfterMilliseconds: 1_000)
        default: return nil
        }
    }
}
