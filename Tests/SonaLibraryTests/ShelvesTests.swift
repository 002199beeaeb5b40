import SonaBase
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// Pages of the library by offset, as music apps ask for them, over rows that the tests write as a scan does.
@Suite struct ShelvesTests {
    /// Twenty albums of two tracks each; the names of some are equal.
    private func filled() async throws -> (Shelf, Listener) {
        let shelf = try await Shelf()
        try await shelf.add(
            (0..<40).map { place in
                Shelf.Row(
                    title: "Title \(place % 7)", artists: ["Artist \(place / 8)"], album: "Album \(place / 2)",
                    genres: place % 2 == 0 ? ["Rock", "Folk"] : ["Rock"], plays: Int64(place))
            })
        return (shelf, try await shelf.listener(try await shelf.signUp("ada").uid))
    }

    /// Goal: an app that asks page after page gets everything once, whether the end of the page before is known or not.
    @Test(arguments: [1, 3, 7, 40])
    func `pages join without a gap, by offset and by the end of the page before`(_ size: Int) async throws {
        let (shelf, ada) = try await filled()
        let finder = shelf.library.finder
        let all = try await finder.tracks(.title, ShelfPage(limit: 500), for: ada)
        #expect(all.tracks.count == 40 && all.end == nil)
        let albums = try await finder.albums(.name, ShelfPage(limit: 500), for: ada)
        #expect(albums.albums.count == 20 && albums.end == nil)
        for isMarked in [false, true] {
            var (tracks, found, after): ([MusicID], [MusicID], ShelfMark?) = ([], [], nil)
            for offset in stride(from: 0, through: 40, by: size) {
                var page = ShelfPage(offset: offset, limit: size)
                if isMarked { page.after = after }
                let (items, end) = try await finder.tracks(.title, page, for: ada)
                tracks += items.map(\.track.id)
                after = end
                if end == nil { break }
            }
            #expect(tracks == all.tracks.map(\.track.id), "\(isMarked)")
            after = nil
            for offset in stride(from: 0, through: 20, by: size) {
                var page = ShelfPage(offset: offset, limit: size)
                if isMarked { page.after = after }
                let (items, end) = try await finder.albums(.name, page, for: ada)
                found += items.map(\.album.id)
                after = end
                if end == nil { break }
            }
            #expect(found == albums.albums.map(\.album.id), "\(isMarked)")
        }
        await shelf.close()
    }

    @Test func `albums tell their genres with the most frequent first, and all their plays`() async throws {
        let (shelf, ada) = try await filled()
        let albums = try await shelf.library.finder.albums(.name, ShelfPage(limit: 1), for: ada).albums
        let first = try #require(albums.first)
        #expect(first.album.name == "Album 0" && first.genres == ["Rock", "Folk"] && first.plays == 1)
        #expect(first.addedMilliseconds > 0 && first.likedMilliseconds == nil)
        let folk = try await shelf.library.finder.albums(.genre("Folk"), ShelfPage(limit: 50), for: ada).albums
        #expect(folk.count == 20)
        let genres = try await shelf.library.finder.shelvedGenres(for: ada)
        #expect(genres.map(\.name) == ["Folk", "Rock"])
        #expect(genres.map(\.trackCount) == [20, 40] && genres.map(\.albumCount) == [20, 20])
        await shelf.close()
    }

