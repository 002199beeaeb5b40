internal import SonaDatabase
internal import SonaText
internal import SonaWire

/// Storage of accounts: user, profile and settings. The three rows of an account are added and deleted together.
struct UserDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(UserRecord.self)
        setUp.createTable(UsernameLookRecord.self)
        setUp.createTable(HeldNameRecord.self)
        setUp.createTable(IdentityRecord.self)
        setUp.createTable(BanRecord.self)
        setUp.createTable(SightingRecord.self)
        setUp.createTable(ProfileRecord.self)
        setUp.createTable(SettingsRecord.self)
        setUp.createTable(DirectoryRecord.self)
    }

    // MARK: Finding

    /// - Throws: `busy`, `storage`.
    func user(_ email: EmailAddress) async throws(Refusal) -> UserRecord? {
        try await read { db in
            try db.first(UserRecord.filter(UserRecord.emailKey == email.key))
        }
    }

    /// - Throws: `userUnknown`, `busy`, `storage`.
    func user(_ uid: UserID) async throws(Refusal) -> UserRecord {
        try await read { db in
            guard let user = try db.first(UserRecord.self, key: uid) else { throw Refusal.userUnknown }
            return user
        }
    }

    /// Returns the user that `reference` names.
    ///
    /// - Throws: `userUnknown`.
    static func find(_ reference: UserReference, in db: inout some DatabaseAccess & ~Copyable) throws -> UserRecord {
        let user =
            switch reference {
            case .id(let uid): try db.first(UserRecord.self, key: uid)
            case .username(let name): try db.first(UserRecord.filter(UserRecord.usernameKey == name.key))
            }
        guard let user else { throw Refusal.userUnknown }
        return user
    }

    /// Returns the users whose name or role changed after `changedSince`, and the bans in force. For `AccountNotes`.
    ///
    /// - Throws: `busy`, `storage`.
    func notes(changedSince: Int64, now: Int64) async throws(Refusal) -> (changed: [UserRecord], bans: [BanRecord]) {
        try await read { db in
            let changed = try db.all(UserRecord.filter(UserRecord.changed > changedSince))
            let bans = try db.all(BanRecord.filter(BanRecord.until == nil || BanRecord.until > now))
            return (changed, bans)
        }
    }

    // MARK: Names

    /// Refuses a name that is taken now. Only the UNIQUE indexes decide: this check saves hashing a password in vain.
    ///
    /// - Throws: `usernameTaken`, `busy`, `storage`.
    func refuseIfTaken(_ name: CanonicalName, now: Int64) async throws(Refusal) {
        guard try await !free([name], for: nil, now: now).isEmpty else { throw .usernameTaken }
    }

    /// Returns the names that are free for `user`: neither taken by nor held for anybody else.
    ///
    /// - Throws: `busy`, `storage`.
    func free(
        _ names: [CanonicalName], for user: UserID?, now: Int64
    ) async throws(Refusal) -> [CanonicalName] {
        try await read { db in
            try names.filter { name in try Self.isFree(name, for: user, now: now, in: &db) }
        }
    }

    private static func isFree(
        _ name: CanonicalName, for user: UserID?, now: Int64, in db: inout ReadAccess
    ) throws -> Bool {
        guard let username = Username(name.display),
            try !HeldNameRecord.isHeld(name.key.text, username.key, for: user, now: now, in: &db)
        else { return false }
        if let known = try db.first(UserRecord.filter(UserRecord.usernameKey == username.key)), known.uid != user {
            return false
        }
        let look = try db.first(UsernameLookRecord.self, key: name.key.text)
        return try look == nil || look?.uid == user
            || HeldNameRecord.isHeld(name.key.text, by: user, now: now, in: &db)
    }

    /// Returns the accounts that have a name and no look. Their names are older than looks, and each looks like an even
    /// older name.
    ///
    /// O(accounts), on a thread of its own.
    ///
    /// - Returns: Ordered by age.
    /// - Throws: `busy`, `storage`.
    func withoutLook() async throws(Refusal) -> [UserID] {
        do {
            return try await database.readDetached { db in
                try db.values(
                    """
                    SELECT uid FROM users WHERE username IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM username_looks WHERE username_looks.uid = users.uid)
                    ORDER BY created_ms, uid
                    """, as: UserID.self)
            }
        } catch { throw Refusal(reading: error) }
    }

    /// Gives `user` a new name. The old one is held for them for a while. If two users want the same name, the UNIQUE
    /// indexes let one through.
    ///
    /// - Parameter heirs: `withoutLook`, read before the transaction.
    /// - Throws: `usernameTaken`.
    static func rename(
        _ user: UserRecord, to name: CanonicalName, heirs: [UserID], now: Int64, in db: inout WriteAccess
    ) throws -> UserRecord {
        guard let username = Username(name.display) else { throw Refusal.usernameInvalid(.empty) }
        try refuseIfHeld(name, username, for: user.uid, now: now, in: &db)
        var renamed = user
        renamed.username = username
        renamed.usernameKey = username.key
        renamed.changedMilliseconds = now
        try db.updateChanges(renamed, from: user)
        // Some users have had a name that looks like another's since before looks were compared. They may still change
        // its capitals.
        let keepsLook = user.username.map { NameKey($0.rawValue) == name.key } ?? false
        if !keepsLook {
            try db.delete(UsernameLookRecord.filter(UsernameLookRecord.uid == user.uid))
            // The look of a name that is held may have been passed on.
            if try HeldNameRecord.isHeld(name.key.text, by: user.uid, now: now, in: &db) {
                _ = try db.delete(UsernameLookRecord.self, key: name.key.text)
            }
            try db.insert(UsernameLookRecord(look: name.key.text, uid: user.uid))
        }
        try passOnLooks(to: heirs, in: &db)
        // A name that its former owner took back is not held any more.
        _ = try db.delete(HeldNameRecord.self, key: name.key.text)
        if let old = user.username, !keepsLook {
            try HeldNameRecord.hold(old, look: NameKey(old.rawValue).text, for: user.uid, now: now, in: &db)
        }
        if let profile = try db.first(ProfileRecord.self, key: user.uid) {
            try DirectoryRecord.update(renamed, profile, in: &db)
        }
        return renamed
    }

    /// Gives each free look to the oldest name that has it. Otherwise a newcomer could imitate that name once an even older
    /// one is gone.
    ///
    /// - Parameter heirs: `withoutLook`, read before the transaction. Each is looked up again.
    static func passOnLooks(to heirs: [UserID], in db: inout WriteAccess) throws {
        for uid in heirs {
            guard let name = try db.first(UserRecord.self, key: uid)?.username else { continue }
            let look = UsernameLookRecord(look: NameKey(name.rawValue).text, uid: uid)
            let hasLook = try db.exists(UsernameLookRecord.filter(UsernameLookRecord.uid == uid))
            if try !hasLook && !db.exists(UsernameLookRecord.self, key: look.look) { try db.insert(look) }
        }
    }

    private static func refuseIfHeld(
        _ name: CanonicalName, _ username: Username, for user: UserID, now: Int64, in db: inout WriteAccess
    ) throws {
        guard try HeldNameRecord.isHeld(name.key.text, username.key, for: user, now: now, in: &db) else { return }
        throw Refusal.usernameTaken
    }

    // MARK: Steps of transactions

    /// Adds an account: user, profile and settings.
    ///
    /// - Throws: `emailTaken`, `usernameTaken`; `tokenInvalid` if the identifier is taken.
    static func add(
        _ user: UserRecord, _ name: CanonicalName?, displayName: String? = nil, locale: LocaleCode? = nil,
        in db: inout WriteAccess
    ) throws {
        if let name, let username = user.username {
            try refuseIfHeld(name, username, for: user.uid, now: user.createdMilliseconds, in: &db)
        }
        try db.insert(user)
        if let name { try db.insert(UsernameLookRecord(look: name.key.text, uid: user.uid)) }
        try SightingRecord.note(user.uid, now: user.createdMilliseconds, in: &db)
        try db.insert(ProfileRecord(uid: user.uid, displayName: displayName))
        var settings = SettingsRecord(uid: user.uid)
        if let locale { settings.settings.locale = locale }
        try db.insert(settings)
    }

    /// Returns the ban of a user that is in force at `now`.
    static func ban(
        of uid: UserID, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> BanRecord? {
        guard let ban = try db.first(BanRecord.self, key: uid) else { return nil }
        if let until = ban.untilMilliseconds, until <= now { return nil }
        return ban
    }

    /// Refuses a user who is banned at `now`.
    ///
    /// - Throws: `banned`.
    static func refuseIfBanned(_ uid: UserID, now: Int64, in db: inout some DatabaseAccess & ~Copyable) throws {
        guard let ban = try ban(of: uid, now: now, in: &db) else { return }
        throw Refusal.banned(retryAfterMilliseconds: ban.untilMilliseconds.map { $0 - now })
    }
}
