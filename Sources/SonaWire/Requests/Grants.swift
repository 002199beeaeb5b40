/// What somebody who signed in holds from then on.
///
/// Source: Protocol/spec/accounts.md, "Grants".
public struct Grant: WireObject, Equatable {
    public var user: User
    /// 1 to 8192 bytes; presented in `hello` and as a bearer token.
    public var accessToken: String
    public var expiresInSeconds: Int
    /// 1 to 512 bytes; good for one `auth.refresh`.
    public var refreshToken: String

    public init(user: User, accessToken: String, expiresInSeconds: Int, refreshToken: String) {
        self.user = user
        self.accessToken = accessToken
        self.expiresInSeconds = expiresInSeconds
        self.refreshToken = refreshToken
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        accessToken = try fields.string("access_token", bytes: Limits.tokenBytes)
        expiresInSeconds = Int(try fields.integer("expires_in_s", in: 0...Limits.integerMax))
        refreshToken = try fields.string("refresh_token", bytes: Limits.refreshTokenBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("access_token", accessToken)
            writer.member("expires_in_s", expiresInSeconds)
            writer.member("refresh_token", refreshToken)
        }
    }
}

/// An access token alone: all there is of a guest, and what replaces an account's own when its name or proof changes.
///
/// Source: Protocol/spec/accounts.md, "Access grants".
public struct AccessGrant: WireObject, Equatable {
    public var user: User
    public var accessToken: String
    public var expiresInSeconds: Int

    public init(user: User, accessToken: String, expiresInSeconds: Int) {
        self.user = user
        self.accessToken = accessToken
        self.expiresInSeconds = expiresInSeconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        accessToken = try fields.string("access_token", bytes: Limits.tokenBytes)
        expiresInSeconds = Int(try fields.integer("expires_in_s", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("access_token", accessToken)
            writer.member("expires_in_s", expiresInSeconds)
        }
    }
}

/// The answer to `user.me`.
///
/// Source: Protocol/spec/accounts.md, "user.me".
public struct Me: WireObject, Equatable {
    public var user: User
    /// `nil` for guests, and for accounts that have none.
    public var email: String?
    /// Whether the user has shown that mail to `email` reaches them.
    public var isEmailConfirmed: Bool
    /// `nil` for guests.
    public var role: AccountRole?
    public var profile: Profile
    /// `nil` for guests.
    public var settings: Settings?
    /// What the user may do, as texts because a newer server may name others. See `Permission`.
    public var permissions: [String]

    public init(
        user: User, email: String?, isEmailConfirmed: Bool = false, role: AccountRole? = nil, profile: Profile,
        settings: Settings? = nil, permissions: [String] = []
    ) {
        self.user = user
        self.email = email
        self.isEmailConfirmed = isEmailConfirmed
        self.role = role ?? (user.isGuest ? nil : .user)
        self.profile = profile
        self.settings = settings
        self.permissions = permissions
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        self.init(
            user: try fields.object("user", as: User.self),
            email: try fields.stringIfPresent("email", bytes: Limits.emailBytes),
            isEmailConfirmed: try fields.boolIfPresent("email_confirmed") ?? false,
            role: try fields.wordIfPresent("role", as: AccountRole.self),
            profile: try fields.object("profile", as: Profile.self),
            settings: try fields.objectIfPresent("settings", as: Settings.self),
            permissions: try fields.stringsIfPresent("permissions", bytes: Limits.permissionBytes) ?? [])
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("email", orNull: email)
            writer.member("email_confirmed", isEmailConfirmed)
            writer.member("role", orNull: role?.rawValue)
            writer.member("profile", profile)
            writer.member("settings", orNull: settings)
            writer.member("permissions", permissions)
        }
    }
}
