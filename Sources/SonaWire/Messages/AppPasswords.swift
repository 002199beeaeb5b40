extension Catalogue {
    /// Passwords that apps of other makers sign in with.
    ///
    /// Source: Protocol/spec/app-passwords.md.
    static let appPasswords = Area(
        "app-passwords", requests: [AppPasswordCreate.self, AppPasswordList.self, AppPasswordRevoke.self])
}

extension Limits {
    /// The feature that announces app passwords.
    public static let appPasswordsFeature = "app_passwords"
    /// Bytes of the name of an app password.
    public static let appPasswordNameBytes = 1...64
    /// App passwords of an account.
    public static let appPasswordsMax = 50
    /// Bytes of what an app calls itself. Longer names are cut.
    public static let appClientBytesMax = 64
    /// Bytes of what an app password says.
    public static let appPasswordSecretBytes = 20...64
}

// MARK: - Objects

/// A password that one app of an account signs in with. What it says is told once, by `app_password.create`.
///
/// Source: Protocol/spec/app-passwords.md, "App password".
public struct AppPassword: DeclaredObject, Hashable {
    public var id: Int64
    /// What its owner calls it: the app, or the device.
    public var name: String
    /// Milliseconds since 1970, UTC, as the next one.
    public var createdMilliseconds: Int64
    /// When it was used last, to about a minute; `nil`: never.
    public var usedMilliseconds: Int64?
    /// The network from which it was used last.
    public var usedFrom: String?
    /// What the app that used it last calls itself.
    public var client: String?

    public init(
        id: Int64, name: String, createdMilliseconds: Int64, usedMilliseconds: Int64? = nil, usedFrom: String? = nil,
        client: String? = nil
    ) {
        self.id = id
        self.name = name
        self.createdMilliseconds = createdMilliseconds
        self.usedMilliseconds = usedMilliseconds
        self.usedFrom = usedFrom
        self.client = client
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("name", \Self.name, .line(bytes: Limits.appPasswordNameBytes)),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member(nullable: "used_ms", \Self.usedMilliseconds, .wallTime),
        Member(nullable: "used_from", \Self.usedFrom, .line(bytes: 1...64)),
        Member(nullable: "client", \Self.client, .line(bytes: 1...Limits.appClientBytesMax)),
        make: Self.init)
}

// MARK: - Requests

/// `app_password.create`: makes an app password. Needs a recent proof.
///
/// Source: Protocol/spec/app-passwords.md, "app_password.create".
public struct AppPasswordCreate: DeclaredRequest {
    public typealias Response = AppPasswordMade
    public static let type = "app_password.create"
    public static let permission: Permission? = .accountManage

    public var name: String

    public init(name: String) { self.name = name }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.appPasswordNameBytes)), make: Self.init)
}

/// The answer to `app_password.create`.
public struct AppPasswordMade: DeclaredObject, Equatable {
    public var appPassword: AppPassword
    /// What it says. The server does not tell it again.
    public var secret: String

    public init(appPassword: AppPassword, secret: String) {
        self.appPassword = appPassword
        self.secret = secret
    }

    public static let declaration = Declaration(
        Member("app_password", \Self.appPassword, .object),
        Member("secret", \Self.secret, .line(bytes: Limits.appPasswordSecretBytes)),
        make: Self.init)
}

/// `app_password.list`: the app passwords of the account, the newest first.
///
/// Source: Protocol/spec/app-passwords.md, "app_password.list".
public struct AppPasswordList: FieldlessRequest {
    public typealias Response = AppPasswords
    public static let type = "app_password.list"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// The answer to `app_password.list`.
public struct AppPasswords: DeclaredObject, Equatable {
    public var appPasswords: [AppPassword]

    public init(appPasswords: [AppPassword]) { self.appPasswords = appPasswords }

    public static let declaration = Declaration(
        Member("app_passwords", \Self.appPasswords, .objects(count: 0...Limits.appPasswordsMax)), make: Self.init)
}

/// `app_password.revoke`: ends an app password.
///
/// Source: Protocol/spec/app-passwords.md, "app_password.revoke".
public struct AppPasswordRevoke: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "app_password.revoke"
    public static let permission: Permission? = .accountManage

    public var id: Int64

    public init(id: Int64) { self.id = id }

    public static let declaration = Declaration(Member("id", \Self.id, .number), make: Self.init)
}
