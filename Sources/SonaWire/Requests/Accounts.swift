/// `auth.sign_up`: makes an account and signs the connection in. A guest who calls it becomes the account.
///
/// Source: Protocol/spec/accounts.md, "auth.sign_up".
public struct AuthSignUp: WireRequest {
    public typealias Response = Grant
    public static let type = "auth.sign_up"

    /// 3 to 254 bytes, one `@` with something on both sides.
    public var email: String
    /// 8 to 128 Unicode scalar values.
    public var password: String
    public var username: Username
    /// One line of 1 to 100 bytes.
    public var displayName: String?
    /// What the account's settings begin with.
    public var locale: LocaleCode?

    public init(
        email: String, password: String, username: Username, displayName: String? = nil, locale: LocaleCode? = nil
    ) {
        self.email = email
        self.password = password
        self.username = username
        self.displayName = displayName
        self.locale = locale
    }

    /// - Throws: `auth.email_invalid`, `auth.password_unusable`, `username.invalid` or `request.invalid`.
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        email = try fields.emailAddress()
        password = try fields.newPassword("password")
        username = try fields.newUsername()
        displayName = try fields.lineIfPresent("display_name", bytes: Limits.displayNameBytes)
        locale = try fields.wordIfPresent("locale", as: LocaleCode.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("email", email)
            writer.member("password", password)
            writer.member("username", username.rawValue)
            writer.member("display_name", ifPresent: displayName)
            writer.member("locale", ifPresent: locale?.rawValue)
        }
    }
}

/// `auth.sign_in`: signs the connection in with a password.
///
/// Source: Protocol/spec/accounts.md, "auth.sign_in".
public struct AuthSignIn: WireRequest {
    public typealias Response = Grant
    public static let type = "auth.sign_in"

    /// At most 254 bytes; not otherwise checked, so that only the credentials decide.
    public var email: String
    /// At most 512 bytes.
    public var password: String

    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        email = try fields.string("email", bytes: 0...Limits.emailBytes.upperBound)
        password = try fields.string("password", bytes: 0...Limits.passwordBytesMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("email", email)
            writer.member("password", password)
        }
    }
}

/// `auth.refresh`: trades a refresh token for new tokens and signs the connection in.
///
/// Source: Protocol/spec/accounts.md, "auth.refresh".
public struct AuthRefresh: WireRequest {
    public typealias Response = Grant
    public static let type = "auth.refresh"

    /// 1 to 512 bytes.
    public var refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }

    public init(_ data: JSON) throws(WireError) {
        refreshToken = try Fields(request: data).string("refresh_token", bytes: Limits.refreshTokenBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("refresh_token", refreshToken) }
    }
}

/// `auth.guest`: makes the connection a guest's.
///
/// Source: Protocol/spec/accounts.md, "auth.guest".
public struct AuthGuest: FieldlessRequest {
    public typealias Response = AccessGrant
    public static let type = "auth.guest"

    public init() {}
}

/// `auth.sign_out`: makes the connection anonymous, and forgets a refresh token and its whole family.
///
/// Source: Protocol/spec/accounts.md, "auth.sign_out".
public struct AuthSignOut: WireRequest {
    public typealias Response = Empty
    public static let type = "auth.sign_out"

    public var refreshToken: String?

    public init(refreshToken: String? = nil) { self.refreshToken = refreshToken }

    public init(_ data: JSON) throws(WireError) {
        refreshToken = try Fields(request: data)
            .stringIfPresent("refresh_token", bytes: Limits.refreshTokenBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("refresh_token", ifPresent: refreshToken) }
    }
}

/// `user.me`: what the server knows about the user of the connection.
///
/// Source: Protocol/spec/accounts.md, "user.me".
public struct UserMe: FieldlessRequest {
    public typealias Response = Me
    public static let type = "user.me"

    public init() {}
}
