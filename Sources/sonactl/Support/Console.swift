internal import Glibc
internal import SonaBase
internal import SonaWire
internal import Synchronization

/// Standard output for data, standard error for everything else.
///
/// Both unbuffered, so that the reader at the other end of a pipe sees a line when it is written.
enum Console {
    /// Whether a status line is on the terminal, to be wiped before the next line.
    private static let hasStatus = Atomic<Bool>(false)

    /// A line of data.
    static func out(_ line: String) {
        writeData(Array(line.utf8))
    }

    /// One JSON object on a line of its own.
    static func out(json members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.object(members)
        out(json: writer.bytes)
    }

    static func out(json object: some WireObject) { out(json: object.encoded()) }

    /// Control characters beyond ASCII, which JSON leaves as they are, speak to terminals too: they are escaped.
    static func out(json bytes: [UInt8]) {
        var line: [UInt8] = []
        line.reserveCapacity(bytes.count + 1)
        var index = 0
        while index < bytes.count {
            // U+0080 to U+009F are C2 and a byte of 80 to 9F; they and U+007F occur in strings alone.
            if bytes[index] == 0xC2, index + 1 < bytes.count, 0x80...0x9F ~= bytes[index + 1] {
                line += Array("\\u00\(String(bytes[index + 1], radix: 16))".utf8)
                index += 2
            } else {
                if bytes[index] == 0x7F { line += Array("\\u007f".utf8) } else { line.append(bytes[index]) }
                index += 1
            }
        }
        writeData(line)
    }

    /// A line for a person.
    static func say(_ line: String) {
        let wipe = hasStatus.exchange(false, ordering: .relaxed) ? "\r\u{1B}[K" : ""
        ConsoleLine.write(to: STDERR_FILENO, wipe + line)
    }

    /// Whether a line can be redrawn on standard error.
    static let isInteractive = ConsoleLine.isInteractive(STDERR_FILENO)

    /// Redraws the status line; nothing off a terminal.
    static func status(_ line: String) {
        guard isInteractive else { return }
        hasStatus.store(true, ordering: .relaxed)
        let text = "\r" + String(line.prefix(ConsoleLine.columns(STDERR_FILENO))) + "\u{1B}[K"
        try? WholeFile.write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Clears the status line.
    static func endStatus() {
        guard hasStatus.exchange(false, ordering: .relaxed) else { return }
        try? WholeFile.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO)
    }

    /// Text from elsewhere without characters that would control the terminal.
    static func printable(_ text: String) -> String { ConsoleLine.printable(text) }

    /// `1:02:03.456`, from microseconds.
    static func time(_ microseconds: Int64) -> String {
        let milliseconds = microseconds / 1000
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let (seconds, rest) = (milliseconds / 1000 % 60, milliseconds % 1000)
        let tail = "\(pad(seconds, 2)).\(pad(rest, 3))"
        return hours > 0 ? "\(hours):\(pad(minutes, 2)):\(tail)" : "\(minutes):\(tail)"
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// If the reader is gone, there is nothing left to do, and nobody to tell.
    private static func writeData(_ line: [UInt8]) {
        do { try WholeFile.write(line + [UInt8(ascii: "\n")], to: STDOUT_FILENO) } catch { Interruption.endAtOnce(74) }
    }
}
