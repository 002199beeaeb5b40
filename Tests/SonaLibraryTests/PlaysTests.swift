import SonaBase
import SonaDatabase
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// Plays and their counters, over rows that the tests write as a scan does.
@Suite struct PlaysTests {
    private static let day: Int64 = 86_400_000

    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    /// Tracks of three minutes by one artist each.
    private func add(_ shelf: Shelf, _ count: Int, genre: String? = nil) async throws -> [MusicID] {
        let ids = try await shelf.add(
            (0..<count).map {
                Shelf.Row(
                    title: "T\($0)", artists: ["A\($0)"], album: "B\($0 / 3)", genres: genre.map { [$0] } ?? [])
            })
        try await shelf.library.tables.music.write { db in _ = try db.execute("UPDATE tracks SET duration_ms = 180000")
        }
        return ids
    }

    @discardableResult
    private func hear(
        _ shelf: Shelf, _ track: MusicID, _ listener: Listener, _ key: String, at: Int64? = nil, heard: Int64 = 90_000
    ) async throws -> Bool {
        try await shelf.library.plays.record(
            Plays.Hearing(
                track: track, key: key, atMilliseconds: at ?? shelf.library.clock.nowMilliseconds(),
                heardMilliseconds: heard, source: .alone), for: listener)
    }

    /// Holds all counters against the rows.
    private func expectAgreement(_ shelf: Shelf, _ comment: Comment) async throws {
        let wrong = try await shelf.library.tables.music.read { db in
            (
                tracks: try db.value(
                    """
                    SELECT count(*) FROM tracks t
                    WHERE t.plays <> (SELECT count(*) FROM plays p WHERE p.track = t.number)
                    """, as: Int.self),
                artists: try db.value(
                    """
                    SELECT count(*) FROM artists a WHERE a.plays <> (SELECT count(*) FROM track_artists j
                        JOIN plays p ON p.track = j.track WHERE j.artist = a.number)
                    """, as: Int.self)
            )
        }
        #expect(wrong.tracks == 0 && wrong.artists == 0, comment)
        let scores = try await shelf.library.tables.music.read { db in
            try db.all("SELECT number, popularity FROM tracks") { row in
                (number: try row.next(Int64.self), score: try row.next(Double?.self))
            }
        }
        for (number, score) in scores {
            let times = try await shelf.library.tables.music.read { db in
                try db.values(
                    "SELECT max(at_ms) FROM plays WHERE track = \(number) AND uid IS NOT NULL GROUP BY uid",
                    as: Int64.self)
            }
            let exact = Popularity.score(times)
            #expect((score == nil) == (exact == nil), comment)
            if let score, let exact { #expect(abs(score - exact) < 1e-6, comment) }
        }
    }

    @Test func `half of a track is a play, a millisecond less is none, and a longer report makes it longer`()
        async throws
    {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 2)
        try await shelf.library.tables.music.write { db in
            _ = try db.execute("UPDATE tracks SET duration_ms = 3600000 WHERE id = \(tracks[1])")
        }
        let listener = try await shelf.listener(try await shelf.signUp("ada").uid)
        #expect(try await !hear(shelf, tracks[0], listener, "a", heard: 89_999))
        #expect(try await hear(shelf, tracks[0], listener, "a", heard: 90_000))
        #expect(try await hear(shelf, tracks[0], listener, "a", heard: 150_000))
        #expect(try await hear(shelf, tracks[0], listener, "a", heard: 100_000), "never shorter")
        #expect(try await !hear(shelf, tracks[1], listener, "b", heard: 239_999))
        #expect(try await hear(shelf, tracks[1], listener, "b", heard: 240_000), "four minutes are enough")
        #expect(await refusal { try await hear(shelf, tracks[1], listener, "a", heard: 240_000) } == .requestInvalid)
        let page = try await shelf.library.finder.plays(PlayList(), for: listener)
        #expect(page.plays.map(\.heardMilliseconds) == [240_000, 150_000])
        #expect(page.plays.map { $0.track?.plays } == [1, 1])
        let artist = try await shelf.library.finder.list(LibraryList(kind: .artists), for: listener).artists
        #expect(artist.map(\.plays) == [1, 1])
        #expect(await refusal { try await hear(shelf, tracks[0], shelf.listener(), "c") } == .authAccountRequired)
        try await expectAgreement(shelf, "after three reports")
        await shelf.close()
    }

