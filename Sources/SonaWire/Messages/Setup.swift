extension Catalogue {
    /// The first administrator of a new server.
    ///
    /// Source: Protocol/spec/setup.md.
    static let setup = Area("setup", requests: [SetupState.self, SetupFinish.self])
}

extension Limits {
    /// The feature that announces the setup.
    public static let setupFeature = "setup"
    /// Seconds for which a code for the setup is good.
    public static let setupSeconds = 86_400
}

/// `setup.state`: whether a code is good for making the first administrator's account.
///
/// Source: Protocol/spec/setup.md, "setup.state".
public struct SetupState: DeclaredRequest {
    public typealias Response = SetupStateResult
    public static let type = "setup.state"

    /// The code of the setup link, 1 to 128 bytes.
    public var code: String

    public init(code: String) { self.code = code }

    public static let declaration = Declaration(
        Member("code", \Self.code, .code), make: { code in Self(code: code) })
}

/// The answer to `setup.state`: the code is good.
public struct SetupStateResult: DeclaredObject, Equatable {
    /// Until when, milliseconds since 1970, UTC.
    public var expiresMilliseconds: Int64

    public init(expiresMilliseconds: Int64) { self.expiresMilliseconds = expiresMilliseconds }

    public static let declaration = Declaration(
        Member("expires_ms", \Self.expiresMilliseconds, .wallTime),
        make: { expires in Self(expiresMilliseconds: expires) })
}

/// `setup.finish`: makes the first administrator's account, and signs it in.
///
/// Source: Protocol/spec/setup.md, "setup.finish".
public struct SetupFinish: DeclaredRequest {
    public typealias Response = Grant
    public static let type = "setup.finish"

    /// The code of the setup link, 1 to 128 bytes.
    public var code: String
    /// 3 to 254 bytes.
    public var email: String
    /// 8 to 128 Unicode scalar values.
    public var password: String
    public var username: Username
    /// The account's first settings.
    public var locale: LocaleCode?

    public init(code: String, email: String, password: String, username: Username, locale: LocaleCode? = nil) {
        self.code = code
        self.email = email
        self.password = password
        self.username = username
        self.locale = locale
    }

    public static let declaration = Declaration(
        Member("code", \Self.code, .code),
        Member("email", \Self.email, .emailAddress),
        Member("password", \Self.password, .newPassword),
        Member("username", \Self.username, .newUsername),
        Member(optional: "locale", \Self.locale, .word),
        make: Self.init)
}
