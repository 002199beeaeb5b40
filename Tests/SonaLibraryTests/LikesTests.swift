import SonaBase
import SonaDatabase
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// What accounts like, and how they rate music, over rows that the tests write as a scan does.
@Suite struct LikesTests {
    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    @Test func `a like and a rating are told apart, repeated without effect, and gone when both are taken back`()
        async throws
    {
        let shelf = try await Shelf()
        let track = try await shelf.add([Shelf.Row(title: "One", artists: ["A"], album: "B")])[0]
        let ada = try await shelf.signUp("ada").uid
        let listener = try await shelf.listener(ada)
        let likes = shelf.library.likes
        let changes = Monitor<[MusicID]>([])
        likes.onChange { change in changes.withLock { $0.append(change.id) } }

        let first = try await likes.set(true, .track, track, for: listener)
        #expect(first.isLiked && first.likedMilliseconds != nil && first.rating == nil)
        shelf.ahead.withLock { $0 += 5_000 }
        #expect(try await likes.set(true, .track, track, for: listener) == first, "the time of the like stays")
        let rated = try await likes.rate(4, .track, track, for: listener)
        #expect(rated.isLiked && rated.rating == 4)
        let seen = try await shelf.library.finder.track(track, for: listener)
        #expect(seen.isLiked == true && seen.rating == 4)
        let other = try await shelf.library.finder.track(track, for: try await shelf.listener(UserID("somebody")))
        #expect(other.isLiked == false && other.rating == nil)
        let guest = try await shelf.library.finder.track(track, for: try await shelf.listener())
        #expect(guest.isLiked == nil && guest.rating == nil)
        let unliked = try await likes.set(false, .track, track, for: listener)
        #expect(!unliked.isLiked && unliked.likedMilliseconds == nil && unliked.rating == 4)
        let none = try await likes.rate(nil, .track, track, for: listener)
        #expect(none.rating == nil)
        #expect(try await likes.rate(nil, .track, track, for: listener) == none)
        let rows = try await shelf.library.tables.music.read { db in try db.count(TrackOpinionRecord.self) }
        #expect(rows == 0)
        #expect(changes.withLock { $0.count } == 4, "what changes nothing is not told")
        await shelf.close()
    }

    @Test func `lists have the last like first, in pages that do not overlap`() async throws {
        let shelf = try await Shelf()
        let tracks = try await shelf.add(
            (0..<7).map { Shelf.Row(title: "T\($0)", artists: ["A\($0)"], album: "B\($0)") })
        let listener = try await shelf.listener(try await shelf.signUp("ada").uid)
        for (index, track) in tracks.enumerated() {
            // Two likes in each millisecond.
            shelf.ahead.withLock { $0 = 10_000_000 + Int64(index / 2) }
            _ = try await shelf.library.likes.set(true, .track, track, for: listener)
        }
        var found: [MusicID] = []
        var cursor: String?
        repeat {
            let page = try await shelf.library.finder.likes(LikeList(limit: 2, cursor: cursor), for: listener)
            #expect(page.count == 7)
            #expect(page.likes.allSatisfy { $0.track?.isLiked == true })
            found += page.likes.map(\.id)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(Set(found) == Set(tracks) && found.count == 7)
        #expect(found.last.map { tracks.prefix(2).contains($0) } == true)
        let artists = try await shelf.library.finder.list(LibraryList(kind: .artists), for: listener).artists
        _ = try await shelf.library.likes.set(true, .artist, artists[3].id, for: listener)
        let album = try await shelf.library.finder.list(LibraryList(kind: .albums), for: listener).albums[2]
        _ = try await shelf.library.likes.rate(5, .album, album.id, for: listener)
        let liked = try await shelf.library.finder.likes(LikeList(kind: .artist), for: listener)
        #expect(liked.likes.map { $0.artist?.name } == [artists[3].name])
        #expect(try await shelf.library.finder.likes(LikeList(kind: .album), for: listener).likes.isEmpty)
        #expect(try await shelf.library.finder.album(album.id, for: listener).album.rating == 5)
        #expect(
            await refusal { try await shelf.library.finder.likes(LikeList(cursor: "x"), for: listener) }
                == .requestInvalid)
        await shelf.close()
    }

