import SonaBase
import SonaDatabase
import SonaTestSupport

/// A load of writes after which every state of the database can be judged.
///
/// Each write changes a group of 2–5 parts and counters that must equal the sums over them, and appends one row to a
/// log. The values of a group follow from its number and its version. So the log determines the content of all other
/// tables: a write that is stored in part, twice, or in the wrong order differs from it. The writes that a process was
/// told are done are compared with the log.
enum Ledger {
    static let applicationID: Int32 = 0x4C45_4447

    /// In three steps, so that an opening can be cut off between them.
    static let timeline = [
        Migration("log") { db in
            try db.executeScript(
                """
                CREATE TABLE steps (step INTEGER NOT NULL) STRICT;
                CREATE TABLE log (
                    seq INTEGER PRIMARY KEY, operation INTEGER NOT NULL UNIQUE, kind INTEGER NOT NULL,
                    grp INTEGER NOT NULL, version INTEGER NOT NULL
                ) STRICT;
                INSERT INTO steps VALUES (1);
                INSERT INTO log VALUES (0, 0, 3, 0, 0);
                """)
        },
        Migration("groups and parts") { db in
            try db.executeScript(
                """
                CREATE TABLE groups (
                    id INTEGER PRIMARY KEY, task INTEGER NOT NULL, version INTEGER NOT NULL, bytes INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE parts (
                    grp INTEGER NOT NULL REFERENCES groups (id) DEFERRABLE INITIALLY DEFERRED,
                    place INTEGER NOT NULL CONSTRAINT place_in_group CHECK (place BETWEEN 0 AND 4),
                    value INTEGER NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (grp, place)
                ) STRICT;
                CREATE INDEX parts_by_value ON parts (value);
                INSERT INTO steps VALUES (2);
                """)
        },
        Migration("counters") { db in
            try db.executeScript(
                """
                CREATE TABLE counters (
                    task INTEGER PRIMARY KEY, groups INTEGER NOT NULL, sum INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE totals (id INTEGER PRIMARY KEY, groups INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
                CREATE TABLE base (grp INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT;
                INSERT INTO totals VALUES (1, 0, 0);
                INSERT INTO steps VALUES (3);
                """)
        },
    ]

    static func open(
        _ path: String, steps: Int = timeline.count, options: DatabaseOptions = DatabaseOptions()
    ) async throws(DatabaseError) -> DatabasePool {
        try await DatabasePool.open(
            path, applicationID: applicationID, migrations: Array(timeline.prefix(steps)), options: options)
    }

    /// The values of the parts of a group. In a file that was damaged a version may be any number.
    static func values(group: Int64, version: Int) -> [Int64] {
        var dice = SeededGenerator(
            seed: UInt64(bitPattern: group) &* 0x1_0000_01B3 &+ UInt64(truncatingIfNeeded: version))
        let count = 2 + Int(dice.next() % 4)
        return (0..<count).map { _ in Int64(dice.next() >> 34) }
    }

    /// The content of a part's payload.
    static func filling(_ value: Int64) -> UInt8 { UInt8(truncatingIfNeeded: value ^ value >> 13) }
}

/// One write of the ledger.
struct Operation: Sendable {
    enum Kind: Int, Sendable { case insert, update, delete, prune }

    /// How a write that is meant to fail does so, after it has changed everything.
    enum Refusal: Int, Error, CaseIterable, Sendable {
        case thrown, unique, check, foreignKey, control
    }

    /// Not 0 (the log begins with that), and negative if the write is meant to fail.
    let id: Int64
    let kind: Kind
    let task: Int
    let group: Int64
    /// Bytes of payload in all parts together.
    var bytes = 0
    var refusal: Refusal?

    /// - Returns: Its place in the log, which is the order of the commits.
    func perform(_ db: inout WriteAccess) throws -> Int64 {
        var version = 0
        switch kind {
        case .insert:
            version = 1
            try db.execute("INSERT INTO groups VALUES (\(group), \(task), 1, \(bytes))")
            try insertParts(&db, version)
            try count(&db, groups: 1, sum: sum(version))
        case .update:
            version = try storedVersion(&db) + 1
            try db.execute("DELETE FROM parts WHERE grp = \(group)")
            try db.execute("UPDATE groups SET version = \(version), bytes = \(bytes) WHERE id = \(group)")
            try insertParts(&db, version)
            try count(&db, groups: 0, sum: sum(version) - sum(version - 1))
        case .delete:
            version = try storedVersion(&db)
            try db.execute("DELETE FROM parts WHERE grp = \(group)")
            try db.execute("DELETE FROM groups WHERE id = \(group)")
            try count(&db, groups: -1, sum: -sum(version))
        case .prune:
            try db.execute("DELETE FROM base")
            try db.execute("INSERT INTO base SELECT id, version FROM groups")
        }
        let seq: Int64? = try db.value(
            """
            INSERT INTO log (seq, operation, kind, grp, version)
            VALUES ((SELECT max(seq) + 1 FROM log), \(id), \(kind.rawValue), \(group), \(version)) RETURNING seq
            """)
        if kind == .prune { try db.execute("DELETE FROM log WHERE operation <> \(id)") }
        if let refusal { try fail(&db, refusal) }
        return seq ?? -1
    }

    private func sum(_ version: Int) -> Int64 { Ledger.values(group: group, version: version).reduce(0, +) }

    private func storedVersion(_ db: inout WriteAccess) throws -> Int {
        try db.value("SELECT version FROM groups WHERE id = \(group)") ?? -1
    }

    private func insertParts(_ db: inout WriteAccess, _ version: Int) throws {
        let values = Ledger.values(group: group, version: version)
        for (place, value) in values.enumerated() {
            let payload = [UInt8](repeating: Ledger.filling(value), count: bytes / values.count)
            try db.execute("INSERT INTO parts VALUES (\(group), \(place), \(value), \(payload))")
        }
    }

    private func count(_ db: inout WriteAccess, groups: Int, sum: Int64) throws {
        try db.execute(
            """
            INSERT INTO counters VALUES (\(task), \(groups), \(sum))
            ON CONFLICT DO UPDATE SET groups = groups + excluded.groups, sum = sum + excluded.sum
            """)
        try db.execute("UPDATE totals SET groups = groups + \(groups), sum = sum + \(sum)")
    }

    private func fail(_ db: inout WriteAccess, _ refusal: Refusal) throws {
        switch refusal {
        case .thrown: throw refusal
        case .unique: try db.execute("INSERT INTO log VALUES (-1, \(id), 0, 0, 0)")
        case .check: try db.execute("INSERT INTO parts VALUES (\(group), 5, 0, x'')")
        // Dangles until the commit.
        case .foreignKey: try db.execute("INSERT INTO parts VALUES (-7, 0, 0, x'')")
        case .control: try db.execute("COMMIT")
        }
    }
}
