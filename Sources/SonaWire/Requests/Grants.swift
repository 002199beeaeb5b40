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

/// What a guest holds: a token that is all there is of them.
///
/// Source: Protocol/spec/accounts.md, "Grants".
public struct GuestGrant: WireObject, Equatable {
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
public struct Me: WireObject, Equatable {
    public var user: User
    /// `nil` for guests.
    public var email: String?
    public var profile: Profile

    public init(user: User, email: String?, profile: Profile) {
        self.user = user
        self.email = email
        self.profile = profile
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        email = try fields.stringIfPresent("email", bytes: Limits.emailBytes)
        profile = try fields.object("profile", as: Profile.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("email", orNull: email)
            writer.member("profile", profile)
        }
    }
}
