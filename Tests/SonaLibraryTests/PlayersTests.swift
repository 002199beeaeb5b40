import SonaBase
import SonaDatabase
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// What accounts play alone, over rows that the tests write as a scan does.
@Suite struct PlayersTests {
    private static let kitchen = PlayerDevice(id: "k", name: "Kitchen")
    private static let phone = PlayerDevice(id: "p", name: "Phone")

    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    /// A shelf with an account that plays the second of three tracks in the kitchen.
    private func playing() async throws -> (shelf: Shelf, tracks: [MusicID], uid: UserID) {
        let shelf = try await Shelf()
        let tracks = try await shelf.add((0..<3).map { Shelf.Row(title: "T\($0)") })
        let uid = try await shelf.signUp("ada").uid
        let first = try await shelf.library.players.update(
            PlayerUpdate(
                revision: 0, device: Self.kitchen, tracks: tracks, index: 1, positionMilliseconds: 5_000,
                isPlaying: true),
            of: uid)
        #expect(first.result.isStored && first.isNews && first.result.player.revision == 1)
        return (shelf, tracks, uid)
    }

    @Test func `the place goes on by the clock and the speed, and stands while it is paused`() async throws {
        let (shelf, _, uid) = try await playing()
        let players = shelf.library.players
        shelf.ahead.withLock { $0 += 10_000 }
        let faster = try await players.update(PlayerUpdate(revision: 1, speedPercent: 150), of: uid).result.player
        #expect((15_000..<16_000).contains(faster.positionMilliseconds) && faster.isPlaying)
        shelf.ahead.withLock { $0 += 10_000 }
        let paused = try await players.update(PlayerUpdate(revision: 2, isPlaying: false), of: uid).result.player
        #expect((30_000..<31_500).contains(paused.positionMilliseconds) && paused.index == 1)
        shelf.ahead.withLock { $0 += 1_000_000 }
        let listener = try await shelf.listener(uid)
        #expect(try await players.page(PlayerGet(), for: listener).player == paused)
        await shelf.close()
    }

    @Test func `who does not know the newest revision changes nothing and is told the newest state`() async throws {
        let (shelf, tracks, uid) = try await playing()
        let players = shelf.library.players
        let stale = try await players.update(
            PlayerUpdate(revision: 0, device: Self.phone, tracks: [tracks[0]], isPlaying: true), of: uid)
        #expect(!stale.result.isStored && !stale.isNews && stale.result.player.revision == 1)
        #expect(stale.result.player.device == Self.kitchen && stale.result.player.count == 3)
        let listener = try await shelf.listener(uid)
        #expect(try await players.page(PlayerGet(), for: listener).items.map(\.id) == tracks)
        await shelf.close()
    }

