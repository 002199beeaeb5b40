import SonaBase
import SonaDatabase
import SonaMedia
import SonaModel
import SonaTranscode
import SonaWire
import Testing

@testable import SonaLibrary

/// Search and lists over rows that the tests write as a scan does.
@Suite struct SearchTests {
    private func add(_ shelf: Shelf, _ tracks: [(title: String, artist: String, album: String)]) async throws {
        try await shelf.add(tracks.map { Shelf.Row(title: $0.title, artists: [$0.artist], album: $0.album) })
    }

    @Test func `words are found by their beginnings, whatever case, accents and script`() async throws {
        let shelf = try await Shelf()
        try await add(
            shelf,
            [
                ("Déjà Vu", "Beyoncé", "B'Day"), ("Łódź nocą", "Święta", "Kraków"), ("Straße", "Nena", "Ångström"),
                ("新東京物語", "椎名林檎", "無罪モラトリアム"), ("Back in Black", "AC/DC", "Back in Black"),
            ])
        for (query, title) in [
            ("deja", "Déjà Vu"), ("VU beyonce", "Déjà Vu"), ("lodz", "Łódź nocą"), ("noc swie", "Łódź nocą"),
            ("strasse", "Straße"), ("angs", "Straße"), ("東京", "新東京物語"), ("林檎", "新東京物語"),
            ("acdc", "Back in Black"), ("ac/dc black", "Back in Black"),
        ] {
            let found = try await shelf.search(query).tracks.map(\.title)
            #expect(found == [title], "\(query)")
        }
        #expect(try await shelf.search("ejà").tracks.isEmpty, "only beginnings of words")
        #expect(try await shelf.search("\" OR * NEAR( -").tracks.isEmpty)
        await shelf.close()
    }

    @Test func `four groups in one request, and single fields`() async throws {
        let shelf = try await Shelf()
        try await shelf.add([
            Shelf.Row(title: "Moon", artists: ["Sun"], album: "Stars", genres: ["Moonlight"]),
            Shelf.Row(title: "Sun", artists: ["Moon"], album: "Moonrise", genres: ["Jazz"]),
        ])
        let found = try await shelf.search("moon")
        #expect(Set(found.tracks.map(\.title)) == ["Moon", "Sun"])
        #expect(found.tracks.first?.title == "Moon", "the title counts more than the artist")
        #expect(found.albums.map(\.name) == ["Moonrise"])
        #expect(found.artists.map(\.name) == ["Moon"])
        #expect(found.genres.map(\.name) == ["Moonlight"])
        #expect(try await shelf.search("moon", field: .artist).tracks.map(\.title) == ["Sun"])
        #expect(try await shelf.search("moon", field: .album).tracks.map(\.title) == ["Sun"])
        #expect(try await shelf.search("moon", field: .title).tracks.map(\.title) == ["Moon"])
        #expect(try await shelf.search("moon", field: .title).albums.isEmpty)
        await shelf.close()
    }

    @Test func `one letter that most tracks have: by how often they were heard, in pages that do not overlap`()
        async throws
    {
        let shelf = try await Shelf()
        try await shelf.add(
            (0..<2_000).map { Shelf.Row(title: "Ab \($0)", artists: ["Ada"], album: "A", plays: Int64($0 % 500)) })
        let first = try await shelf.library.finder.search(
            MusicSearch(query: "a", kind: .tracks, limit: 50), for: shelf.administrator)
        #expect(first.tracks.count == 50)
        #expect(first.tracks.map(\.plays) == first.tracks.map(\.plays).sorted(by: >))
        #expect(first.tracks.first?.plays == 499)
        let second = try await shelf.library.finder.search(
            MusicSearch(query: "a", kind: .tracks, limit: 50, offset: 50), for: shelf.administrator)
        #expect(Set(first.tracks.map(\.id)).isDisjoint(with: second.tracks.map(\.id)))
        await shelf.close()
    }

