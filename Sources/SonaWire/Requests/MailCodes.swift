/// `auth.request_recovery`: has a code mailed to whoever forgot their password.
///
/// The answer does not tell whether there is such an account.
///
/// Source: Protocol/spec/accounts.md, "auth.request_recovery".
public struct AuthRequestRecovery: WireRequest {
    public typealias Response = Empty
    public static let type = "auth.request_recovery"

    /// At most 254 bytes; not otherwise checked, as nothing about it is told.
    public var email: String

    public init(email: String) { self.email = email }

    public init(_ data: JSON) throws(WireError) {
        email = try Fields(request: data).string("email", bytes: 0...Limits.emailBytes.upperBound)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("email", email) } }
}

/// `auth.recover`: sets a new password with a code that was mailed, and signs the connection in.
///
/// Source: Protocol/spec/accounts.md, "auth.recover".
public struct AuthRecover: WireRequest {
    public typealias Response = Grant
    public static let type = "auth.recover"

    /// 1 to 128 bytes.
    public var code: String
    /// 8 to 128 Unicode scalar values.
    public var newPassword: String

    public init(code: String, newPassword: String) {
        self.code = code
        self.newPassword = newPassword
    }

    /// - Throws: `auth.password_unusable` or `request.invalid`.
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        code = try fields.code()
        newPassword = try fields.newPassword("new_password")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code)
            writer.member("new_password", newPassword)
        }
    }
}

/// `auth.request_confirmation`: has a code mailed to the account's address.
///
/// Source: Protocol/spec/accounts.md, "auth.request_confirmation".
public struct AuthRequestConfirmation: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "auth.request_confirmation"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// `auth.confirm_email`: shows by a mailed code that mail to an address arrives.
///
/// Source: Protocol/spec/accounts.md, "auth.confirm_email".
public struct AuthConfirmEmail: CodeRequest {
    public typealias Response = Empty
    public static let type = "auth.confirm_email"

    public var code: String

    public init(code: String) { self.code = code }
}

/// `auth.change_email`: another address, from when it is confirmed.
///
/// Source: Protocol/spec/accounts.md, "auth.change_email".
public struct AuthChangeEmail: WireRequest {
    public typealias Response = Empty
    public static let type = "auth.change_email"
    public static let permission: Permission? = .accountManage

    /// 3 to 254 bytes, one `@` with something on both sides.
    public var email: String

    public init(email: String) { self.email = email }

    /// - Throws: `auth.email_invalid` or `request.invalid`.
    public init(_ data: JSON) throws(WireError) { email = try Fields(request: data).emailAddress() }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("email", email) } }
}
