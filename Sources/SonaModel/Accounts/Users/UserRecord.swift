package import SonaDatabase
package import SonaWire

/// A user. A `…Key` is the folded form, which is compared and unique; the property before it is the text as typed.
package struct UserRecord: Record, Equatable {
    package typealias Key = UserID

    package let uid: UserID
    /// Needed for a sign-in with a password.
    var email: String?
    var emailKey: String?
    package var username: Username?
    var usernameKey: String?
    var passwordHash: String?
    package var role = AccountRole.user
    let createdMilliseconds: Int64
    /// Whether a reader of that mailbox has confirmed the address.
    var isEmailConfirmed = false
    /// When name or role last changed. Older access tokens show the former values.
    var changedMilliseconds: Int64 = 0

    package static let uid = Column("uid", \Self.uid, .primaryKey, .byteCount(Limits.userIDBytes))
    static let email = Column("email", \Self.email, .byteCount(Limits.emailBytes))
    static let emailKey = Column("email_key", \Self.emailKey, .unique)
    static let username = Column("username", \Self.username, .byteCount(Limits.usernameBytes))
    static let usernameKey = Column("username_key", \Self.usernameKey, .unique)
    static let passwordHash = Column("password_hash", \Self.passwordHash)
    static let role = Column("role", \Self.role, .defaults(to: .user), .anyCase)
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let isEmailConfirmed = Column(
        "email_confirmed", \Self.isEmailConfirmed, .defaults(to: false), .oneOf(false, true))
    static let changed = Column("changed_ms", \Self.changedMilliseconds, .defaults(to: 0))

    package static let table = Table<Self>(
        "users", uid, email, emailKey, username, usernameKey, passwordHash, created, isEmailConfirmed, changed, role,
        rules: [
            .check("(\(email) IS NULL) = (\(emailKey) IS NULL)"),
            .check("(\(username) IS NULL) = (\(usernameKey) IS NULL)"),
            .check("\(passwordHash) IS NULL OR \(email) IS NOT NULL"),
            .index("users_with_role", on: role.ascending, where: "role <> 'user'"),
        ])

    package func bind(to values: inout Binder) {
        values.next(uid)
        values.next(email)
        values.next(emailKey)
        values.next(username)
        values.next(usernameKey)
        values.next(passwordHash)
        values.next(createdMilliseconds)
        values.next(isEmailConfirmed)
        values.next(changedMilliseconds)
        values.next(role)
    }
}

extension UserRecord {
    package init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        email = try row.next()
        emailKey = try row.next()
        username = try row.next()
        usernameKey = try row.next()
        passwordHash = try row.next()
        createdMilliseconds = try row.next()
        isEmailConfirmed = try row.next()
        changedMilliseconds = try row.next()
        role = try row.next()
    }

    /// A new user. Without e-mail and password nobody can sign in to the account with a password.
    init(
        _ uid: UserID, username: Username?, email: EmailAddress? = nil, passwordHash: String? = nil,
        createdMilliseconds: Int64
    ) {
        self.uid = uid
        self.email = email?.text
        emailKey = email?.key
        self.username = username
        usernameKey = username?.key
        self.passwordHash = passwordHash
        self.createdMilliseconds = createdMilliseconds
    }
}