    @Test(arguments: [LibrarySort.title, .artist, .added, .plays])
    func `pages of a list meet every track once, in order`(sort: LibrarySort) async throws {
        let shelf = try await Shelf()
        var rows = (0..<57).map { number in
            Shelf.Row(
                title: "\(["Ähre", "zebra", "Apfel", "Żaba", "zorro", "01"][number % 6]) \(number)",
                artists: number % 7 == 0 ? [] : ["The Artist \(number % 5)"], album: "A", plays: Int64(number % 4))
        }
        rows.append(Shelf.Row(title: "Same", artists: ["Same"], album: "A"))
        rows.append(Shelf.Row(title: "Same", artists: ["Same"], album: "A"))
        try await shelf.add(rows)
        try await shelf.library.tables.music.write { db in _ = try db.execute("UPDATE tracks SET popularity = plays") }
        var seen: [MusicTrack] = []
        var cursor: String?
        repeat {
            let page = try await shelf.library.finder.list(
                LibraryList(sort: sort, limit: 10, cursor: cursor), for: shelf.administrator)
            seen += page.tracks
            cursor = page.nextCursor
        } while cursor != nil
        #expect(seen.count == rows.count)
        #expect(Set(seen.map(\.id)).count == rows.count)
        switch sort {
        case .title:
            #expect(seen.first?.title.hasPrefix("01") == true)
            #expect(seen.last?.title.hasPrefix("zorro") == true)
            let places = ["Ähre 0", "Apfel 2", "Żaba 3", "zebra 1"].map { title in
                seen.firstIndex { $0.title == title } ?? -1
            }
            #expect(places == places.sorted(), "Ä is an A, Ż a Z")
        case .artist: #expect(seen.suffix(9).allSatisfy { $0.artists.isEmpty }, "unknown artists are last")
        case .plays, .popular: #expect(seen.map(\.plays) == seen.map(\.plays).sorted(by: >))
        case .added: #expect(seen.map(\.addedMilliseconds) == seen.map(\.addedMilliseconds).sorted(by: >))
        }
        await shelf.close()
    }

    @Test func `lists by artist and genre, and errors of lists`() async throws {
        let shelf = try await Shelf()
        try await shelf.add([
            Shelf.Row(title: "One", artists: ["Ada", "Bob"], album: "A", genres: ["Jazz"]),
            Shelf.Row(title: "Two", artists: ["Bob"], album: "B", genres: ["Rock", "Jazz"]),
        ])
        let finder = shelf.library.finder
        let artists = try await finder.list(LibraryList(kind: .artists), for: shelf.administrator).artists
        #expect(artists.map(\.name) == ["Ada", "Bob"])
        #expect(artists.map(\.trackCount) == [1, 2])
        let genres = try await finder.genres(for: shelf.administrator)
        #expect(genres.map { "\($0.name) \($0.trackCount)" } == ["Jazz 2", "Rock 1"])
        let ofAda = try await finder.list(LibraryList(artist: artists[0].id), for: shelf.administrator).tracks
        #expect(ofAda.map(\.title) == ["One"])
        let rock = try await finder.list(LibraryList(kind: .albums, genre: genres[1].id), for: shelf.administrator)
            .albums
        #expect(rock.map(\.name) == ["B"])
        let bob = try await finder.artist(artists[1].id, for: shelf.administrator)
        #expect(Set(bob.albums.map(\.name)) == ["A", "B"])
        #expect(Set(bob.tracks.map(\.title)) == ["One", "Two"])

        func code(_ request: LibraryList) async -> ErrorCode? {
            do {
                _ = try await finder.list(request, for: shelf.administrator)
                return nil
            } catch { return error.code }
        }
        #expect(await code(LibraryList(cursor: "nonsense")) == .requestInvalid)
        #expect(await code(LibraryList(kind: .artists, sort: .plays)) == .requestInvalid)
        #expect(await code(LibraryList(kind: .genres, genre: genres[0].id)) == .requestInvalid)
        #expect(await code(LibraryList(artist: .random(milliseconds: 1))) == .artistNotFound)
        #expect(await code(LibraryList(genre: .random(milliseconds: 1))) == .genreNotFound)
        await #expect(throws: Refusal(.albumNotFound)) {
            try await finder.album(.random(milliseconds: 1), for: shelf.administrator)
        }
        await shelf.close()
    }
}

extension Shelf {
    /// A track without a file.
    struct Row {
        var title: String
        var artists: [String] = []
        var album: String?
        var genres: [String] = []
        var plays: Int64 = 0
        var owner: UserID?
        var status: TrackStatus?
        var scope: Int64 = TrackScope.approved
    }

    /// Writes tracks as a scan does.
    ///
    /// - Returns: Their identifiers.
    @discardableResult
    func add(_ rows: [Row]) async throws -> [MusicID] {
        let names = NameNumbers()
        return try await library.tables.music.write { db in
            try rows.enumerated().map { index, row in
                var tags = SoundTags(kind: .flac)
                tags.values = [SoundTags.Value("TITLE", row.title)]
                tags.values += row.artists.map { SoundTags.Value("ARTIST", $0) }
                tags.values += row.genres.map { SoundTags.Value("GENRE", $0) }
                if let album = row.album { tags.values.append(SoundTags.Value("ALBUM", album)) }
                let writer = TrackWriter(now: 1_800_000_000_000 + Int64(index / 3), names: names)
                let number = try writer.add(
                    TrackDescription(tags, name: "x"), TrackWriter.Sound(tags),
                    in: AlbumIdentity.Place(folder: 1, directory: []), owner: row.owner, status: row.status,
                    scope: row.scope, &db)
                try db.execute("UPDATE tracks SET plays = \(row.plays) WHERE number = \(number)")
                return try db.first(TrackRecord.self, key: number)!.id
            }
        }
    }
}