    @Test func `what the account likes, rates and hears orders its albums`() async throws {
        let (shelf, ada) = try await filled()
        let (finder, likes) = (shelf.library.finder, shelf.library.likes)
        let albums = try await finder.albums(.name, ShelfPage(limit: 3), for: ada).albums.map(\.album.id)
        func ids(_ order: AlbumOrder) async throws -> [MusicID] {
            try await finder.albums(order, ShelfPage(limit: 50), for: ada).albums.map(\.album.id)
        }
        for order in [AlbumOrder.liked, .rated, .frequent, .recent] { #expect(try await ids(order) == []) }
        _ = try await likes.set(true, .album, albums[2], for: ada)
        shelf.ahead.withLock { $0 += 1_000 }
        _ = try await likes.set(true, .album, albums[0], for: ada)
        _ = try await likes.rate(2, .album, albums[0], for: ada)
        _ = try await likes.rate(5, .album, albums[1], for: ada)
        #expect(try await ids(.liked) == [albums[0], albums[2]])
        #expect(try await ids(.rated) == [albums[1], albums[0]])
        for (place, count) in [(1, 2), (0, 1)] {
            let track = try await finder.shelvedAlbum(albums[place], for: ada).tracks[0].track.id
            for number in 0..<count {
                let hearing = Plays.Hearing(
                    track: track, key: "\(place) \(number)", atMilliseconds: Int64(1_000_000 * (2 - place) + number),
                    heardMilliseconds: 300_000, source: .alone)
                #expect(try await shelf.library.plays.record(hearing, for: ada))
            }
        }
        #expect(try await ids(.frequent) == [albums[1], albums[0]])
        #expect(try await ids(.recent) == [albums[0], albums[1]])
        await shelf.close()
    }

    @Test func `what an account does not see is on no shelf`() async throws {
        let shelf = try await Shelf()
        let bob = try await shelf.signUp("bob").uid
        let ids = try await shelf.add([
            Shelf.Row(title: "Seen", artists: ["A"], album: "Both"),
            Shelf.Row(title: "Own", artists: ["B"], album: "Both", genres: ["Rock"], owner: bob, scope: TrackScope.own),
            Shelf.Row(title: "Alone", artists: ["B"], album: "Hidden", owner: bob, scope: TrackScope.own),
        ])
        let ada = try await shelf.listener(try await shelf.signUp("ada").uid)
        let (finder, his) = (shelf.library.finder, try await shelf.listener(bob))
        #expect(try await finder.tracks(.title, ShelfPage(limit: 9), for: ada).tracks.map(\.track.title) == ["Seen"])
        #expect(try await finder.tracks(.title, ShelfPage(limit: 9), for: his).tracks.count == 3)
        #expect(try await finder.albums(.name, ShelfPage(limit: 9), for: ada).albums.map(\.album.name) == ["Both"])
        #expect(try await finder.shelvedTracks(ids, for: ada).map(\.track.id) == [ids[0]])
        #expect(try await finder.shelvedArtists(for: ada).map(\.name) == ["A"])
        #expect(try await finder.shelvedArtists(for: his).map(\.name) == ["A", "B"])
        #expect(try await finder.shelvedGenres(for: ada).isEmpty)
        let artist = try #require(try await finder.shelvedArtists(for: his).last)
        await #expect(throws: Refusal(.artistNotFound)) { try await finder.shelvedArtist(artist.id, for: ada) }
        await #expect(throws: Refusal(.trackNotFound)) {
            try await shelf.library.bookmarks.set(ids[2], at: 1, comment: nil, for: ada)
        }
        // Folders and uploads are apart.
        #expect(try await finder.tracks(.title, ShelfPage(limit: 9, folder: 0), for: his).tracks.count == 3)
        #expect(try await finder.tracks(.title, ShelfPage(limit: 9, folder: 1), for: his).tracks.isEmpty)
        await shelf.close()
    }

    @Test func `a track has one bookmark, which changes and goes`() async throws {
        let shelf = try await Shelf()
        let ids = try await shelf.add([Shelf.Row(title: "One"), Shelf.Row(title: "Two")])
        let (ada, bob) = (
            try await shelf.listener(try await shelf.signUp("ada").uid),
            try await shelf.listener(try await shelf.signUp("bob").uid)
        )
        let bookmarks = shelf.library.bookmarks
        try await bookmarks.set(ids[0], at: 10, comment: String(repeating: "ł", count: 400), for: ada)
        shelf.ahead.withLock { $0 += 1_000 }
        try await bookmarks.set(ids[1], at: 20, comment: "", for: ada)
        let first = try await bookmarks.list(for: ada)
        #expect(first.map(\.track) == [ids[1], ids[0]] && first.map(\.positionMilliseconds) == [20, 10])
        #expect(first[0].comment == nil && first[1].comment?.utf8.count == 500)
        shelf.ahead.withLock { $0 += 1_000 }
        try await bookmarks.set(ids[0], at: 30, comment: nil, for: ada)
        let second = try await bookmarks.list(for: ada)
        #expect(
            second.map(\.track) == [ids[0], ids[1]] && second[0].createdMilliseconds == first[1].createdMilliseconds)
        #expect(try await bookmarks.list(for: bob).isEmpty)
        await #expect(throws: Refusal(.trackNotFound)) { try await bookmarks.remove(ids[0], for: bob) }
        try await bookmarks.remove(ids[0], for: ada)
        #expect(try await bookmarks.list(for: ada).map(\.track) == [ids[1]])
        await shelf.close()
    }
}
