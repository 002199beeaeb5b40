internal import Glibc
internal import SonaBase
internal import SonaDatabase

/// Makes one backup of a data folder, whether a server runs on it or not.
///
/// Only reads the folder, as a process of its own: SQLite's locks keep its reading apart from the server's writing, a
/// killed backup takes no server with it, and the server's own threads have no part in the work.
///
/// The order makes it consistent: the journal's anchor, then files, then one state of the database, then the files that
/// came meanwhile. If the database names an upload whose file was removed in the last moment, the database is copied
/// again.
package struct BackupCreation {
    private let dataFolder: String
    private let place: any BackupPlace
    private let schema: BackupSchema
    private let passphrase: BackupPassphrase?
    private let withRenditions: Bool

    /// How often the database is copied until it names only files that are there.
    private static let attemptsMax = 3

    package init(
        of dataFolder: String, to place: any BackupPlace, schema: BackupSchema, passphrase: BackupPassphrase?,
        withRenditions: Bool
    ) {
        self.dataFolder = dataFolder
        self.place = place
        self.schema = schema
        self.passphrase = passphrase
        self.withRenditions = withRenditions
    }

    /// What was made.
    package struct Outcome: Sendable {
        package let manifest: BackupManifest
        /// Bytes and number of contents that the place did not have.
        package let storedBytes: Int64
        package let storedCount: Int
        /// The same, and the copy of the database that was cut into pieces.
        package let writtenBytes: Int64
        package let seconds: Double
    }

    private var database: String { "\(dataFolder)/\(BackupManifest.databaseName)" }

    /// Minutes. Blocks its thread.
    ///
    /// - Throws: Every kind of `BackupError`.
    package func run() async throws(BackupError) -> Outcome {
        let begun = ContinuousClock.now
        guard FileWork.size(database) != nil else {
            throw BackupError(.missing, "There is no database in the data folder \(dataFolder).")
        }
        let described = try describe()
        try place.beginWriting()
        let keys = passphrase == nil ? nil : try KeyFolder.read("\(dataFolder)/keys")
        var store = ObjectStore(place, dataFolder: dataFolder, earlier: try? place.newestReadable())
        try demandSpace(store, databaseBytes: described.bytes)
        var files = try storeFiles(&store, [:])
        let copy = "\(place.staging)/\(BackupManifest.databaseName)"
        var missing: [String] = []
        var copiedBytes: Int64 = 0
        for attempt in 1...Self.attemptsMax {
            try await copyDatabase(to: copy)
            copiedBytes += FileWork.size(copy) ?? 0
            files = try storeFiles(&store, files)
            missing = try Self.contents(namedBy: copy).filter { files[SourceFiles.path(ofContent: $0)] == nil }
            if missing.isEmpty || attempt == Self.attemptsMax { break }
        }
        let version = try describe(copy).migrationCount
        let stored = try store.storeDatabase(copy)
        unlink(copy)
        try place.flush()
        let (name, now) = try newName()
        let manifest = BackupManifest(
            name: name, createdMilliseconds: now, program: schema.program,
            schema: (version, version > 0 ? schema.migrations[version - 1] : ""), hasRenditions: withRenditions,
            keys: try keys.flatMap { secret throws(BackupError) in try passphrase?.seal(secret, backup: name) },
            missing: missing, database: stored, files: files.values.sorted { $0.path < $1.path })
        let bytes = manifest.encoded()
        try place.publish(name, bytes)
        return Outcome(
            manifest: manifest, storedBytes: store.storedBytes, storedCount: store.storedCount,
            writtenBytes: store.storedBytes + copiedBytes + Int64(bytes.count),
            seconds: (ContinuousClock.now - begun) / .seconds(1))
    }

    private func describe(_ path: String? = nil) throws(BackupError) -> DatabaseFile.Description {
        let found: DatabaseFile.Description
        do throws(DatabaseError) { found = try DatabaseFile.describe(path ?? database) } catch {
            throw BackupError(error, "read")
        }
        guard found.applicationID == schema.applicationID else {
            throw BackupError(.damaged, "\(database) is not Sona's database.")
        }
        guard found.migrationCount <= schema.migrations.count else {
            throw BackupError(.newer, "A newer version of Sona has written \(database): let that one make the backup.")
        }
        return found
    }

    private func demandSpace(_ store: ObjectStore, databaseBytes: Int64) throws(BackupError) {
        let new = SourceFiles.list(dataFolder, withRenditions: withRenditions).filter { store.known($0) == nil }
        // One copy to be cut into pieces, and all pieces, if they are new.
        let bytes = new.reduce(2 * databaseBytes) { $0 + $1.size }
        try FileWork.demand(bytes, free: place.staging, for: "The backup")
    }

    private func storeFiles(
        _ store: inout ObjectStore, _ before: [String: BackupManifest.File]
    ) throws(BackupError) -> [String: BackupManifest.File] {
        var files: [String: BackupManifest.File] = [:]
        for source in SourceFiles.list(dataFolder, withRenditions: withRenditions) {
            if let file = before[source.path], file.size == source.size,
                file.modifiedNanoseconds == source.modifiedNanoseconds
            {
                files[source.path] = file
            } else if let file = try store.store(source) {
                files[source.path] = file
            }
        }
        // A file that was removed meanwhile stays in the backup if the copied database may name it.
        for (path, file) in before where files[path] == nil && SourceFiles.namedHash(path) != nil { files[path] = file }
        return files
    }

    private func copyDatabase(to copy: String) async throws(BackupError) {
        do { try await DatabaseFile.copy(database, to: copy) } catch {
            guard let error = error as? DatabaseError else { throw BackupError(.io, "The backup was ended.") }
            throw BackupError(error, "copied")
        }
    }

    /// The hashes of all uploads that a database names.
    static func contents(namedBy database: String) throws(BackupError) -> [String] {
        let text: String?
        do throws(DatabaseError) {
            text = try DatabaseFile.text(
                "SELECT coalesce(group_concat(lower(hex(content)), ' '), '') FROM media_contents",
                ofTable: "media_contents", in: database)
        } catch { throw BackupError(error, "read") }
        return text?.split(separator: " ").map(String.init) ?? []
    }

    /// A backup that follows within the same second waits for the next one.
    private func newName() throws(BackupError) -> (String, Int64) {
        let names = Set(try place.names())
        while true {
            let now = WallMilliseconds.now()
            let name = String(UTC.text(milliseconds: now).map { $0 == ":" ? "-" : $0 })
            if !names.contains(name) { return (name, now) }
            usleep(100_000)
        }
    }
}

/// The calendar's time.
enum WallMilliseconds {
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension BackupError {
    /// An error of the database in words for the operator.
    init(_ error: DatabaseError, _ attempt: String) {
        let cause = error.detail ?? error.hint ?? error.description
        switch error.kind {
        case .corrupt, .notADatabase, .foreignApplication, .schemaMismatch:
            self.init(.damaged, "The database is damaged: \(cause).")
        case .foreignKey: self.init(.damaged, "The database is damaged: \(error.hint ?? cause).")
        case .newerVersion:
            self.init(.newer, "The database was written by a newer version of Sona; restore it with that one.")
        case .full: self.init(.full, "The disk is full.")
        case .busy: self.init(.busy, "Another program holds the database: \(cause).")
        default: self.init(.io, "The database can't be \(attempt): \(cause).")
        }
    }
}
