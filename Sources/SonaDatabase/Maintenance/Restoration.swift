internal import CSQLite
internal import Glibc

/// One restore, in steps that each leave a database that opens when the process ends there.
///
/// | after     | at the path         | its log       | `.before-restore`  | a crash here leaves           |
/// |-----------|---------------------|---------------|--------------------|-------------------------------|
/// | lock      | the old             | as it was     | of an earlier time | the old                       |
/// | stage     | the old             | as it was     | of an earlier time | the old, and `.restoring`     |
/// | inspect   | the old             | as it was     | of an earlier time | the old, and `.restoring`     |
/// | fold      | the old             | empty         | of an earlier time | the old, all of it in one file|
/// | keep      | the old             | empty         | the same file      | the old, under two names      |
/// | clear     | the old             | none          | the same file      | the old, under two names      |
/// | replace   | the restored        | none          | the old            | the restored                  |
///
/// The steps that guarantee this:
/// 1. Nothing at the path is touched before the whole backup is known to be good.
/// 2. A log is never taken from a file that needs it: `fold` first copies it into the file, with SQLite's own means and
///    on the disk. Only then is it removed, and only then is there another file under the name: the log of the old is
///    never replayed into the new.
/// 3. The name changes hands in one rename(2), which shows the old or the new and nothing between.
/// 4. Each step is on the disk before the next begins (fsync of the file, then of the folder), so a power cut leaves
///    one of the rows as well.
/// 5. From `lock` to the end nobody else can open the old file: `TargetLock`.
///
/// An old file that SQLite can't open, even with its log, need not stay openable. Its log and its journal are not
/// removed but renamed with it, so that it can be examined; those of a file that is gone become `.orphaned-wal` and
/// `.orphaned-journal`.
///
/// A restore that follows a crash begins anew: files left under the names used here are replaced.
final class Restoration {
    let backup: String
    let path: String
    private let applicationID: Int32
    private let knownMigrations: Int?
    private var target: TargetLock?
    private var isReplaced = false

    var staged: String { path + ".restoring" }
    var kept: String { path + ".before-restore" }
    private var orphaned: String { path + ".orphaned" }
    private var keptAnew: String { kept + ".new" }

    /// - Throws: `cannotOpen` if a path leads nowhere, `misuse` if they are one file or the backup is in the way.
    init(
        from backup: String, to path: String, applicationID: Int32, knownMigrations: Int?
    ) throws(DatabaseError) {
        self.applicationID = applicationID
        self.knownMigrations = knownMigrations
        self.backup = try DatabaseFiles.resolved(backup)
        self.path = try DatabaseFiles.resolved(path)
        guard DatabaseFiles.exists(backup), !DatabaseFiles.isFolder(backup) else {
            throw DatabaseError(kind: .cannotOpen, hint: "there is no backup of this name")
        }
        guard !DatabaseFiles.isSame(backup, path), self.backup != staged, self.backup != keptAnew else {
            throw DatabaseError(kind: .misuse("the backup is the database itself, or in the way of the restore"))
        }
    }

    func run() throws(DatabaseError) {
        do throws(DatabaseError) {
            try lock()
            try stage()
            try inspect()
            try fold()
            try keep()
            try clear()
            try replace()
        } catch {
            if !isReplaced { withdraw() }
            throw error
        }
    }

    // MARK: Steps

    func lock() throws(DatabaseError) { target = try TargetLock(path: path) }

    /// Copies the backup beside the database.
    func stage() throws(DatabaseError) {
        guard ConnectionSetup.bytes(ofFile: backup) > 0 else {
            throw DatabaseError(kind: .notADatabase, hint: "the backup is empty")
        }
        let source = try BackupSource(path: backup)
        try DatabaseFiles.remove(staged)
        try DatabaseFiles.removeSideFiles(of: staged)
        try ConnectionSetup.createFile(atPath: staged)
        let destination = try Connection(path: staged, role: .writer, statementCacheSize: 1)
        var copy = try OnlineCopy(from: source, to: destination)
        while try copy.step(pages: 4_096) {}
    }

    /// Refuses what this program could not work with.
    func inspect() throws(DatabaseError) {
        try checkCopy()
        takeOwner()
        try DatabaseFiles.syncFile(staged)
    }

    func fold() throws(DatabaseError) { try target?.fold() }

    /// Gives the old file its second name.
    func keep() throws(DatabaseError) {
        guard let target, target.content != .nothing else { return }
        try DatabaseFiles.removeSideFiles(of: kept)
        try DatabaseFiles.remove(keptAnew)
        try DatabaseFiles.link(path, as: keptAnew)
        try DatabaseFiles.rename(keptAnew, to: kept)
        // Two names of one file are left alone by rename(2).
        try DatabaseFiles.remove(keptAnew)
        try DatabaseFiles.syncFolder(of: path)
    }