    @Test func `what was not approved is not liked, what is not seen is not there, and a like of it can be taken back`()
        async throws
    {
        let shelf = try await Shelf()
        let ada = try await shelf.signUp("ada").uid
        let bob = try await shelf.signUp("bob").uid
        let tracks = try await shelf.add([
            Shelf.Row(title: "Own", owner: ada, status: nil, scope: TrackScope.own),
            Shelf.Row(title: "Pending", owner: ada, status: .pending, scope: TrackScope.own),
            Shelf.Row(title: "Rejected", owner: ada, status: .rejected, scope: TrackScope.own),
            Shelf.Row(title: "Approved", owner: ada, status: .approved, scope: TrackScope.approved),
        ])
        let (adas, bobs) = (try await shelf.listener(ada), try await shelf.listener(bob))
        let likes = shelf.library.likes
        _ = try await likes.set(true, .track, tracks[0], for: adas)
        for track in tracks[1...2] {
            #expect(await refusal { try await likes.set(true, .track, track, for: adas) } == .trackNotApproved)
            #expect(await refusal { try await likes.rate(3, .track, track, for: adas) } == .trackNotApproved)
        }
        for track in tracks[0...2] {
            #expect(await refusal { try await likes.set(true, .track, track, for: bobs) } == .trackNotFound)
            #expect(await refusal { try await likes.set(false, .track, track, for: bobs) } == .trackNotFound)
        }
        _ = try await likes.set(true, .track, tracks[3], for: bobs)
        // It goes out of sight: the like is a gap in the list, and can be taken back.
        try await shelf.library.tables.music.write { db in
            _ = try db.execute("UPDATE tracks SET scope = \(TrackScope.own), status = NULL WHERE id = \(tracks[3])")
        }
        let page = try await shelf.library.finder.likes(LikeList(), for: bobs)
        #expect(page.likes.map(\.id) == [tracks[3]] && page.likes[0].track == nil)
        #expect(await refusal { try await likes.rate(3, .track, tracks[3], for: bobs) } == .trackNotFound)
        _ = try await likes.rate(nil, .track, tracks[3], for: bobs)
        _ = try await likes.set(false, .track, tracks[3], for: bobs)
        #expect(try await shelf.library.finder.likes(LikeList(), for: bobs).likes.isEmpty)
        #expect(await refusal { try await likes.set(true, .track, tracks[3], for: bobs) } == .trackNotFound)
        #expect(await refusal { try await likes.set(true, .album, tracks[3], for: bobs) } == .albumNotFound)
        #expect(await refusal { try await likes.set(true, .artist, tracks[3], for: bobs) } == .artistNotFound)
        #expect(
            await refusal { try await likes.set(true, .track, tracks[3], for: shelf.listener()) }
                == .authAccountRequired)
        await shelf.close()
    }

    @Test func `the last opinion that fits is taken, the next one is refused`() async throws {
        let shelf = try await Shelf()
        let tracks = try await shelf.add((0..<4).map { Shelf.Row(title: "T\($0)") })
        let listener = try await shelf.listener(try await shelf.signUp("ada").uid)
        var likes = shelf.library.likes
        likes.opinionsMax = 3
        _ = try await likes.set(true, .track, tracks[0], for: listener)
        _ = try await likes.rate(2, .track, tracks[1], for: listener)
        _ = try await likes.set(true, .track, tracks[2], for: listener)
        #expect(await refusal { try await likes.set(true, .track, tracks[3], for: listener) } == .likeLimitReached)
        #expect(await refusal { try await likes.rate(1, .track, tracks[3], for: listener) } == .likeLimitReached)
        _ = try await likes.rate(5, .track, tracks[0], for: listener)
        _ = try await likes.set(false, .track, tracks[2], for: listener)
        _ = try await likes.set(true, .track, tracks[3], for: listener)
        await shelf.close()
    }

    @Test func `likes are in the export, and go with the account and with the track`() async throws {
        let shelf = try await Shelf()
        let tracks = try await shelf.add([Shelf.Row(title: "One"), Shelf.Row(title: "Two")])
        let ada = try await shelf.signUp("ada")
        let listener = try await shelf.listener(ada.uid)
        for track in tracks { _ = try await shelf.library.likes.set(true, .track, track, for: listener) }
        let export = try await shelf.model.accounts.export(ada)
        let likes = export.data["library"]?["likes"]?.array ?? []
        #expect(Set(likes.compactMap { $0["id"]?.string }) == Set(tracks.map(\.rawValue)))
        try await shelf.library.tables.music.write { db in
            let number: Int64? = try db.value("SELECT number FROM tracks WHERE id = \(tracks[0])")
            try TrackWriter.remove(number ?? 0, &db)
        }
        #expect(try await shelf.library.finder.likes(LikeList(), for: listener).count == 1)
        try await shelf.model.accounts.remove(ada, code: export.code)
        let rows = try await shelf.library.tables.music.read { db in try db.count(TrackOpinionRecord.self) }
        #expect(rows == 0)
        await shelf.close()
    }

    @Test func `playlists are liked by whom they are shown to, and are a gap when they are private again`() async throws
    {
        let shelf = try await Shelf()
        let (ada, bob) = (try await shelf.signUp("ada").uid, try await shelf.signUp("bob").uid)
        let (adas, bobs) = (try await shelf.listener(ada), try await shelf.listener(bob))
        let (library, likes) = (shelf.library, shelf.library.likes)
        let list = try await library.playlists.create(PlaylistCreate(title: "Walks", visibility: .public), by: adas).id
        let hidden = try await library.playlists.create(PlaylistCreate(title: "Mine", visibility: .private), by: adas)
            .id
        _ = try await likes.set(true, .playlist, list, for: bobs)
        _ = try await likes.rate(4, .playlist, list, for: bobs)
        #expect(await refusal { try await likes.set(true, .playlist, hidden, for: bobs) } == .playlistNotFound)
        _ = try await likes.set(true, .playlist, hidden, for: adas)
        let page = try await library.finder.likes(LikeList(kind: .playlist), for: bobs)
        #expect(page.likes.map { $0.playlist?.title } == ["Walks"])
        #expect(page.likes[0].playlist?.isLiked == true && page.likes[0].playlist?.rating == 4)
        try await library.tables.music.write { db in
            _ = try db.execute("UPDATE playlists SET visibility = 'private' WHERE id = \(list)")
        }
        let later = try await library.finder.likes(LikeList(kind: .playlist), for: bobs)
        #expect(later.likes.map(\.id) == [list] && later.likes[0].playlist == nil)
        _ = try await likes.rate(nil, .playlist, list, for: bobs)
        _ = try await likes.set(false, .playlist, list, for: bobs)
        #expect(await refusal { try await likes.set(true, .playlist, list, for: bobs) } == .playlistNotFound)
        #expect(
            try await library.finder.likes(LikeList(kind: .playlist), for: adas).likes.map { $0.playlist?.title } == [
                "Mine"
            ])
        await shelf.close()
    }
}
