internal import Glibc
internal import SonaBase
internal import SonaDatabase

/// Makes a data folder of a backup.
///
/// Everything is put together in a new folder beside the target and checked there; the target's name changes hands at
/// the very end, by rename(2). A data folder that was there is kept as `<target>.before-restore-<time>`. Between its
/// rename and the new folder's, a crash leaves no folder of that name but both beside it.
package struct BackupRestoration {
    private let place: any BackupPlace
    private let target: String
    private let schema: BackupSchema
    private let passphrase: BackupPassphrase?
    private let force: Bool
    private let withoutKeys: Bool

    package init(
        from place: any BackupPlace, to target: String, schema: BackupSchema, passphrase: BackupPassphrase?,
        force: Bool, withoutKeys: Bool
    ) {
        self.place = place
        self.target = Self.resolved(target)
        self.schema = schema
        self.passphrase = passphrase
        self.force = force
        self.withoutKeys = withoutKeys
    }

    package struct Outcome: Sendable {
        package let manifest: BackupManifest
        package let hasKeys: Bool
        /// Where the old data folder is now; `nil` if there was none.
        package let kept: String?
    }

    /// - Parameter name: `nil`: the newest backup.
    /// - Throws: Every kind of `BackupError`. The target is then as it was.
    package func run(_ name: String?) async throws(BackupError) -> Outcome {
        try place.beginReading()
        let manifest = try place.backup(orNewest: name)
        guard manifest.schemaVersion <= schema.migrations.count,
            manifest.schemaVersion == 0 || schema.migrations[manifest.schemaVersion - 1] == manifest.schemaName
        else {
            throw BackupError(
                .newer,
                "The backup \(manifest.name) is of a newer version of Sona (\(manifest.program)); restore it with that one."
            )
        }
        let keys = try openKeys(manifest)
        let lock = try inspectTarget()
        defer { withExtendedLifetime(lock) {} }
        let folder = "\(target).restoring-\(getpid())"
        defer { FileWork.removeFolder(folder) }
        FileWork.removeFolder(folder)
        try FileWork.makeFolder(folder)
        try FileWork.demand(manifest.bytes + 2 * manifest.database.size, free: folder, for: "The restore")
        let work = folder + "/restoring"
        try FileWork.makeFolder(work)
        try place.fetch(Set(manifest.objects.keys), staging: work)
        try await putTogether(manifest, in: folder, work)
        if let keys { try KeyFolder.write(keys, to: folder + "/keys") }
        FileWork.removeFolder(work)
        try takeOwner(of: folder)
        let kept = try exchange(folder)
        return Outcome(manifest: manifest, hasKeys: keys != nil, kept: kept)
    }

    // MARK: Steps

    private func openKeys(_ manifest: BackupManifest) throws(BackupError) -> [UInt8]? {
        guard let sealed = manifest.keys, !withoutKeys else { return nil }
        guard let passphrase else {
            throw BackupError(
                .passphrase,
                "The keys in the backup are encrypted: give --passphrase-file, or --without-keys to restore without them."
            )
        }
        return try passphrase.open(sealed, backup: manifest.name)
    }

    /// - Returns: The lock of the data folder that is replaced; `nil` if there is none.
    /// - Throws: `exists`; `busy` while a server runs on it.
    private func inspectTarget() throws(BackupError) -> FolderLock? {
        var status = stat()
        guard lstat(target, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw BackupError(.exists, "\(target) is not a folder.") }
        guard !FolderContent.names(target).isEmpty else { return nil }
        guard force else {
            throw BackupError(
                .exists, "\(target) is not empty. With --force it is kept under another name, and replaced.")
        }
        guard FileWork.size(target + "/sona.lock") != nil else { return nil }
        return try FolderLock(
            target + "/sona.lock", exclusive: true, "A server runs on the data folder \(target): stop it first.")
    }

    private func putTogether(_ manifest: BackupManifest, in folder: String, _ work: String) async throws(BackupError) {
        for file in manifest.files {
            let path = "\(folder)/\(file.path)"
            try FileWork.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
            let object = place.path(ofObject: file.hash)
            guard FileWork.size(object) != nil else {
                throw BackupError(.damaged, "The backup \(manifest.name) lacks the object \(file.hash).")
            }
            guard try FileWork.copy(object, to: path) == (file.size, file.hash) else {
                throw BackupError(.damaged, "The object \(object) of the backup \(manifest.name) is damaged.")
            }
            setTime(path, file.modifiedNanoseconds)
        }
        for piece in manifest.database.pieces where FileWork.size(place.path(ofObject: piece)) == nil {
            throw BackupError(.damaged, "The backup \(manifest.name) lacks the object \(piece).")
        }
        let assembled = "\(work)/\(BackupManifest.databaseName)"
        try DatabaseAssembly.write(manifest, from: place, to: assembled)
        try DatabaseAssembly.check(assembled, manifest)
        do throws(DatabaseError) {
            try await DatabasePool.restore(
                from: assembled, to: "\(folder)/\(BackupManifest.databaseName)", applicationID: schema.applicationID,
                knownMigrations: schema.migrations.count)
        } catch { throw BackupError(error, "restored") }
        try FileWork.syncFolder(folder)
    }

    private func setTime(_ path: String, _ nanoseconds: Int64) {
        let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = [time, time].withUnsafeBufferPointer { utimensat(AT_FDCWD, path, $0.baseAddress, 0) }
    }

    /// Root restores for somebody else: for the owner of the folder that is replaced, or of the one above it.
    private func takeOwner(of folder: String) throws(BackupError) {
        var status = stat()
        let parent = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        let model = FileWork.isFolder(target) ? target : parent.isEmpty ? "/" : parent
        guard geteuid() == 0, stat(model, &status) == 0, status.st_uid != 0 else { return }
        func give(_ path: String) throws(BackupError) {
            guard lchown(path, status.st_uid, status.st_gid) == 0 else { throw .system("given away", path) }
            for name in FolderContent.names(path) { try give("\(path)/\(name)") }
        }
        try give(folder)
    }

    private func exchange(_ folder: String) throws(BackupError) -> String? {
        let parent = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        var kept: String?
        if !FolderContent.names(target).isEmpty {
            let time = String(UTC.text(milliseconds: WallMilliseconds.now()).map { $0 == ":" ? "-" : $0 })
            let aside = "\(target).before-restore-\(time)"
            guard rename(target, aside) == 0 else { throw .system("renamed", target) }
            kept = aside
        }
        guard rename(folder, target) == 0 else {
            let error = BackupError.system("renamed", folder)
            if let kept { rename(kept, target) }
            throw error
        }
        try FileWork.syncFolder(parent.isEmpty ? "/" : parent)
        return kept
    }

    /// Without symbolic links and slashes at the end: it is the folder itself that is renamed.
    private static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