    @Test func `a report is taken from the playing device alone, at whatever revision, and told when it is off`()
        async throws
    {
        let (shelf, _, uid) = try await playing()
        let players = shelf.library.players
        _ = try await players.update(PlayerUpdate(revision: 1, repeats: .all), of: uid)
        let report = PlayerUpdate(device: Self.kitchen, index: 1, positionMilliseconds: 6_000)
        let near = try await players.update(report, of: uid)
        #expect(near.result.isStored && !near.isNews && near.result.player.revision == 2)
        let far = try await players.update(PlayerUpdate(device: Self.kitchen, positionMilliseconds: 60_000), of: uid)
        #expect(far.result.isStored && far.isNews)
        let other = try await players.update(PlayerUpdate(device: Self.phone, positionMilliseconds: 1), of: uid)
        #expect(!other.result.isStored && !other.isNews)
        let elsewhere = try await players.update(
            PlayerUpdate(device: Self.kitchen, index: 2, positionMilliseconds: 1), of: uid)
        #expect(!elsewhere.result.isStored)
        #expect(
            await refusal { try await players.update(PlayerUpdate(positionMilliseconds: 1), of: uid) }
                == .requestInvalid)
        #expect(
            await refusal {
                try await players.update(
                    PlayerUpdate(device: Self.kitchen, positionMilliseconds: 1, isPlaying: true), of: uid)
            } == .requestInvalid)
        await shelf.close()
    }

    @Test func `a device that is silent for half a minute counts as paused where it was, and may go on`() async throws {
        let (shelf, _, uid) = try await playing()
        let (players, listener) = (shelf.library.players, try await shelf.listener(uid))
        shelf.ahead.withLock { $0 += Limits.playerLeaseMilliseconds - 2_000 }
        #expect(try await players.page(PlayerGet(), for: listener).player.isPlaying)
        shelf.ahead.withLock { $0 += 3_000 }
        let silent = try await players.page(PlayerGet(), for: listener).player
        #expect(!silent.isPlaying && silent.positionMilliseconds == 5_000)
        let back = try await players.update(PlayerUpdate(device: Self.kitchen, positionMilliseconds: 40_000), of: uid)
        #expect(back.result.player.isPlaying && back.isNews)
        await shelf.close()
    }

    @Test func `another device goes on at the place of the moment`() async throws {
        let (shelf, _, uid) = try await playing()
        let players = shelf.library.players
        shelf.ahead.withLock { $0 += 7_000 }
        let moved = try await players.transfer(to: Self.phone, isPlaying: nil, of: uid).result.player
        #expect(moved.device == Self.phone && moved.isPlaying && moved.revision == 2 && moved.queueRevision == 1)
        #expect((12_000..<13_500).contains(moved.positionMilliseconds) && moved.index == 1)
        let standing = try await players.transfer(to: Self.kitchen, isPlaying: false, of: uid).result.player
        #expect(standing.device == Self.kitchen && !standing.isPlaying)
        let bob = try await shelf.signUp("bob").uid
        #expect(await refusal { try await players.transfer(to: Self.phone, isPlaying: nil, of: bob) } == .queueEmpty)
        #expect(
            await refusal {
                try await players.update(PlayerUpdate(revision: 0, tracks: [], isPlaying: true), of: bob)
            } == .playerDeviceNotFound)
        await shelf.close()
    }

    @Test func `a long queue comes in pieces up to its limit, with the places before it was shuffled`() async throws {
        let (shelf, tracks, uid) = try await playing()
        let (players, listener) = (shelf.library.players, try await shelf.listener(uid))
        let piece = [MusicID](repeating: tracks[0], count: 1_000)
        var state = try await players.update(
            PlayerUpdate(
                revision: 1, tracks: piece, places: (0..<1_000).reversed(), index: 5_000, isShuffled: true), of: uid
        ).result.player
        for from in 1..<10 {
            state = try await players.update(
                PlayerUpdate(
                    revision: state.revision, tracks: piece, places: (0..<1_000).map { Int64(from * 1_000 + $0) },
                    isAppended: true, index: 5_000), of: uid
            ).result.player
        }
        #expect(state.count == 10_000 && state.index == 5_000 && state.isShuffled)
        #expect(
            await refusal {
                try await players.update(
                    PlayerUpdate(revision: state.revision, tracks: [tracks[1]], isAppended: true), of: uid)
            } == .playerQueueFull)
        let page = try await players.page(PlayerGet(from: 998, limit: 4), for: listener)
        #expect(page.from == 998 && page.items.map(\.place) == [1, 0, 1_000, 1_001])
        #expect(try await players.page(PlayerGet(limit: 100), for: listener).from == 4_975)
        #expect(
            await refusal {
                try await players.update(
                    PlayerUpdate(revision: state.revision, tracks: tracks, places: [1]), of: uid)
            } == .requestInvalid)
        await shelf.close()
    }

    @Test func `tracks that are out of sight are told by their identifier alone; the player goes with the account`()
        async throws
    {
        let (shelf, tracks, _) = try await playing()
        let players = shelf.library.players
        let ada = try await shelf.signUp("eve")
        let bob = try await shelf.signUp("bob").uid
        let own = try await shelf.add([Shelf.Row(title: "Of another", owner: bob, scope: TrackScope.own)]
        )
        _ = try await players.update(
            PlayerUpdate(revision: 0, device: Self.phone, tracks: [tracks[0], own[0]]), of: ada.uid)
        let page = try await players.page(PlayerGet(), for: try await shelf.listener(ada.uid))
        #expect(page.items.map { $0.track?.title } == ["T0", nil] && page.items.map(\.id) == [tracks[0], own[0]])
        let export = try await shelf.model.accounts.export(ada)
        #expect(export.data["library"]?["player"]?["tracks"]?.array?.count == 2)
        try await shelf.model.accounts.remove(ada, code: export.code)
        let rows = try await shelf.library.tables.player.read { db in
            try db.count(PlayerRecord.self) + db.count(PlayerQueueRecord.self)
        }
        #expect(rows == 2, "those of the other account")
        await shelf.close()
    }
}
