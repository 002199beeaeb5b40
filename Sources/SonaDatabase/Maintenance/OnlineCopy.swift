internal import CSQLite

/// An open database that can be copied.
protocol CopySource: AnyObject {
    var handle: OpaquePointer { get }
}

extension Connection: CopySource {}

/// Copies a database into an empty file, page by page, with SQLite's backup interface.
///
/// Each step reads in the transaction the source is in, and begins one of its own only if there is none (backup.c,
/// sqlite3_backup_step). So a source that is inside a read transaction is copied as it was when that began: commits by
/// others neither show nor make the copy begin anew. The same source without one would be read again from page 1 after
/// each commit of somebody else.
struct OnlineCopy: ~Copyable {
    private let backup: OpaquePointer
    private let source: any CopySource
    private let destination: Connection

    /// - Parameters:
    ///   - source: An open connection, used by this thread alone until the copy is done.
    ///   - destination: An empty file. Its pages are not synced: the code that publishes the file does that.
    init(from source: any CopySource, to destination: Connection) throws(DatabaseError) {
        // A copy that fails is thrown away, so nothing has to be kept to undo it.
        try destination.set("PRAGMA journal_mode = OFF")
        try destination.set("PRAGMA synchronous = OFF")
        try destination.set("PRAGMA locking_mode = EXCLUSIVE")
        guard let backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
            throw DatabaseError(code: sqlite3_errcode(destination.handle), connection: destination.handle)
        }
        self.backup = backup
        self.source = source
        self.destination = destination
    }

    deinit { sqlite3_backup_finish(backup) }

    /// Pages copied so far, and pages of the source.
    var progress: (done: Int, total: Int) {
        let total = Int(sqlite3_backup_pagecount(backup))
        return (total - Int(sqlite3_backup_remaining(backup)), total)
    }

    /// Copies that many pages at most.
    ///
    /// - Returns: Whether there are more.
    mutating func step(pages: Int) throws(DatabaseError) -> Bool {
        switch sqlite3_backup_step(backup, Int32(clamping: pages)) {
        case SQLITE_OK: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code: code, connection: nil)
        }
    }
}
