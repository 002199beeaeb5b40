/// `operator.create_user`: makes an account, the first administrator's for instance.
///
/// Requests of this file come through the Unix socket of the data folder alone, and are no part of the protocol that
/// clients speak.
///
/// Source: deploy/README.md, "Accounts".
public struct OperatorCreateUser: WireRequest {
    public typealias Response = AdminUserResult
    public static let type = "operator.create_user"

    public var email: String
    public var username: Username
    public var password: String
    public var role: AccountRole

    public init(email: String, username: Username, password: String, role: AccountRole) {
        self.email = email
        self.username = username
        self.password = password
        self.role = role
    }

    /// - Throws: As `AuthSignUp`.
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        email = try fields.emailAddress()
        username = try fields.newUsername()
        password = try fields.newPassword("password")
        role = try fields.word("role", as: AccountRole.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("email", email)
            writer.member("username", username.rawValue)
            writer.member("password", password)
            writer.member("role", role.rawValue)
        }
    }
}

/// `operator.set_password`: gives somebody another password and ends their sign-ins.
public struct OperatorSetPassword: WireRequest {
    public typealias Response = Empty
    public static let type = "operator.set_password"

    public var user: UserReference
    public var password: String

    public init(user: UserReference, password: String) {
        self.user = user
        self.password = password
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        user = try fields.user()
        password = try fields.newPassword("password")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user.text)
            writer.member("password", password)
        }
    }
}

/// `operator.recovery_link`: what lets somebody choose a new password, to be handed over by other means than mail.
public struct OperatorRecoveryLink: UserRequest {
    public typealias Response = OperatorLink
    public static let type = "operator.recovery_link"

    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `operator.confirmation_link`: what confirms an address.
public struct OperatorConfirmationLink: WireRequest {
    public typealias Response = OperatorLink
    public static let type = "operator.confirmation_link"

    public var user: UserReference
    /// Another address than the account's own.
    public var email: String?

    public init(user: UserReference, email: String? = nil) {
        self.user = user
        self.email = email
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        user = try fields.user()
        email = try fields.stringIfPresent("email", bytes: Limits.emailBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user.text)
            writer.member("email", ifPresent: email)
        }
    }
}

/// A code to be handed to somebody.
public struct OperatorLink: WireObject, Equatable {
    public var code: String
    /// `nil` where nobody has said under which address people reach the server.
    public var link: String?
    /// How long it is good for, seconds.
    public var seconds: Int

    public init(code: String, link: String?, seconds: Int) {
        self.code = code
        self.link = link
        self.seconds = seconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        code = try fields.string("code", bytes: Limits.codeBytes)
        link = try fields.stringIfPresent("link", bytes: 1...Limits.textBytesMax)
        seconds = Int(try fields.integer("expires_in_s", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code)
            writer.member("link", orNull: link)
            writer.member("expires_in_s", seconds)
        }
    }
}
