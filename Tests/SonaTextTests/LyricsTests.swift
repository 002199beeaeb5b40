import Testing

@testable import SonaText

/// Words of songs as programs write them, well or badly.
@Suite struct LyricsTests {
    /// A text, and the lines that are read of it.
    struct Vector: Sendable, CustomTestStringConvertible {
        let about: String
        let text: String
        let lines: [Lyrics.Line]

        init(_ about: String, _ text: String, _ lines: [(Int64, String)]) {
            self.about = about
            self.text = text
            self.lines = lines.map { Lyrics.Line($0.0, $0.1) }
        }

        var testDescription: String { about }
    }

    static let synced: [Vector] = [
        Vector("hundredths", "[00:01.50]One\n[01:02.03]Two", [(1_500, "One"), (62_030, "Two")]),
        Vector(
            "no fraction, a tenth, thousandths", "[00:01]a\n[00:02.5]b\n[00:03.456]c",
            [(1_000, "a"), (2_500, "b"), (3_456, "c")]),
        Vector("hundredths after a colon", "[00:01:50]a", [(1_500, "a")]),
        Vector("a comma", "[00:01,50]a", [(1_500, "a")]),
        Vector("hours", "[01:00:01.50]a", [(3_601_500, "a")]),
        Vector("minutes past an hour", "[75:00.00]a", [(4_500_000, "a")]),
        Vector("CRLF", "[00:01.00]a\r\n\r\n[00:02.00]b\r\n", [(1_000, "a"), (2_000, "b")]),
        Vector("CR alone", "[00:01.00]a\r[00:02.00]b", [(1_000, "a"), (2_000, "b")]),
        Vector("a mark of byte order", "\u{FEFF}[00:01.00]a", [(1_000, "a")]),
        Vector(
            "spaces before, between and after", "  [00:01.00] [00:03.00]  a b \n[00:02.00]\tc",
            [(1_000, "a b"), (2_000, "c"), (3_000, "a b")]),
        Vector(
            "several times, out of order", "[00:05.00][00:01.00]Chorus\n[00:03.00]Verse",
            [(1_000, "Chorus"), (3_000, "Verse"), (5_000, "Chorus")]),
        Vector("tags", "[ar:Ada]\n[ti:Harbour]\n[length: 03:12]\n[00:01.00]a", [(1_000, "a")]),
        Vector("an offset comes earlier", "[offset:+500]\n[00:01.00]a\n[00:00.20]b", [(0, "b"), (500, "a")]),
        Vector("a negative offset at the end", "[00:01.00]a\n[offset: -250]", [(1_250, "a")]),
        Vector("an offset that is none", "[offset:soon]\n[00:01.00]a", [(1_000, "a")]),
        Vector("an offset past all sense", "[offset:99999999]\n[00:01.00]a", [(1_000, "a")]),
        Vector(
            "times of words", "[00:01.00]<00:01.00>Hush <00:01.40> now<00:01.80>, x < 3", [(1_000, "Hush now, x < 3")]),
        Vector("a pause", "[00:01.00]a\n[00:02.00]\n[00:03.00]b", [(1_000, "a"), (2_000, ""), (3_000, "b")]),
        Vector(
            "a translation at the same time", "[00:01.00]Hafen\n[00:01.00]Harbour",
            [(1_000, "Hafen"), (1_000, "Harbour")]),
        Vector("lines without a time", "Harbour\nby Ada\n[00:01.00]a\nnote", [(1_000, "a")]),
        Vector("brackets in the words", "[00:01.00][Chorus] a [x]", [(1_000, "[Chorus] a [x]")]),
        Vector("a time that is none", "[00:01.00]a\n[00:75.00]b\n[xx:yy]c\n[00:02.]d\n[1]e\n[:]f", [(1_000, "a")]),
        Vector("an unclosed bracket", "[00:01.00]a\n[00:02.00 b", [(1_000, "a")]),
        Vector("numbers too large", "[99999999999999999999:00.00]a\n[9999:00.00]b\n[00:01.00]c", [(1_000, "c")]),
        Vector("controls and marks of direction", "[00:01.00]a\u{7}\u{202E}b\u{0085}c", [(1_000, "a b c")]),
    ]

    @Test(arguments: synced) func `lines with times are read`(vector: Vector) {
        #expect(Lyrics(vector.text)?.words == .synced(vector.lines))
    }

    @Test(arguments: [
        ("One\nTwo", "One\nTwo"), ("\r\n\r\nOne\r\n\r\nTwo \r\n\r\n", "One\n\nTwo"), ("[Chorus]\nOne", "[Chorus]\nOne"),
        ("[ar:Ada]\n[by:Bob]\nOne", "One"), ("10:20 in the morning", "10:20 in the morning"),
    ])
    func `a text without times stays a text`(text: String, plain: String) {
        #expect(Lyrics(text)?.words == .plain(plain))
    }

    @Test(arguments: ["", " \n\r\n\t", "[ar:Ada]\n[offset:20]", "[00:01.00]\n[00:02.00] ", "\0", "[00:01.00]\u{202E}"])
    func `a text without words is none`(text: String) {
        #expect(Lyrics(text) == nil)
    }

    @Test func `bytes are UTF-8, UTF-16 with a mark, or Windows-1252`() {
        let text = "[00:01.00]Łódź 東京 é"
        let line = Lyrics.Words.synced([Lyrics.Line(1_000, "Łódź 東京 é")])
        #expect(Lyrics(bytes: Array(text.utf8))?.words == line)
        #expect(Lyrics(bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8))?.words == line)
        let units = Array(text.utf16)
        #expect(Lyrics(bytes: [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })?.words == line)
        #expect(Lyrics(bytes: [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })?.words == line)
        let old = Array("[00:01.00]caf".utf8) + [0xE9, 0x20, 0x80]
        #expect(Lyrics(bytes: old)?.words == .synced([Lyrics.Line(1_000, "café €")]))
        #expect(Lyrics(bytes: []) == nil)
        #expect(Lyrics(bytes: [0xFF, 0xFE, 0x41]) == nil)
    }

    @Test func `what is too long is cut at lines, at bytes and between characters`() {
        let many = (0..<3_000).map { "[00:00.00]\($0)" }.joined(separator: "\n")
        guard case .synced(let lines) = Lyrics(many)?.words else { return #expect(Bool(false)) }
        #expect(lines.count == Lyrics.linesMax && lines.last?.text == "1999")
        let long = Lyrics("[00:01.00]" + String(repeating: "é", count: 400))
        #expect(long?.words == .synced([Lyrics.Line(1_000, String(repeating: "é", count: 250))]))
        let file = Array(String(repeating: "東京\n", count: 20_000).utf8)
        guard case .plain(let text) = Lyrics(bytes: file)?.words else { return #expect(Bool(false)) }
        #expect(text.utf8.count <= Lyrics.bytesMax && !text.contains("\u{FFFD}"))
    }

    /// Whatever the bytes are, reading ends, in time and within bounds. The generator is seeded.
    @Test func `random bytes are read without harm`() {
        var state: UInt64 = 0x5EED
        let alphabet = Array("[]<>:.,0123456789 \r\noffset\u{7F}".utf8) + [0xFF, 0xFE, 0xC3, 0xA9]
        for _ in 0..<2_000 {
            let bytes = (0..<200).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return alphabet[Int(state >> 33) % alphabet.count]
            }
            if case .synced(let lines) = Lyrics(bytes: bytes)?.words {
                #expect(lines.allSatisfy { (0...Lyrics.millisecondsMax + 90_000).contains($0.milliseconds) })
                #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.milliseconds <= $1.milliseconds })
            }
        }
    }
}