    /// Takes away what would be taken for the new file's own.
    func clear() throws(DatabaseError) {
        try DatabaseFiles.remove(path + DatabaseFiles.sharedMemory)
        for suffix in [DatabaseFiles.log, DatabaseFiles.journal] where DatabaseFiles.exists(path + suffix) {
            if target?.content == .database || ConnectionSetup.bytes(ofFile: path + suffix) == 0 {
                try DatabaseFiles.remove(path + suffix)
            } else {
                // Never beside a file that it does not belong to.
                let name = target?.content == .nothing ? orphaned : kept
                try DatabaseFiles.rename(path + suffix, to: name + suffix)
            }
        }
        try DatabaseFiles.syncFolder(of: path)
    }

    func replace() throws(DatabaseError) {
        try DatabaseFiles.rename(staged, to: path)
        isReplaced = true
        try DatabaseFiles.syncFolder(of: path)
        target = nil
    }

    /// Removes the files that the steps have made, after a refusal or a failure.
    private func withdraw() {
        // If this restore does not hold the lock, the files of these names belong to another one.
        guard let target else { return }
        try? DatabaseFiles.remove(staged)
        try? DatabaseFiles.removeSideFiles(of: staged)
        // A database under two names would have two logs.
        if DatabaseFiles.isSame(kept, path) { try? DatabaseFiles.remove(kept) }
        target.withdraw()
        self.target = nil
    }

    // MARK: What is demanded of a backup

    private func checkCopy() throws(DatabaseError) {
        let copy = try Connection(path: staged, role: .writer, statementCacheSize: 1)
        try ConnectionSetup.prepareReader(copy, options: DatabaseOptions())
        try checkOrigin(copy)
        try checkPages(copy)
    }

    private func checkOrigin(_ copy: Connection) throws(DatabaseError) {
        let id = try copy.ask("PRAGMA application_id", as: Int64.self) ?? 0
        guard id == Int64(applicationID) else {
            throw DatabaseError(kind: .foreignApplication(id: Int32(truncatingIfNeeded: id)))
        }
        let version = try copy.ask("PRAGMA user_version", as: Int.self) ?? 0
        guard version >= 0 else { throw DatabaseError(kind: .schemaMismatch("user_version is negative")) }
        if let knownMigrations, version > knownMigrations {
            throw DatabaseError(kind: .newerVersion(found: version, known: knownMigrations))
        }
    }

    private func checkPages(_ copy: Connection) throws(DatabaseError) {
        let finding: String? = try copy.ask("PRAGMA integrity_check(1)")
        guard finding == "ok" else { throw DatabaseError(kind: .corrupt, detail: finding) }
        let dangling: String? = try copy.ask("PRAGMA foreign_key_check")
        if let dangling {
            throw DatabaseError(kind: .foreignKey, hint: "rows of \(dangling) refer to rows that are not there")
        }
    }

    /// Gives the copy to the owner of the database, so that a program that is not root can open a file that root
    /// restored. SQLite does the same with its own side files.
    private func takeOwner() {
        var status = stat()
        let model = target?.content == .nothing ? DatabaseFiles.folder(of: path) : path
        guard geteuid() == 0, stat(model, &status) == 0 else { return }
        _ = chown(staged, status.st_uid, status.st_gid)
    }
}

extension DatabasePool {
    /// Puts a backup in the place of a database that nobody has open.
    ///
    /// The backup is copied and checked first (`integrity_check`, `foreign_key_check`); one that is refused changes
    /// nothing. The database it replaces, if there is one, is kept as `<path>.before-restore`, in the place of an
    /// earlier one; restoring that undoes this. A crash at any moment leaves the one or the other (see `Restoration`).
    ///
    /// On a thread of its own. Reads the backup once, the copy twice, and needs the backup's size of free space in the
    /// folder of the database. Not ended when the task is cancelled. Full-text indexes are restored as they are;
    /// `searchIndexFindings` looks at them.
    ///
    /// - Parameters:
    ///   - backup: A database file, with its log beside it if it has one. Nobody writes to it meanwhile. Not changed.
    ///   - path: May be missing, sound, left by a crash, or damaged.
    ///   - knownMigrations: How many migrations this program knows; `nil` takes a backup of any version.
    /// - Throws: `busy` while any process, this one included, has the database open; `notADatabase`, `corrupt`,
    ///   `foreignKey`, `foreignApplication`, `newerVersion`, `schemaMismatch` for the backup; `misuse` if backup and
    ///   database are one file; `cannotOpen`, `full`, `readOnly`, `io`.
    public static func restore(
        from backup: String, to path: String, applicationID: Int32, knownMigrations: Int? = nil
    ) async throws(DatabaseError) {
        do {
            try await MaintenanceThread.run { _ in
                try Restoration(
                    from: backup, to: path, applicationID: applicationID, knownMigrations: knownMigrations
                ).run()
            }
        } catch {
            throw DatabaseError(error)
        }
    }
}
