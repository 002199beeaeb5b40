internal import SonaDatabase
internal import SonaWire

/// Storage of codes that were given out and not used yet.
struct AccountCodeDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(AccountCodeRecord.self) }

    /// Refuses a code that would not be accepted now. Only `redeem` decides: this check saves hashing a password in
    /// vain.
    ///
    /// - Throws: `codeInvalid`, `busy`, `storage`.
    func refuseUnlessGood(_ code: AccountCode, for purpose: AccountCode.Purpose, now: Int64) async throws(Refusal) {
        try await read { db in
            let known = try db.first(AccountCodeRecord.self, key: code.hash)
            guard let known, known.purpose == purpose, known.expiresMilliseconds > now else {
                throw Refusal.codeInvalid
            }
        }
    }

    // MARK: Steps of transactions

    /// Adds a code and deletes the account's expired ones.
    static func add(
        _ code: AccountCode, for purpose: AccountCode.Purpose, _ user: UserID, email: String? = nil, now: Int64,
        in db: inout WriteAccess
    ) throws(DatabaseError) {
        try db.delete(
            AccountCodeRecord.filter(AccountCodeRecord.uid == user && AccountCodeRecord.expires <= now))
        try db.insert(
            AccountCodeRecord(
                hash: code.hash, uid: user, purpose: purpose, email: email, createdMilliseconds: now,
                expiresMilliseconds: now + purpose.lifetimeMilliseconds))
    }

    /// Deletes every code of an account. Codes that were mailed before its owner regained control are void.
    static func deleteAll(of user: UserID, in db: inout WriteAccess) throws(DatabaseError) {
        try db.delete(AccountCodeRecord.filter(AccountCodeRecord.uid == user))
    }

    /// Counts the unused codes for a purpose that were given out after `since`, milliseconds since 1970.
    static func count(
        of user: UserID, for purpose: AccountCode.Purpose, since: Int64, in db: inout WriteAccess
    ) throws(DatabaseError) -> Int {
        try db.count(
            AccountCodeRecord.filter(
                AccountCodeRecord.uid == user && AccountCodeRecord.purpose == purpose
                    && AccountCodeRecord.created > since))
    }

    /// Uses up a code, and with it every other code of the account for the same purpose.
    ///
    /// - Throws: `codeInvalid`.
    static func redeem(
        _ code: AccountCode, for purpose: AccountCode.Purpose, now: Int64, in db: inout WriteAccess
    ) throws -> AccountCodeRecord {
        let known = try db.first(AccountCodeRecord.self, key: code.hash)
        guard let known, known.purpose == purpose, known.expiresMilliseconds > now else {
            throw Refusal.codeInvalid
        }
        try db.delete(
            AccountCodeRecord.filter(AccountCodeRecord.uid == known.uid && AccountCodeRecord.purpose == purpose))
        return known
    }
}
