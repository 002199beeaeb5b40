package import SonaDatabase
package import SonaText
package import SonaWire

/// Why the model did not do something, in the words of the wire.
package struct Refusal: Error, Sendable, Equatable {
    package var code: ErrorCode
    /// `nil` for the code's own sentence.
    package var message: String?
    /// The field at fault, as a path from the top of the message.
    package var field: String?
    /// The permission or capability that was missing.
    package var permission: String?
    /// Counted from the refusal. `nil` where waiting changes nothing.
    package var retryAfterMilliseconds: Int64?
    /// When a ban or mute in a room ends, wall time. `nil` where waiting changes nothing.
    package var untilMilliseconds: Int64?
    /// What is wrong with a text of the chat. A client sees the code's own sentence.
    package var textProblem: DisplayTextError?
    /// The database's error is for logs. A client never sees it.
    package var cause: DatabaseError?

    package init(
        _ code: ErrorCode, _ message: String? = nil, field: String? = nil, permission: String? = nil,
        retryAfterMilliseconds: Int64? = nil, cause: DatabaseError? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.permission = permission
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.cause = cause
    }

    package static func refused(_ code: ErrorCode) -> Refusal { Refusal(code) }

    package static func busy(_ code: ErrorCode, retryAfterMilliseconds: Int) -> Refusal {
        Refusal(code, retryAfterMilliseconds: Int64(retryAfterMilliseconds))
    }
}

// MARK: The server

extension Refusal {
    package static func storage(_ error: DatabaseError) -> Refusal { Refusal(.serverStorageFailed, cause: error) }

