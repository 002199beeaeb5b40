internal import Glibc
internal import SonaDatabase

/// Looks whether a backup is whole: its manifest, every content that it names, and the database that they make.
package struct BackupVerification {
    private let place: any BackupPlace
    private let workFolder: String

    /// - Parameter workFolder: Where the database is put together, and contents of a remote place wait. Made, and
    ///   removed at the end.
    package init(_ place: any BackupPlace, workFolder: String) {
        self.place = place
        self.workFolder = workFolder
    }

    /// What was found, as sentences; none for a whole backup.
    package struct Finding: Sendable {
        package let name: String
        package let faults: [String]
        /// Nothing that a restore would stumble over.
        package let notes: [String]
        package let bytes: Int64
    }

    /// - Parameters:
    ///   - isQuick: Only whether everything is there, by its sizes. Otherwise every byte is read, and the database's
    ///     pages and references are checked.
    /// - Throws: Errors that have nothing to do with the backup's own state.
    package func verify(_ name: String, isQuick: Bool) throws(BackupError) -> Finding {
        let manifest: BackupManifest
        do throws(BackupError) { manifest = try place.backup(name) } catch {
            guard error.kind == .damaged || error.kind == .newer else { throw error }
            return Finding(name: name, faults: [error.description], notes: [], bytes: 0)
        }
        var notes: [String] = []
        if manifest.keys == nil { notes.append("the keys are not in it") }
        if !manifest.missing.isEmpty {
            notes.append("\(manifest.missing.count) uploads were already missing when it was made")
        }
        var faults = isQuick ? try missing(manifest) : try damaged(manifest)
        if faults.isEmpty, !isQuick { faults = try databaseFaults(manifest) }
        return Finding(name: name, faults: faults, notes: notes, bytes: manifest.bytes)
    }

    private func missing(_ manifest: BackupManifest) throws(BackupError) -> [String] {
        let there = try place.objects()
        return manifest.objects.sorted { $0.key < $1.key }.compactMap { hash, size in
            there[hash] == size ? nil : "The object \(hash) is \(there[hash] == nil ? "missing" : "cut off")."
        }
    }

    private func damaged(_ manifest: BackupManifest) throws(BackupError) -> [String] {
        try FileWork.makeFolder(workFolder)
        try place.fetch(Set(manifest.objects.keys), staging: workFolder)
        var faults: [String] = []
        for (hash, size) in manifest.objects.sorted(by: { $0.key < $1.key }) {
            let path = place.path(ofObject: hash)
            guard FileWork.size(path) != nil else {
                faults.append("The object \(hash) is missing.")
                continue
            }
            let found = try FileWork.hash(path)
            if found != (size, hash) {
                faults.append("The object \(path) is damaged. Remove it, and the next backup stores it anew.")
            }
        }
        return faults
    }

    private func databaseFaults(_ manifest: BackupManifest) throws(BackupError) -> [String] {
        try FileWork.makeFolder(workFolder)
        defer { FileWork.removeFolder(workFolder) }
        let path = "\(workFolder)/\(BackupManifest.databaseName)"
        try FileWork.demand(manifest.database.size, free: workFolder, for: "The check of the database")
        do throws(BackupError) {
            try DatabaseAssembly.write(manifest, from: place, to: path)
            try DatabaseAssembly.check(path, manifest)
        } catch {
            guard error.kind == .damaged else { throw error }
            return [error.description]
        }
        return []
    }
}

/// Puts the pieces of a database together.
enum DatabaseAssembly {
    /// - Throws: `damaged` if the file is not the one that was backed up.
    static func write(
        _ manifest: BackupManifest, from place: any BackupPlace, to path: String
    ) throws(BackupError) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system("made", path) }
        defer { close(file) }
        for piece in manifest.database.pieces {
            var rest = try FileWork.read(place.path(ofObject: piece))[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .system("written", path) }
                rest = rest.dropFirst(count)
            }
        }
        guard fsync(file) == 0 else { throw .system("synced", path) }
        guard try FileWork.hash(path) == (manifest.database.size, manifest.database.hash) else {
            throw BackupError(.damaged, "The database of the backup \(manifest.name) is not the one that was kept.")
        }
    }

    /// Checks pages, references between rows, and that every upload that is named is in the backup.
    ///
    /// - Throws: `damaged`.
    static func check(_ path: String, _ manifest: BackupManifest) throws(BackupError) {
        do throws(DatabaseError) { try DatabaseFile.check(path) } catch { throw BackupError(error, "checked") }
        let there = Set(manifest.files.compactMap { SourceFiles.namedHash($0.path) }).union(manifest.missing)
        let lost = try BackupCreation.contents(namedBy: path).filter { !there.contains($0) }
        guard lost.isEmpty else {
            let name = manifest.name
            throw BackupError(.damaged, "The backup \(name) lacks \(lost.count) uploads that its database names.")
        }
    }
}
