internal import CSQLite

/// Keeps everybody else from a database file while it is replaced: every other process, and every other connection of
/// this one.
///
/// Every process that has a database with a log open holds a shared lock on the file. The exclusive lock is granted
/// only once they are gone, and nobody opens the database while it is held. The lock is on the file, not on its name.
final class TargetLock {
    enum Content {
        /// There was no file, or an empty one: nothing can be lost.
        case nothing
        /// SQLite can open it, whatever its pages hold.
        case database
        /// SQLite can't open it, not even with its log.
        case damaged
    }

    private(set) var content: Content
    private let path: String
    private let connection: Connection
    /// Made here, since only a file can be locked.
    private let isMade: Bool
    private let hadLog: Bool

    /// - Parameter path: Without symbolic links.
    /// - Throws: `busy` if the file is open anywhere; `cannotOpen`, `readOnly`, `io`.
    init(path: String) throws(DatabaseError) {
        self.path = path
        isMade = !DatabaseFiles.exists(path)
        hadLog = DatabaseFiles.exists(path + DatabaseFiles.log)
        if isMade { try ConnectionSetup.createFile(atPath: path) }
        content = isMade || ConnectionSetup.bytes(ofFile: path) == 0 ? .nothing : .database
        connection = try Connection(path: path, role: .writer, statementCacheSize: 1)
        do throws(DatabaseError) {
            // SQLite opens a file that may not be written to all the same, and can't lock it.
            guard sqlite3_db_readonly(connection.handle, "main") == 0 else { throw DatabaseError(kind: .readOnly) }
            try connection.setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            if content == .database { try lockDatabase() }
            if content != .database { try connection.lockFile() }
            // Somebody may have been faster between the look and the lock.
            guard !connection.hasMoved, content != .nothing || ConnectionSetup.bytes(ofFile: path) == 0 else {
                throw DatabaseError(kind: .busy, hint: "somebody else is making the database anew")
            }
        } catch {
            throw error.naming(holderOf: path, includingReaders: true)
        }
    }

    /// Reads the log and rolls back a journal, if there is one.
    private func lockDatabase() throws(DatabaseError) {
        do throws(DatabaseError) {
            // Set before the log is opened, so that its index is not shared with another process.
            try connection.set("PRAGMA locking_mode = EXCLUSIVE")
            try connection.set("BEGIN EXCLUSIVE")
            try connection.set("COMMIT")
        } catch {
            guard error.kind == .notADatabase || error.kind == .corrupt else { throw error }
            content = .damaged
        }
    }

    /// Copies the log into the file, after which the file is the whole database.
    ///
    /// Whenever this is interrupted, SQLite opens file and log as before.
    func fold() throws(DatabaseError) {
        guard content == .database else { return }
        do throws(DatabaseError) {
            guard try connection.checkpoint(truncating: true).pages == 0 else {
                throw DatabaseError(kind: .busy, hint: "the log of the database can't be emptied")
            }
        } catch {
            guard error.kind == .notADatabase || error.kind == .corrupt else { throw error }
            content = .damaged
        }
    }

    /// Gives up, and leaves everything as it was before. Only valid as long as nothing was replaced.
    func withdraw() {
        if isMade { try? DatabaseFiles.remove(path) }
        // Opening a database that was closed makes an empty one.
        if !hadLog, ConnectionSetup.bytes(ofFile: path + DatabaseFiles.log) == 0 {
            try? DatabaseFiles.remove(path + DatabaseFiles.log)
        }
    }
}

extension Connection {
    /// Locks the file without reading it, for one that can't be read. Held until the connection is closed.
    ///
    /// Source: sqlite.org/c3ref/io_methods.html, xLock.
    fileprivate func lockFile() throws(DatabaseError) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let lock = file.pointee.pMethods?.pointee.xLock
        else { throw DatabaseError(kind: .other, detail: "The file has no locks.") }
        for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE] {
            let code = lock(file, level)
            guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: nil) }
        }
    }

    /// Whether the name this was opened by is another file's by now, or nobody's.
    var hasMoved: Bool {
        var answer: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer) == SQLITE_OK && answer != 0
    }
}
