internal import CSQLite

extension DatabaseError {
    /// Reads the error that `code` announced from its connection.
    ///
    /// Call it before anything else is done with the connection: the message is that of the last call.
    init(code: Int32, connection: OpaquePointer?, sql: String? = nil) {
        var extended = code
        var message: String?
        if let connection {
            let last = sqlite3_extended_errcode(connection)
            // The connection may have gone on since; then only the code handed over is to be believed.
            if last & 0xFF == code & 0xFF {
                extended = last
                message = sqlite3_errmsg(connection).map { String(cString: $0) }
            }
        } else {
            message = sqlite3_errstr(code).map { String(cString: $0) }
        }
        self.init(
            kind: Kind(extendedCode: extended, message: message ?? ""), extendedCode: extended, sql: sql,
            detail: message)
    }

    /// Whether the state of the file is unknown after this: the page cache may have dropped what could not be synced,
    /// and a second sync would report success without it.
    var leavesFileInDoubt: Bool {
        extendedCode == Int32(sona_sqlite_ioerr_fsync)
            || extendedCode == Int32(sona_sqlite_ioerr_dir_fsync)
    }
}

extension DatabaseError.Kind {
    /// Source: sqlite.org/rescode.html; the texts of constraint messages are those of SQLite's vdbe.c and insert.c.
    fileprivate init(extendedCode: Int32, message: String) {
        switch Int(extendedCode) {
        case sona_sqlite_constraint_unique, sona_sqlite_constraint_primary_key,
            sona_sqlite_constraint_rowid:
            self = Self.unique(fromMessage: message)
            return
        // ON DELETE RESTRICT is told as if a trigger had raised it.
        case sona_sqlite_constraint_trigger where message == "FOREIGN KEY constraint failed",
            sona_sqlite_constraint_foreign_key:
            self = .foreignKey
            return
        case sona_sqlite_constraint_check:
            self = .check(message.dropping(prefix: "CHECK constraint failed: "))
            return
        case sona_sqlite_constraint_not_null:
            let (table, column) = Self.split(message.dropping(prefix: "NOT NULL constraint failed: "))
            self = .notNull(table: table, column: column)
            return
        default: break
        }
        self =
            switch extendedCode & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_IOERR: .io
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_READONLY: .readOnly
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_INTERRUPT: .interrupted
            case SQLITE_AUTH: .misuse("this statement is not allowed here")
            case SQLITE_MISUSE, SQLITE_RANGE: .misuse("the library was called out of order")
            default: .other
            }
    }

    /// "UNIQUE constraint failed: users.email_key, users.realm" or "… failed: index 'users_by_lower'".
    private static func unique(fromMessage message: String) -> Self {
        let names = message.dropping(prefix: "UNIQUE constraint failed: ")
        if names.hasPrefix("index '") {
            return .unique(table: "", columns: [String(names.dropFirst("index '".count).dropLast())])
        }
        let pairs = names.split(separator: ",").map { split(String($0.drop(while: { $0 == " " }))) }
        return .unique(table: pairs.first?.table ?? "", columns: pairs.map(\.column))
    }

    private static func split(_ name: String) -> (table: String, column: String) {
        guard let dot = name.firstIndex(of: ".") else { return ("", name) }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }
}

extension String {
    fileprivate func dropping(prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
