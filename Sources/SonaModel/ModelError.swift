internal import Glibc
package import SonaDatabase

/// Why the data folder could not be opened.
package enum ModelError: Error, Sendable, Equatable {
    /// Another process holds the folder.
    case folderInUse(path: String)
    /// The folder, or a file in it, can't be made, opened or written; a file lies where the folder should.
    case folderUnwritable(path: String, errno: Int32)
    /// The folder belongs to another user, by number.
    case folderOfOthers(path: String, owner: UInt32)
    /// Every user of the machine may write in the folder.
    case folderOpenToAll(path: String, mode: UInt32)
    /// There is a database, and keys that belong to it are gone.
    case keysLost(folder: String, names: [String])
    /// The database is no database, or its pages contradict each other, or it belongs to another program, or a table
    /// in it is not what ours is.
    case databaseDamaged(path: String, detail: String)
    /// A newer version of Sona has written the database.
    case databaseNewer(path: String)
    /// The signing key, or the journal's, is there but can't be used, or can't be made.
    case keyUnreadable(path: String, detail: String)
    case storage(DatabaseError)

    /// One clear sentence for the person who started the server.
    package var sentence: String {
        switch self {
        case .folderInUse(let path):
            "The data folder \(path) is in use by another running server."
        case .folderUnwritable(let path, let errno):
            "The data folder can't be used: \(path): \(String(cString: strerror(errno)))."
        case .folderOfOthers(let path, let owner):
            "The data folder \(path) belongs to another user (number \(owner)): run as that user, or name a folder that "
                + "is not there yet with --data; it is made."
        case .folderOpenToAll(let path, let mode):
            "Everybody on this machine may write in the data folder \(path) (mode \(String(mode, radix: 8))): if what lies "
                + "in it is yours, chmod 700 it; or name a folder that is not there yet with --data; it is made."
        case .keysLost(let folder, let names):
            "There is a database, but of its keys in \(folder) these are gone: \(names.joined(separator: ", ")); put them "
                + "back from the backup, or start once with `sona serve --new-keys` to have others made, with which what "
                + "was made by the lost ones is worth nothing."
        case .databaseDamaged(let path, let detail):
            "The database \(path) is damaged or not Sona's (\(Self.line(detail))); restore it from a backup."
        case .databaseNewer(let path):
            "The database \(path) was written by a newer version of Sona; start that version instead."
        case .keyUnreadable(let path, let detail):
            "The key \(path) can't be used: \(detail)."
        case .storage(let error):
            "The database could not be opened: \(Self.cause(error))."
        }
    }

    /// The first line of what SQLite found; its checks may have found a hundred more.
    private static func line(_ detail: String) -> String {
        let lines = detail.split(whereSeparator: \.isNewline)
        guard let first = lines.first else { return "no detail" }
        return lines.count == 1 ? String(first) : "\(first) … and \(lines.count - 1) more"
    }

    private static func cause(_ error: DatabaseError) -> String {
        if case .setUp(let table, let reason) = error.kind { return "table \(table): \(reason)" }
        return error.detail ?? error.description
    }
}

extension ModelError {
    /// What keeps the database at `path` from being opened.
    init(_ error: DatabaseError, opening path: String) {
        switch error.kind {
        case .corrupt, .notADatabase:
            self = .databaseDamaged(path: path, detail: error.detail ?? "its pages contradict each other")
        case .foreignApplication(let id):
            self = .databaseDamaged(path: path, detail: "it belongs to the application with id \(id)")
        case .schemaMismatch(let detail):
            self = .databaseDamaged(path: path, detail: detail)
        // With another code of SQLite's it is not the table that is wrong: the disk is full, or the like.
        case .setUp(let table, let reason) where [0, sqliteCorrupt].contains(error.extendedCode & 0xFF):
            self = .databaseDamaged(path: path, detail: "table \(table): \(reason)")
        case .newerVersion:
            self = .databaseNewer(path: path)
        case .readOnly:
            self = .folderUnwritable(path: path, errno: EACCES)
        default:
            self = .storage(error)
        }
    }
}

/// SQLITE_CORRUPT.
private let sqliteCorrupt: Int32 = 11

extension ModelError {
    init(_ error: Refusal) {
        self = .storage(error.cause ?? DatabaseError(kind: .busy))
    }
}

/// A statement that fails while the model opens is nothing but `storage`.
extension ModelError: DomainError {}
