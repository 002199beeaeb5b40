package import SonaWire

extension Accounts {
    /// The identity of a user or a guest, as an access token states it.
    package struct Account: Sendable, Equatable {
        package let uid: UserID
        /// `nil` for guests, and for accounts that have not chosen one yet.
        package var username: Username?
        /// The sign-in that the access token belongs to. When it is revoked, its connections end. A guest has one
        /// sign-in: here their user identifier.
        package let family: String?
        /// When the user last proved their identity, seconds since 1970. `nil` if the token came from a refresh token.
        package let authenticatedAt: Int64?
        // `isGuest` and `role` stand here to fill a gap between larger fields: every connection holds an `Account`.
        package let isGuest: Bool
        package var role: AccountRole
        /// When the access token expires, seconds since 1970. `nil` if there is no token yet.
        package let expiresAt: Int64?

        package init(
            uid: UserID, username: Username?, isGuest: Bool, role: AccountRole = .user, family: String? = nil,
            authenticatedAt: Int64? = nil, expiresAt: Int64? = nil
        ) {
            self.uid = uid
            self.username = username
            self.isGuest = isGuest
            self.role = role
            self.family = family
            self.authenticatedAt = authenticatedAt
            self.expiresAt = expiresAt
        }

        init(_ user: UserRecord, family: String?, authenticatedAt: Int64?) {
            self.init(
                uid: user.uid, username: user.username, isGuest: false, role: user.role, family: family,
                authenticatedAt: authenticatedAt)
        }

        /// This account with a token that expires at `seconds` since 1970.
        func expiring(at seconds: Int64) -> Account {
            Account(
                uid: uid, username: username, isGuest: isGuest, role: role, family: family,
                authenticatedAt: authenticatedAt, expiresAt: seconds)
        }

        /// Compares identifier, name and role. Two sign-ins of one account are equal.
        package static func == (left: Account, right: Account) -> Bool {
            left.uid == right.uid && left.username == right.username && left.isGuest == right.isGuest
                && left.role == right.role
        }
    }

    /// The result of a sign-in: the account, an access token with its lifetime, and a refresh token.
    package struct Grant: Sendable {
        package let account: Account
        package let accessToken: String
        package let expiresInSeconds: Int
        package let refreshToken: String
    }

    /// The account and an access token with its lifetime, without a refresh token.
    package struct Access: Sendable {
        package let account: Account
        package let accessToken: String
        package let expiresInSeconds: Int
    }
}
