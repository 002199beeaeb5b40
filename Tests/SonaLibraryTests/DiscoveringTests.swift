import SonaBase
import SonaDatabase
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// Similar tracks, radios, and what friends play.
@Suite struct DiscoveringTests {
    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    private func hear(_ shelf: Shelf, _ track: MusicID, _ listener: Listener, at: Int64? = nil) async throws {
        let now = shelf.library.clock.nowMilliseconds()
        _ = try await shelf.library.plays.record(
            Plays.Hearing(
                track: track, key: "\(track.rawValue) \(at ?? now)", atMilliseconds: at ?? now,
                heardMilliseconds: 240_000, source: .alone), for: listener)
    }

    @Test func `tracks are alike that the same people hear; what everybody hears is like nothing in particular`()
        async throws
    {
        let shelf = try await Shelf()
        let tracks = try await shelf.add([
            Shelf.Row(title: "Seed", artists: ["S"], genres: ["Dub"]), Shelf.Row(title: "Alike", artists: ["A"]),
            Shelf.Row(title: "Hit", artists: ["H"]), Shelf.Row(title: "Other", artists: ["O"]),
            Shelf.Row(title: "Same artist", artists: ["S"]),
            Shelf.Row(title: "Same genre", artists: ["G"], genres: ["Dub"]),
        ])
        var people: [Listener] = []
        for name in 0..<12 { people.append(try await shelf.listener(try await shelf.signUp("person\(name)").uid)) }
        for person in people { try await hear(shelf, tracks[2], person) }
        for person in people.prefix(3) {
            try await hear(shelf, tracks[0], person)
            try await hear(shelf, tracks[1], person)
        }
        try await hear(shelf, tracks[3], people[10])
        let finder = shelf.library.finder
        let alike = try await finder.similar(TrackSimilar(track: tracks[0]), for: people[11])
        #expect(alike.tracks.map(\.title) == ["Alike", "Hit", "Same artist", "Same genre"])
        #expect(alike.byListeners == 2)
        // A like counts like a play.
        _ = try await shelf.library.likes.set(true, .track, tracks[0], for: people[10])
        let liked = try await finder.similar(TrackSimilar(track: tracks[0]), for: people[11])
        #expect(liked.tracks.map(\.title).contains("Other") && liked.byListeners == 3)
        #expect(try await finder.similar(TrackSimilar(track: tracks[0], limit: 1), for: people[11]).tracks.count == 1)
        #expect(
            await refusal { try await finder.similar(TrackSimilar(track: .random(milliseconds: 0)), for: people[0]) }
                == .trackNotFound)
        await shelf.close()
    }

    @Test func `a radio begins with its track, is the same for one seed, and does not play an artist twice in a row`()
        async throws
    {
        let shelf = try await Shelf()
        let tracks = try await shelf.add(
            (0..<60).map { Shelf.Row(title: "T\($0)", artists: ["A\($0 % 6)"], album: "B\($0 / 10)", genres: ["Dub"]) })
        let listener = try await shelf.listener(UserID("somebody"))
        let finder = shelf.library.finder
        let radio = try await finder.radio(RadioStart(from: .track(tracks[7]), limit: 40, seed: 5), for: listener)
        #expect(radio.tracks.count == 40 && radio.tracks.first?.id == tracks[7] && radio.seed == 5)
        #expect(Set(radio.tracks.map(\.id)).count == 40)
        for (one, next) in zip(radio.tracks, radio.tracks.dropFirst()) {
            #expect(Set(one.artists.map(\.id)).isDisjoint(with: next.artists.map(\.id)))
        }
        #expect(try await finder.radio(RadioStart(from: .track(tracks[7]), limit: 40, seed: 5), for: listener) == radio)
        let other = try await finder.radio(RadioStart(from: .track(tracks[7]), limit: 40, seed: 6), for: listener)
        #expect(other.tracks.map(\.id) != radio.tracks.map(\.id))
        let artist = try await finder.list(LibraryList(kind: .artists), for: listener).artists[0]
        #expect(try await finder.radio(RadioStart(from: .artist(artist.id)), for: listener).tracks.count == 25)
        let genre = try await finder.genres(for: listener)[0]
        #expect(try await finder.radio(RadioStart(from: .genre(genre.id)), for: listener).tracks.count == 25)
        let ada = try await shelf.listener(try await shelf.signUp("ada").uid)
        let list = try await shelf.library.playlists.create(
            PlaylistCreate(title: "Walks", visibility: .private, tracks: [tracks[3], tracks[4]]), by: ada
        ).id
        #expect(try await finder.radio(RadioStart(from: .playlist(list)), for: ada).tracks.count == 25)
        // A smart one begins with what its rule finds.
        let rule = PlaylistRule(conditions: [PlaylistCondition(field: .genre, id: genre.id)])
        let smart = try await shelf.library.playlists.create(PlaylistCreate(title: "Dub", rule: rule), by: ada).id
        #expect(try await finder.radio(RadioStart(from: .playlist(smart)), for: ada).tracks.count == 25)
        #expect(
            await refusal { try await finder.radio(RadioStart(from: .playlist(list)), for: listener) }
                == .playlistNotFound)
        #expect(
            await refusal { try await finder.radio(RadioStart(from: .artist(genre.id)), for: listener) }
                == .artistNotFound)
        #expect(
            await refusal { try await finder.radio(RadioStart(from: .genre(artist.id)), for: listener) }
                == .genreNotFound)
        await shelf.close()
    }

    /// Has two accounts follow each other.
    private func befriend(_ shelf: Shelf, _ one: UserID, _ two: UserID) async throws {
        _ = try await shelf.model.people.follow(.id(two), one)
        _ = try await shelf.model.people.follow(.id(one), two)
    }

    @Test func `the feed has plays of friends who share them, from then on, and nothing that is not seen`() async throws
    {
        let shelf = try await Shelf()
        let tracks = try await shelf.add([
            Shelf.Row(title: "Before"), Shelf.Row(title: "After"), Shelf.Row(title: "Last"),
        ])
        let (ada, bob, eve) = (
            try await shelf.signUp("ada").uid, try await shelf.signUp("bob").uid, try await shelf.signUp("eve").uid
        )
        let bobs = try await shelf.listener(bob)
        let own = try await shelf.add([Shelf.Row(title: "Own", owner: bob, scope: TrackScope.own)])[0]
        try await befriend(shelf, ada, bob)
        _ = try await shelf.model.people.follow(.id(bob), eve)
        let start = shelf.library.clock.nowMilliseconds()
        try await hear(shelf, tracks[0], bobs, at: start - 1_000)
        let finder = shelf.library.finder
        let adas = try await shelf.listener(ada)
        #expect(try await finder.feed(PlaysFeed(), for: adas).plays.isEmpty, "off at first")
        _ = try await shelf.library.plays.settings(PlaySettings(sharesPlays: true), of: bob)
        let shared = shelf.library.clock.nowMilliseconds()
        try await hear(shelf, tracks[1], bobs, at: shared + 1_000)
        try await hear(shelf, own, bobs, at: shared + 2_000)
        try await hear(shelf, tracks[2], bobs, at: shared + 3_000)
        let feed = try await finder.feed(PlaysFeed(), for: adas)
        #expect(feed.plays.map(\.track.title) == ["Last", "After"] && feed.plays.allSatisfy { $0.uid == bob })
        let first = try await finder.feed(PlaysFeed(limit: 1), for: adas)
        let cursor = try #require(first.nextCursor)
        #expect(first.plays.map(\.track.title) == ["Last"])
        #expect(
            try await finder.feed(PlaysFeed(limit: 2, cursor: cursor), for: adas).plays.map(\.track.title) == ["After"])
        #expect(
            try await finder.feed(PlaysFeed(), for: shelf.listener(eve)).plays.isEmpty,
            "who is followed, and does not follow")
        #expect(try await finder.feed(PlaysFeed(), for: bobs).plays.isEmpty)
        _ = try await shelf.library.plays.settings(PlaySettings(sharesPlays: false), of: bob)
        #expect(try await finder.feed(PlaysFeed(), for: adas).plays.isEmpty)
        await shelf.close()
    }

    @Test func `what people have in common is told among friends who all allow it`() async throws {
        let shelf = try await Shelf()
        let tracks = try await shelf.add((0..<4).map { Shelf.Row(title: "T\($0)") })
        let (ada, bob, eve) = (
            try await shelf.signUp("ada").uid, try await shelf.signUp("bob").uid, try await shelf.signUp("eve").uid
        )
        let listeners = [try await shelf.listener(ada), try await shelf.listener(bob), try await shelf.listener(eve)]
        for listener in listeners { try await hear(shelf, tracks[0], listener) }
        for listener in listeners.prefix(2) {
            _ = try await shelf.library.likes.set(true, .track, tracks[1], for: listener)
        }
        try await hear(shelf, tracks[2], listeners[0])
        let finder = shelf.library.finder
        let nobody = try #require(UserID("nobody"))
        let asked = PlaylistIntersect(users: [bob])
        #expect(await refusal { try await finder.common(asked, for: listeners[0]) } == .privacyDenied, "no friend")
        try await befriend(shelf, ada, bob)
        #expect(await refusal { try await finder.common(asked, for: listeners[0]) } == .privacyDenied, "not allowed")
        _ = try await shelf.library.plays.settings(PlaySettings(sharesTaste: true), of: bob)
        let common = try await finder.common(asked, for: listeners[0])
        #expect(common.tracks.map(\.title) == ["T1", "T0"] && common.count == 2, "what both like is first")
        #expect(
            await refusal { try await finder.common(PlaylistIntersect(users: [bob, eve]), for: listeners[0]) }
                == .privacyDenied)
        try await befriend(shelf, ada, eve)
        _ = try await shelf.library.plays.settings(PlaySettings(sharesTaste: true), of: eve)
        #expect(
            try await finder.common(PlaylistIntersect(users: [bob, eve]), for: listeners[0]).tracks.map(\.title) == [
                "T0"
            ])
        #expect(
            await refusal { try await finder.common(PlaylistIntersect(users: [ada]), for: listeners[0]) }
                == .requestInvalid)
        #expect(
            await refusal { try await finder.common(PlaylistIntersect(users: [nobody]), for: listeners[0]) }
                == .privacyDenied)
        _ = try await shelf.model.people.block(.id(ada), bob)
        #expect(await refusal { try await finder.common(asked, for: listeners[0]) } == .privacyDenied)
        await shelf.close()
    }
}
