internal import Glibc
package import SonaDatabase

/// Why the data folder could not be opened.
package enum ModelError: Error, Sendable, Equatable {
    /// Another process holds the folder.
    case folderInUse(path: String)
    /// The folder, or a file in it, can't be made, opened or written; a file lies where the folder should.
    case folderUnwritable(path: String, errno: Int32)
    /// The database is no database, or its pages contradict each other, or it belongs to another program.
    case databaseDamaged(path: String, detail: String)
    /// A newer version of Sona has written the database.
    case databaseNewer(path: String)
    /// The signing key is there but can't be used, or can't be made.
    case keyUnreadable(path: String, detail: String)
    case storage(DatabaseError)

    /// One clear sentence for the person who started the server.
    package var sentence: String {
        switch self {
        case .folderInUse(let path):
            "The data folder \(path) is in use by another running server."
        case .folderUnwritable(let path, let errno):
            "The data folder can't be used: \(path): \(String(cString: strerror(errno)))."
        case .databaseDamaged(let path, let detail):
            "The database \(path) is damaged or not Sona's (\(Self.line(detail))); restore it from a backup."
        case .databaseNewer(let path):
            "The database \(path) was written by a newer version of Sona; start that version instead."
        case .keyUnreadable(let path, let detail):
            "The signing key \(path) can't be used: \(detail)."
        case .storage(let error):
            "The database could not be opened: \(error.detail ?? error.description)."
        }
    }

    /// The first line of what SQLite found; its checks may have found a hundred more.
    private static func line(_ detail: String) -> String {
        let lines = detail.split(whereSeparator: \.isNewline)
        guard let first = lines.first else { return "no detail" }
        return lines.count == 1 ? String(first) : "\(first) … and \(lines.count - 1) more"
    }
}