    @Test func `private listening writes nothing, and a track that is not seen is none`() async throws {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 1)
        let ada = try await shelf.signUp("ada").uid
        let listener = try await shelf.listener(ada)
        let plays = shelf.library.plays
        #expect(try await plays.settings(PlaySettings(), of: ada) == PlayPrivacy())
        #expect(try await plays.settings(PlaySettings(isPrivate: true), of: ada).isPrivate)
        #expect(try await !hear(shelf, tracks[0], listener, "a"))
        #expect(try await !plays.settings(PlaySettings(isPrivate: false), of: ada).isPrivate)
        #expect(try await hear(shelf, tracks[0], listener, "a"))
        let own = try await shelf.add([Shelf.Row(title: "Own", owner: ada, scope: TrackScope.own)])[0]
        let bob = try await shelf.listener(try await shelf.signUp("bob").uid)
        #expect(await refusal { try await hear(shelf, own, bob, "a", heard: 240_000) } == .trackNotFound)
        #expect(try await hear(shelf, own, listener, "o", heard: 240_000))
        await shelf.close()
    }

    @Test func `a hundred plays by one person weigh less than ten people's one each`() async throws {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 3)
        let start = shelf.library.clock.nowMilliseconds() - 10 * Self.day
        let ada = try await shelf.listener(try await shelf.signUp("ada").uid)
        for play in 0..<100 {
            try await hear(shelf, tracks[0], ada, "p\(play)", at: start + Int64(play) * Self.day / 10)
        }
        for person in 0..<10 {
            let listener = try await shelf.listener(try await shelf.signUp("person\(person)").uid)
            try await hear(shelf, tracks[1], listener, "p", at: start + Int64(person) * 60_000)
        }
        let popular = try await shelf.library.finder.list(LibraryList(sort: .popular), for: ada)
        #expect(popular.tracks.map(\.id) == [tracks[1], tracks[0]], "what nobody heard is not there")
        #expect(popular.tracks.map(\.plays) == [10, 100])
        let first = try await shelf.library.finder.list(LibraryList(sort: .popular, limit: 1), for: ada)
        let cursor = try #require(first.nextCursor)
        let second = try await shelf.library.finder.list(
            LibraryList(sort: .popular, limit: 1, cursor: cursor), for: ada)
        #expect((first.tracks + second.tracks).map(\.id) == [tracks[1], tracks[0]] && second.nextCursor == nil)
        let byPlays = try await shelf.library.finder.list(LibraryList(sort: .plays), for: ada)
        #expect(byPlays.tracks.first?.id == tracks[0])
        try await expectAgreement(shelf, "after 110 plays")
        await shelf.close()
    }

    @Test func `clearing takes the name off plays, and counters stay the number of rows`() async throws {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 4)
        let ada = try await shelf.signUp("ada").uid
        let bob = try await shelf.listener(try await shelf.signUp("bob").uid)
        let listener = try await shelf.listener(ada)
        let now = shelf.library.clock.nowMilliseconds()
        for day in 0..<12 {
            try await hear(shelf, tracks[day % 3], listener, "p\(day)", at: now - Int64(day) * Self.day)
        }
        try await hear(shelf, tracks[0], bob, "b", at: now - 3 * Self.day)
        let plays = shelf.library.plays
        #expect(try await plays.clear(PlayClear(track: tracks[1]), of: ada) == 4)
        try await expectAgreement(shelf, "one track cleared")
        #expect(try await plays.clear(PlayClear(beforeMilliseconds: now - 5 * Self.day), of: ada) == 4)
        try await expectAgreement(shelf, "old ones cleared")
        #expect(try await shelf.library.finder.plays(PlayList(), for: listener).plays.count == 4)
        #expect(try await plays.clear(PlayClear(), of: ada) == 4)
        #expect(try await plays.clear(PlayClear(), of: ada) == 0)
        #expect(
            await refusal { try await plays.clear(PlayClear(track: .random(milliseconds: 0)), of: ada) }
                == .trackNotFound)
        try await expectAgreement(shelf, "all cleared")
        let popular = try await shelf.library.finder.list(LibraryList(sort: .popular), for: listener)
        #expect(popular.tracks.map(\.id) == [tracks[0]], "bob alone is known to have heard something")
        #expect(popular.tracks.map(\.plays) == [5])
        let nameless = try await shelf.library.tables.music.read { db in
            try db.value("SELECT count(*) FROM plays WHERE uid IS NULL AND room IS NULL AND key IS NULL", as: Int.self)
        }
        #expect(nameless == 12)
        await shelf.close()
    }

    @Test func `where nobody has heard anything there is nothing to clear, to keep or to count`() async throws {
        let shelf = try await Shelf()
        let ada = try await shelf.signUp("ada").uid
        let plays = shelf.library.plays
        #expect(try await plays.recount() == LibraryRecountResult(plays: 0, tracks: 0, artists: 0))
        #expect(try await plays.clear(PlayClear(), of: ada) == 0)
        #expect(try await plays.settings(PlaySettings(keepDays: 30), of: ada).keepDays == 30)
        try await shelf.library.tidy()
        let listener = try await shelf.listener(ada)
        #expect(try await shelf.library.finder.stats(StatsGet(year: 2026), for: listener).plays == 0)
        #expect(try await shelf.library.finder.list(LibraryList(sort: .popular), for: listener).tracks.isEmpty)
        await shelf.close()
    }

    @Test func `older plays go by themselves when an account keeps them for some days`() async throws {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 1)
        let ada = try await shelf.signUp("ada").uid
        let listener = try await shelf.listener(ada)
        let now = shelf.library.clock.nowMilliseconds()
        for day in [0, 1, 5, 40] as [Int64] {
            try await hear(shelf, tracks[0], listener, "p\(day)", at: now - day * Self.day)
        }
        _ = try await shelf.library.plays.settings(PlaySettings(keepDays: 30), of: ada)
        #expect(try await shelf.library.finder.plays(PlayList(), for: listener).plays.count == 3, "at once")
        shelf.ahead.withLock { $0 += 28 * Self.day }
        try await shelf.library.tidy()
        #expect(try await shelf.library.finder.plays(PlayList(), for: listener).plays.count == 2, "and every hour")
        try await expectAgreement(shelf, "after both")
        await shelf.close()
    }

    @Test func `counters follow a track whose artists change, one that goes, and an account that goes`() async throws {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 3)
        let ada = try await shelf.signUp("ada")
        let own = try await shelf.add([
            Shelf.Row(title: "Own", artists: ["A0"], owner: ada.uid, status: .approved, scope: TrackScope.approved)
        ])[0]
        let (adas, bobs) = (
            try await shelf.listener(ada.uid), try await shelf.listener(try await shelf.signUp("bob").uid)
        )
        for (index, track) in (tracks + [own]).enumerated() {
            try await hear(shelf, track, adas, "a\(index)", heard: 240_000)
            try await hear(shelf, track, bobs, "b\(index)", heard: 240_000)
        }
        try await expectAgreement(shelf, "at first")
        let artists = try await shelf.library.finder.list(LibraryList(kind: .artists), for: adas).artists
        #expect(artists.map(\.plays) == [4, 2, 2])
        try await shelf.library.tables.music.write { db in
            // As an edit does: other artists.
            let number: Int64 = try db.value("SELECT number FROM tracks WHERE id = \(tracks[1])") ?? 0
            let artist: Int64 = try db.value("SELECT number FROM artists WHERE name = 'A2'") ?? 0
            try PlayCounters.uncount(number, &db)
            try db.execute("UPDATE track_artists SET artist = \(artist) WHERE track = \(number)")
            try PlayCounters.recount(number, &db)
        }
        try await expectAgreement(shelf, "artists changed")
        try await shelf.library.tables.music.write { db in
            try TrackWriter.remove(try db.value("SELECT number FROM tracks WHERE id = \(tracks[0])") ?? 0, &db)
        }
        try await expectAgreement(shelf, "a track went")
        let export = try await shelf.model.accounts.export(ada)
        #expect(export.data["library"]?["plays"]?.array?.count == 3)
        try await shelf.model.accounts.remove(ada, code: export.code)
        try await expectAgreement(shelf, "an account went, with its upload")
        #expect(try await shelf.library.finder.plays(PlayList(), for: bobs).plays.count == 2)
        let result = try await shelf.library.plays.recount()
        #expect(result == LibraryRecountResult(plays: 4, tracks: 0, artists: 0))
        await shelf.close()
    }

    @Test func `counting anew mends whatever is wrong`() async throws {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 5)
        let listener = try await shelf.listener(try await shelf.signUp("ada").uid)
        for (index, track) in tracks.enumerated() {
            for play in 0...index { try await hear(shelf, track, listener, "\(index).\(play)") }
        }
        try await shelf.library.tables.music.write { db in
            try db.execute("UPDATE tracks SET plays = plays + 3, popularity = 1 WHERE number IN (1, 2)")
            try db.execute("UPDATE tracks SET popularity = NULL WHERE number = 3")
            _ = try db.execute("UPDATE artists SET plays = 77 WHERE number = 4")
        }
        let result = try await shelf.library.plays.recount()
        #expect(result == LibraryRecountResult(plays: 15, tracks: 2, artists: 1))
        try await expectAgreement(shelf, "after the recount")
        await shelf.close()
    }

    @Test func `statistics have hit lists, days and hours of the caller's clock`() async throws {
        let shelf = try await Shelf()
        let tracks = try await add(shelf, 3, genre: "Dub")
        let listener = try await shelf.listener(try await shelf.signUp("ada").uid)
        // 2024-02-29 23:30 UTC, and the day after.
        let at: Int64 = 1_709_249_400_000
        try await hear(shelf, tracks[0], listener, "a", at: at, heard: 100_000)
        try await hear(shelf, tracks[0], listener, "b", at: at + Self.day, heard: 120_000)
        try await hear(shelf, tracks[1], listener, "c", at: at - Self.day, heard: 90_000)
        let finder = shelf.library.finder
        let february = try await finder.stats(StatsGet(year: 2024, month: 2), for: listener)
        #expect(february.plays == 2 && february.heardMilliseconds == 190_000 && february.days.count == 29)
        #expect(february.days[28] == 100_000 && february.days[27] == 90_000 && february.hours[23] == 190_000)
        #expect(february.tracks.map(\.id) == [tracks[0], tracks[1]], "of two with one play that which was heard last")
        let there = try await finder.stats(StatsGet(year: 2024, month: 3, offsetMinutes: 60), for: listener)
        #expect(there.plays == 2 && there.days[0] == 100_000 && there.days[1] == 120_000 && there.hours[0] == 220_000)
        let year = try await finder.stats(StatsGet(year: 2024, limit: 1), for: listener)
        #expect(year.days.count == 366 && year.plays == 3 && year.trackCount == 2 && year.artistCount == 2)
        #expect(year.tracks.map(\.plays) == [2] && year.tracks[0].track?.title == "T0")
        #expect(year.artists.map(\.heardMilliseconds) == [220_000] && year.albums.map(\.plays) == [3])
        #expect(year.genres.map { $0.genre?.name } == ["Dub"])
        #expect(try await finder.stats(StatsGet(year: 2023), for: listener).plays == 0)
        #expect(StatsPeriod(StatsGet(year: 1970, month: 1)).fromMilliseconds == 0)
        #expect(StatsPeriod(StatsGet(year: 2000, month: 3)).fromMilliseconds == 951_868_800_000)
        await shelf.close()
    }
}
