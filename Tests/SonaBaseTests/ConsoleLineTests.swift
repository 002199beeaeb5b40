import Glibc
import SonaBase
import SonaTestSupport
import Testing

struct ConsoleLineTests {
    @Test func `a line is written with its end, and a reader that is gone is noticed`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("lines")
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(ConsoleLine.write(to: file, "first"))
        #expect(ConsoleLine.write(to: file, ""))
        close(file)
        #expect(try WholeFile.read(path) == Array("first\n\n".utf8))
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(!ConsoleLine.write(to: full, "lost"))
    }

    @Test func `a file is not a terminal and counts as 79 columns wide`() {
        let file = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(!ConsoleLine.isInteractive(file))
        #expect(ConsoleLine.columns(file) == 79)
    }

    @Test func `a line may fill all columns of a terminal but one`() throws {
        let (master, terminal) = try Self.terminal(columns: 120)
        defer { [master, terminal].forEach { close($0) } }
        #expect(ConsoleLine.columns(terminal) == 119)
    }

    @Test func `control characters for terminals are not printed`() {
        let spoken = ["\u{1B}[2J", "\u{7}", "\u{9B}31m", "\r", "\n", "\t", "\0", "\u{7F}", "\u{85}"]
        let turned = ["\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{2028}", "\u{2029}"]
        for text in spoken + turned {
            let shown = ConsoleLine.printable("a\(text)b")
            #expect(shown == "a " + text.unicodeScalars.dropFirst().map { String($0) }.joined() + "b")
        }
        #expect(ConsoleLine.printable("\u{202A}\u{1B}\u{2069}") == "   ")
    }

    @Test(arguments: ["plain", "Grüße, 東京", "👨‍👩‍👧 and 🏳️‍🌈", "نمی‌خواهم", "e\u{301}", ""])
    func `letters, joiners and emoji stay`(text: String) { #expect(ConsoleLine.printable(text) == text) }

    @Test func `a variable that is empty counts as absent`() {
        setenv("SONA_BASE_TEST", "x", 1)
        #expect(Environment["SONA_BASE_TEST"] == "x")
        setenv("SONA_BASE_TEST", "", 1)
        #expect(Environment["SONA_BASE_TEST"] == nil)
        unsetenv("SONA_BASE_TEST")
        #expect(Environment["SONA_BASE_TEST"] == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_288_972_999, "2026-11-21T19:22:52Z"), (-1000, "1969-12-31T23:59:59Z"),
            (253_402_300_799_000, "9999-12-31T23:59:59Z"), (.max, "292278994-08-17T07:12:55Z"),
        ] as [(Int64, String)])
    func `a time is written as RFC 3339 has it`(milliseconds: Int64, text: String) {
        #expect(UTC.text(milliseconds: milliseconds) == text)
    }

    private static func terminal(columns: UInt16) throws -> (Int32, Int32) {
        // As pts(4) has it: TIOCSPTLCK unlocks, TIOCGPTN tells the number. Swift sees neither them nor posix_openpt.
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, lock): (Int32, Int32) = (0, 0)
        try #require(ioctl(master, 0x4004_5431, &lock) == 0)
        try #require(ioctl(master, 0x8004_5430, &number) == 0)
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
        return (master, terminal)
    }
}
