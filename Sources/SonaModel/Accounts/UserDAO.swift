internal import SonaDatabase
internal import SonaWire

/// Accounts: a user, what they show and what they chose. The three rows of an account come and go together.
struct UserDAO: DAO {
    typealias Failure = AccountError
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(UserRecord.self)
        setUp.createTable(ProfileRecord.self)
        setUp.createTable(SettingsRecord.self)
    }

    // MARK: Finding

    /// - Throws: `busy`, `storage`.
    func user(_ email: EmailAddress) async throws(AccountError) -> UserRecord? {
        try await read(or: AccountError.storage) { db in
            try db.first(UserRecord.filter(UserRecord.emailKey == email.key))
        }
    }

    /// - Returns: `nil` if there is no such account.
    /// - Throws: `busy`, `storage`.
    func profile(_ uid: UserID) async throws(AccountError) -> (user: UserRecord, profile: ProfileRecord)? {
        try await read(or: AccountError.storage) { db in
            guard let user = try db.first(UserRecord.self, key: uid),
                let profile = try db.first(ProfileRecord.self, key: uid)
            else { return nil }
            return (user, profile)
        }
    }

    /// Decides nothing, for the UNIQUE indexes do; it spares a hash when the answer is plain already.
    ///
    /// - Throws: `emailTaken`, `usernameTaken`, `busy`, `storage`.
    func refuseIfTaken(_ email: EmailAddress, _ username: Username) async throws(AccountError) {
        try await read(or: AccountError.storage) { db in
            if try db.exists(UserRecord.filter(UserRecord.emailKey == email.key)) { throw AccountError.emailTaken }
            if try db.exists(UserRecord.filter(UserRecord.usernameKey == username.key)) {
                throw AccountError.usernameTaken
            }
        }
    }

    // MARK: Signing up and in

    /// Adds an account with its first refresh token, all of it or nothing.
    ///
    /// - Throws: `emailTaken`, `usernameTaken`, `busy`, `storage`.
    func signUp(
        _ user: UserRecord, displayName: String?, token: RefreshTokenRecord
    ) async throws(AccountError) {
        try await write(or: AccountError.storage) { db in
            try Self.add(user, displayName: displayName, in: &db)
            try db.insert(token)
        }
    }

    /// Adds the first refresh token of a sign-in.
    ///
    /// - Parameters:
    ///   - user: As it was when its password was checked.
    ///   - newHash: Replaces the hash of the password, if the cost of hashes has changed.
    /// - Throws: `credentialsInvalid` if the account has gone or its password has changed meanwhile; `busy`, `storage`.
    func signIn(_ user: UserRecord, newHash: String?, token: RefreshTokenRecord) async throws(AccountError) {
        try await write(or: AccountError.storage) { db in
            guard let current = try db.first(UserRecord.self, key: user.uid),
                current.passwordHash == user.passwordHash
            else { throw AccountError.credentialsInvalid }
            if let newHash {
                var rehashed = current
                rehashed.passwordHash = newHash
                try db.updateChanges(rehashed, from: current)
            }
            try RefreshTokenDAO.add(token, in: &db)
        }
    }

    /// The user of that name who has no password; `user` is added if nobody has the name.
    ///
    /// - Throws: `usernameTaken` if a person has the name, `busy`, `storage`.
    func systemUser(orAdd user: UserRecord) async throws(AccountError) -> UserRecord {
        try await write(or: AccountError.storage) { db in
            guard let known = try db.first(UserRecord.filter(UserRecord.usernameKey == user.usernameKey)) else {
                try Self.add(user, displayName: nil, in: &db)
                return user
            }
            guard known.passwordHash == nil else { throw AccountError.usernameTaken }
            return known
        }
    }

    private static func add(
        _ user: UserRecord, displayName: String?, in db: inout WriteAccess
    ) throws(DatabaseError) {
        try db.insert(user)
        try db.insert(ProfileRecord(uid: user.uid, displayName: displayName))
        try db.insert(SettingsRecord(uid: user.uid))
    }
}
