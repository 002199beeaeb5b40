internal import CSQLite

/// What SQLite tells a connection while it compiles and runs statements.
///
/// Used where the connection is used. The C callbacks hold it unretained: the connection keeps it, and takes the
/// callbacks out before it goes.
final class ConnectionHooks {
    /// Pages in the write-ahead log after the last commit of this connection.
    var walPages = 0
    /// Whether this layer itself controls transactions, or attaches a file, just now.
    var isControlling = false
    /// Tables the statement prepared last reads.
    private(set) var tablesRead: Set<String> = []
    /// Collects what is written; `nil` while nobody asks.
    var recorder: ChangeRecorder?
    /// Which wishes of observers the recorder fulfils.
    var recorderVersion = 0

    /// Whether the statement being prepared drops something.
    private var isDropping = false

    func beginPreparing() {
        tablesRead = []
        isDropping = false
    }

    func install(on handle: OpaquePointer, role: Connection.Role) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, _, _, _ in
                guard let context else { return SQLITE_OK }
                return Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue().authorize(action, first)
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

    private func authorize(_ action: Int32, _ first: UnsafePointer<CChar>?) -> Int32 {
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH:
            // BEGIN, COMMIT or a savepoint of somebody's own would end or hide the transaction that a write shares
            // with others; an attached file would be outside of every promise made here.
            return isControlling ? SQLITE_OK : SQLITE_DENY
        case SQLITE_READ:
            if let first { tablesRead.insert(String(cString: first)) }
            return SQLITE_OK
        case SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE, SQLITE_DROP_INDEX, SQLITE_DROP_TRIGGER, SQLITE_DROP_VIEW:
            isDropping = true
            return SQLITE_OK
        case SQLITE_DELETE:
            // IGNORE makes SQLite delete row by row where it would empty the whole table at once, unseen by any hook.
            // In a DROP it would stop the drop itself, which asks for the schema's table first.
            guard !isDropping, let first, !String(cString: first).hasPrefix("sqlite_") else { return SQLITE_OK }
            return SQLITE_IGNORE
        default: return SQLITE_OK
        }
    }
}
