internal import SonaDatabase
internal import SonaWire

/// The code that makes the first administrator's account.
struct SetupDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(SetupCodeRecord.self) }

    /// Whether anybody is an administrator, banned or not: the last one can't be taken away, so the answer stays.
    static func hasAdmin(in db: inout some DatabaseAccess & ~Copyable) throws -> Bool {
        try db.exists(UserRecord.filter(UserRecord.role == .admin))
    }

    /// Puts a code in the place of the one before.
    static func replace(with code: AccountCode, expires: Int64, in db: inout WriteAccess) throws {
        try clear(in: &db)
        try db.insert(SetupCodeRecord(hash: code.hash, expiresMilliseconds: expires))
    }

    static func clear(in db: inout WriteAccess) throws {
        try db.delete(SetupCodeRecord.filter(SetupCodeRecord.id == 1))
    }

    /// - Returns: Until when the code is good, milliseconds since 1970.
    /// - Throws: `setupDone` if there is an administrator; `codeInvalid`.
    static func expiry(
        of code: AccountCode, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Int64 {
        if try hasAdmin(in: &db) { throw Refusal.setupDone }
        guard let known = try db.first(SetupCodeRecord.self, key: 1), known.hash == code.hash,
            known.expiresMilliseconds > now
        else { throw Refusal.codeInvalid }
        return known.expiresMilliseconds
    }
}
