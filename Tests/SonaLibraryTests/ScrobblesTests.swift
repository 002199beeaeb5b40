import SonaDatabase
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// Connections to services, and the listens that wait for them.
@Suite struct ScrobblesTests {
    private let root = "https://x.example"

    private func hear(_ shelf: Shelf, _ track: MusicID, _ listener: Listener, _ key: String, at: Int64) async throws {
        #expect(
            try await shelf.library.plays.record(
                Plays.Hearing(track: track, key: key, atMilliseconds: at, heardMilliseconds: 90_000, source: .alone),
                for: listener))
    }

    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    /// Two tracks of three minutes.
    private func tracks(_ shelf: Shelf) async throws -> [MusicID] {
        let ids = try await shelf.add(
            (0..<2).map { Shelf.Row(title: "T\($0)", artists: ["A\($0)"], album: "B", genres: []) })
        try await shelf.library.tables.music.write { db in _ = try db.execute("UPDATE tracks SET duration_ms = 180000")
        }
        return ids
    }

    @Test func `a play waits for each connection once, and two of one second get two seconds`() async throws {
        let shelf = try await Shelf()
        let (tracks, store) = (try await tracks(shelf), shelf.library.scrobbles)
        let ada = try await shelf.signUp("ada").uid
        let listener = try await shelf.listener(ada)
        try await hear(shelf, tracks[0], listener, "before", at: 1_000_000)
        #expect(!store.has(ada))
        _ = try await store.connect(.listenbrainz, root, token: "secret", name: "ada", of: ada)
        #expect(store.has(ada))
        for _ in 0..<2 { try await hear(shelf, tracks[0], listener, "a", at: 2_000_500) }
        try await hear(shelf, tracks[1], listener, "b", at: 2_000_900)
        let (targets, next) = try await store.due(limit: 10)
        #expect(targets.map(\.token) == ["secret"] && next == nil)
        let waiting = try await store.waiting(for: targets[0], limit: 10)
        #expect(waiting.map(\.listen.title) == ["T0", "T1"])
        #expect(waiting.map(\.listen.atSeconds) == [2_000, 2_001])
        #expect(waiting.map(\.listen.durationMilliseconds) == [180_000, 180_000])
        try await store.sent(waiting.map(\.number), to: targets[0], isTaken: true)
        #expect(try await store.due(limit: 10).targets.isEmpty)
        try await hear(shelf, tracks[0], listener, "a", at: 2_000_500)
        let one = try #require(try await store.list(of: ada).first)
        #expect((one.sentCount, one.waitingCount, one.name) == (2, 0, "ada"))
        await shelf.close()
    }

    @Test func `what fails is put off, and a token that is refused stops it until there is another`() async throws {
        let shelf = try await Shelf()
        let (tracks, store) = (try await tracks(shelf), shelf.library.scrobbles)
        let ada = try await shelf.signUp("ada").uid
        _ = try await store.connect(.listenbrainz, root, token: "old", name: nil, of: ada)
        try await hear(shelf, tracks[0], try await shelf.listener(ada), "a", at: 2_000_000)
        let target = try #require(try await store.due(limit: 10).targets.first)
        try await store.failed("unreachable", for: target, wait: 60_000)
        let (none, next) = try await store.due(limit: 10)
        #expect(none.isEmpty)
        let wait = try #require(next) - shelf.library.clock.nowMilliseconds()
        #expect((50_000...60_000).contains(wait))
        try await store.failed("refused", for: target, wait: nil)
        #expect(try await store.list(of: ada).map(\.state) == [.refused])
        #expect(try await store.due(limit: 10).next == nil)
        let renewed = try await store.connect(.listenbrainz, root, token: "new", name: nil, of: ada)
        #expect((renewed.id, renewed.state, renewed.waitingCount, renewed.error) == (target.number, .active, 1, nil))
        // What the old token came to says nothing of the new one.
        try await store.failed("refused", for: target, wait: nil)
        #expect(try await store.due(limit: 10).targets.map(\.token) == ["new"])
        await shelf.close()
    }

    @Test func `an account has five at most, and takes its own away alone`() async throws {
        let shelf = try await Shelf()
        let store = shelf.library.scrobbles
        let (ada, bob) = (try await shelf.signUp("ada").uid, try await shelf.signUp("bob").uid)
        for number in 0..<5 {
            _ = try await store.connect(.listenbrainz, "\(root)/\(number)", token: "t", name: nil, of: ada)
        }
        #expect(
            await refusal { try await store.connect(.lastfm, "", token: "t", name: nil, of: ada) }
                == .scrobbleLimitReached)
        _ = try await store.connect(.lastfm, "", token: "t", name: nil, of: bob)
        let first = try #require(try await store.list(of: ada).first)
        #expect(await refusal { try await store.disconnect(first.id, of: bob) } == .scrobbleNotFound)
        try await store.disconnect(first.id, of: ada)
        #expect(try await store.list(of: ada).count == 4)
        #expect(try await store.list(of: bob).map(\.address) == [nil])
        await shelf.close()
    }

    @Test func `private listening, and what says neither title nor artist, is not added`() async throws {
        let shelf = try await Shelf()
        let store = shelf.library.scrobbles
        let ada = try await shelf.signUp("ada").uid
        _ = try await store.connect(.listenbrainz, root, token: "t", name: nil, of: ada)
        let listen = Scrobbles.Listen(title: "Tide", artist: "Bob", atSeconds: 5_000)
        try await store.add([(listen, "r", ada), (Scrobbles.Listen(title: "Tide", artist: ""), "s", ada)])
        #expect(try await store.list(of: ada).map(\.waitingCount) == [1])
        #expect(try await store.hearing(nil, listen, of: ada)?.targets.count == 1)
        _ = try await shelf.library.plays.settings(PlaySettings(isPrivate: true), of: ada)
        try await store.add([(listen, "t", ada)])
        #expect(try await store.list(of: ada).map(\.waitingCount) == [1])
        #expect(try await store.hearing(nil, listen, of: ada) == nil)
        await shelf.close()
    }
}
