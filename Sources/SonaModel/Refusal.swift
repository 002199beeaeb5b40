package import SonaDatabase
package import SonaText
package import SonaWire

/// The reason why the model refused a request, as an error code of the protocol with its details.
package struct Refusal: Error, Sendable, Equatable {
    package var code: ErrorCode
    /// The sentence for the client. `nil`: the code's own sentence.
    package var message: String?
    /// The field at fault, as a path from the top of the message: `data.title`.
    package var field: String?
    /// The permission or capability that was missing.
    package var permission: String?
    /// After how many milliseconds to try again, counted from the refusal. `nil` if waiting does not help.
    package var retryAfterMilliseconds: Int64?
    /// When a ban or mute in a room ends, milliseconds since 1970. `nil` if it does not end by itself.
    package var untilMilliseconds: Int64?
    /// The version that there is, where the request named another one.
    package var version: Int64?
    /// The problem of a chat text, for the caller in the process. A client sees only the code's own sentence.
    package var textProblem: DisplayTextError?
    /// The database's error, for logs. A client never sees it.
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

    /// A refusal with nothing but its code.
    package static func refused(_ code: ErrorCode) -> Refusal { Refusal(code) }

    /// A refusal after which the client may try again in `retryAfterMilliseconds`.
    package static func busy(_ code: ErrorCode, retryAfterMilliseconds: Int) -> Refusal {
        Refusal(code, retryAfterMilliseconds: Int64(retryAfterMilliseconds))
    }
}

// MARK: The server

extension Refusal {
    /// A failure of the database that no store gives a meaning of its own.
    package static func storage(_ error: DatabaseError) -> Refusal { Refusal(.serverStorageFailed, cause: error) }

