/// The words of a song: lines with their times, or a text without them.
///
/// Read from untrusted text: LRC as programs write it, or plain text. Bounds are on the bytes that are read, on lines and
/// on the bytes of a line; what is beyond them is left out.
public struct Lyrics: Sendable, Equatable {
    /// A line, and when it begins.
    public struct Line: Sendable, Equatable {
        /// From the beginning of the track.
        public var milliseconds: Int64
        /// Empty where nothing is sung.
        public var text: String

        public init(_ milliseconds: Int64, _ text: String) {
            self.milliseconds = milliseconds
            self.text = text
        }
    }

    public enum Words: Sendable, Equatable {
        /// In the order of their times.
        case synced([Line])
        /// Lines with `\n` between them.
        case plain(String)
    }

    public var words: Words

    public init(_ words: Words) { self.words = words }

    /// Bytes that are read of a file or tag.
    public static let bytesMax = 65_536
    public static let linesMax = 2_000
    static let lineBytesMax = 500
    static let millisecondsMax: Int64 = 86_400_000

    /// Reads LRC or plain text.
    ///
    /// - Returns: `nil` if no words are in it.
    public init?(_ text: String) {
        var reading = LRCReading()
        for line in LyricsLines.split(text) { reading.take(line) }
        guard let words = reading.words else { return nil }
        self.words = words
    }

    /// Reads the bytes of an LRC file: UTF-8, with or without a byte order mark; UTF-16 with one; else Windows-1252, as
    /// old programs write it.
    public init?(bytes: [UInt8]) {
        let bytes = bytes.prefix(Self.bytesMax)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittle = bytes[0] == 0xFF
            var units: [UInt16] = []
            for place in stride(from: 2, to: bytes.count - 1, by: 2) {
                let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
                units.append(isLittle ? second << 8 | first : first << 8 | second)
            }
            self.init(String(decoding: units, as: UTF16.self))
            return
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        // Too long a file may be cut within a character.
        let whole = body.count < Self.bytesMax - 3 ? body : body.dropLast(Self.cutBytes(body))
        if let text = String(validating: whole, as: UTF8.self) {
            self.init(text)
        } else {
            self.init(String(String.UnicodeScalarView(body.map(LyricsLines.windows1252))))
        }
    }

    /// The bytes at the end that are the beginning of a character.
    private static func cutBytes(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let lead = bytes.suffix(3).lastIndex(where: { $0 >= 0xC0 }) else { return 0 }
        let count = bytes.endIndex - lead
        let needed = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
        return count < needed ? count : 0
    }
}

/// Text taken apart into lines that can be shown.
enum LyricsLines {
    /// Lines that end in CRLF, LF or CR, at most `bytesMax` bytes of them.
    static func split(_ text: String) -> [Substring.UnicodeScalarView] {
        var bytes = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= Lyrics.bytesMax && scalar != "\0"
        }
        var lines: [Substring.UnicodeScalarView] = []
        var start = scalars.startIndex
        var place = start
        while place < scalars.endIndex {
            let scalar = scalars[place]
            let next = scalars.index(after: place)
            if scalar == "\n" || scalar == "\r" || scalar.value == 0x2028 || scalar.value == 0x2029 {
                lines.append(scalars[start..<place])
                let isPair = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
                start = isPair ? scalars.index(after: next) : next
                place = start
            } else {
                place = next
            }
        }
        lines.append(scalars[start...])
        return lines
    }

    /// A line without control characters, marks of order and spaces at its ends, cut between characters if it is too
    /// long.
    static func shown(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var line = String.UnicodeScalarView()
        var bytes = 0
        for scalar in scalars {
            let isSpace = scalar.value <= 0x20 || scalar.value == 0x85 || scalar.value == 0xA0
            if isSpace, line.isEmpty { continue }
            if scalar.value == 0xFEFF || !isSpace && (0x7F..<0xA0).contains(scalar.value) { continue }
            // Marks that turn the direction of what stands after the line.
            if (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) { continue }
            bytes += isSpace ? 1 : UTF8.width(scalar)
            if bytes > Lyrics.lineBytesMax { break }
            line.append(isSpace ? " " : scalar)
        }
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    /// Windows-1252 differs from Latin-1 between 0x80 and 0x9F.
    static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        let special: [UInt16] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
        guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(special[Int(byte) - 0x80]) ?? " "
    }
}
