/// `auth.sign_up`: makes an account and signs the connection in.
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

    public init(email: String, password: String, username: Username, displayName: String? = nil) {
        self.email = email
        self.password = password
        self.username = username
        self.displayName = displayName
    }

    /// - Throws: `auth.email_invalid`, `auth.password_unusable`, `username.invalid` or `request.invalid`.
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        email = try fields.parsed("email", "an e-mail address", code: .authEmailInvalid) {
            Self.isEmail($0) ? $0 : nil
        }
        password = try fields.parsed("password", "8 to 128 characters", code: .authPasswordUnusable) { password in
            Limits.passwordScalars.contains(password.unicodeScalars.count)
                && password.utf8.count <= Limits.passwordBytesMax ? password : nil
        }
        username = try fields.parsed("username", "a username", code: .usernameInvalid, Username.init)
        displayName = try fields.lineIfPresent("display_name", bytes: Limits.displayNameBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("email", email)
            writer.member("password", password)
            writer.member("username", username.rawValue)
            writer.member("display_name", ifPresent: displayName)
        }
    }

    /// Only what mail could not be sent to in any case is refused: the rest is found out by sending.
    static func isEmail(_ text: String) -> Bool {
        guard Limits.emailBytes.contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7F...0x9F ~= $0.value) })
        else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
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
public struct AuthGuest: WireRequest {
    public typealias Response = GuestGrant
    public static let type = "auth.guest"

    public init() {}

    public init(_ data: JSON) throws(WireError) { _ = try Fields(request: data) }

    public func encode(into writer: inout JSONWriter) { writer.object { _ in } }
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
public struct UserMe: WireRequest {
    public typealias Response = Me
    public static let type = "user.me"

    public init() {}

    public init(_ data: JSON) throws(WireError) { _ = try Fields(request: data) }

    public func encode(into writer: inout JSONWriter) { writer.object { _ in } }
}
