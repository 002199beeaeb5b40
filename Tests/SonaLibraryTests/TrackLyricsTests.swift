import Glibc
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Words of tracks, as scans and uploads find them.
@Suite struct TrackLyricsTests {
    private func lyrics(_ shelf: Shelf, _ title: String, _ listener: Listener? = nil) async throws -> TrackLyricsResult
    {
        let track = try #require(try await shelf.tracks().first { $0.title == title })
        let asker = if let listener { listener } else { try await shelf.listener(UserID("somebody")) }
        return try await shelf.library.finder.lyrics(of: track.id, for: asker)
    }

    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    @Test func `words come from tags of each kind, with times where the text has them`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a.mp3", pitch: 300, ["title": "mp3", "lyrics": "First\nSecond"])
        try shelf.make("Music/b.flac", pitch: 310, ["title": "flac", "LYRICS": "[00:01.00]First\n[00:02.50]Second"])
        try shelf.make("Music/c.opus", pitch: 320, ["title": "opus", "UNSYNCEDLYRICS": "First"])
        try shelf.make("Music/d.m4a", pitch: 330, ["title": "m4a", "lyrics": "First\nSecond"])
        try shelf.make("Music/e.mp3", pitch: 340, ["title": "none"])
        try await shelf.scan()
        let kinds = Dictionary(uniqueKeysWithValues: try await shelf.tracks().map { ($0.title, $0.lyrics) })
        #expect(kinds == ["mp3": .plain, "flac": .synced, "opus": .plain, "m4a": .plain, "none": nil])
        for title in ["mp3", "m4a"] {
            #expect(try await lyrics(shelf, title) == TrackLyricsResult(text: "First\nSecond"))
        }
        #expect(try await lyrics(shelf, "opus") == TrackLyricsResult(text: "First"))
        let lines = [
            LyricsLine(atMilliseconds: 1_000, text: "First"), LyricsLine(atMilliseconds: 2_500, text: "Second"),
        ]
        #expect(try await lyrics(shelf, "flac") == TrackLyricsResult(lines: lines))
        #expect(await refusal { try await lyrics(shelf, "none") } == .trackNoLyrics)
        // Guests hear a preview: they are told nothing of the words.
        #expect(await refusal { try await lyrics(shelf, "mp3", try await shelf.listener()) } == .trackNoLyrics)
        let guests = try await shelf.library.finder.list(LibraryList(limit: 100), for: try await shelf.listener())
            .tracks
        #expect(guests.allSatisfy { $0.lyrics == nil })
        // Edits of tags leave the words alone, which are not among the tags that are kept.
        let mp3 = try #require(try await shelf.tracks().first { $0.title == "mp3" })
        try await shelf.library.tracks.update(TrackUpdate(track: mp3.id, title: "edited"), by: nil)
        #expect(try await lyrics(shelf, "edited").text == "First\nSecond")
        await shelf.close()
    }

    @Test func `a file beside the track goes before its tags, and is read again when it changes or goes`() async throws
    {
        let shelf = try await Shelf()
        try shelf.make("Music/a.mp3", pitch: 300, ["title": "a", "lyrics": "Of the tag"])
        try shelf.make("Music/b.flac", pitch: 310, ["title": "b"])
        shelf.write(Array("\u{FEFF}[00:01.00]Beside\r\n".utf8), "Music/a.lrc")
        shelf.write(Array("Plain beside".utf8), "Music/b.flac.lrc")
        shelf.write(Array("[00:01.00]".utf8), "Music/c.lrc")
        try await shelf.scan()
        #expect(try await lyrics(shelf, "a").lines == [LyricsLine(atMilliseconds: 1_000, text: "Beside")])
        #expect(try await lyrics(shelf, "b").text == "Plain beside")
        let before = try #require(try await shelf.tracks().first { $0.title == "a" })
        let still = try #require(try await shelf.scan().first?.scan)
        #expect((still.added, still.changed) == (0, 0), "nothing is read twice")
        usleep(20_000)
        shelf.write(Array("[00:02.00]Changed".utf8), "Music/a.lrc")
        try await shelf.scan()
        #expect(try await lyrics(shelf, "a").lines == [LyricsLine(atMilliseconds: 2_000, text: "Changed")])
        #expect(try await shelf.tracks().first { $0.title == "a" }?.id == before.id)
        shelf.remove("Music/a.lrc")
        shelf.remove("Music/b.flac.lrc")
        try await shelf.scan()
        #expect(try await lyrics(shelf, "a").text == "Of the tag")
        #expect(await refusal { try await lyrics(shelf, "b") } == .trackNoLyrics)
        await shelf.close()
    }

    /// A tag of ID3v2.4 with one frame.
    private func tag(_ name: String, _ body: [UInt8]) -> [UInt8] {
        func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }
        let frame = Array(name.utf8) + size(body.count) + [0, 0] + body
        return Array("ID3".utf8) + [4, 0, 0] + size(frame.count) + frame
    }

    /// A SYLT frame in UTF-8: pieces of text and their times, ms.
    private func tag(_ pieces: [(String, UInt32)]) -> [UInt8] {
        var body = [3] + Array("eng".utf8) + [2, 1, 0]
        for (text, time) in pieces { body += Array(text.utf8) + [0] + [24, 16, 8, 0].map { UInt8(time >> $0 & 0xFF) } }
        return tag("SYLT", body)
    }

    @Test func `words of ID3v2 are read whatever their description says`() async throws {
        let shelf = try await Shelf()
        for (name, about) in [("plain", ""), ("described", "Of the booklet")] {
            try shelf.make("raw/\(name).mp3", pitch: name == "plain" ? 300 : 320)
            let bytes = try shelf.bytes("raw/\(name).mp3")
            let body = [3] + Array("eng".utf8) + Array(about.utf8) + [0] + Array("First\nSecond".utf8)
            shelf.write(tag("USLT", body) + Array(bytes.dropFirst(Self.tagBytes(bytes))), "Music/\(name).mp3")
        }
        try await shelf.scan()
        for title in ["plain", "described"] { #expect(try await lyrics(shelf, title).text == "First\nSecond") }
        await shelf.close()
    }

    @Test func `words with times of ID3v2 are lines, or syllables between breaks`() async throws {
        let shelf = try await Shelf()
        for (name, pieces) in [
            ("lines", [("First", 1_000), ("Second", 61_500)]),
            ("syllables", [("\nFi", 1_000), ("rst", 1_200), ("\nSecond", 61_500)]),
        ] as [(String, [(String, UInt32)])] {
            try shelf.make("raw/\(name).mp3", pitch: name == "lines" ? 300 : 320)
            let bytes = try shelf.bytes("raw/\(name).mp3")
            shelf.write(tag(pieces) + Array(bytes.dropFirst(Self.tagBytes(bytes))), "Music/\(name).mp3")
        }
        try await shelf.scan()
        let lines = [
            LyricsLine(atMilliseconds: 1_000, text: "First"), LyricsLine(atMilliseconds: 61_500, text: "Second"),
        ]
        for title in ["lines", "syllables"] { #expect(try await lyrics(shelf, title).lines == lines) }
        await shelf.close()
    }

    /// The bytes of the ID3v2 tag at the beginning of a file.
    private static func tagBytes(_ bytes: [UInt8]) -> Int {
        guard bytes.starts(with: Array("ID3".utf8)) else { return 0 }
        return 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    }

    @Test func `an upload has the words of its tags, for its owner alone`() async throws {
        let shelf = try await Shelf()
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        try shelf.make("raw/song.flac", ["title": "song", "LYRICS": "[00:01.00]First"])
        let (track, _) = try await shelf.upload(try shelf.bytes("raw/song.flac"), by: ada.uid)
        let finder = shelf.library.finder
        let found = try await finder.lyrics(of: track, for: try await shelf.library.listener(for: ada))
        #expect(found.lines == [LyricsLine(atMilliseconds: 1_000, text: "First")])
        let bobs = try await shelf.library.listener(for: bob)
        #expect(await refusal { try await finder.lyrics(of: track, for: bobs) } == .trackNotFound)
        await shelf.close()
    }
}
