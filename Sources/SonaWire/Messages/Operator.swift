// MARK: - Requests

/// `operator.create_user`: makes an account, the first administrator's for instance.
///
/// Requests of this file come through the Unix socket of the data folder alone, and are no part of the protocol that
/// clients speak.
///
/// Source: deploy/README.md, "Accounts".
public struct OperatorCreateUser: DeclaredRequest {
    public typealias Response = AdminUserResult
    public static let type = "operator.create_user"

    /// The account's e-mail address, 3 to 254 bytes.
    public var email: String
    /// The account's username, 3 to 24 bytes.
    public var username: Username
    /// The account's first password, 8 to 128 characters.
    public var password: String
    /// What the account may do on the whole server.
    public var role: AccountRole

    public init(email: String, username: Username, password: String, role: AccountRole) {
        self.email = email
        self.username = username
        self.password = password
        self.role = role
    }

    public static let declaration = Declaration(
        Member("email", \Self.email, .emailAddress),
        Member("username", \Self.username, .newUsername),
        Member("password", \Self.password, .newPassword),
        Member("role", \Self.role, .word),
        make: Self.init)
}

/// `operator.set_password`: gives somebody another password and ends their sign-ins.
public struct OperatorSetPassword: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "operator.set_password"

    /// The account whose password is replaced.
    public var user: UserReference
    /// The new password, 8 to 128 characters.
    public var password: String

    public init(user: UserReference, password: String) {
        self.user = user
        self.password = password
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member("password", \Self.password, .newPassword),
        make: Self.init)
}

/// `operator.recovery_link`: makes a code for choosing a new password, to be handed over by other means than mail.
public struct OperatorRecoveryLink: UserRequest {
    public typealias Response = OperatorLink
    public static let type = "operator.recovery_link"

    /// The account whose password is to be replaced.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `operator.setup_link`: makes a code with which one person makes the first administrator's account, in place of the one
/// before.
public struct OperatorSetupLink: FieldlessRequest {
    public typealias Response = OperatorLink
    public static let type = "operator.setup_link"

    public init() {}
}

/// `operator.drain`: ends the running server in order, or has it start its successor and hand over.
public struct OperatorDrain: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "operator.drain"

    /// Whether the program is started anew as it is on the disk, and takes over.
    public var isReplaced: Bool

    public init(isReplaced: Bool = false) { self.isReplaced = isReplaced }

    public static let declaration = Declaration(
        Member("replace", \Self.isReplaced, .flag, default: false),
        make: Self.init)
}

/// `operator.confirmation_link`: what confirms an address.
public struct OperatorConfirmationLink: DeclaredRequest {
    public typealias Response = OperatorLink
    public static let type = "operator.confirmation_link"

    /// The account whose address is to be confirmed.
    public var user: UserReference
    /// Another address than the account's own.
    public var email: String?

    public init(user: UserReference, email: String? = nil) {
        self.user = user
        self.email = email
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member(optional: "email", \Self.email, .text(bytes: Limits.emailBytes)),
        make: Self.init)
}

/// `operator.sign_out`: ends every sign-in of an account. Its password stays.
public struct OperatorSignOut: UserRequest {
    public typealias Response = Empty
    public static let type = "operator.sign_out"

    /// The account whose sign-ins end.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `operator.export`: everything that is stored about an account, as `account.export` has it.
public struct OperatorExport: UserRequest {
    public typealias Response = OperatorExportResult
    public static let type = "operator.export"

    /// The account that is exported.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// What is stored about an account.
public struct OperatorExportResult: DeclaredObject, Equatable {
    /// An object for people and other programs to read; what is in it is not fixed.
    public var export: JSON

    public init(export: JSON) { self.export = export }

    public static let declaration = Declaration(Member("export", \Self.export, .anyObject), make: Self.init)
}

/// `operator.remove`: erases an account, as `account.remove` does.
public struct OperatorRemove: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "operator.remove"

    /// The account that is erased.
    public var user: UserReference
    /// `nil`: as `erase`.
    public var rooms: AccountRemove.Rooms?

    public init(user: UserReference, rooms: AccountRemove.Rooms? = nil) {
        self.user = user
        self.rooms = rooms
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member(optional: "rooms", \Self.rooms, .word),
        make: Self.init)
}

/// A code to be handed to somebody.
public struct OperatorLink: DeclaredObject, Equatable {
    /// 1 to 128 bytes. Good once, for everybody who has it.
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

    public static let declaration = Declaration(
        Member("code", \Self.code, .code),
        Member(nullable: "link", \Self.link, .text(bytes: 1...Limits.textBytesMax)),
        Member("expires_in_s", \Self.seconds, .expiry),
        make: Self.init)
}
