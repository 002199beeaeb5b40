import SonaCrypto
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

extension Shelf {
    /// Makes a picture of one colour.
    func picture(_ path: String, _ color: String) throws {
        try run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=\(color):size=300x200", "-frames:v", "1",
                folder.file(path),
            ])
    }

    /// The cover of a track, fetched by its path.
    func cover(_ cover: MusicCover?, _ size: CoverSize = .small) async throws -> CoverStore.Cover {
        let path = try #require(cover?.path)
        #expect(path.hasPrefix(Limits.coversPathPrefix))
        return try await library.covers.cover(String(path.dropFirst(Limits.coversPathPrefix.count)), size)
    }

    /// Waits for the job that finds colours.
    func colors() async throws -> [String: HexColor?] {
        for _ in 0..<400 {
            let jobs = library.jobs.figures
            if jobs[.queued, default: 0] + jobs[.running, default: 0] == 0 { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        return Dictionary(uniqueKeysWithValues: try await tracks().map { ($0.title, $0.cover?.color) })
    }
}

/// Covers out of files and beside them, by the keys that lists show.
@Suite struct CoverTests {
    /// One track with a blue picture beside it, one with a red one inside, one without.
    private func shelf() async throws -> Shelf {
        let shelf = try await Shelf()
        try shelf.make("Music/a/plain.flac", pitch: 300, ["title": "Plain", "album": "A", "artist": "Ada"])
        try shelf.make("Music/b/none.flac", pitch: 301, ["title": "None", "genre": "Jazz"])
        try shelf.picture("Music/a/Folder.PNG", "red")
        try shelf.picture("Music/a/cover.png", "blue")
        try shelf.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-i", shelf.folder.file("Music/a/plain.flac"), "-i",
                shelf.folder.file("Music/a/Folder.PNG"), "-map", "0", "-map", "1", "-c:a", "copy", "-metadata",
                "title=Embedded", "-disposition:v", "attached_pic", shelf.folder.file("Music/b/embedded.flac"),
            ])
        try await shelf.scan()
        return shelf
    }

    private func track(_ title: String, _ shelf: Shelf) async throws -> MusicTrack {
        try #require(try await shelf.tracks().first { $0.title == title })
    }

    @Test func `the picture in the file comes first, then that of the directory`() async throws {
        let shelf = try await shelf()
        let tracks = try await shelf.tracks()
        #expect(tracks.map { "\($0.title) \($0.cover != nil)" } == ["Embedded true", "None false", "Plain true"])
        let (inside, next) = (try await track("Embedded", shelf).cover, try await track("Plain", shelf).cover)
        let (embedded, beside) = (try await shelf.cover(inside), try await shelf.cover(next))
        #expect(embedded.bytes.prefix(4).elementsEqual("RIFF".utf8) && embedded.isLasting && beside.isLasting)
        #expect(embedded.bytes != beside.bytes, "red, and blue: cover.png before folder.png")
        let sizes = try await CoverSize.allCases.asyncMap { try await shelf.cover(next, $0).bytes.count }
        #expect(Set(sizes).count == 3)
        let again = try await shelf.cover(inside)
        #expect((again.bytes, again.tag) == (embedded.bytes, embedded.tag))
        await shelf.close()
    }

    @Test func `albums, artists and genres have the cover of a track`() async throws {
        let shelf = try await shelf()
        let listener = try await shelf.listener(UserID("somebody"))
        func page(_ kind: LibraryKind) async throws -> LibraryPage {
            try await shelf.library.finder.list(LibraryList(kind: kind), for: listener)
        }
        let (inside, next) = (try await track("Embedded", shelf).cover, try await track("Plain", shelf).cover)
        let albums = try await page(.albums).albums
        #expect(!albums.isEmpty && albums.allSatisfy { $0.cover == inside || $0.cover == next })
        #expect(try await page(.artists).artists.map { [inside, next].contains($0.cover) } == [true])
        #expect(try await page(.genres).genres.map(\.cover) == [nil], "its only track has none")
        // What was heard most shows the artist.
        let (heard, other) = (try await track("Plain", shelf).id, next)
        try await shelf.library.tables.music.write { db in
            try db.execute("UPDATE tracks SET plays = 3 WHERE id = \(heard)")
        }
        #expect(try await page(.artists).artists.map(\.cover) == [other])
        await shelf.close()
    }

    @Test func `colours are found by a job, and again for another picture`() async throws {
        let shelf = try await shelf()
        let colors = try await shelf.colors()
        let (red, blue) = (try #require(colors["Embedded"] ?? nil), try #require(colors["Plain"] ?? nil))
        #expect(red.rawValue.hasPrefix("#f") && blue.rawValue.hasSuffix("fe") || blue.rawValue.hasSuffix("ff"))
        #expect(colors["None"] == .some(nil))
        let before = try await track("Plain", shelf).cover
        try shelf.picture("Music/a/cover.png", "green")
        // Until it is scanned, the picture is another one than the key says: nobody may keep it.
        #expect(try await shelf.cover(before).isLasting == false)
        try await shelf.scan()
        await #expect(throws: Refusal(.trackNoCover)) { try await shelf.cover(before) }
        let after = try await track("Plain", shelf).cover
        #expect(try await shelf.cover(after).isLasting)
        let green = try #require(try await shelf.colors()["Plain"] ?? nil)
        #expect(green != blue)
        await shelf.close()
    }

    @Test func `a key opens one picture, and ends with its track`() async throws {
        let shelf = try await shelf()
        let cover = try await track("Embedded", shelf).cover
        let key = String(try #require(cover?.path).dropFirst(Limits.coversPathPrefix.count))
        let other = String(
            try #require(try await track("Plain", shelf).cover?.path).dropFirst(Limits.coversPathPrefix.count))
        var wrong = ["", key + "A", String(key.dropLast()), key.lowercased()]
        wrong.append(String(key.prefix(MusicID.count)))
        wrong.append(String(key.prefix(MusicID.count)) + String(other.dropFirst(MusicID.count)))
        wrong.append(String(key.dropLast()) + (key.last == "A" ? "B" : "A"))
        wrong.append(MusicID.random(milliseconds: 1).rawValue + String(key.dropFirst(MusicID.count)))
        for key in wrong {
            await #expect(throws: Refusal(.trackNoCover), "\(key)") {
                try await shelf.library.covers.cover(key, .small)
            }
        }
        _ = try await shelf.cover(cover)
        shelf.remove("Music/b/embedded.flac")
        try await shelf.scan()
        await #expect(throws: Refusal(.trackNoCover)) { try await shelf.cover(cover) }
        await shelf.close()
    }

    @Test func `a key that was shown to all ends when the upload is theirs no more`() async throws {
        let shelf = try await shelf()
        let bytes = try shelf.bytes("Music/b/embedded.flac")
        let ada = try await shelf.signUp("ada")
        let id = try await shelf.upload(bytes, by: ada.uid).track
        func cover() async throws -> MusicCover? {
            try await shelf.library.finder.track(id, for: try await shelf.library.listener(for: ada)).cover
        }
        func setStatus(_ status: String, _ scope: Int64) async throws {
            try await shelf.library.tables.music.write { db in
                try db.execute("UPDATE tracks SET status = \(status), scope = \(scope) WHERE id = \(id)")
            }
        }
        try await setStatus("approved", TrackScope.approved)
        let shown = try await cover()
        _ = try await shelf.cover(shown)
        try await setStatus("rejected", TrackScope.own)
        await #expect(throws: Refusal(.trackNoCover)) { try await shelf.cover(shown) }
        _ = try await shelf.cover(try await cover())
        await shelf.close()
    }

    @Test func `a picture that can't be read is no cover`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a/1.flac", ["title": "One"])
        shelf.write(Array("GIF89a".utf8), "Music/a/cover.jpg")
        try await shelf.scan()
        let cover = try await track("One", shelf).cover
        for _ in 0..<2 {
            await #expect(throws: Refusal(.trackNoCover)) { try await shelf.cover(cover, .full) }
        }
        #expect(try await shelf.colors() == ["One": nil])
        await shelf.close()
    }

    @Test func `covers of a library of before are found again by a scan`() async throws {
        let shelf = try await shelf()
        _ = try await shelf.colors()
        // As the migration leaves it.
        try await shelf.library.tables.music.write { db in
            try db.execute("UPDATE music_directories SET cover_modified_ns = NULL, cover_color = NULL")
            try db.execute("UPDATE music_files SET cover_color = NULL")
        }
        #expect(try await shelf.cover(try await track("Plain", shelf).cover).isLasting == false)
        try await shelf.scan()
        let colors = try await shelf.colors()
        #expect((colors["Plain"] ?? nil) != nil && (colors["Embedded"] ?? nil) != nil)
        #expect(try await shelf.cover(try await track("Plain", shelf).cover).isLasting)
        await shelf.close()
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
