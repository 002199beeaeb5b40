internal import Glibc
internal import SonaDatabase

/// Copies of the database from before migrations: `sona.sqlite.schema-41` is the file to which 41 had been applied.
///
/// A migration that fails leaves the database as it was. A migration that succeeds and turns out to be wrong, or a newer
/// version that somebody wants to leave again, needs the copy. The last two are kept.
struct MigrationCopies {
    /// The database.
    let file: String
    private static let keptMax = 2
    /// Stays free beside the copy, for the migration itself.
    private static let reserveBytes: Int64 = 64 << 20

    private var prefix: String { file + ".schema-" }

    /// Copies the database if migrations are to be applied to it.
    ///
    /// - Parameter known: How many migrations this program knows.
    /// - Returns: The path of the copy; `nil` if none is needed.
    /// - Throws: `noSpaceForCopy`; `databaseDamaged`, `folderUnwritable`, `storage`.
    func make(known: Int) async throws(ModelError) -> String? {
        var status = stat()
        guard stat(file, &status) == 0, status.st_size > 0 else { return nil }
        // A file that can't be read is refused by whoever opens it, with a better reason.
        guard let found = try? DatabaseFile.describe(file), found.applicationID == ModelSchema.applicationID,
            (1..<known).contains(found.migrationCount)
        else { return nil }
        let copy = prefix + "\(found.migrationCount)"
        var disk = statvfs()
        if statvfs(file, &disk) == 0 {
            let free = Int64(clamping: UInt64(disk.f_bavail) &* UInt64(disk.f_frsize))
            let needed = found.bytes + Self.reserveBytes
            guard free >= needed else { throw .noSpaceForCopy(path: copy, needed: needed, free: free) }
        }
        do { try await DatabaseFile.copy(file, to: copy) } catch {
            throw ModelError((error as? DatabaseError) ?? DatabaseError(kind: .interrupted), opening: file)
        }
        removeOld(except: found.migrationCount)
        return copy
    }

    private func removeOld(except newest: Int) {
        let slash = file.lastIndex(of: "/") ?? file.startIndex
        let (folder, name) = (String(file[..<slash]), String(prefix[prefix.index(after: slash)...]))
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        var versions: [Int] = []
        while let entry = readdir(stream) {
            let found = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if found.hasPrefix(name), let version = Int(found.dropFirst(name.count)) { versions.append(version) }
        }
        for version in versions.filter({ $0 != newest }).sorted(by: >).dropFirst(Self.keptMax - 1) {
            unlink(prefix + "\(version)")
        }
    }
}
