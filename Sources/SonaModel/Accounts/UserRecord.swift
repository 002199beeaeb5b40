internal import SonaDatabase
internal import SonaWire

/// Whom we know. A key is what is compared and unique, the property before it what was typed.
struct UserRecord: Record, Equatable {
    typealias Key = UserID

    enum Role: String, CaseIterable, DatabaseValueConvertible {
        case user, moderator, admin
    }

    let uid: UserID
    /// Without one, nobody can sign in.
    var email: String?
    var emailKey: String?
    var username: Username?
    var usernameKey: String?
    var passwordHash: String?
    var role = Role.user
    let createdMilliseconds: Int64

    static let uid = Column("uid", \Self.uid, .primaryKey, .byteCount(Limits.userIDBytes))
    static let email = Column("email", \Self.email, .byteCount(Limits.emailBytes))
    static let emailKey = Column("email_key", \Self.emailKey, .unique)
    static let username = Column("username", \Self.username, .byteCount(Limits.usernameBytes))
    static let usernameKey = Column("username_key", \Self.usernameKey, .unique)
    static let passwordHash = Column("password_hash", \Self.passwordHash)
    static let role = Column("role", \Self.role, .defaults(to: .user), .anyCase)
    static let created = Column("created_ms", \Self.createdMilliseconds)

    static let table = Table<Self>(
        "users", uid, email, emailKey, username, usernameKey, passwordHash, role, created,
        rules: [
            .check("(\(email) IS NULL) = (\(emailKey) IS NULL)"),
            .check("(\(username) IS NULL) = (\(usernameKey) IS NULL)"),
            .check("\(passwordHash) IS NULL OR \(email) IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(email)
        values.next(emailKey)
        values.next(username)
        values.next(usernameKey)
        values.next(passwordHash)
        values.next(role)
        values.next(createdMilliseconds)
    }
}

extension UserRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        email = try row.next()
        emailKey = try row.next()
        username = try row.next()
        usernameKey = try row.next()
        passwordHash = try row.next()
        role = try row.next()
        createdMilliseconds = try row.next()
    }

    /// A user who is new. Without e-mail and password nobody can sign in as one.
    init(
        _ uid: UserID, username: Username, email: EmailAddress? = nil, passwordHash: String? = nil,
        createdMilliseconds: Int64
    ) {
        self.uid = uid
        self.email = email?.text
        emailKey = email?.key
        self.username = username
        usernameKey = username.key
        self.passwordHash = passwordHash
        self.createdMilliseconds = createdMilliseconds
    }
}
