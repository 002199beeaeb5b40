import SonaBase
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Edits of entries: order, merging, limits, and what others are told.
@Suite struct PlaylistEditTests {
    @Test func `entries go to the end, to a place, before and after others, alone and together`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(6)
        let list = try await stage.make("Order", Array(tracks[0...3]), by: ada)
        func order() async throws -> String {
            try await stage.titles(list.id, ada).map { String($0?.last ?? "-") }.joined()
        }
        func move(_ places: [Int], _ target: PlaylistTarget) async throws {
            let ids = try await stage.entries(list.id, ada).map(\.id)
            _ = try await stage.playlists.move(
                PlaylistMove(playlist: list.id, entries: places.map { ids[$0] }, target: target), by: ada)
        }
        let ids = try await stage.entries(list.id, ada).map(\.id)
        #expect(try await order() == "0123")
        try await move([3], PlaylistTarget(place: 0))
        #expect(try await order() == "3012")
        try await move([0], .end)
        #expect(try await order() == "0123")
        try await move([0, 3], PlaylistTarget(before: ids[2]))
        #expect(try await order() == "1032")
        try await move([3, 0], PlaylistTarget(after: ids[3]))
        #expect(try await order() == "0321")
        // Beside itself it stays where it is.
        try await move([1], PlaylistTarget(before: ids[3]))
        #expect(try await order() == "0321")
        try await move([1], PlaylistTarget(after: ids[3]))
        #expect(try await order() == "0321")
        try await move([0, 1], PlaylistTarget(place: 99))
        #expect(try await order() == "2103")
        _ = try await stage.playlists.add(
            PlaylistAdd(playlist: list.id, tracks: [tracks[4], tracks[5]], target: PlaylistTarget(place: 1)), by: ada)
        #expect(try await order() == "245103")
        // The neighbour is gone: the end.
        let gone = try #require(MusicID("01JDHV6Z3Q8R5W7XK2M4N9P0TA"))
        try await move([0], PlaylistTarget(before: gone))
        #expect(try await order() == "451032")
        await stage.close()
    }

    @Test func `edits of two devices made apart come together`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(4)
        let list = try await stage.make("Merge", Array(tracks[0...2]), by: ada)
        let ids = try await stage.entries(list.id, ada).map(\.id)
        let add = PlaylistAdd(playlist: list.id, tracks: [tracks[3]], key: "phone-1")
        let first = try await stage.playlists.add(add, by: ada)
        let second = try await stage.playlists.add(add, by: ada)
        #expect(first.added.count == 1 && second.added.isEmpty && second.skipped == first.added.map(\.id))
        #expect(second.version == first.version)
        // Removed elsewhere; an add that comes late does not bring it back.
        _ = try await stage.playlists.remove(PlaylistRemove(playlist: list.id, entries: first.added.map(\.id)), by: ada)
        #expect(try await stage.playlists.add(add, by: ada).added.isEmpty)
        // A move of what is gone is told as not done; removing twice is fine.
        let gone = try await stage.playlists.remove(PlaylistRemove(playlist: list.id, entries: [ids[1]]), by: ada)
        #expect(gone.removed == [ids[1]] && gone.entryCount == 2)
        let moved = try await stage.playlists.move(
            PlaylistMove(playlist: list.id, entries: [ids[1], ids[2]], target: PlaylistTarget(place: 0)), by: ada)
        #expect(moved.skipped == [ids[1]] && moved.moved.map(\.id) == [ids[2]])
        let twice = try await stage.playlists.remove(PlaylistRemove(playlist: list.id, entries: [ids[1]]), by: ada)
        #expect(twice.removed.isEmpty && twice.skipped == [ids[1]] && twice.version == moved.version)
        // The client may name the entry itself.
        let own = MusicID.random(milliseconds: 5)
        let named = PlaylistAdd(playlist: list.id, tracks: [tracks[3]], entries: [own])
        #expect(try await stage.playlists.add(named, by: ada).added.map(\.id) == [own])
        #expect(try await stage.playlists.add(named, by: ada).skipped == [own])
        await stage.close()
    }

    @Test func `a stale version is refused with the one that there is`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(2)
        let list = try await stage.make("Stale", [tracks[0]], by: ada)
        let add = PlaylistAdd(playlist: list.id, tracks: [tracks[1]], version: list.version)
        let version = try await stage.playlists.add(add, by: ada).version
        do {
            _ = try await stage.playlists.add(add, by: ada)
            Issue.record("A stale version was taken.")
        } catch {
            #expect(error.code == .playlistConflict && error.version == version)
        }
        #expect(
            await refusal {
                try await stage.playlists.update(PlaylistUpdate(playlist: list.id, version: 1, title: "New"), by: ada)
            } == .playlistConflict)
        await stage.close()
    }

    @Test func `tracks that one does not see are gaps, and can't be added`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let open = try await stage.tracks(2)
        let secret = try await stage.tracks(1, owner: ada.uid, from: 10)
        let list = try await stage.make("Mixed", [open[0], secret[0], open[1]], by: ada, .public)
        #expect(try await stage.titles(list.id, ada) == ["Song 0", "Song 10", "Song 1"])
        for other in [ben, stage.guest] {
            #expect(try await stage.titles(list.id, other) == ["Song 0", nil, "Song 1"])
        }
        let own = try await stage.make("Own", by: ben)
        #expect(
            await refusal { try await stage.playlists.add(PlaylistAdd(playlist: own.id, tracks: secret), by: ben) }
                == .trackNotFound)
        let some = try await stage.playlists.add(PlaylistAdd(playlist: own.id, tracks: [secret[0], open[0]]), by: ben)
        #expect(some.skipped == secret && some.added.count == 1)
        #expect(try await stage.playlists.copy(PlaylistCopy(playlist: list.id), by: ben).entryCount == 2)
        // A track that goes leaves a gap; the count stays true.
        try await stage.library.tables.music.write { db in try db.execute("DELETE FROM tracks WHERE id = \(open[0])") }
        #expect(try await stage.titles(list.id, ada) == [nil, "Song 10", "Song 1"])
        await stage.close()
    }

    @Test func `a list has ten thousand entries and not one more`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(500)
        let list = try await stage.make("Long", by: ada)
        for _ in 0..<20 {
            _ = try await stage.playlists.add(PlaylistAdd(playlist: list.id, tracks: tracks), by: ada)
        }
        #expect(
            await refusal {
                try await stage.playlists.add(PlaylistAdd(playlist: list.id, tracks: [tracks[0]]), by: ada)
            }
                == .playlistFull)
        let page = try await stage.playlists.get(PlaylistGet(playlist: list.id, limit: 2, from: 9_999), for: ada)
        #expect(page.entries.count == 1 && page.from == 9_999 && page.total == 10_000 && page.nextCursor == nil)
        #expect(page.playlist.durationMilliseconds == 10_000_000)
        await stage.close()
    }

    @Test func `keys that get long are made anew, the order stays, and cursors still work`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(4)
        let list = try await stage.make("Tight", tracks, by: ada)
        let page = try await stage.playlists.get(PlaylistGet(playlist: list.id, limit: 2), for: ada)
        var ids = try await stage.entries(list.id, ada).map(\.id)
        var isRebalanced = false
        for round in 0..<500 where !isRebalanced {
            // Always the last one between the first two.
            let edit = try await stage.playlists.move(
                PlaylistMove(playlist: list.id, entries: [ids[3]], target: PlaylistTarget(after: ids[0])), by: ada)
            ids = [ids[0], ids[3], ids[1], ids[2]]
            isRebalanced = edit.isRebalanced
            if round % 50 == 0 || isRebalanced {
                #expect(try await stage.entries(list.id, ada).map(\.id) == ids)
            }
        }
        #expect(isRebalanced)
        let entries = try await stage.entries(list.id, ada)
        #expect(entries.allSatisfy { $0.key.utf8.count <= 4 })
        let rest = try await stage.playlists.get(
            PlaylistGet(playlist: list.id, limit: 2, cursor: page.nextCursor), for: ada)
        #expect(rest.from == 2 && rest.entries.map(\.id) == Array(ids[2...]))
        #expect(stage.told.withLock { $0.last?.isReload } == true)
        await stage.close()
    }

    /// Ten people edit at once. A second device that knows only what it was told has the list of the server, in order.
    @Test func `ten editors at once end with one order, which events alone tell, too`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(30)
        let list = try await stage.make("Crowd", Array(tracks[0..<10]), by: ada)
        let code = try #require(try await stage.playlists.invite(PlaylistInvite(playlist: list.id), by: ada).code)
        var people = [ada]
        for number in 0..<9 {
            let other = try await stage.listener("editor\(number)")
            _ = try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: other)
            people.append(other)
        }
        var replica = Dictionary(
            uniqueKeysWithValues: try await stage.entries(list.id, ada).map { ($0.id, $0.key) })
        let start = try await stage.playlists.get(PlaylistGet(playlist: list.id), for: ada).playlist.version
        stage.told.withLock { $0 = [] }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, person) in people.enumerated() {
                group.addTask {
                    var dice = SeededGenerator(seed: UInt64(number) + 7)
                    for _ in 0..<20 {
                        let ids = try await stage.entries(list.id, person).map(\.id)
                        let entry = ids.randomElement(using: &dice)
                        switch (Int.random(in: 0..<4, using: &dice), entry) {
                        case (0, let entry?):
                            _ = try await stage.playlists.remove(
                                PlaylistRemove(playlist: list.id, entries: [entry]), by: person)
                        case (1, let entry?), (2, let entry?):
                            let target = PlaylistTarget(place: Int.random(in: 0...ids.count, using: &dice))
                            _ = try await stage.playlists.move(
                                PlaylistMove(playlist: list.id, entries: [entry], target: target), by: person)
                        default:
                            let track = tracks.randomElement(using: &dice) ?? tracks[0]
                            _ = try await stage.playlists.add(
                                PlaylistAdd(playlist: list.id, tracks: [track], target: PlaylistTarget(before: entry)),
                                by: person)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        var version = start
        for change in stage.told.withLock({ $0 }) {
            #expect(change.before == version)
            version = change.version
            #expect(!change.isReload && Set(change.audience) == Set(people.compactMap(\.uid)))
            for entry in change.added { replica[entry.id] = entry.key }
            for place in change.moved { replica[place.id] = place.key }
            for id in change.removed { replica[id] = nil }
        }
        let order = replica.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }.map(\.key)
        for person in people { #expect(try await stage.entries(list.id, person, limit: 7).map(\.id) == order) }
        let last = try await stage.playlists.get(PlaylistGet(playlist: list.id), for: ada).playlist
        #expect(last.version == version && last.entryCount == order.count)
        await stage.close()
    }

    @Test func `a shuffled list is the same for two people, page by page`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let list = try await stage.make("Dice", try await stage.tracks(50), by: ada, .public)
        func order(_ listener: Listener, _ seed: Int64, limit: Int) async throws -> [MusicID] {
            var ids: [MusicID] = []
            while true {
                let page = try await stage.playlists.shuffled(
                    PlaylistShuffled(playlist: list.id, seed: seed, from: ids.count, limit: limit), for: listener)
                ids += page.entries.map(\.id)
                if page.entries.isEmpty || ids.count == page.total { return ids }
            }
        }
        let whole = try await order(ada, 42, limit: 100)
        #expect(try await order(ben, 42, limit: 7) == whole)
        #expect(Set(whole) == Set(try await stage.entries(list.id, ada).map(\.id)))
        #expect(try await order(ben, 43, limit: 7) != whole)
        await stage.close()
    }
}
