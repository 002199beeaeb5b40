package import SonaDatabase

/// Why an account operation was refused.
package enum AccountError: Error, Sendable, Equatable {
    case emailInvalid
    case emailTaken
    /// Not 8–128 characters (Unicode scalars), more than 512 bytes, or with a NUL.
    case passwordUnusable
    case usernameInvalid
    case usernameTaken
    case displayNameInvalid
    /// Unknown e-mail or wrong password: which of them is not told.
    case credentialsInvalid
    case refreshInvalid
    case tokenInvalid
    case tokenExpired
    case rateLimited(retryAfterMilliseconds: Int)
    /// Too many others are being served.
    case busy(retryAfterMilliseconds: Int)
    /// The database's error is for logs: `code` says nothing of it.
    case storage(DatabaseError)

    /// The code in Protocol/spec/errors.md.
    package var code: String {
        switch self {
        case .emailInvalid: "auth.email_invalid"
        case .emailTaken: "auth.email_taken"
        case .passwordUnusable: "auth.password_unusable"
        case .usernameInvalid: "username.invalid"
        case .usernameTaken: "username.taken"
        case .displayNameInvalid: "request.invalid"
        case .credentialsInvalid: "auth.credentials_invalid"
        case .refreshInvalid: "auth.refresh_invalid"
        case .tokenInvalid: "auth.token_invalid"
        case .tokenExpired: "auth.token_expired"
        case .rateLimited: "auth.rate_limited"
        case .busy: "auth.busy"
        case .storage: "server.storage_failed"
        }
    }
}

extension AccountError: DomainError {
    package init?(_ error: DatabaseError) {
        switch error.kind {
        case .unique(table: "users", columns: ["email_key"]): self = .emailTaken
        case .unique(table: "users", columns: ["username_key"]): self = .usernameTaken
        case .busy: self = .busy(retryAfterMilliseconds: 1_000)
        default: return nil
        }
    }
}
