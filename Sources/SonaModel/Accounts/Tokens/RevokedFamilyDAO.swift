internal import SonaDatabase

/// The revoked families on the disk: what `RevokedFamilies` knows again after a restart.
struct RevokedFamilyDAO: DAO {
    /// It is read while the model opens; what is written is part of others' transactions.
    typealias Failure = ModelError
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(RevokedFamilyRecord.self) }

    /// Those that still have to be remembered; the others are forgotten.
    ///
    /// - Throws: `storage`.
    func current(now: Int64) async throws(ModelError) -> [RevokedFamilyRecord] {
        try await write(or: ModelError.storage) { db in
            try Self.forget(now: now, in: &db)
            return try db.all(RevokedFamilyRecord.all)
        }
    }

    /// Remembers a family, for as long as the longer of two revocations asks.
    static func add(_ record: RevokedFamilyRecord, now: Int64, in db: inout WriteAccess) throws(DatabaseError) {
        try forget(now: now, in: &db)
        var record = record
        if let known = try db.first(RevokedFamilyRecord.self, key: record.family) {
            record.untilMilliseconds = max(record.untilMilliseconds, known.untilMilliseconds)
        }
        try db.upsert(record)
    }

    private static func forget(now: Int64, in db: inout WriteAccess) throws(DatabaseError) {
        try db.delete(RevokedFamilyRecord.filter(RevokedFamilyRecord.until <= now))
    }
}
