internal import Glibc
package import SonaDatabase

/// The reason why the data folder could not be opened.
package enum ModelError: Error, Sendable, Equatable {
    /// Another process holds the folder.
    case folderInUse(path: String)
    /// The folder, or a file in it, can't be made, opened or written. Or a file is in the place of the folder.
    case folderUnwritable(path: String, errno: Int32)
    /// The folder belongs to another user; `owner` is the user id.
    case folderOfOthers(path: String, owner: UInt32)
    /// Every user of the machine may write in the folder; `mode` is its mode.
    case folderOpenToAll(path: String, mode: UInt32)
    /// There is a database, but some of its keys are missing.
    case keysLost(folder: String, names: [String])
    /// There is no database, or an empty file, but the folder has had one.
    case databaseLost(path: String)
    /// The database file is damaged, is not a database, belongs to another program, or has tables that differ from
    /// ours.
    case databaseDamaged(path: String, detail: String)
    /// A newer version of Sona has written the database.
    case databaseNewer(path: String)
    /// There is too little space for the copy of the database that is made before a migration, in bytes.
    case noSpaceForCopy(path: String, needed: Int64, free: Int64)
    /// A key file can't be used, or can't be made.
    case keyUnreadable(path: String, detail: String)
    /// Any other error of the database.
    case storage(DatabaseError)

    /// A text of one or more whole sentences for the person who started the server.
    package var sentence: String {
        switch self {
        case .folderInUse(let path):
            "The data folder \(path) is in use by another running server."
        case .folderUnwritable(let path, let errno):
            "The data folder can't be used: \(path): \(String(cString: strerror(errno)))."
        case .folderOfOthers(let path, let owner):
            "The data folder \(path) belongs to another user (id \(owner)). Run as that user, or name a new folder "
                + "with --data: Sona makes it."
        case .folderOpenToAll(let path, let mode):
            "Every user of this machine may write in the data folder \(path) (mode \(String(mode, radix: 8))). If its "
                + "content is yours, chmod 700 it. Or name a new folder with --data: Sona makes it."
        case .keysLost(let folder, let names):
            "There is a database, but keys are missing in \(folder): \(names.joined(separator: ", ")). Put them back "
                + "from the backup. Or start once with `sona serve --new-keys` to make new ones: everything made with "
                + "the lost keys is invalid then."
        case .databaseLost(let path):
            "The database \(path) is missing or empty, but this folder has had one. Put it back from the backup. Or start "
                + "once with `sona serve --new-database` to begin without accounts and rooms."
        case .databaseDamaged(let path, let detail):
            "The database \(path) is damaged or not Sona's (\(Self.line(detail))); restore it from a backup."
        case .databaseNewer(let path):
            "The database \(path) was written by a newer version of Sona; start that version instead."
        case .noSpaceForCopy(let path, let needed, let free):
            "The tables have to be brought up to date, and there is no space to keep a copy of the database before: "
                + "\(path) needs \(needed >> 20) MiB, and \(free >> 20) MiB are free."
        case .keyUnreadable(let path, let detail):
            "The key \(path) can't be used: \(detail)."
        case .storage(let error):
            "The database could not be opened: \(Self.cause(error))."
        }
    }

    /// The first line of SQLite's findings, and the number of further lines, which may be a hundred.
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
    /// The reason why the database at `path` could not be opened.
    package init(_ error: DatabaseError, opening path: String) {
        switch error.kind {
        case .corrupt, .notADatabase:
            self = .databaseDamaged(path: path, detail: error.detail ?? "its pages contradict each other")
        case .foreignApplication(let id):
            self = .databaseDamaged(path: path, detail: "it belongs to the application with id \(id)")
        case .schemaMismatch(let detail):
            self = .databaseDamaged(path: path, detail: detail)
        // With any other code of SQLite's the table is not at fault: the disk is full, for example.
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
    package init(_ error: Refusal) {
        self = .storage(error.cause ?? DatabaseError(kind: .busy))
    }
}

/// Every statement that fails while the model opens becomes `storage`.
extension ModelError: DomainError {}
