package import SonaWire

extension Accounts {
    /// Who somebody is, as far as a token says it.
    package struct Account: Sendable, Equatable {
        package let uid: UserID
        /// `nil` for guests, and for accounts that have not chosen one yet.
        package var username: Username?
        /// The sign-in whose tokens this came by. When it is revoked, connections end. A guest signs in once: theirs is
        /// their identifier.
        package let family: String?
        /// When they last proved who they are, seconds since 1970; `nil` for a token that another token bought.
        package let authenticatedAt: Int64?
        // Here they fill a gap: every connection has one of these.
        package let isGuest: Bool
        package var role: AccountRole
        /// When the token expires that this came by, seconds since 1970.
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

        /// The same with a token that expires then.
        func expiring(at seconds: Int64) -> Account {
            Account(
                uid: uid, username: username, isGuest: isGuest, role: role, family: family,
                authenticatedAt: authenticatedAt, expiresAt: seconds)
        }

        /// The same account, whichever sign-in it came by.
        package static func == (left: Account, right: Account) -> Bool {
            left.uid == right.uid && left.username == right.username && left.isGuest == right.isGuest
                && left.role == right.role
        }
    }

    /// What somebody who signed in gets.
    package struct Grant: Sendable {
        package let account: Account
        package let accessToken: String
        package let expiresInSeconds: Int
        package let refreshToken: String
    }

    /// An access token alone.
    package struct Access: Sendable {
        package let account: Account
        package let accessToken: String
        package let expiresInSeconds: Int
    }
}