    /// Another process holds the database, too many accesses wait for it, or a search took too long.
    package static func busy(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.serverBusy, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// The account has asked for this more often than `AccountBudgets` allows.
    package static func tooMany(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.requestRateLimited, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// A standing for the owner, or a value outside its bounds.
    package static let invalid = Refusal(.requestInvalid)
}

// MARK: Signing in

extension Refusal {
    package static let emailInvalid = Refusal(.authEmailInvalid)
    package static let emailTaken = Refusal(.authEmailTaken)
    /// The account has no address: it belongs to an outside issuer's user, or to the server.
    package static let emailRequired = Refusal(.authEmailRequired)
    /// Not 8–128 characters (Unicode scalars), more than 512 bytes, or with a NUL.
    package static let passwordUnusable = Refusal(.authPasswordUnusable)
    /// Unknown e-mail or wrong password: which of them is not told.
    package static let credentialsInvalid = Refusal(.authCredentialsInvalid)
    package static let refreshInvalid = Refusal(.authRefreshInvalid)
    package static let tokenInvalid = Refusal(.authTokenInvalid)
    package static let tokenExpired = Refusal(.authTokenExpired)
    /// A code for recovery, confirmation or removal that is unknown, was used, or has expired.
    package static let codeInvalid = Refusal(.authCodeInvalid)
    /// The last proof of identity is too old for this.
    package static let reauthenticationRequired = Refusal(.authReauthRequired)
    package static let providerUnknown = Refusal(.authProviderUnknown)
    /// The keys of an outside issuer can't be had: none of its users is let in.
    package static let providerUnavailable = Refusal(.authProviderUnavailable)
    /// Guests may not: they are gone in a day.
    package static let accountRequired = Refusal(.authAccountRequired)

    /// - Parameter retryAfterMilliseconds: `nil` for good.
    package static func banned(retryAfterMilliseconds: Int64?) -> Refusal {
        Refusal(.authBanned, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// The role of the account does not allow it (any more).
    package static func forbidden(_ missing: Permission) -> Refusal {
        Refusal(.authForbidden, permission: missing.rawValue)
    }

    /// Too many failures, or too much mail, from one network address or for one account.
    package static func rateLimited(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.authRateLimited, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// Too many others are being served: no thread is free for a password.
    package static func hashingBusy(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.authBusy, retryAfterMilliseconds: retryAfterMilliseconds)
    }
}

// MARK: Users

extension Refusal {
    package static func usernameInvalid(_ problem: UsernameError) -> Refusal {
        Refusal(.usernameInvalid, problem.description)
    }

    package var isReservedName: Bool { self == .usernameInvalid(.reserved) }

    /// Somebody has the name, or one that looks like it.
    package static let usernameTaken = Refusal(.usernameTaken)
    /// The old name given is not the current one.
    package static let usernameMismatch = Refusal(.usernameMismatch)
    package static let usernameAlreadyChosen = Refusal(.usernameAlreadyChosen)
    package static let displayNameInvalid = Refusal(
        .requestInvalid,
        "This can't be shown as a name: nothing in it is visible, or something in it disturbs what is around.",
        field: "data.display_name")
    package static let bioInvalid = Refusal(
        .requestInvalid, "This can't be shown: something in it disturbs the text around.", field: "data.bio")
    package static let userUnknown = Refusal(.userNotFound)
    package static let oneself = Refusal(.requestInvalid, "That can't be done with oneself.", field: "data.user")
    /// They are the last administrator who may sign in.
    package static let lastAdmin = Refusal(.userLastAdmin)
    /// They do not show it.
    package static let userPrivate = Refusal(.userPrivate)
    /// The asker has blocked them.
    package static let userBlocked = Refusal(.userBlocked)
    /// More people than one may follow or block.
    package static let peopleLimitReached = Refusal(.userLimitReached)
}

// MARK: Rooms

extension Refusal {
    package static let roomUnknown = Refusal(.roomNotFound)
    /// Its owner ended it for good.
    package static let roomClosed = Refusal(.roomClosed)
    /// As many rooms as one may own, or as many members, bans, mutes or live invites as a room may have.
    package static let limitReached = Refusal(.roomLimitReached)
    /// The owner has no account: a guest, or somebody who has gone.
    package static let ownerUnknown = accountRequired
    package static let titleInvalid = Refusal(
        .requestInvalid,
        "This can't be shown as a title: nothing in it is visible, or something in it disturbs what is around.",
        field: "data.title")
    /// The room lets no guests in.
    package static let guestsNotAllowed = Refusal(.roomGuestsNotAllowed)
    /// No such invite, or one of another room.
    package static let inviteInvalid = Refusal(.inviteInvalid)
    package static let inviteExpired = Refusal(.inviteExpired)
    package static let inviteUsedUp = Refusal(.inviteUsedUp)
    package static let inviteRevoked = Refusal(.inviteRevoked)

    /// What they are in the room does not allow it.
    ///
    /// - Parameter capability: `nil` where the other person is as high as they, or higher.
    package static func forbidden(_ capability: Capability?) -> Refusal {
        Refusal(.roomForbidden, permission: capability?.rawValue)
    }

    /// - Parameter untilMilliseconds: `nil` for good.
    package static func banned(untilMilliseconds: Int64?, reason: String?) -> Refusal {
        var refusal = Refusal(.roomBanned, reason)
        refusal.untilMilliseconds = untilMilliseconds
        return refusal
    }
}

// MARK: Chat

extension Refusal {
    /// Nobody may write in the room.
    package static let chatOff = Refusal(.chatOff)
    /// There is no such message, or it has been deleted.
    package static let messageUnknown = Refusal(.chatNotFound)
    /// It is somebody else's message.
    package static let notAuthor = Refusal(.roomForbidden)
    /// An author's change comes after `ChatStore.editMilliseconds`.
    package static let messageTooOld = Refusal(.chatTooLate)

    /// - Parameter untilMilliseconds: `nil` until somebody lifts it.
    package static func muted(untilMilliseconds: Int64?) -> Refusal {
        var refusal = Refusal(.chatMuted)
        refusal.untilMilliseconds = untilMilliseconds
        return refusal
    }

    package static func textInvalid(_ problem: DisplayTextError) -> Refusal {
        var refusal = Refusal(.chatTextInvalid, field: "data.text")
        refusal.textProblem = problem
        return refusal
    }
}

// MARK: The database

extension Refusal: DomainError {
    /// What an error of the database means to every store.
    package init?(_ error: DatabaseError) {
        switch error.kind {
        case .busy, .timedOut: self = .busy(retryAfterMilliseconds: 1_000)
        default: return nil
        }
    }

    /// What a read past a DAO came to.
    init(reading error: any Error) {
        switch error {
        case let error as Refusal: self = error
        case let error as DatabaseError: self = Refusal(error) ?? .storage(error)
        default: self = .busy(retryAfterMilliseconds: 1_000)
        }
    }
}

/// The operations of a store, whose errors are refusals.
protocol RefusingDAO: DAO where Failure == Refusal {
    /// What a violated constraint means to this store.
    ///
    /// - Returns: `nil` for an error without a meaning of its own, which becomes `server.storage_failed`.
    static func meaning(of error: DatabaseError) -> Refusal?
}

extension RefusingDAO {
    static func meaning(of error: DatabaseError) -> Refusal? { nil }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        try await read(or: { Self.meaning(of: $0) ?? .storage($0) }, body)
    }

    @discardableResult
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        try await write(or: { Self.meaning(of: $0) ?? .storage($0) }, body)
    }
}

/// A store that may add an account.
protocol AccountRefusingDAO: RefusingDAO {}

extension AccountRefusingDAO {
    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        case .unique(table: "users", columns: ["email_key"]): .emailTaken
        case .unique(table: "users", columns: ["username_key"]): .usernameTaken
        case .unique(table: "username_looks", columns: ["look"]): .usernameTaken
        // A guest who has become an account already.
        case .unique(table: "users", columns: ["uid"]): .tokenInvalid
        default: nil
        }
    }
}

/// A store of what belongs to a room.
protocol RoomRefusingDAO: RefusingDAO {}

extension RoomRefusingDAO {
    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        case .check: .invalid
        // The only foreign key that a write may fail on is the room.
        case .foreignKey: .roomUnknown
        default: nil
        }
    }
}
