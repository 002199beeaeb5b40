internal import Glibc

/// Backups in a folder of this machine. See `BackupPlace`.
///
/// An object takes its name by a rename once it is on disk, and the folders of objects are synced before the manifest is
/// written. So a crash at any moment leaves objects that nobody needs, and never a backup that lacks one.
final class FolderPlace: BackupPlace {
    private let root: String
    private var lock: FolderLock?
    /// Folders with names that may not be on disk yet.
    private var unsynced: Set<String> = []

    var title: String { root }
    var staging: String { root + "/staging" }
    private var marker: String { root + "/sona-backups" }
    private var manifests: String { root + "/backups" }

    init(_ root: String) {
        var root = root
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        self.root = root
    }

    func beginWriting() throws(BackupError) {
        try FileWork.makeFolder(root)
        if FileWork.size(marker) == nil {
            // A folder by mistake, such as somebody's home, is not to become a place of backups.
            let others = FolderContent.names(root).filter { $0 != "lock" && $0 != "lost+found" && $0 != "staging" }
            guard others.isEmpty else {
                throw BackupError(
                    .exists, "\(root) holds something else (\(others[0])): name an empty folder, or a new one.")
            }
        }
        lock = try FolderLock(root + "/lock", exclusive: true, busySentence)
        FileWork.removeFolder(staging)
        for folder in [staging, manifests, root + "/objects"] { try FileWork.makeFolder(folder) }
        for name in FolderContent.names(manifests) where name.hasSuffix(".tmp") { unlink("\(manifests)/\(name)") }
        if FileWork.size(marker) == nil {
            try FileWork.replace(marker, Array("Backups of Sona, made by sona backup. Format 1.\n".utf8))
        }
        try FileWork.syncFolder(root)
    }

    private var busySentence: String { "Another backup, restore or check is under way in \(root)." }

    func beginReading() throws(BackupError) {
        guard FileWork.isFolder(root) else { throw BackupError(.missing, "There is no folder \(root).") }
        guard FileWork.size(marker) != nil else { throw BackupError(.missing, "There are no backups in \(root).") }
        // A place that is mounted read-only has no writer either.
        lock = try? FolderLock(root + "/lock", exclusive: false, busySentence)
        if lock == nil, access(root, W_OK) == 0 { throw BackupError(.busy, busySentence) }
    }

    // MARK: Objects

    func path(ofObject hash: String) -> String { "\(folder(of: hash))/\(hash)" }

    private func folder(of hash: String) -> String { "\(root)/objects/\(hash.prefix(2))" }

    func size(ofObject hash: String) -> Int64? { FileWork.size(path(ofObject: hash)) }

    func put(_ hash: String, file: String, size: Int64) throws(BackupError) {
        let folder = folder(of: hash)
        if !unsynced.contains(folder) {
            try FileWork.makeFolder(folder)
            unsynced.insert(folder)
        }
        guard rename(file, path(ofObject: hash)) == 0 else { throw .system("renamed", file) }
    }

    func flush() throws(BackupError) {
        for folder in unsynced { try FileWork.syncFolder(folder) }
        unsynced = []
        try FileWork.syncFolder(root + "/objects")
    }

    func objects() throws(BackupError) -> [String: Int64] {
        var found: [String: Int64] = [:]
        for folder in FolderContent.names(root + "/objects") {
            for name in FolderContent.names("\(root)/objects/\(folder)") where Hex.isHash(name) {
                found[name] = size(ofObject: name)
            }
        }
        return found
    }

    func removeObjects(_ hashes: [String]) throws(BackupError) {
        for hash in hashes {
            guard unlink(path(ofObject: hash)) == 0 || errno == ENOENT else {
                throw .system("removed", path(ofObject: hash))
            }
            rmdir(folder(of: hash))
        }
    }

    func fetch(_ hashes: Set<String>, staging: String) throws(BackupError) {}

    // MARK: Manifests

    private func path(_ name: String) -> String { "\(manifests)/\(name)\(BackupManifest.fileSuffix)" }

    func publish(_ name: String, _ bytes: [UInt8]) throws(BackupError) {
        FileWork.removeFolder(staging)
        try FileWork.replace(path(name), bytes)
    }

    func names() throws(BackupError) -> [String] {
        FolderContent.names(manifests).filter { $0.hasSuffix(BackupManifest.fileSuffix) }
            .map { String($0.dropLast(BackupManifest.fileSuffix.count)) }.filter(BackupManifest.isName)
    }

    func manifest(_ name: String) throws(BackupError) -> [UInt8] {
        guard FileWork.size(path(name)) != nil else {
            throw BackupError(.missing, "There is no backup \(name) in \(root).")
        }
        return try FileWork.read(path(name))
    }

    func removeManifest(_ name: String) throws(BackupError) {
        guard unlink(path(name)) == 0 || errno == ENOENT else { throw .system("removed", path(name)) }
        try FileWork.syncFolder(manifests)
    }
}
