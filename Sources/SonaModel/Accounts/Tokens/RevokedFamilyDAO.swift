internal import SonaDatabase

/// Storage of revoked families, from which `RevokedFamilies` is filled at start.
struct RevokedFamilyDAO: DAO {
    /// `ModelError`, because it is read only while the model opens. Writes are steps of other transactions.
    typealias Failure = ModelError
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(RevokedFamilyRecord.self) }

    /// Returns the families that still have to be remembered, and deletes the others.
    ///
    /// - Throws: `storage`.
    func current(now: Int64) async throws(ModelError) -> [RevokedFamilyRecord] {
        try await write(or: ModelError.storage) { db in
            try Self.forget(now: now, in: &db)
            return try db.all(RevokedFamilyRecord.all)
        }
    }

    /// Remembers a family. If it is there already, the later end counts.
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
