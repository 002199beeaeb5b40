internal import Glibc
internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase

/// The data folder, and the lock that keeps other processes out of it.
///
/// ```
/// sona.lock          held (flock) while a server runs; contains its process id
/// sona.sqlite        the database, with -wal and -shm beside it while it is open
/// sona.sqlite.schema-N    a copy from before a migration (MigrationCopies)
/// keys/signing.pem   signs access tokens
/// keys/journal.key   seals the journal; keys/journal.head is its anchor (JournalAnchor)
/// keys/invites.key   signs the codes of invites to rooms
/// keys/refresh.key   derives refresh tokens
/// keys/sealing.key   seals secrets of accounts that the server must read again
/// ```
///
/// A user who may write in the folder could replace its keys, and a user who may enter it could read it. So only the
/// owner may write, and only the owner's group may enter. The server makes the folder with mode 0700. Read access of
/// the group is left as it is, for backups: the files themselves have mode 0600.
final class DataFolder: Sendable {
    let path: String
    /// The descriptor that holds the lock; -1 after `unlock`.
    private let lock: Monitor<Int32>

    private let migrations: [Migration]
    private let notice: (@Sendable (String) -> Void)?

    /// Makes the folder if there is none, removes write access of others, and takes the lock.
    ///
    /// - Parameters:
    ///   - migrations: The timeline of the database.
    ///   - notice: Called with what an operator should know, a sentence without its full stop.
    /// - Throws: `folderInUse`, `folderUnwritable`, `folderOfOthers`, `folderOpenToAll`.
    init(
        path: String, migrations: [Migration], notice: (@Sendable (String) -> Void)? = nil
    ) throws(ModelError) {
        self.path = path
        self.migrations = migrations
        self.notice = notice
        try Self.makeFolder(path)
        try Self.keepOthersOut(of: path, notice)
        lock = Monitor(try Self.takeLock(inFolder: path))
    }

    deinit { unlock() }

    /// Releases the lock. May be called twice.
    func unlock() {
        lock.withLock { file in
            if file >= 0 {
                // Closing alone is not enough: a worker that is being started holds a copy of the descriptor until its
                // program runs.
                flock(file, LOCK_UN)
                close(file)
            }
            file = -1
        }
    }

    /// The number of migrations that were applied to the database. 0 if there is no database.
    ///
    /// This is its `user_version`, at offset 60 of the file (https://sqlite.org/fileformat.html#the_database_header).
    /// After a crash a write-ahead log may hold a newer value. Then all migrations count as applied.
    private var migrationCount: Int {
        let file = path + "/" + Self.databaseName
        var log = stat()
        if stat(file + "-wal", &log) == 0, log.st_size > 0 { return migrations.count }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var version: UInt32 = 0
        guard pread(descriptor, &version, 4, 60) == 4 else { return 0 }
        return min(Int(UInt32(bigEndian: version)), migrations.count)
    }

    // MARK: Content

    private static let databaseName = "sona.sqlite"
    /// The keys, each with the migration since which it exists. Older files have no such key.
    private static let keys = [
        (name: "signing.pem", since: "2026-11 accounts"), (name: "journal.key", since: "2026-11 journal"),
        (name: "invites.key", since: "2026-11 belonging"), (name: "refresh.key", since: "2026-11 limits"),
        (name: "sealing.key", since: "2026-11 app passwords"),
    ]
    private var keyFolder: String { path + "/keys" }

    /// Makes the folder of the keys, and checks that no key is missing. A server makes its keys before it touches the
    /// database, so an existing database proves that they existed.
    ///
    /// - Parameter makesLostKeys: Whether missing keys may be replaced by new ones.
    /// - Throws: `keysLost` if a key is missing and may not be replaced. With a new key everything made with the old
    ///   one is invalid, so the operator has to decide that. `folderUnwritable`, `folderOfOthers`, `folderOpenToAll`.
    func openKeys(makesLostKeys: Bool) throws(ModelError) {
        try Self.makeFolder(keyFolder)
        try Self.keepOthersOut(of: keyFolder, notice)
        let applied = migrations.prefix(migrationCount).map(\.name)
        let lost = Self.keys.filter { key in
            applied.contains(key.since) && access(keyFolder + "/" + key.name, F_OK) != 0 && errno == ENOENT
        }.map(\.name)
        if lost.isEmpty {
            if makesLostKeys { notice?("No key is missing in \(keyFolder): start without --new-keys from now on") }
            return
        }
        guard makesLostKeys else { throw .keysLost(folder: keyFolder, names: lost) }
        notice?("New keys are made in \(keyFolder) in place of the lost ones: \(lost.joined(separator: ", "))")
    }

