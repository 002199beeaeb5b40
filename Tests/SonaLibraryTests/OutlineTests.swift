import SonaDatabase
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// Outlines of lists: what a cursor leads to is what the whole list has there.
@Suite struct OutlineTests {
    /// All rows of a list, page by page.
    private func all(_ request: LibraryList, _ shelf: Shelf, _ listener: Listener) async throws -> [MusicID] {
        var (request, ids): (LibraryList, [MusicID]) = (request, [])
        request.limit = 100
        repeat {
            let page = try await shelf.library.finder.list(request, for: listener)
            ids += page.tracks.map(\.id) + page.albums.map(\.id) + page.artists.map(\.id) + page.genres.map(\.id)
            request.cursor = page.nextCursor
        } while request.cursor != nil
        return ids
    }

    /// Titles that begin alike, titles that are equal, and titles of every kind of letter.
    private func fill(_ shelf: Shelf, owner: UserID? = nil) async throws {
        let beginnings = ["The Same", "Ähre", "Żaba", "zebra", "Ёлка", "Жар", "Ωmega", "東京", "99", "(untitled)"]
        try await shelf.add(
            (0..<640).map { number in
                let isCommon = number % 3 == 0
                return Shelf.Row(
                    title: isCommon ? "Same" : "\(beginnings[number % beginnings.count]) \(number)",
                    artists: number % 5 == 0 ? [] : ["Artist \(number % 230)"], album: "Album \(number % 310)",
                    genres: ["Genre \(number % 150)"], plays: Int64(number % 4), owner: number % 2 == 0 ? owner : nil)
            })
        try await shelf.library.tables.music.write { db in
            _ = try db.execute("UPDATE tracks SET popularity = 2000.1 + plays")
        }
    }

    @Test(arguments: [
        (LibraryKind.tracks, LibrarySort.title), (.tracks, .artist), (.tracks, .added), (.tracks, .plays),
        (.tracks, .popular),
        (.albums, .title), (.albums, .artist), (.albums, .added), (.artists, .title), (.genres, .title),
    ])
    func `every cursor begins where the outline says`(kind: LibraryKind, sort: LibrarySort) async throws {
        let shelf = try await Shelf()
        try await fill(shelf)
        let list = LibraryList(kind: kind, sort: sort)
        let whole = try await all(list, shelf, shelf.administrator)
        let outline = try await shelf.library.finder.outline(
            LibraryOutline(kind: kind, sort: sort), for: shelf.administrator)
        #expect(outline.total == whole.count)
        #expect(outline.step == 100)
        #expect(outline.cursors.count == (whole.count - 1) / 100)
        for (index, cursor) in outline.cursors.enumerated() {
            var request = list
            (request.limit, request.cursor) = (1, cursor)
            let page = try await shelf.library.finder.list(request, for: shelf.administrator)
            let first = page.tracks.map(\.id) + page.albums.map(\.id) + page.artists.map(\.id) + page.genres.map(\.id)
            #expect(first == [whole[(index + 1) * 100]], "cursor \(index)")
        }
        #expect(outline.letters.isEmpty == ([.added, .plays, .popular].contains(sort)))
        await shelf.close()
    }

    @Test func `letters tell where their titles begin`() async throws {
        let shelf = try await Shelf()
        let titles = ["99", "Ähre", "The Apfel", "Łódź", "Ōsaka", "zebra", "Żaba", "Ωmega", "Ёлка", "Жар", "شمس", "東京"]
        try await shelf.add(titles.map { Shelf.Row(title: $0, artists: $0 == "99" ? [] : [$0]) })
        let finder = shelf.library.finder
        let outline = try await finder.outline(LibraryOutline(), for: shelf.administrator)
        let list = try await finder.list(LibraryList(limit: 100), for: shelf.administrator).tracks.map(\.title)
        #expect(
            outline.letters.map { "\($0.letter) \(list[$0.index])" } == [
                "# 99", "A Ähre", "L Łódź", "O Ōsaka", "Z Żaba", "Ω Ωmega", "Е Ёлка", "Ж Жар", "ا شمس", "漢 東京",
            ])
        let byArtist = try await finder.outline(LibraryOutline(sort: .artist), for: shelf.administrator)
        #expect(byArtist.letters.first?.letter == "A")
        #expect(byArtist.letters.last == LibraryLetter(letter: "…", index: titles.count - 1))
        #expect(
            try await finder.outline(LibraryOutline(kind: .albums), for: shelf.administrator)
                == LibraryOutlineResult(total: 0, step: 100, cursors: [], letters: []))
        await shelf.close()
    }

    @Test func `an outline counts what its listener sees, and no more`() async throws {
        let shelf = try await Shelf()
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        try await shelf.add([
            Shelf.Row(title: "Hers", artists: ["Ada"], genres: ["Jazz"], owner: ada.uid, scope: TrackScope.own),
            Shelf.Row(title: "Approved", artists: ["Ada"], genres: ["Rock"], owner: ada.uid, status: .approved),
            Shelf.Row(title: "Missing", artists: ["Eve"], genres: ["Soul"], scope: TrackScope.missing),
        ])
        let finder = shelf.library.finder
        func count(_ listener: Listener, _ request: LibraryOutline = LibraryOutline()) async throws -> Int {
            try await finder.outline(request, for: listener).total
        }
        #expect(try await count(shelf.administrator) == 3)
        #expect(try await count(shelf.listener(ada.uid)) == 2)
        #expect(try await count(shelf.listener(bob.uid)) == 1)
        #expect(try await count(shelf.listener(ada.uid), LibraryOutline(scope: .own)) == 2)
        #expect(try await count(shelf.listener(bob.uid), LibraryOutline(scope: .own)) == 0)
        #expect(try await count(shelf.listener(bob.uid), LibraryOutline(kind: .artists)) == 1)
        #expect(try await count(shelf.listener(bob.uid), LibraryOutline(kind: .genres)) == 1)
        let rock = try await finder.genres(for: shelf.administrator).first { $0.name == "Rock" }
        #expect(try await count(shelf.listener(bob.uid), LibraryOutline(genre: rock?.id)) == 1)
        let guest = Listener(uid: nil, guestAccess: .none, folders: [])
        #expect(try await count(guest) == 0)

        func code(_ request: LibraryOutline, _ listener: Listener) async -> ErrorCode? {
            do {
                _ = try await finder.outline(request, for: listener)
                return nil
            } catch { return error.code }
        }
        #expect(await code(LibraryOutline(scope: .own), guest) == .authAccountRequired)
        #expect(await code(LibraryOutline(kind: .artists, sort: .plays), guest) == .requestInvalid)
        #expect(await code(LibraryOutline(artist: .random(milliseconds: 1)), guest) == .artistNotFound)
        await shelf.close()
    }

    @Test(arguments: [100_100, 100_101, 250_000])
    func `a long list has a larger step`(count: Int) throws {
        var outline = ListOutline()
        for number in 0..<count { outline.add(value: Int64(count - number), number: Int64(count - number)) }
        let result = outline.result
        #expect(result.step == (count <= 100_100 ? 100 : count <= 200_200 ? 200 : 400))
        #expect(result.cursors.count == (count - 1) / result.step)
        for (index, cursor) in result.cursors.enumerated() {
            let place = try #require(LibraryFinder.Place(cursor))
            // A place is that of the row before.
            #expect(place.number == Int64(count - (index + 1) * result.step + 1))
        }
    }
}
