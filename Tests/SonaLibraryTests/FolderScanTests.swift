import Glibc
import SonaBase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// What a scan finds in a folder, on real files.
@Suite struct FolderScanTests {
    @Test func `files of several formats become tracks with artists, album and genres`() async throws {
        let shelf = try await Shelf()
        try shelf.make(
            "Music/Ada/First/1.mp3", pitch: 300,
            [
                "title": "Łódź nocą", "artist": "Ada; Björk", "album": "First", "track": "1/2",
                "genre": "Jazz; Ambient",
                "date": "1999-05-01",
            ])
        try shelf.make("Music/Ada/First/2.flac", pitch: 310, ["title": "東京物語", "artist": "Ada", "album": "First"])
        try shelf.make("Music/loose.opus", pitch: 320)
        let folder = try #require(try await shelf.scan().first)
        #expect(folder.trackCount == 3)
        #expect(folder.failure == nil)
        #expect(folder.scan?.added == 3)
        let tracks = try await shelf.tracks()
        #expect(tracks.map(\.title) == ["Łódź nocą", "loose", "東京物語"])
        let first = tracks[0]
        #expect(first.artists.map(\.name) == ["Ada", "Björk"])
        #expect(first.genres.map(\.name) == ["Jazz", "Ambient"])
        #expect(first.year == 1999)
        #expect(first.place == 1)
        #expect(first.kind == "mp3")
        #expect(first.durationMilliseconds > 200)
        #expect(first.album?.name == "First")
        #expect(tracks[1].artists.isEmpty)
        #expect(tracks[1].album == nil)
        let album = try await shelf.library.finder.album(
            try #require(first.album).id, for: try await shelf.listener(UserID("somebody")))
        #expect(album.tracks.map(\.title) == ["東京物語", "Łódź nocą"], "a track without a place is first")
        #expect(album.album.artists.isEmpty, "Ada & Björk, and Ada: an album of various artists")
        await shelf.close()
    }

    @Test func `a second scan of the same files writes nothing`() async throws {
        let shelf = try await Shelf()
        for number in 1...5 { try shelf.make("Music/a/\(number).mp3", pitch: 200 + number) }
        try await shelf.scan()
        let before = try await shelf.tracks()
        let scan = try #require(try await shelf.scan().first?.scan)
        #expect(scan.files == 5)
        #expect((scan.added, scan.changed, scan.moved, scan.missing) == (0, 0, 0, 0))
        // Loudness and colour come in the background.
        let after = try await shelf.tracks()
        #expect(after.map { [$0.id.rawValue, $0.title] } == before.map { [$0.id.rawValue, $0.title] })
        await shelf.close()
    }

    @Test func `a file that is moved, renamed and tagged anew keeps its identifier`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/old/a.mp3", pitch: 400, ["title": "Before", "artist": "Ada"], seconds: 2)
        try shelf.make("Music/old/b.mp3", pitch: 500, ["title": "Other"], seconds: 2)
        try await shelf.scan()
        let before = try await shelf.tracks()
        shelf.rename("Music/old/a.mp3", "Music/new/c.mp3")
        // The sound stays as it is; only the tag before it differs.
        let file = try #require(TemporaryFolder.bytes(ofFile: shelf.folder.file("Music/new/c.mp3")))
        let sound = file.dropFirst(10 + file[6..<10].reduce(0) { $0 << 7 | Int($1) })
        let title = [0x03] + Array("After".utf8)
        let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(title.count), 0, 0] + title
        shelf.write(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame + sound, "Music/new/d.mp3")
        shelf.remove("Music/new/c.mp3")
        let scan = try #require(try await shelf.scan().first?.scan)
        let after = try await shelf.tracks()
        #expect(after.map(\.title).sorted() == ["After", "Other"])
        #expect(after.first { $0.title == "After" }?.id == before.first { $0.title == "Before" }?.id)
        #expect((scan.added, scan.moved, scan.missing) == (0, 1, 0))
        await shelf.close()
    }

    @Test func `a copy is a track of its own`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a.flac", ["title": "One"])
        try await shelf.scan()
        try shelf.run("cp", [shelf.folder.file("Music/a.flac"), shelf.folder.file("Music/b.flac")])
        let scan = try #require(try await shelf.scan().first?.scan)
        #expect((scan.added, scan.moved) == (1, 0))
        #expect(try await shelf.tracks().count == 2)
        await shelf.close()
    }

    @Test func `a changed file is read again, and edits stay`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a.mp3", ["title": "Old", "artist": "Ada", "album": "One"])
        try await shelf.scan()
        let track = try #require(try await shelf.tracks().first)
        try await shelf.library.tracks.update(
            TrackUpdate(track: track.id, title: "Mine", genres: ["Noise"]), by: nil)
        let edited = try #require(try await shelf.tracks().first)
        #expect((edited.title, edited.isEdited) == ("Mine", true))
        #expect(edited.genres.map(\.name) == ["Noise"])
        try shelf.make("Music/a.mp3", pitch: 700, ["title": "New", "artist": "Bob", "album": "Two"], seconds: 1)
        let scan = try #require(try await shelf.scan().first?.scan)
        #expect(scan.changed == 1)
        let after = try #require(try await shelf.tracks().first)
        #expect(after.id == track.id)
        #expect((after.title, after.artists.map(\.name), after.album?.name) == ("Mine", ["Bob"], "Two"))
        try await shelf.library.tracks.update(TrackUpdate(track: track.id, reset: ["title", "genres"]), by: nil)
        let reset = try #require(try await shelf.tracks().first)
        #expect((reset.title, reset.isEdited, reset.genres) == ("New", false, []))
        await shelf.close()
    }

    @Test func `a file that vanishes is not listed, and comes back as the same track`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a/1.mp3", pitch: 300, ["title": "Stays"])
        try shelf.make("Music/a/2.mp3", pitch: 301, ["title": "Goes"])
        try await shelf.scan()
        let before = try #require(try await shelf.tracks().first { $0.title == "Goes" })
        shelf.rename("Music/a/2.mp3", "elsewhere.mp3")
        var folder = try #require(try await shelf.scan().first)
        #expect((folder.scan?.missing, folder.missingCount, folder.trackCount) == (1, 1, 1))
        #expect(try await shelf.tracks().map(\.title) == ["Stays"])
        #expect(try await shelf.search("goes").tracks.isEmpty)
        await #expect(throws: Refusal(.trackNotFound)) {
            try await shelf.library.tracks.open(before.id, for: try await shelf.listener(UserID("somebody")))
        }
        shelf.rename("elsewhere.mp3", "Music/a/2.mp3")
        folder = try #require(try await shelf.scan().first)
        #expect(folder.missingCount == 0)
        #expect(try await shelf.tracks().first { $0.title == "Goes" }?.id == before.id)
        await shelf.close()
    }

    @Test func `missing files are forgotten after thirty days`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a/1.mp3", pitch: 300, ["title": "Stays", "album": "A", "artist": "Ada"])
        try shelf.make("Music/a/2.mp3", pitch: 301, ["title": "Goes", "album": "B", "artist": "Bob"])
        try await shelf.scan()
        shelf.remove("Music/a/2.mp3")
        try await shelf.scan()
        shelf.ahead.withLock { $0 += 29 * 86_400_000 }
        #expect(try await shelf.library.tidy() == 0)
        shelf.ahead.withLock { $0 += 2 * 86_400_000 }
        #expect(try await shelf.library.tidy() > 0)
        let albums = try await shelf.library.finder.list(LibraryList(kind: .albums), for: shelf.administrator).albums
        #expect(albums.map(\.name) == ["A"])
        let artists = try await shelf.library.finder.list(LibraryList(kind: .artists), for: shelf.administrator).artists
        #expect(artists.map(\.name) == ["Ada"])
        #expect(try await shelf.library.folders.list().first?.missingCount == 0)
        await shelf.close()
    }

    @Test func `a folder that is suddenly empty loses nothing`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/1.mp3", ["title": "One"])
        try await shelf.scan()
        shelf.rename("Music/1.mp3", "1.mp3")
        let folder = try #require(try await shelf.scan().first)
        #expect(folder.failure?.contains("empty") == true)
        #expect(folder.missingCount == 0)
        #expect(try await shelf.tracks().count == 1)
        await shelf.close()
    }

    @Test func `a file that is being written waits until it is quiet`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/done.mp3", pitch: 300, ["title": "Done"])
        shelf.ahead.withLock { $0 = 60_000 }
        try await shelf.scan()
        shelf.ahead.withLock { $0 = 0 }
        try shelf.make("Music/fresh.mp3", pitch: 301, ["title": "Fresh"])
        let start = ContinuousClock.now
        try await shelf.scan()
        #expect(ContinuousClock.now - start > .seconds(1))
        #expect(try await shelf.tracks().map(\.title) == ["Done", "Fresh"])
        await shelf.close()
    }

    @Test func `files that are no sound are listed with the reason, and open nothing else`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/good.mp3", ["title": "Good"])
        shelf.write(Array("#EXTM3U\n/etc/passwd\nhttp://127.0.0.1:1/x.mp3\n".utf8), "Music/list.mp3")
        shelf.write([], "Music/empty.flac")
        shelf.write(Array("ffconcat version 1.0\nfile '/etc/passwd'\n".utf8), "Music/concat.ogg")
        shelf.write(Array("outside".utf8), "secret.mp3")
        #expect(symlink(shelf.folder.file("secret.mp3"), shelf.folder.file("Music/link.mp3")) == 0)
        #expect(symlink("..", shelf.folder.file("Music/up")) == 0)
        #expect(symlink("good.mp3", shelf.folder.file("Music/alias.mp3")) == 0)
        #expect(mkfifo(shelf.folder.file("Music/pipe.mp3"), 0o600) == 0)
        let folder = try #require(try await shelf.scan().first)
        #expect(folder.failure == nil)
        let problems = try await shelf.library.folders.problems(limit: 100, cursor: nil).files
        #expect(
            Dictionary(uniqueKeysWithValues: problems.map { ($0.file, $0.problem) })
                == ["list.mp3": "not_sound", "empty.flac": "empty", "concat.ogg": "not_sound"])
        #expect(problems.allSatisfy { $0.folder == "Music" })
        #expect(try await shelf.tracks().map(\.title) == ["Good", "Good"], "the link within the folder is followed")
        await shelf.close()
    }

    @Test func `names that are no UTF-8, hidden and ignored files`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/plain.mp3", pitch: 300)
        try shelf.make("Music/.hidden.mp3", pitch: 301)
        try shelf.make("Music/skip/a.mp3", pitch: 302)
        try shelf.make("Music/all/b.mp3", pitch: 303)
        try shelf.make("Music/quiet/c.mp3", pitch: 304)
        shelf.write([], "Music/all/.sonaignore")
        shelf.write([], "Music/quiet/.nomedia")
        shelf.write(Array("# not these\nskip/\n*.tmp.mp3\n".utf8), "Music/.sonaignore")
        try shelf.make("Music/half.tmp.mp3", pitch: 305)
        let bytes = Array(shelf.folder.file("Music/").utf8) + [0x62, 0xFF, 0x2E, 0x6D, 0x70, 0x33]
        #expect(
            Glibc.rename(shelf.folder.file("Music/plain.mp3"), bytes.map { CChar(bitPattern: $0) } + [0]) == 0)
        try await shelf.scan()
        #expect(try await shelf.tracks().map(\.title) == ["b\u{FFFD}"])
        let track = try #require(try await shelf.tracks().first)
        let open = try await shelf.library.tracks.open(track.id, for: shelf.administrator)
        close(open.descriptor)
        await shelf.close()
    }

    @Test func `discs of one album, a compilation, and two albums of one name`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/x/CD 1/1.mp3", pitch: 300, ["title": "a", "artist": "Ada", "album": "Hits"])
        try shelf.make("Music/x/CD 2/1.mp3", pitch: 301, ["title": "b", "artist": "Ada", "album": "Hits"])
        try shelf.make("Music/y/1.mp3", pitch: 302, ["title": "c", "artist": "Bob", "album": "Hits"])
        try shelf.make(
            "Music/z/1.flac", pitch: 303,
            ["title": "d", "artist": "Cy", "album": "Mix", "album_artist": "Various Artists"])
        try shelf.make(
            "Music/z/2.flac", pitch: 304,
            ["title": "e", "artist": "Di", "album": "Mix", "album_artist": "Various Artists"])
        try await shelf.scan()
        let albums = try await shelf.library.finder.list(LibraryList(kind: .albums), for: shelf.administrator).albums
        #expect(albums.map(\.name) == ["Hits", "Hits", "Mix"])
        #expect(albums.map(\.trackCount).sorted() == [1, 2, 2])
        #expect(albums.map { $0.artists.map(\.name) }.contains(["Ada"]))
        await shelf.close()
    }

    @Test func `a scan can be cancelled, and goes on where it was`() async throws {
        let shelf = try await Shelf()
        for number in 1...8 { try shelf.make("Music/\(number).mp3", pitch: 300 + number) }
        try await shelf.library.folders.scan(nil)
        try await shelf.library.folders.cancel("Music")
        await shelf.library.folders.waitForScans()
        await #expect(throws: Refusal(.folderNotFound)) { try await shelf.library.folders.scan("Nothing") }
        try await shelf.scan()
        #expect(try await shelf.tracks().count == 8)
        await shelf.close()
    }
}
