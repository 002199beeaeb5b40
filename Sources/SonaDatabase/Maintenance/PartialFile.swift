internal import Glibc

/// The file a backup grows in until it is whole: `<target>.partial`, readable for its owner only.
///
/// Held by an flock(2) lock, which is no business of SQLite's own locks: two backups to one target would write into
/// each other's file. Removed with the last reference at the latest, unless
/// it was published.
final class PartialFile: Sendable {
    let target: String
    let path: String
    private let descriptor: Int32

    /// - Throws: `busy` while another backup to the same target is under way; `cannotOpen`, `full`.
    init(for target: String) throws(DatabaseError) {
        self.target = target
        path = target + ".partial"
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseFiles.failure("the backup's file could not be made") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isStillThere(path, descriptor) else {
            close(descriptor)
            throw DatabaseError(kind: .busy, hint: "another backup to the same file is under way")
        }
        do throws(DatabaseError) {
            // Removes the rest of an earlier file that a crash left. Its journal would be rolled back into this one.
            guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
                throw DatabaseFiles.failure("the backup's file could not be emptied")
            }
            try DatabaseFiles.removeSideFiles(of: path)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        abandon()
        close(descriptor)
    }

    /// Removes the file, unless it was published.
    func abandon() {
        // The file is left alone if another process has since begun one of its own.
        guard Self.isStillThere(path, descriptor) else { return }
        try? DatabaseFiles.remove(path)
        try? DatabaseFiles.removeSideFiles(of: path)
    }

    /// Gives the file its name once it is on the disk, in the place of an older one.
    func publish() throws(DatabaseError) {
        guard fsync(descriptor) == 0 else { throw DatabaseFiles.failure("the backup could not be synced") }
        try DatabaseFiles.rename(path, to: target)
        try DatabaseFiles.syncFolder(of: target)
    }

    /// Waits until everything written so far is on the disk.
    func writeBack() { fdatasync(descriptor) }

    private static func isStillThere(_ path: String, _ descriptor: Int32) -> Bool {
        var named = stat()
        var open = stat()
        return lstat(path, &named) == 0 && fstat(descriptor, &open) == 0 && named.st_ino == open.st_ino
            && named.st_dev == open.st_dev
    }
}