    /// The database is busy: another process holds it, too many accesses wait, or a search exceeded its time limit.
    package static func busy(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.serverBusy, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// The account's budget for this type of request is used up (`AccountBudgets`).
    package static func tooMany(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.requestRateLimited, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// A value outside its bounds, or a standing for the owner of a room, who has none.
    package static let invalid = Refusal(.requestInvalid)
}

// MARK: Signing in

extension Refusal {
    package static let emailInvalid = Refusal(.authEmailInvalid)
    package static let emailTaken = Refusal(.authEmailTaken)
    /// The account has no address: it belongs to an outside issuer's user, or to the server.
    package static let emailRequired = Refusal(.authEmailRequired)
    /// The password does not have 8–128 characters (Unicode scalars), or has more than 512 bytes or a NUL.
    package static let passwordUnusable = Refusal(.authPasswordUnusable)
    /// Unknown e-mail address or wrong password. The client does not learn which.
    package static let credentialsInvalid = Refusal(.authCredentialsInvalid)
    package static let refreshInvalid = Refusal(.authRefreshInvalid)
    package static let tokenInvalid = Refusal(.authTokenInvalid)
    package static let tokenExpired = Refusal(.authTokenExpired)
    /// A code for recovery, confirmation or removal is unknown, was used, or has expired.
    package static let codeInvalid = Refusal(.authCodeInvalid)
    /// The server has an administrator, so nobody sets it up any more.
    package static let setupDone = Refusal(.setupDone)
    /// The last proof of identity is too old for this request.
    package static let reauthenticationRequired = Refusal(.authReauthRequired)
    package static let providerUnknown = Refusal(.authProviderUnknown)
    /// The keys of an outside issuer are not available, so its tokens can't be checked.
    package static let providerUnavailable = Refusal(.authProviderUnavailable)
    /// The request needs an account. Guests are temporary.
    package static let accountRequired = Refusal(.authAccountRequired)

    /// The account is banned from the server.
    ///
    /// - Parameter retryAfterMilliseconds: How long the ban still lasts. `nil`: permanent.
    package static func banned(retryAfterMilliseconds: Int64?) -> Refusal {
        Refusal(.authBanned, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// The account waits for an administrator's approval.
    package static let approvalPending = Refusal(.authApprovalPending)

    /// The role of the account does not have the permission.
    package static func forbidden(_ missing: Permission) -> Refusal {
        Refusal(.authForbidden, permission: missing.rawValue)
    }

    /// Too many failed sign-ins, sign-ups, mails or checks of names, from one network or for one account.
    package static func rateLimited(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.authRateLimited, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// No thread, queue place or memory is free for hashing a password.
    package static func hashingBusy(retryAfterMilliseconds: Int) -> Refusal {
        .busy(.authBusy, retryAfterMilliseconds: retryAfterMilliseconds)
    }
}

// MARK: Users

extension Refusal {
    /// The username breaks a rule; the problem is the message.
    package static func usernameInvalid(_ problem: UsernameError) -> Refusal {
        Refusal(.usernameInvalid, problem.description)
    }

    /// Whether the username was refused because it is reserved.
    package var isReservedName: Bool { self == .usernameInvalid(.reserved) }

    /// The name is taken or held, or looks like such a name.
    package static let usernameTaken = Refusal(.usernameTaken)
    /// The old name given is not the current one.
    package static let usernameMismatch = Refusal(.usernameMismatch)
    package static let usernameAlreadyChosen = Refusal(.usernameAlreadyChosen)
    package static let displayNameInvalid = Refusal(
        .requestInvalid,
        "This can't be shown as a name: it has no visible characters, or characters that disturb the text around it.",
        field: "data.display_name")
    package static let bioInvalid = Refusal(
        .requestInvalid, "This can't be shown: it has characters that disturb the text around it.", field: "data.bio")
    package static let userUnknown = Refusal(.userNotFound)
    package static let oneself = Refusal(.requestInvalid, "You can't do that to your own account.", field: "data.user")
    /// The user is the last administrator who can sign in.
    package static let lastAdmin = Refusal(.userLastAdmin)
    /// The user does not show this to the asker.
    package static let userPrivate = Refusal(.userPrivate)
    /// The asker has blocked the user.
    package static let userBlocked = Refusal(.userBlocked)
    /// The account follows or blocks as many people as it may.
    package static let peopleLimitReached = Refusal(.userLimitReached)
}

// MARK: Rooms

extension Refusal {
    package static let roomUnknown = Refusal(.roomNotFound)
    /// The owner closed the room permanently.
    package static let roomClosed = Refusal(.roomClosed)
    /// There is no such offer of a room, or it has ended.
    package static let receiverBanned = Refusal(
        .requestInvalid, "That account is banned from the server.", field: "data.user")
    package static let transferUnknown = Refusal(.transferNotFound)
    /// The account owns as many rooms as it may, or the room has as many members, bans, mutes or valid invites as it
    /// may.
    package static let limitReached = Refusal(.roomLimitReached)
    /// The owner of a new room has no account: a guest, or a user who was removed.
    package static let ownerUnknown = accountRequired
    package static let titleInvalid = Refusal(
        .requestInvalid,
        "This can't be shown as a title: it has no visible characters, or characters that disturb the text around it.",
        field: "data.title")
    /// The room does not accept guests.
    package static let guestsNotAllowed = Refusal(.roomGuestsNotAllowed)
    /// The invite does not exist or belongs to another room.
    package static let inviteInvalid = Refusal(.inviteInvalid)
    package static let inviteExpired = Refusal(.inviteExpired)
    package static let inviteUsedUp = Refusal(.inviteUsedUp)
    package static let inviteRevoked = Refusal(.inviteRevoked)

    /// The user's standing in the room does not allow it.
    ///
    /// - Parameter capability: What is missing. `nil` if the other person's standing is equal or higher.
    package static func forbidden(_ capability: Capability?) -> Refusal {
        Refusal(.roomForbidden, permission: capability?.rawValue)
    }

    /// The user is banned from the room.
    ///
    /// - Parameters:
    ///   - untilMilliseconds: When the ban ends, milliseconds since 1970. `nil`: permanent.
    ///   - reason: The sentence for the client. `nil`: the code's own.
    package static func banned(untilMilliseconds: Int64?, reason: String?) -> Refusal {
        var refusal = Refusal(.roomBanned, reason)
        refusal.untilMilliseconds = untilMilliseconds
        return refusal
    }
}

// MARK: Chat

extension Refusal {
    /// Chat is turned off in the room.
    package static let chatOff = Refusal(.chatOff)
    /// The message does not exist or was deleted.
    package static let messageUnknown = Refusal(.chatNotFound)
    /// The message is another user's.
    package static let notAuthor = Refusal(.roomForbidden)
    /// The author's change came later than `ChatStore.editMilliseconds` after the message.
    package static let messageTooOld = Refusal(.chatTooLate)

    /// The user is muted in the room.
    ///
    /// - Parameter untilMilliseconds: When the mute ends, milliseconds since 1970. `nil`: when it is lifted.
    package static func muted(untilMilliseconds: Int64?) -> Refusal {
        var refusal = Refusal(.chatMuted)
        refusal.untilMilliseconds = untilMilliseconds
        return refusal
    }

    /// A chat text cannot be shown. The field is `data.text`.
    package static func textInvalid(_ problem: DisplayTextError) -> Refusal {
        var refusal = Refusal(.chatTextInvalid, field: "data.text")
        refusal.textProblem = problem
        return refusal
    }
}

// MARK: The database

extension Refusal: DomainError {
    /// Converts a database error that means the same to every store. `nil` for all others.
    package init?(_ error: DatabaseError) {
        switch error.kind {
        case .busy, .timedOut: self = .busy(retryAfterMilliseconds: 1_000)
        default: return nil
        }
    }

    /// Converts the error of a read that does not go through a DAO. Any other error is a cancelled task, which becomes
    /// `busy`.
    package init(reading error: any Error) {
        switch error {
        case let error as Refusal: self = error
        case let error as DatabaseError: self = Refusal(error) ?? .storage(error)
        default: self = .busy(retryAfterMilliseconds: 1_000)
        }
    }
}

/// A DAO whose operations throw refusals.
package protocol RefusingDAO: DAO where Failure == Refusal {
    /// Converts the error of a violated constraint.
    ///
    /// - Returns: `nil` for an error without a special meaning. It becomes `server.storage_failed`.
    static func meaning(of error: DatabaseError) -> Refusal?
}

extension RefusingDAO {
    package static func meaning(of error: DatabaseError) -> Refusal? { nil }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        try await read(or: { Self.meaning(of: $0) ?? .storage($0) }, body)
    }

    @discardableResult
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        try await write(or: { Self.meaning(of: $0) ?? .storage($0) }, body)
    }
}

/// A DAO whose transactions may add an account.
protocol AccountRefusingDAO: RefusingDAO {}

extension AccountRefusingDAO {
    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        case .unique(table: "users", columns: ["email_key"]): .emailTaken
        case .unique(table: "users", columns: ["username_key"]): .usernameTaken
        case .unique(table: "username_looks", columns: ["look"]): .usernameTaken
        // The guest has become an account already.
        case .unique(table: "users", columns: ["uid"]): .tokenInvalid
        default: nil
        }
    }
}

/// A DAO of rows that belong to a room.
protocol RoomRefusingDAO: RefusingDAO {}

extension RoomRefusingDAO {
    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        case .check: .invalid
        // Only the foreign key to the room can fail.
        case .foreignKey: .roomUnknown
        default: nil
        }
    }
}
