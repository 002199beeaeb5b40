internal import SonaDatabase
internal import SonaWire

/// Codes that were given out and not used yet.
struct AccountCodeDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(AccountCodeRecord.self) }

    /// Whether a code would be taken now. Decides nothing; it spares a hash of a password.
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

    // MARK: Steps of others' transactions

    /// Adds a code in place of what had expired.
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

    /// Takes back every code of an account: what was mailed before its owner took it in hand again is good for nothing.
    static func deleteAll(of user: UserID, in db: inout WriteAccess) throws(DatabaseError) {
        try db.delete(AccountCodeRecord.filter(AccountCodeRecord.uid == user))
    }

    /// How many codes for that purpose were given out since, used ones not counted.
    static func count(
        of user: UserID, for purpose: AccountCode.Purpose, since: Int64, in db: inout WriteAccess
    ) throws(DatabaseError) -> Int {
        try db.count(
            AccountCodeRecord.filter(
                AccountCodeRecord.uid == user && AccountCodeRecord.purpose == purpose
                    && AccountCodeRecord.created > since))
    }

    /// Uses a code up, and every other for the same purpose with it.
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
