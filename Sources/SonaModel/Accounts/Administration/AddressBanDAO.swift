internal import SonaDatabase

/// Bans of network addresses.
struct AddressBanDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(AddressBanRecord.self) }

    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .check = error.kind { .invalid } else { nil }
    }

    /// The bans in force, the newest first.
    static func current(now: Int64, in db: inout some DatabaseAccess & ~Copyable) throws -> [AddressBanRecord] {
        try db.all(
            AddressBanRecord.self,
            """
            WHERE until_ms IS NULL OR until_ms > \(now) ORDER BY created_ms DESC, range
            """)
    }
}