    /// Checks that the database is there, if there was one: the journal's anchor is written when a database is first
    /// opened, and never before.
    ///
    /// - Parameter makesLostDatabase: Whether a missing database may be replaced by an empty one.
    /// - Throws: `databaseLost`.
    func checkDatabase(makesLostDatabase: Bool) throws(ModelError) {
        let (file, anchor) = (path + "/" + Self.databaseName, keyFolder + "/journal.head")
        var status = stat()
        func isThere(_ path: String) -> Bool { stat(path, &status) == 0 && status.st_size > 0 }
        // Content that is only in the write-ahead log counts.
        guard isThere(anchor), !isThere(file), !isThere(file + "-wal") else { return }
        guard makesLostDatabase else { throw .databaseLost(path: file) }
        notice?("A new database is made in \(path) in place of the lost one")
        // It vouches for lines that are gone.
        unlink(anchor)
    }

    /// Reads or makes the key that signs access tokens.
    ///
    /// - Throws: `keyUnreadable`.
    func signingKey() throws(ModelError) -> SigningKey {
        let file = keyFolder + "/signing.pem"
        do {
            return try SigningKey.loadOrCreate(atPath: file)
        } catch {
            throw .keyUnreadable(path: file, detail: Self.detail(error))
        }
    }

    /// Reads or makes the key of the journal. The path is that of the journal's anchor.
    ///
    /// - Throws: `keyUnreadable`.
    func journalKey() throws(ModelError) -> (key: JournalKey, anchorPath: String) {
        let file = keyFolder + "/journal.key"
        do { return (try JournalKey.loadOrCreate(atPath: file), keyFolder + "/journal.head") } catch {
            throw .keyUnreadable(path: file, detail: error.sentence)
        }
    }

    /// Reads or makes the key of invite codes. With a new key all codes that were handed out are invalid.
    ///
    /// - Throws: `keyUnreadable`.
    func inviteKey() throws(ModelError) -> InviteKey {
        let file = keyFolder + "/invites.key"
        do throws(SecretFile.Failure) { return try InviteKey.loadOrCreate(atPath: file) } catch {
            throw .keyUnreadable(path: file, detail: Self.detail(error))
        }
    }

    /// Reads or makes the key of refresh tokens.
    ///
    /// - Throws: `keyUnreadable`.
    func refreshKey() throws(ModelError) -> RefreshKey {
        let file = keyFolder + "/refresh.key"
        do throws(SecretFile.Failure) { return try RefreshKey.loadOrCreate(atPath: file) } catch {
            throw .keyUnreadable(path: file, detail: Self.detail(error))
        }
    }

    /// Reads or makes the key that seals secrets of accounts. With a new key all app passwords are invalid.
    ///
    /// - Throws: `keyUnreadable`.
    func sealingKey() throws(ModelError) -> SealingKey {
        let file = keyFolder + "/sealing.key"
        do throws(SecretFile.Failure) {
            let secret = try SecretFile.readOrCreate(file, bytesMax: SealingKey.bytes) {
                SecureRandom.bytes(SealingKey.bytes)
            }
            guard secret.count == SealingKey.bytes else { throw .notSuchAFile }
            return SealingKey(secret)
        } catch {
            throw .keyUnreadable(path: file, detail: Self.detail(error))
        }
    }

    /// Opens the database and brings its tables up to date.
    ///
    /// - Parameter log: Called with what an operator should know; on any thread.
    /// - Throws: `databaseDamaged`, `databaseNewer`, `folderUnwritable`, `noSpaceForCopy`, `storage`.
    func openDatabase<All: DAOs>(
        _: All.Type, log: (@Sendable (DatabaseEvent) -> Void)?
    ) async throws(ModelError) -> (database: DatabasePool, daos: All) {
        let file = path + "/" + Self.databaseName
        var options = DatabaseOptions()
        options.log = log
        if let copy = try await MigrationCopies(file: file).make(known: migrations.count) {
            notice?("The tables are brought up to date; the database from before is kept as \(copy)")
        }
        do {
            return try await DatabasePool.open(
                file, applicationID: ModelSchema.applicationID, daos: All.self, migrations: migrations,
                options: options)
        } catch {
            throw ModelError(error, opening: file)
        }
    }

