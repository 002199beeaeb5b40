internal import CSQLite

/// A backup that is opened to be read, and left without a trace.
///
/// A file that stands alone is opened as one that does not change: SQLite would otherwise make a log and its index
/// beside a file that was copied from a database with a log, and could not read it at all where it may not write. A
/// file with a log or a journal beside it is read together with that.
final class BackupSource: CopySource {
    let handle: OpaquePointer

    /// - Parameter path: Without symbolic links.
    /// - Throws: `cannotOpen`, `notADatabase`, `corrupt`, `busy`.
    init(path: String) throws(DatabaseError) {
        let isAlone = !DatabaseFiles.sideSuffixes.contains { DatabaseFiles.exists(path + $0) }
        let flags =
            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
            | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(Self.uri(path) + (isAlone ? "?immutable=1" : ""), &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(code: code, connection: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        // BEGIN alone reads nothing: the snapshot is that of the first look.
        try execute("BEGIN")
        try execute("SELECT count(*) FROM sqlite_schema")
    }

    deinit { sqlite3_close_v2(handle) }

    private func execute(_ text: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle, sql: text) }
    }

    /// Source: sqlite.org/uri.html.
    private static func uri(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return path.utf8.reduce(into: "file://") { uri, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                uri.append(Character(UnicodeScalar(byte)))
            default: uri += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
