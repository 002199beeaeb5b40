internal import CSQLite
internal import Glibc

/// The settings of a new connection, made before its first use.
///
/// Source: sqlite.org/pragma.html and sqlite.org/security.html.
enum ConnectionSetup {
    /// Makes an empty file that only its owner may read, if there is none: SQLite would follow the umask, and its
    /// log and shared-memory files take the mode of the file they belong to.
    static func createFile(atPath path: String) throws(DatabaseError) {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return }
            throw DatabaseError(kind: .cannotOpen, detail: String(cString: strerror(errno)))
        }
        // Before SQLite has the file open: closing another descriptor of it later would drop SQLite's locks.
        fchmod(file, 0o600)
        close(file)
    }

    /// Whether the file was left by a process that did not close it: its log still holds something.
    static func wasLeftOpen(_ path: String) -> Bool { bytes(ofFile: path + "-wal") > 0 }

    static func bytes(ofFile path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    static func prepareWriter(
        _ connection: Connection, options: DatabaseOptions, isInMemory: Bool
    ) throws(DatabaseError) {
        try common(connection, options: options)
        let wanted = isInMemory ? "memory" : "wal"
        let mode = try writeAheadLog(connection, options: options)
        guard mode == wanted else { throw DatabaseError(kind: .setting("journal_mode is \(mode ?? "none")")) }
        switch options.durability {
        case .full: try connection.set("PRAGMA synchronous = FULL")
        case .normal: try connection.set("PRAGMA synchronous = NORMAL")
        }
        try connection.set("PRAGMA foreign_keys = ON")
        // Otherwise REPLACE would remove rows without their delete triggers, which keep search indexes in step.
        try connection.set("PRAGMA recursive_triggers = ON")
        try connection.set("PRAGMA secure_delete = FAST")
        try connection.set("PRAGMA journal_size_limit = 67108864")
        // Read back: a layer that promises durability must not learn later that it was never on.
        let synchronous: Int? = try connection.ask("PRAGMA synchronous")
        guard synchronous == (options.durability == .full ? 2 : 1) else {
            throw DatabaseError(kind: .setting("synchronous is \(synchronous ?? -1)"))
        }
        let foreignKeys: Int? = try connection.ask("PRAGMA foreign_keys")
        guard foreignKeys == 1 else { throw DatabaseError(kind: .setting("foreign_keys is not ON")) }
    }

    /// - Returns: The mode the file is in then.
    private static func writeAheadLog(
        _ connection: Connection, options: DatabaseOptions
    ) throws(DatabaseError) -> String? {
        let end = ContinuousClock.now + .milliseconds(Int(options.busyTimeoutMilliseconds))
        while true {
            do {
                return try connection.ask("PRAGMA journal_mode = WAL")
            } catch {
                // Two who make a new file at once: SQLite does not wait here, whatever its busy timeout.
                guard error.kind == .busy, ContinuousClock.now < end else { throw error }
                usleep(2_000)
            }
        }
    }

    static func prepareReader(_ connection: Connection, options: DatabaseOptions) throws(DatabaseError) {
        try common(connection, options: options)
        try connection.set("PRAGMA query_only = ON")
    }

    private static func common(_ connection: Connection, options: DatabaseOptions) throws(DatabaseError) {
        // No statement may change the schema's text or the file's pages behind SQLite's back; a schema from a doctored
        // file may call no functions with side effects; "text" in double quotes is a column or an error.
        try connection.setFlag(SQLITE_DBCONFIG_DEFENSIVE, true)
        try connection.setFlag(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try connection.setFlag(SQLITE_DBCONFIG_DQS_DML, false)
        try connection.setFlag(SQLITE_DBCONFIG_DQS_DDL, false)
        connection.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
        try connection.set("PRAGMA trusted_schema = OFF")
        try connection.set("PRAGMA cell_size_check = ON")
        // A read error in mapped memory is a signal, elsewhere a result code.
        try connection.set("PRAGMA mmap_size = 0")
        try WordTokenizer.register(on: connection)
        // Negative: KiB. SQLite's own 2 MiB make a small library's pages come from the kernel at every look-up.
        try connection.setNumber("cache_size", -Int32(clamping: max(64, options.cacheBytesMax >> 10)))
    }

    /// Looks for pages that contradict each other. Reads the whole file.
    ///
    /// - Throws: `corrupt` with the first finding as detail.
    static func quickCheck(_ connection: Connection) throws(DatabaseError) {
        let finding: String? = try connection.ask("PRAGMA quick_check(1)")
        guard finding != "ok" else { return }
        // A page that can't be read is told like one that is damaged: "… unable to get the page. error code=266".
        if let finding, let code = Self.resultCode(in: finding), code & 0xFF == SQLITE_IOERR {
            let error = DatabaseError(code: code, connection: nil)
            throw DatabaseError(kind: error.kind, extendedCode: code, detail: finding)
        }
        throw DatabaseError(kind: .corrupt, detail: finding)
    }

    private static func resultCode(in finding: String) -> Int32? {
        let mark = "error code="
        for start in finding.indices where finding[start...].hasPrefix(mark) {
            return Int32(finding[start...].dropFirst(mark.count).prefix { $0.isNumber })
        }
        return nil
    }
}
