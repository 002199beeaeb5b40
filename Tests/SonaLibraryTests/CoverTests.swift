import SonaImages
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Covers out of files and beside them.
@Suite struct CoverTests {
    /// Makes a PNG of one colour.
    private func picture(_ shelf: Shelf, _ path: String, _ color: String) throws {
        try shelf.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=\(color):size=200x200", "-frames:v", "1",
                shelf.folder.file(path),
            ])
    }

    @Test func `the picture in the file comes first, then that of the directory`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a/plain.flac", pitch: 300, ["title": "Plain"])
        try shelf.make("Music/b/none.flac", pitch: 301, ["title": "None"])
        try picture(shelf, "Music/a/Folder.PNG", "red")
        try picture(shelf, "Music/a/cover.png", "blue")
        try shelf.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-i", shelf.folder.file("Music/a/plain.flac"), "-i",
                shelf.folder.file("Music/a/Folder.PNG"), "-map", "0", "-map", "1", "-c:a", "copy", "-metadata",
                "title=Embedded", "-disposition:v", "attached_pic", shelf.folder.file("Music/b/embedded.flac"),
            ])
        try await shelf.scan()
        let tracks = try await shelf.tracks()
        #expect(tracks.map { "\($0.title) \($0.hasCover)" } == ["Embedded true", "None false", "Plain true"])
        let listener = try await shelf.listener(UserID("somebody"))
        func cover(_ title: String, _ size: PhotoSize) async throws -> CoverStore.Cover {
            let track = try #require(tracks.first { $0.title == title })
            return try await shelf.library.covers.cover(of: track.id, size, for: listener)
        }
        let (embedded, beside) = (try await cover("Embedded", .small), try await cover("Plain", .small))
        #expect(embedded.bytes.prefix(4).elementsEqual("RIFF".utf8))
        #expect(embedded.bytes != beside.bytes, "red, and blue: cover.png before folder.png")
        #expect(try await cover("Embedded", .full).bytes != embedded.bytes)
        let again = try await cover("Embedded", .small)
        #expect((again.bytes, again.tag) == (embedded.bytes, embedded.tag))
        await #expect(throws: Refusal(.trackNoCover)) { try await cover("None", .full) }
        await #expect(throws: Refusal(.trackNotFound)) {
            try await shelf.library.covers.cover(of: .random(milliseconds: 1), .full, for: listener)
        }
        // Another picture has another tag.
        try picture(shelf, "Music/a/cover.png", "green")
        #expect(try await cover("Plain", .small).tag != beside.tag)
        await shelf.close()
    }

    @Test func `a picture that can't be read is no cover`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a/1.flac", ["title": "One"])
        shelf.write(Array("GIF89a".utf8), "Music/a/cover.jpg")
        try await shelf.scan()
        let track = try #require(try await shelf.tracks().first)
        for _ in 0..<2 {
            await #expect(throws: Refusal(.trackNoCover)) {
                try await shelf.library.covers.cover(of: track.id, .full, for: shelf.curator)
            }
        }
        await shelf.close()
    }
}
