import Glibc
import SonaBase
import SonaCrypto
import SonaDatabase
import SonaTestSupport
import Testing

@testable import SonaBackup

/// A data folder with a database, uploads and keys, and a place for its backups. All of it real.
private struct Stage {
    static let applicationID: Int32 = 0x736F_6E61
    let folder = TemporaryFolder()
    let schema = BackupSchema(applicationID: applicationID, migrations: ["2026-01 first"], program: "1.0")
    var data: String { folder.file("data") }
    var place: String { folder.file("backups") }

    init() async throws {
        for path in ["", "/keys", "/media", "/media/covers", "/recordings", "/media/renditions", "/media/incoming"] {
            mkdir(data + path, 0o700)
        }
        for name in ["journal.head", "signing.pem"] { write("keys/\(name)", Array("secret \(name)".utf8)) }
        write("media/covers/one.small", [1, 2, 3])
        write("recordings/abc.opus", Array(repeating: 7, count: 3_000_000))
        write("media/renditions/r.opus", [9])
        write("media/incoming/i", [9])
        let database = try await open()
        try await database.write { db in
            try db.execute("CREATE TABLE media_contents (content BLOB PRIMARY KEY, size INTEGER NOT NULL) STRICT")
            try db.execute("CREATE TABLE filler (id INTEGER PRIMARY KEY, bytes BLOB) STRICT")
            for _ in 0..<40 { try db.execute("INSERT INTO filler (bytes) VALUES (randomblob(50000))") }
        }
        await database.close()
        try await upload(Array("some music".utf8))
    }

    func open() async throws -> DatabasePool {
        try await DatabasePool.open(
            data + "/sona.sqlite", applicationID: Self.applicationID,
            migrations: [Migration("2026-01 first") { _ throws(DatabaseError) in }])
    }

    func write(_ path: String, _ bytes: [UInt8]) { TemporaryFolder.write(bytes, toFile: "\(data)/\(path)") }

    /// A content and its row.
    @discardableResult func upload(_ bytes: [UInt8]) async throws -> String {
        let hash = Hex.text(Digest.sha256(bytes))
        let path = SourceFiles.path(ofContent: hash)
        for folder in ["media/\(hash.prefix(2))", "media/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))"] {
            mkdir("\(data)/\(folder)", 0o700)
        }
        write(path, bytes)
        let database = try await open()
        let size = bytes.count
        try await database.write { db in
            try db.execute("INSERT INTO media_contents VALUES (\(Digest.sha256(bytes)), \(size))")
        }
        await database.close()
        return path
    }

    func passphrase(_ text: String = "correct horse battery") throws -> BackupPassphrase {
        let file = folder.file("passphrase")
        TemporaryFolder.write(Array((text + "\n").utf8), toFile: file)
        return try BackupPassphrase(file: file)
    }

    func backup(_ passphrase: BackupPassphrase? = nil, renditions: Bool = false) async throws -> BackupCreation.Outcome
    {
        try await BackupCreation(
            of: data, to: FolderPlace(place), schema: schema, passphrase: passphrase, withRenditions: renditions
        ).run()
    }

    func verify(_ name: String, isQuick: Bool = false) throws -> [String] {
        let place = FolderPlace(place)
        try place.beginReading()
        return try BackupVerification(place, workFolder: folder.file("work")).verify(name, isQuick: isQuick).faults
    }

    func restore(
        to target: String? = nil, _ passphrase: BackupPassphrase? = nil, name: String? = nil, force: Bool = false,
        withoutKeys: Bool = false, schema: BackupSchema? = nil
    ) async throws -> BackupRestoration.Outcome {
        try await BackupRestoration(
            from: FolderPlace(place), to: target ?? folder.file("restored"), schema: schema ?? self.schema,
            passphrase: passphrase, force: force, withoutKeys: withoutKeys
        ).run(name)
    }

