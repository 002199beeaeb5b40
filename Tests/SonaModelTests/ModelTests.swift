import Glibc
import SonaCrypto
import SonaDatabase
import SonaTestSupport
import SonaWire
import Synchronization
import Testing

@testable import SonaModel

struct ModelTests {
    @Test func `opening makes missing folders with mode 0700 and files with mode 0600`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("a/b/c")
        let model = try await Model.open(dataFolder: path, .test())
        for made in ["a", "a/b", "a/b/c", "a/b/c/keys"] {
            #expect(TemporaryFolder.mode(ofFile: folder.file(made)) == 0o700, "\(made)")
        }
        for made in [
            "sona.lock", "sona.sqlite", "sona.sqlite-wal", "sona.sqlite-shm", "keys/signing.pem", "keys/journal.key",
        ] {
            #expect(TemporaryFolder.mode(ofFile: path + "/" + made) == 0o600, "\(made)")
        }
        await model.close()
    }

    @Test func `every commit is synced to disk before its answer`() async throws {
        let folder = TemporaryFolder()
        let (database, _) = try await DataFolder(path: folder.file("data"), migrations: ModelSchema.timeline)
            .openDatabase(ModelDAOs.self, log: nil)
        // 2 is FULL: a power cut loses no answered change. 1, NORMAL, would lose the last commits.
        #expect(try await database.write { db in try db.value("PRAGMA synchronous", as: Int.self) } == 2)
        #expect(try await database.write { db in try db.value("PRAGMA journal_mode", as: String.self) } == "wal")
        await database.close()
    }

    @Test func `accounts, rooms and tokens outlive a restart`() async throws {
        let folder = TemporaryFolder()
        let first = try await Model.opened(folder)
        let grant = try await first.accounts.signUp("ada")
        let room = try await first.rooms.create(RoomSettings(title: "Ada's"), owner: grant.account.uid)
        let keys = first.accounts.publicKeysJSON
        await first.close()
        await first.close()

        let second = try await Model.opened(folder)
        #expect(second.accounts.publicKeysJSON == keys)
        #expect(try second.accounts.authenticate(accessToken: grant.accessToken) == grant.account)
        #expect(try await second.rooms.room(room.id) == room)
        #expect(try await second.accounts.signIn("ada").account == grant.account)
        await second.close()
    }

    @Test func `two fresh folders have two keys`() async throws {
        let (one, two) = (TemporaryFolder(), TemporaryFolder())
        let first = try await Model.opened(one)
        let second = try await Model.opened(two)
        #expect(first.accounts.publicKeysJSON != second.accounts.publicKeysJSON)
        let grant = try await first.accounts.signUp("ada")
        #expect(throws: Refusal.tokenInvalid) {
            try second.accounts.authenticate(accessToken: grant.accessToken)
        }
        await first.close()
        await second.close()
    }

    @Test func `a folder in use is refused, and free again once closed`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let error = await failure { () throws(ModelError) in try await Model.opened(folder) }
        #expect(error == .folderInUse(path: folder.file("data")))
        #expect(error?.sentence.contains("in use") == true)
        // The refused process has not released the holder's lock.
        #expect(await failure { () throws(ModelError) in try await Model.opened(folder) } == error)
        _ = try await model.accounts.signUp("ada")
        await model.close()
        try await Model.opened(folder).close()
    }

    @Test func `a path where no folder can be made is refused with its errno`() async throws {
        let folder = TemporaryFolder()
        TemporaryFolder.write([1], toFile: folder.file("file"))
        for (path, code) in [
            (folder.file("file"), ENOTDIR), (folder.file("file/below"), ENOTDIR), ("/proc/sona-test/data", ENOENT),
            ("", EINVAL), ("/proc/self", EACCES), (folder.file(String(repeating: "x", count: 300)), ENAMETOOLONG),
        ] {
            let error = await failure { () throws(ModelError) in
                try await Model.open(dataFolder: path, .test())
            }
            guard case .folderUnwritable(let where_, let errno) = error else {
                Issue.record("\(path): \(String(describing: error))")
                continue
            }
            #expect(where_.hasPrefix(path) || path.hasPrefix(where_))
            // The code for /proc depends on the kernel.
            #expect(errno == code || path.hasPrefix("/proc"), "\(path): \(errno)")
            #expect(error?.sentence.hasSuffix(".") == true)
        }
    }

    @Test func `a damaged, a foreign and a newer database stop the start and are left unchanged`() async throws {
        let folder = TemporaryFolder()
        try await Model.opened(folder).close()
        let path = folder.file("data/sona.sqlite")
        let good = try #require(TemporaryFolder.bytes(ofFile: path))

        var bad = good
        bad.replaceSubrange(0..<16, with: [UInt8](repeating: 0x20, count: 16))
        TemporaryFolder.write(bad, toFile: path)
        let damaged = await failure { () throws(ModelError) in try await Model.opened(folder) }
        guard case .databaseDamaged(path, _) = damaged else {
            Issue.record("\(String(describing: damaged))")
            return
        }
        #expect(TemporaryFolder.bytes(ofFile: path) == bad)

        // Page 2 begins the table of migrations. Its type byte becomes an invalid one.
        bad = good
        bad[4096] = 0x77
        TemporaryFolder.write(bad, toFile: path)
        let torn = await failure { () throws(ModelError) in try await Model.opened(folder) }
        guard case .databaseDamaged(path, _) = torn else {
            Issue.record("\(String(describing: torn))")
            return
        }

        // user_version is the big-endian number at offset 60, application_id the one at 68.
        bad = good
        bad[63] = 99
        TemporaryFolder.write(bad, toFile: path)
        #expect(await failure { () throws(ModelError) in try await Model.opened(folder) } == .databaseNewer(path: path))
        bad = good
        bad[68] ^= 1
        TemporaryFolder.write(bad, toFile: path)
        let foreign = await failure { () throws(ModelError) in try await Model.opened(folder) }
        #expect(foreign?.sentence.contains("not Sona's") == true)

        // Each refusal released the lock.
        TemporaryFolder.write(good, toFile: path)
        try await Model.opened(folder).close()
    }

    /// Goal: no caller waits for ever. Way: the model closes while a crowd signs up, in and out.
    @Test func `every request that is running when the model closes gets an answer`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder, mail: Mailbox())
        let home = "192.0.2.1"
        let grant = try await model.accounts.signUp("ada", address: home)
        let accounts = model.accounts
        let answers = await withTaskGroup(of: Refusal?.self) { group in
            for number in 0..<40 {
                group.addTask { await refusal { try await accounts.signUp("ada\(number)") } }
                group.addTask {
                    await refusal { try await accounts.signIn("ada", address: home) }
                }
                group.addTask {
                    await refusal {
                        try accounts.requestRecovery(email: "ada@example.org", address: nil)
                        _ = try await accounts.reauthenticate(grant.account, password: "pass-ada-word", address: home)
                    }
                }
            }
            group.addTask {
                await model.close()
                return nil
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(answers.count == 121)
        for case let error? in answers { #expect([ErrorCode.authBusy, .serverStorageFailed].contains(error.code)) }
        let again = try await Model.opened(folder)
        #expect(try await again.journal.verify().firstFault == nil)
        let counts = try await Model.rowCounts(folder)
        #expect(counts["users"] == counts["profiles"] && counts["users"] == counts["username_looks"])
        await again.close()
    }

    @Test(arguments: ["signing.pem", "journal.key", "invites.key", "refresh.key", "sealing.key"])
    func `a missing key of a database stops the start, and is replaced if the operator asks for it`(
        _ name: String
    ) async throws {
        let folder = TemporaryFolder()
        let first = try await Model.opened(folder)
        let grant = try await first.accounts.signUp("ada")
        await first.close()
        let path = folder.file("data/keys/\(name)")
        let key = try #require(TemporaryFolder.bytes(ofFile: path))
        try #require(unlink(path) == 0)
        let lost = await failure { () throws(ModelError) in try await Model.opened(folder) }
        #expect(lost == .keysLost(folder: folder.file("data/keys"), names: [name]))
        #expect(lost?.sentence.contains("--new-keys") == true && lost?.sentence.contains(name) == true)
        #expect(access(path, F_OK) != 0, "no new key was made")

        // With the key put back, all is as before.
        TemporaryFolder.write(key, toFile: path)
        let again = try await Model.opened(folder)
        #expect(try again.accounts.authenticate(accessToken: grant.accessToken) == grant.account)
        await again.close()

        // With `makesLostKeys`, only the lost key is replaced, and the operator gets a notice.
        let others = ["signing.pem", "journal.key", "invites.key", "refresh.key", "sealing.key"].filter { $0 != name }
        func kept() -> [[UInt8]?] { others.map { TemporaryFolder.bytes(ofFile: folder.file("data/keys/\($0)")) } }
        let before = kept()
        try #require(unlink(path) == 0)
        let told = Mutex<[String]>([])
        var options = Model.Options.test()
        options.makesLostKeys = true
        options.notice = { sentence in told.withLock { $0.append(sentence) } }
        try await Model.open(dataFolder: folder.file("data"), options).close()
        #expect(TemporaryFolder.bytes(ofFile: path) != key && kept() == before)
        #expect(told.withLock { $0.count == 1 && $0[0].contains(name) })
        try await Model.opened(folder).close()
    }

    @Test func `without a database keys are made silently, and a missing folder of keys is reported`()
        async throws
    {
        let folder = TemporaryFolder()
        try await Model.opened(folder).close()
        let (keys, database) = (folder.file("data/keys"), folder.file("data/sona.sqlite"))
        try #require(rename(keys, folder.file("away")) == 0)
        let lost = await failure { () throws(ModelError) in try await Model.opened(folder) }
        #expect(
            lost
                == .keysLost(
                    folder: keys,
                    names: ["signing.pem", "journal.key", "invites.key", "refresh.key", "sealing.key"]))
        try #require(unlink(database) == 0)
        try await Model.opened(folder).close()
        #expect(TemporaryFolder.mode(ofFile: folder.file("data/keys/signing.pem")) == 0o600)
    }

    @Test(
        arguments: [(0o755, 0o750), (0o775, 0o750), (0o771, 0o750), (0o750, 0o750), (0o700, 0o700)]
            as [(mode_t, mode_t)])
    func `a folder that is open to others is closed to them, and the operator gets a notice`(
        mode: mode_t, becomes: mode_t
    ) async throws {
        let folder = TemporaryFolder()
        try #require(mkdir(folder.file("data"), 0o700) == 0)
        try #require(chmod(folder.file("data"), mode) == 0)
        let told = Mutex<[String]>([])
        var options = Model.Options.test()
        options.notice = { sentence in told.withLock { $0.append(sentence) } }
        try await Model.open(dataFolder: folder.file("data"), options).close()
        #expect(TemporaryFolder.mode(ofFile: folder.file("data")) == UInt32(becomes))
        #expect(told.withLock { $0.count } == (mode == becomes ? 0 : 1))
        // The same holds for the folder of the keys.
        try #require(chmod(folder.file("data/keys"), 0o755) == 0)
        try await Model.opened(folder).close()
        #expect(TemporaryFolder.mode(ofFile: folder.file("data/keys")) == 0o750)
    }

    @Test func `a folder in which everybody may write is refused and left unchanged`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("data")
        try #require(mkdir(path, 0o700) == 0)
        for mode in [0o777, 0o1777, 0o702] as [mode_t] {
            try #require(chmod(path, mode) == 0)
            let error = await failure { () throws(ModelError) in try await Model.opened(folder) }
            #expect(error == .folderOpenToAll(path: path, mode: UInt32(mode)))
            #expect(access(path + "/sona.lock", F_OK) != 0 && access(path + "/keys", F_OK) != 0)
        }
    }

    @Test(arguments: ["signing.pem", "journal.key"])
    func `a key file that others may read, or that is invalid, stops the start`(_ name: String) async throws {
        let folder = TemporaryFolder()
        try await Model.opened(folder).close()
        let path = folder.file("data/keys/\(name)")
        chmod(path, 0o644)
        let open = await failure { () throws(ModelError) in try await Model.opened(folder) }
        guard case .keyUnreadable(path, let detail) = open else {
            Issue.record("\(String(describing: open))")
            return
        }
        #expect(detail.contains("644"))
        TemporaryFolder.write(Array("no key".utf8), toFile: path)
        let none = await failure { () throws(ModelError) in try await Model.opened(folder) }
        guard case .keyUnreadable = none else {
            Issue.record("\(String(describing: none))")
            return
        }
    }
}
