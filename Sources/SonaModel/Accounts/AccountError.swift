package import SonaDatabase
package import SonaText
package import SonaWire

/// Why an account operation was refused.
package enum AccountError: Error, Sendable, Equatable {
    case emailInvalid
    case emailTaken
    /// The account has no address: it belongs to an outside issuer's user, or to the server.
    case emailRequired
    /// Not 8–128 characters (Unicode scalars), more than 512 bytes, or with a NUL.
    case passwordUnusable
    case usernameInvalid(UsernameError)
    /// Somebody has the name, or one that looks like it.
    case usernameTaken
    /// The old name given is not the current one.
    case usernameMismatch
    case usernameAlreadyChosen
    case displayNameInvalid
    case bioInvalid
    /// Unknown e-mail or wrong password: which of them is not told.
    case credentialsInvalid
    case refreshInvalid
    case tokenInvalid
    case tokenExpired
    /// A code for recovery, confirmation or removal that was used, has expired, or is none.
    case codeInvalid
    /// The last proof of identity is too old for this.
    case reauthenticationRequired
    /// - Parameter retryAfterMilliseconds: `nil` for good.
    case banned(retryAfterMilliseconds: Int64?)
    case providerUnknown
    /// The keys of an outside issuer can't be had: nobody of theirs is let in.
    case providerUnavailable
    case userUnknown
    /// What is asked for makes no sense with oneself.
    case oneself
    /// The role of the account does not allow it (any more).
    case forbidden(Permission)
    /// They are the last administrator who may sign in.
    case lastAdmin
    /// They do not show it.
    case userPrivate
    /// The asker has blocked them.
    case userBlocked
    /// More people than one may follow or block.
    case peopleLimitReached
    /// Too many failures, or too much mail, from one network address or for one account.
    case rateLimited(retryAfterMilliseconds: Int)
    /// The account has asked for this more often than `AccountBudgets` allows.
    case tooMany(retryAfterMilliseconds: Int)
    /// Too many others are being served: no thread is free for a password.
    case busy(retryAfterMilliseconds: Int)
    /// Another process holds the database, too many accesses wait for it, or a search took too long.
    case databaseBusy(retryAfterMilliseconds: Int)
    /// The database's error is for logs: `code` says nothing of it.
    case storage(DatabaseError)

    /// The code in Protocol/spec/errors.md.
    package var code: String {
        switch self {
        case .emailInvalid: "auth.email_invalid"
        case .emailTaken: "auth.email_taken"
        case .emailRequired: "auth.email_required"
        case .passwordUnusable: "auth.password_unusable"
        case .usernameInvalid: "username.invalid"
        case .usernameTaken: "username.taken"
        case .usernameMismatch: "username.mismatch"
        case .usernameAlreadyChosen: "username.already_chosen"
        case .displayNameInvalid, .bioInvalid, .oneself: "request.invalid"
        case .credentialsInvalid: "auth.credentials_invalid"
        case .refreshInvalid: "auth.refresh_invalid"
        case .tokenInvalid: "auth.token_invalid"
        case .tokenExpired: "auth.token_expired"
        case .codeInvalid: "auth.code_invalid"
        case .reauthenticationRequired: "auth.reauth_required"
        case .banned: "auth.banned"
        case .providerUnknown: "auth.provider_unknown"
        case .providerUnavailable: "auth.provider_unavailable"
        case .userUnknown: "user.not_found"
        case .forbidden: "auth.forbidden"
        case .lastAdmin: "user.last_admin"
        case .userPrivate: "user.private"
        case .userBlocked: "user.blocked"
        case .peopleLimitReached: "user.limit_reached"
        case .rateLimited: "auth.rate_limited"
        case .tooMany: "request.rate_limited"
        case .busy: "auth.busy"
        case .databaseBusy: "server.busy"
        case .storage: "server.storage_failed"
        }
    }
}

extension AccountError {
    /// What is wrong with a name, in a sentence.
    package var nameProblem: String? {
        if case .usernameInvalid(let problem) = self { problem.description } else { nil }
    }

    package var isReservedName: Bool { self == .usernameInvalid(.reserved) }
}

extension AccountError: DomainError {
    package init?(_ error: DatabaseError) {
        switch error.kind {
        case .unique(table: "users", columns: ["email_key"]): self = .emailTaken
        case .unique(table: "users", columns: ["username_key"]): self = .usernameTaken
        case .unique(table: "username_looks", columns: ["look"]): self = .usernameTaken
        // A guest who has become an account already.
        case .unique(table: "users", columns: ["uid"]): self = .tokenInvalid
        case .busy, .timedOut: self = .databaseBusy(retryAfterMilliseconds: 1_000)
        default: return nil
        }
    }

    /// What a read past a DAO came to.
    init(reading error: any Error) {
        if let error = error as? AccountError {
            self = error
        } else if let error = error as? DatabaseError {
            self = AccountError(error) ?? .storage(error)
        } else {
            self = .databaseBusy(retryAfterMilliseconds: 1_000)
        }
    }
}
