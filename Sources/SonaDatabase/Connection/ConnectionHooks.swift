internal import CSQLite

/// The callbacks by which SQLite informs a connection while it compiles and runs statements.
///
/// Used where the connection is used. The C callbacks hold it unretained: the connection keeps it, and takes the
/// callbacks out before it goes.
final class ConnectionHooks {
    /// Pages in the write-ahead log after the last commit of this connection.
    @exclusivity(unchecked) var walPages = 0
    /// Whether this layer itself controls transactions, or attaches a file, just now.
    @exclusivity(unchecked) var isControlling = false
    /// Tables the statement prepared last reads.
    @exclusivity(unchecked) private(set) var tablesRead: Set<String> = []
    /// Collects the changes of rows; `nil` while nobody observes.
    @exclusivity(unchecked) var recorder: ChangeRecorder?
    /// Which wishes of observers the recorder fulfils.
    @exclusivity(unchecked) var recorderVersion = 0

    /// Whether the statement being prepared drops something.
    @exclusivity(unchecked) private var isDropping = false

    /// Settings that this layer promises, or relies on.
    private static let settings: Set<String> = [
        "application_id", "cell_size_check", "defer_foreign_keys", "foreign_keys", "ignore_check_constraints",
        "journal_mode", "journal_size_limit", "locking_mode", "mmap_size", "query_only", "read_uncommitted",
        "recursive_triggers", "reverse_unordered_selects", "secure_delete", "synchronous", "trusted_schema",
        "user_version", "wal_autocheckpoint", "writable_schema",
    ]

    func beginPreparing() {
        tablesRead = []
        isDropping = false
    }

    func install(on handle: OpaquePointer, role: Connection.Role) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_OK }
                return Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue()
                    .authorize(action, first, hasArgument: second != nil)
            }, context)
        guard role == .writer else { return }
        // Takes the place of SQLite's automatic checkpoints: the writer decides when.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
                return SQLITE_OK
            }, context)
    }

    func remove(from handle: OpaquePointer) {
        sqlite3_set_authorizer(handle, nil, nil)
        sqlite3_wal_hook(handle, nil, nil)
        sqlite3_preupdate_hook(handle, nil, nil)
    }

    private func authorize(_ action: Int32, _ first: UnsafePointer<CChar>?, hasArgument: Bool) -> Int32 {
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH:
            // BEGIN, COMMIT or a savepoint of somebody's own would end or hide the transaction that a write shares
            // with others; an attached file would be outside of every promise made here.
            return isControlling ? SQLITE_OK : SQLITE_DENY
        case SQLITE_PRAGMA:
            // Settings belong to the connection, and outlive the access that changes them.
            guard !isControlling, let first else { return SQLITE_OK }
            let name = String(cString: first).lowercased()
            return (hasArgument && Self.settings.contains(name)) || name == "wal_checkpoint" ? SQLITE_DENY : SQLITE_OK
        case SQLITE_READ:
            if let first { tablesRead.insert(String(cString: first)) }
            return SQLITE_OK
        case SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE, SQLITE_DROP_INDEX, SQLITE_DROP_TRIGGER, SQLITE_DROP_VIEW:
            isDropping = true
            return SQLITE_OK
        case SQLITE_DELETE:
            // IGNORE makes SQLite delete row by row where it would empty the whole table at once, unseen by any hook.
            // During a DROP, IGNORE would stop the drop itself, which asks for the schema's table first.
            guard !isDropping, let first, !String(cString: first).hasPrefix("sqlite_") else { return SQLITE_OK }
            return SQLITE_IGNORE
        default: return SQLITE_OK
        }
    }
}