    /// The paths of all objects.
    func objects() -> [String] {
        FolderContent.names(place + "/objects").flatMap { folder in
            FolderContent.names("\(place)/objects/\(folder)").map { "\(place)/objects/\(folder)/\($0)" }
        }
    }

    func file(_ path: String, in folder: String) -> [UInt8]? { TemporaryFolder.bytes(ofFile: "\(folder)/\(path)") }
}

/// The kind of the error that `body` throws.
private func kind(_ body: () async throws -> some Any) async -> BackupError.Kind? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? BackupError)?.kind }
}

struct BackupTests {
    @Test func `a restored folder has the same rows, files and keys, and nothing that is made again`() async throws {
        let stage = try await Stage()
        let path = try await stage.upload(Array("more music".utf8))
        let made = try await stage.backup(stage.passphrase())
        #expect(try stage.verify(made.manifest.name) == [])
        let target = stage.folder.file("restored")
        let outcome = try await stage.restore(stage.passphrase())
        #expect(outcome.hasKeys && outcome.kept == nil)
        for file in [path, "media/covers/one.small", "recordings/abc.opus", "keys/journal.head", "keys/signing.pem"] {
            #expect(
                stage.file(file, in: target) == stage.file(file, in: stage.data) && stage.file(file, in: target) != nil)
        }
        #expect(FolderContent.names(target + "/media").contains("renditions") == false)
        #expect(FolderContent.names(target + "/media").contains("incoming") == false)
        for folder in [stage.data, target] {
            let sum = try DatabaseFile.text(
                "SELECT group_concat(hex(content)) || total(length(bytes)) FROM media_contents, filler",
                ofTable: "filler", in: folder + "/sona.sqlite")
            #expect(sum?.isEmpty == false)
        }
        #expect(FolderContent.names(stage.folder.path).filter { $0.contains("restoring") } == [])
        var status = stat()
        #expect(stat(target, &status) == 0 && status.st_mode & 0o077 == 0)
    }

    @Test func `a second backup stores only what is new`() async throws {
        let stage = try await Stage()
        let first = try await stage.backup()
        #expect(first.storedBytes > 5_000_000)
        let second = try await stage.backup()
        #expect(second.storedBytes == 0 && second.storedCount == 0)
        try await stage.upload(Array(repeating: 5, count: 10_000))
        let third = try await stage.backup()
        // The file, and the pieces of the database in which a page has changed.
        #expect((10_000...1_000_000).contains(third.storedBytes), "\(third.storedBytes)")
        #expect(third.manifest.bytes > 5_000_000)
        #expect(try stage.verify(third.manifest.name) == [] && stage.verify(first.manifest.name) == [])
    }

    @Test func `renditions are included if that is asked for`() async throws {
        let stage = try await Stage()
        let made = try await stage.backup(renditions: true)
        #expect(made.manifest.files.contains { $0.path == "media/renditions/r.opus" })
        #expect(!made.manifest.files.contains { $0.path.contains("incoming") })
    }

    @Test func `every damaged or missing object is found, and a restore refuses it`() async throws {
        let stage = try await Stage()
        let name = try await stage.backup().manifest.name
        for path in stage.objects() {
            let bytes = try #require(TemporaryFolder.bytes(ofFile: path))
            var changed = bytes
            changed[changed.count / 2] ^= 1
            TemporaryFolder.write(changed, toFile: path)
            #expect(try stage.verify(name).count == 1, "\(path)")
            #expect(await kind { try await stage.restore() } == .damaged)
            unlink(path)
            #expect(try stage.verify(name, isQuick: true).count == 1 && stage.verify(name).count == 1)
            #expect(await kind { try await stage.restore() } == .damaged)
            TemporaryFolder.write(bytes, toFile: path)
        }
        #expect(access(stage.folder.file("restored"), F_OK) != 0)
        #expect(try stage.verify(name) == [])
    }

    @Test func `a changed or cut manifest is not restored`() async throws {
        let stage = try await Stage()
        let name = try await stage.backup().manifest.name
        let path = "\(stage.place)/backups/\(name).manifest"
        let bytes = try #require(TemporaryFolder.bytes(ofFile: path))
        for place in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[place] ^= 4
            #expect(throws: BackupError.self) { try BackupManifest(changed, name: name) }
            #expect(throws: BackupError.self) { try BackupManifest(Array(bytes.prefix(place)), name: name) }
        }
        TemporaryFolder.write(Array(bytes.dropLast(3)), toFile: path)
        #expect(try stage.verify(name).count == 1)
        #expect(await kind { try await stage.restore() } == .damaged)
    }

    @Test func `a newer schema is refused, by the backup and by the restore`() async throws {
        let stage = try await Stage()
        _ = try await stage.backup()
        let older = BackupSchema(applicationID: Stage.applicationID, migrations: [], program: "0.9")
        #expect(await kind { try await stage.restore(schema: older) } == .newer)
        let other = BackupSchema(applicationID: Stage.applicationID, migrations: ["2026-01 other"], program: "0.9")
        #expect(await kind { try await stage.restore(schema: other) } == .newer)
        let creation = BackupCreation(
            of: stage.data, to: FolderPlace(stage.place), schema: older, passphrase: nil, withRenditions: false)
        #expect(await kind { try await creation.run() } == .newer)
    }

    @Test func `keys come back only with the passphrase they were encrypted with`() async throws {
        let stage = try await Stage()
        let made = try await stage.backup(stage.passphrase())
        let manifest = try #require(stage.file("backups/\(made.manifest.name).manifest", in: stage.place))
        #expect(!String(decoding: manifest, as: UTF8.self).contains(Hex.text(Array("secret".utf8))))
        #expect(await kind { try await stage.restore() } == .passphrase)
        #expect(await kind { try await stage.restore(stage.passphrase("another one, wrong")) } == .passphrase)
        let outcome = try await stage.restore(withoutKeys: true)
        #expect(!outcome.hasKeys && access(stage.folder.file("restored/keys"), F_OK) != 0)
        #expect(await kind { try stage.passphrase("eleven byte") } == .passphrase)
        #expect(await kind { try stage.passphrase("twelve bytes") } == nil)
        chmod(stage.folder.file("passphrase"), 0o644)
        #expect(await kind { try BackupPassphrase(file: stage.folder.file("passphrase")) } == .passphrase)
    }

    @Test func `a folder that is there is replaced only if that is asked for, and kept`() async throws {
        let stage = try await Stage()
        _ = try await stage.backup()
        #expect(await kind { try await stage.restore(to: stage.data) } == .exists)
        stage.write("sona.lock", [])
        let descriptor = open(stage.data + "/sona.lock", O_RDWR)
        flock(descriptor, LOCK_EX)
        #expect(await kind { try await stage.restore(to: stage.data, force: true) } == .busy)
        close(descriptor)
        let kept = try #require(try await stage.restore(to: stage.data, force: true).kept)
        #expect(
            stage.file("keys/signing.pem", in: kept) != nil && stage.file("keys/signing.pem", in: stage.data) == nil)
        // An empty folder is nothing that could be lost.
        let empty = stage.folder.file("empty")
        mkdir(empty, 0o700)
        #expect(try await stage.restore(to: empty + "/").kept == nil)
        #expect(access(empty + "/sona.sqlite", F_OK) == 0)
    }

    @Test func `one backup at a time, and none into a folder of something else`() async throws {
        let stage = try await Stage()
        let place = FolderPlace(stage.place)
        try place.beginWriting()
        #expect(await kind { try await stage.backup() } == .busy)
        #expect(await kind { try FolderPlace(stage.place).beginReading() } == .busy)
        withExtendedLifetime(place) {}
        let other = stage.folder.file("home")
        mkdir(other, 0o700)
        TemporaryFolder.write([1], toFile: other + "/letter.txt")
        #expect(await kind { try FolderPlace(other).beginWriting() } == .exists)
        #expect(await kind { try FolderPlace(stage.folder.file("nowhere")).beginReading() } == .missing)
    }

    @Test func `what a killed backup has left is removed, and never listed`() async throws {
        let stage = try await Stage()
        _ = try await stage.backup()
        mkdir(stage.place + "/staging", 0o700)
        TemporaryFolder.write([1], toFile: stage.place + "/staging/new")
        TemporaryFolder.write([1], toFile: stage.place + "/backups/2026-01-01T00-00-00Z.manifest.x.tmp")
        let place = FolderPlace(stage.place)
        #expect(try place.names().count == 1)
        let second = try await stage.backup()
        #expect(FolderContent.names(stage.place + "/backups").count == 2)
        #expect(FolderContent.names(stage.place) == ["backups", "lock", "objects", "sona-backups"])
        #expect(try stage.verify(second.manifest.name) == [])
    }

    @Test func `pruning removes what no other backup needs, and nothing else`() async throws {
        let stage = try await Stage()
        let path = try await stage.upload(Array("only in the first".utf8))
        let first = try await stage.backup()
        let database = try await stage.open()
        try await database.write { db in
            try db.execute("DELETE FROM media_contents WHERE size = \(17)")
        }
        await database.close()
        unlink("\(stage.data)/\(path)")
        let second = try await stage.backup()
        let rule = try #require(KeepRule("1 last"))
        let before = stage.objects()
        let trial = try BackupPruning(FolderPlace(stage.place)).run(rule, isTrial: true)
        #expect(trial.removed == [first.manifest.name] && trial.objects > 0 && stage.objects() == before)
        let outcome = try BackupPruning(FolderPlace(stage.place)).run(rule, isTrial: false)
        #expect(outcome.removed == trial.removed && outcome.objects == trial.objects)
        #expect(before.count - stage.objects().count == outcome.objects)
        #expect(try stage.verify(second.manifest.name) == [])
        #expect(try FolderPlace(stage.place).names() == [second.manifest.name])
    }

    @Test func `an upload that the data folder has lost is told of, and does not keep the rest from being kept`()
        async throws
    {
        let stage = try await Stage()
        let path = try await stage.upload(Array("lost".utf8))
        unlink("\(stage.data)/\(path)")
        let made = try await stage.backup()
        #expect(made.manifest.missing.count == 1 && path.hasSuffix(made.manifest.missing[0]))
        #expect(try stage.verify(made.manifest.name) == [])
        #expect(try await stage.restore().manifest.missing.count == 1)
    }

    @Test(arguments: [
        "../etc/passwd", "media/../../x", "media//x", "keys/signing.pem", "/media/x", "media", "media/./x",
    ])
    func `a path that leads out of the folders is none`(path: String) { #expect(!SourceFiles.isBackedUp(path)) }

    @Test func `the record of the last backup keeps the last success`() throws {
        let folder = TemporaryFolder()
        #expect(BackupRecord.read(folder.path) == nil)
        let good = BackupRecord(
            name: "n", failure: nil, seconds: 1.5, storedBytes: 2, bytes: 3, endedMilliseconds: 1_000)
        good.write(folder.path)
        #expect(BackupRecord.read(folder.path) == good)
        BackupRecord(name: nil, failure: "No.", seconds: 0, endedMilliseconds: 2_000).write(folder.path)
        let read = try #require(BackupRecord.read(folder.path))
        #expect(!read.isSuccess && read.successMilliseconds == 1_000 && read.endedMilliseconds == 2_000)
    }

    @Test func `places are folders and remotes of rclone`() {
        for text in ["/srv/backups", "here", "rclone:far:sona", "rclone:far:", "rclone::memory:x"] {
            #expect(BackupAddress.isValid(text), "\(text)")
        }
        for text in ["", "rclone:", "rclone:far", "rclone:-x:y", "rclone::"] {
            #expect(!BackupAddress.isValid(text), "\(text)")
        }
    }
}
