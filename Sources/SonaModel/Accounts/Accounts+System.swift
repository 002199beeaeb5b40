internal import SonaDatabase
internal import SonaWire

extension Accounts {
    /// The account under which the server itself owns something, such as the demo room. Made if it is not there.
    ///
    /// It has neither e-mail nor password: nobody can sign in to it.
    /// - Throws: `usernameTaken` if a person has the name, `usernameInvalid`, `storage`.
    package func systemAccount(username: String) async throws(AccountError) -> Account {
        guard let username = Username(username) else { throw .usernameInvalid }
        let uid = Self.newUserID()
        let now = clock.nowMilliseconds()
        return try await write { db in
            let known = try db.first(
                "SELECT uid, password_hash IS NULL FROM users WHERE username_key = \(username.key)"
            ) { row in (uid: try row.next(UserID.self), isSystem: try row.next(Bool.self)) }
            if let known {
                guard known.isSystem else { throw AccountError.usernameTaken }
                return Account(uid: known.uid, username: username, isGuest: false)
            }
            try db.execute(
                """
                INSERT INTO users (uid, username, username_key, created_ms)
                VALUES (\(uid), \(username), \(username.key), \(now))
                """)
            try db.execute("INSERT INTO profiles (uid) VALUES (\(uid))")
            try db.execute("INSERT INTO settings (uid) VALUES (\(uid))")
            return Account(uid: uid, username: username, isGuest: false)
        }
    }
}