    private static func detail(_ error: SigningKey.FileError) -> String {
        switch error {
        case .system(let operation, let errno): "\(operation): \(String(cString: strerror(errno)))"
        case .permissionsTooOpen(let mode):
            "others may read it (mode \(String(mode, radix: 8))); make a new one, or chmod 600 if nobody has"
        case .notAKey: "it is not an unencrypted Ed25519 key in PEM"
        }
    }

    private static func detail(_ error: SecretFile.Failure) -> String {
        switch error {
        case .system(let operation, let errno): "\(operation): \(String(cString: strerror(errno)))"
        case .permissionsTooOpen(let mode):
            "others may read it (mode \(String(mode, radix: 8))); make a new one, or chmod 600 if nobody has"
        case .notSuchAFile: "it does not have the \(InviteKey.bytes) bytes of a key"
        }
    }

    // MARK: Steps

    /// Makes `path` and the folders above it, each with mode 0700.
    private static func makeFolder(_ path: String) throws(ModelError) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .folderUnwritable(path: path, errno: EINVAL) }
        if isFolder(path) { return }
        if mkdir(path, 0o700) != 0 {
            switch errno {
            case EEXIST where isFolder(path): return
            case ENOENT:
                guard let parent = parent(of: path) else { throw .folderUnwritable(path: path, errno: ENOENT) }
                try makeFolder(parent)
                guard mkdir(path, 0o700) == 0 || (errno == EEXIST && isFolder(path)) else {
                    throw .folderUnwritable(path: path, errno: errno)
                }
            case EEXIST: throw .folderUnwritable(path: path, errno: ENOTDIR)
            case let code: throw .folderUnwritable(path: path, errno: code)
            }
        }
        // The umask may have removed bits that the owner needs.
        guard chmod(path, 0o700) == 0 else { throw .folderUnwritable(path: path, errno: errno) }
    }

    /// Removes write access of the group and all access of others.
    ///
    /// A folder that everybody could write in is refused, not repaired: anything in it, keys too, may be from an
    /// attacker. Group access is less dangerous, because the group is often the owner's alone (umask 002).
    private static func keepOthersOut(
        of path: String, _ notice: (@Sendable (String) -> Void)?
    ) throws(ModelError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .folderUnwritable(path: path, errno: errno) }
        // Root may use a folder of another user: it makes backups and creates the first administrator.
        guard geteuid() == 0 || status.st_uid == geteuid() else {
            throw .folderOfOthers(path: path, owner: status.st_uid)
        }
        let mode = status.st_mode & 0o7777
        guard mode & 0o002 == 0 else { throw .folderOpenToAll(path: path, mode: mode) }
        let kept = mode & ~0o027
        guard kept != mode else { return }
        guard chmod(path, kept) == 0 else { throw .folderUnwritable(path: path, errno: errno) }
        notice?(
            "The folder \(path) was open to others (mode \(String(mode, radix: 8))) and has mode "
                + "\(String(kept, radix: 8)) now")
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func parent(of path: String) -> String? {
        var text = path[...]
        while text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
        guard let slash = text.lastIndex(of: "/") else { return nil }
        let parent = text[..<slash]
        return parent.isEmpty ? nil : String(parent)
    }

    private static func takeLock(inFolder folder: String) throws(ModelError) -> Int32 {
        let path = folder + "/sona.lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .folderUnwritable(path: path, errno: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(file)
            throw code == EWOULDBLOCK ? .folderInUse(path: folder) : .folderUnwritable(path: path, errno: code)
        }
        // The process id is information for people. The lock itself is what counts.
        fchmod(file, 0o600)
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, text, text.count, 0) == text.count else {
            let code = errno
            close(file)
            throw .folderUnwritable(path: path, errno: code)
        }
        return file
    }
}
