import Glibc
import SonaClient
import SonaWire
import Testing

@Suite struct CredentialStoreTests {
    private let server = ServerAddress.standard

    private func credentials(_ token: String) throws -> Credentials {
        Credentials(
            user: User(uid: try #require(UserID("u1")), username: Username("ada"), isGuest: false), accessToken: token,
            expiresMilliseconds: 1_900_000_000_000, refreshToken: "refresh \"\n")
    }

    @Test func `stored credentials can be read again, by their owner only`() throws {
        let workshop = try Workshop()
        let store = CredentialStore(folder: workshop.file("config/sona"))
        #expect(try store.read(server) == nil)
        try store.write(try credentials("one"), for: server)
        #expect(try store.read(server) == credentials("one"))
        #expect(try workshop.mode(store.folder) == 0o700)
        #expect(try workshop.mode(store.path(server)) == 0o600)
        try store.write(try credentials("two"), for: server)
        #expect(try store.read(server)?.accessToken == "two")
        #expect(try workshop.mode(store.path(server)) == 0o600)
        #expect(try Self.names(store.folder) == ["127.0.0.1_8337.json"])
    }

    @Test func `a folder that others may read is closed to them`() throws {
        let workshop = try Workshop()
        let store = CredentialStore(folder: workshop.file("sona"))
        try #require(mkdir(store.folder, 0o755) == 0)
        try store.write(try credentials("one"), for: server)
        #expect(try workshop.mode(store.folder) == 0o700)
    }

    @Test func `each server has a file of its own`() throws {
        let workshop = try Workshop()
        let store = CredentialStore(folder: workshop.file("sona"))
        let other = try ServerAddress("[::1]:8337")
        try store.write(try credentials("one"), for: server)
        #expect(try store.read(other) == nil)
        try store.write(try credentials("two"), for: other)
        #expect(try store.read(server)?.accessToken == "one")
        try store.remove(server)
        #expect(try store.read(server) == nil)
        #expect(try store.read(other)?.accessToken == "two")
        try store.remove(server)
    }

    @Test(arguments: ["", "{", "{}", "[]", "{\"server\":\"http://elsewhere:1\"}"])
    func `a damaged file is named and not guessed at`(text: String) throws {
        let workshop = try Workshop()
        let store = CredentialStore(folder: workshop.path)
        try workshop.write(Array(text.utf8), to: "127.0.0.1_8337.json")
        let error = #expect(throws: CredentialError.self) { try store.read(server) }
        #expect(error?.code == .malformed)
        #expect(error?.exitCode == 78)
        #expect(error?.description.contains(store.path(server)) == true)
    }

    @Test func `a guest is kept without a refresh token, an account never is`() throws {
        let workshop = try Workshop()
        let store = CredentialStore(folder: workshop.path)
        var guest = try credentials("one")
        guest.user = User(uid: guest.user.uid, username: nil, isGuest: true)
        guest.refreshToken = nil
        try store.write(guest, for: server)
        #expect(try store.read(server) == guest)
        guest.user.isGuest = false
        try store.write(guest, for: server)
        let error = #expect(throws: CredentialError.self) { try store.read(server) }
        #expect(error?.code == .malformed)
    }

    @Test func `a folder that cannot be made is an error of its own`() throws {
        let workshop = try Workshop()
        try workshop.write([], to: "file")
        let store = CredentialStore(folder: workshop.file("file/sona"))
        #expect(try store.read(server) == nil)
        let error = #expect(throws: CredentialError.self) { try store.write(try credentials("one"), for: server) }
        #expect(error?.exitCode == 74)
    }

    @Test(
        arguments: [
            (["XDG_CONFIG_HOME": "/x", "HOME": "/home/ada"], "/x/sona"),
            (["HOME": "/home/ada"], "/home/ada/.config/sona"),
            (["XDG_CONFIG_HOME": "relative", "HOME": "/h"], "/h/.config/sona"),
        ] as [([String: String], String)])
    func `the folder follows the environment`(environment: [String: String], folder: String) {
        #expect(CredentialStore(environment: environment)?.folder == folder)
    }

    @Test func `without a home nothing is kept`() {
        #expect(CredentialStore(environment: [:]) == nil)
    }

    @Test func `a grant's life is counted from its arrival and cannot overflow`() throws {
        let user = User(uid: try #require(UserID("u1")), username: nil, isGuest: false)
        func end(_ seconds: Int) -> Int64 {
            let grant = Grant(user: user, accessToken: "a", expiresInSeconds: seconds, refreshToken: "r")
            return Credentials(grant, now: 5_000).expiresMilliseconds
        }
        #expect(end(60) == 65_000)
        #expect(end(.max) == .max)
        let access = AccessGrant(user: user, accessToken: "a", expiresInSeconds: .max)
        #expect(Credentials(access, refreshToken: nil, now: 5_000).expiresMilliseconds == .max)
    }

    @Test func `only one program renews a token at a time`() async throws {
        let workshop = try Workshop()
        let store = CredentialStore(folder: workshop.path)
        let server = self.server
        let counter = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await store.exclusively(server) { () async throws(ClientError) in
                        await counter.enter()
                        try? await Task.sleep(for: .milliseconds(20))
                        await counter.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await counter.most == 1)
    }

    private actor Counter {
        private var inside = 0
        var most = 0
        func enter() {
            inside += 1
            most = max(most, inside)
        }
        func leave() { inside -= 1 }
    }

    private static func names(_ folder: String) throws -> [String] {
        let handle = try #require(opendir(folder))
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}
