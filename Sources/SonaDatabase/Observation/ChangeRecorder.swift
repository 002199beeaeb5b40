internal import CSQLite

/// Rows that one commit changed, table by table, in the order it happened.
struct CommittedChanges: Sendable {
    struct Row: Sendable {
        enum Kind: Sendable { case inserted, updated, deleted }
        let kind: Kind
        /// The primary key: that before the change for a deleted row, that after it otherwise.
        let key: [DatabaseValue]
    }

    /// `nil`: more rows than are worth counting, or nobody asked which.
    var tables: [String: [Row]?] = [:]
}

/// Records the changes that a batch of writes makes, row by row.
///
/// Told by SQLite's pre-update hook, which also sees rows that REPLACE and cascades remove and tables without rowid
/// (sqlite.org/c3ref/preupdate_blobwrite.html). On the writer's thread.
final class ChangeRecorder {
    private struct Event {
        let table: String
        let row: CommittedChanges.Row?
    }

    /// Rows of a batch beyond this many are not told one by one.
    private static let eventsMax = 16_384

    /// The positions of the key's columns in each observed table.
    private var keyPlaces: [String: [Int32]] = [:]
    private var observesAll = false
    private var events: [Event] = []
    /// Tables with more changes than are kept. Not taken back when a write is undone: then somebody looks once too often.
    private var crowded: Set<String> = []

    /// A point in the batch to go back to.
    var mark: Int { events.count }

    func forget(since mark: Int) {
        if mark < events.count { events.removeSubrange(mark...) }
        if mark == 0 { crowded = [] }
    }

    func observe(_ keyPlaces: [String: [Int32]], all: Bool) {
        self.keyPlaces = keyPlaces
        observesAll = all
    }

    /// Everything since the last call.
    func take() -> CommittedChanges {
        var changes = CommittedChanges()
        for event in events {
            guard let row = event.row else {
                changes.tables[event.table] = .some(nil)
                continue
            }
            var rows = (changes.tables[event.table] ?? []) ?? []
            // One array, not a copy per row.
            changes.tables[event.table] = .some(nil)
            rows.append(row)
            changes.tables[event.table] = rows
        }
        for table in crowded { changes.tables[table] = .some(nil) }
        events = []
        crowded = []
        return changes
    }

    fileprivate func record(_ database: OpaquePointer, _ operation: Int32, _ table: String) {
        guard let places = keyPlaces[table] else {
            if observesAll { note(table, nil) }
            return
        }
        let before = operation == SQLITE_INSERT ? nil : places.map { Self.value(database, $0, sqlite3_preupdate_old) }
        let after = operation == SQLITE_DELETE ? nil : places.map { Self.value(database, $0, sqlite3_preupdate_new) }
        switch (before, after) {
        case (let before?, nil): note(table, .init(kind: .deleted, key: before))
        case (nil, let after?): note(table, .init(kind: .inserted, key: after))
        case (let before?, let after?) where before == after: note(table, .init(kind: .updated, key: after))
        case (let before?, let after?):
            note(table, .init(kind: .deleted, key: before))
            note(table, .init(kind: .inserted, key: after))
        case (nil, nil): break
        }
    }

    private func note(_ table: String, _ row: CommittedChanges.Row?) {
        if events.count < Self.eventsMax {
            events.append(Event(table: table, row: row))
        } else {
            crowded.insert(table)
        }
    }

    private static func value(
        _ database: OpaquePointer, _ place: Int32,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> DatabaseValue {
        var value: OpaquePointer?
        guard read(database, place, &value) == SQLITE_OK, let value else { return .null }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = sqlite3_value_text(value)
            let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }
}

extension Connection {
    /// Records changes from now on, of all tables or of some; `nil`: no more.
    func record(_ wish: (all: Bool, tables: Set<String>)?) {
        guard let wish else {
            hooks.recorder = nil
            sqlite3_preupdate_hook(handle, nil, nil)
            return
        }
        var keyPlaces: [String: [Int32]] = [:]
        for table in wish.tables {
            var places: [(key: Int, place: Int32)] = []
            try? eachRow("SELECT pk, cid FROM pragma_table_xinfo(\(table)) WHERE pk > 0") { row throws(DatabaseError) in
                places.append((try row.next(), try row.next()))
            }
            keyPlaces[table] = places.sorted { $0.key < $1.key }.map(\.place)
        }
        let recorder = hooks.recorder ?? ChangeRecorder()
        recorder.observe(keyPlaces, all: wish.all)
        hooks.recorder = recorder
        sqlite3_preupdate_hook(
            handle,
            { context, database, operation, _, table, _, _ in
                guard let context, let database, let table else { return }
                Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue()
                    .recorder?.record(database, operation, String(cString: table))
            }, Unmanaged.passUnretained(hooks).toOpaque())
    }
}
