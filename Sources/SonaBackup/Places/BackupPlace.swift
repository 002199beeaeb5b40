/// A place in which backups are kept: contents by their hash, shared by all backups, and a manifest for each.
///
/// ```
/// sona-backups              says that this is such a place
/// backups/NAME.manifest     one for each backup
/// objects/AA/HASH           contents
/// staging/                  while something is written; in a folder only
/// lock                      held meanwhile; in a folder only
/// ```
/// Every function blocks the thread. One thread uses a place.
package protocol BackupPlace: AnyObject {
    /// For people.
    var title: String { get }
    /// A folder of this machine in which files are put together; known after `beginWriting` or `fetch`.
    var staging: String { get }

    /// Takes the place for one writer, makes it if it is missing, and removes leftovers of writers that were killed.
    ///
    /// - Throws: `busy`, `exists` if something else is there, `io`, `remote`.
    func beginWriting() throws(BackupError)

    /// Keeps others from removing what is read.
    func beginReading() throws(BackupError)

    /// The size of an object; `nil` if it is not there.
    func size(ofObject hash: String) -> Int64?

    /// Takes over a file of `staging` that is on disk as an object. It is safe once `flush` returns.
    func put(_ hash: String, file: String, size: Int64) throws(BackupError)

    func flush() throws(BackupError)

    /// Writes a manifest, after everything that it names. With it the backup exists.
    func publish(_ name: String, _ bytes: [UInt8]) throws(BackupError)

    /// The names of all backups, oldest first.
    func names() throws(BackupError) -> [String]

    func manifest(_ name: String) throws(BackupError) -> [UInt8]

    /// Objects and their sizes.
    func objects() throws(BackupError) -> [String: Int64]

    func removeManifest(_ name: String) throws(BackupError)
    func removeObjects(_ hashes: [String]) throws(BackupError)

    /// Makes these objects readable at `path(ofObject:)`. Objects that are not there are left out.
    func fetch(_ hashes: Set<String>, staging: String) throws(BackupError)

    func path(ofObject hash: String) -> String
}

extension BackupPlace {
    /// - Throws: `missing`, `damaged`, `newer`.
    package func backup(_ name: String) throws(BackupError) -> BackupManifest {
        guard BackupManifest.isName(name) else { throw BackupError(.usage, "\(name) is not the name of a backup.") }
        return try BackupManifest(try manifest(name), name: name)
    }

    /// A backup by name, or the newest one.
    ///
    /// - Throws: `missing`, `damaged`, `newer`.
    package func backup(orNewest name: String?) throws(BackupError) -> BackupManifest {
        if let name { return try backup(name) }
        guard let newest = try names().last else { throw BackupError(.missing, "There is no backup in \(title).") }
        return try backup(newest)
    }

    /// The newest one that can be read; `nil` if there is none.
    func newestReadable() throws(BackupError) -> BackupManifest? {
        for name in try names().reversed() { if let found = try? backup(name) { return found } }
        return nil
    }
}

/// Names a place: a folder, or `rclone:REMOTE:PATH`.
package enum BackupAddress {
    private static let remote = "rclone:"

    /// Whether the text can name a place.
    package static func isValid(_ text: String) -> Bool {
        guard text.hasPrefix(remote) else { return !text.isEmpty && !text.utf8.contains(0) }
        let rest = text.dropFirst(remote.count)
        // A remote that begins with a hyphen would be an option of rclone.
        guard let colon = rest.firstIndex(of: ":"), !rest.hasPrefix("-"), !text.utf8.contains(0) else { return false }
        return colon == rest.startIndex ? rest.count > 1 : true
    }

    /// - Parameter workFolder: Where files wait that go to a remote place: on the disk of the data.
    /// - Throws: `usage`; `remote` if rclone is not there.
    package static func open(_ text: String, workFolder: String) throws(BackupError) -> any BackupPlace {
        guard isValid(text) else {
            throw BackupError(.usage, "\(text) is no place for backups: name a folder, or rclone:REMOTE:PATH.")
        }
        guard text.hasPrefix(remote) else { return FolderPlace(text) }
        return RclonePlace(try Rclone(String(text.dropFirst(remote.count))), workFolder: workFolder)
    }
}
