/// Text of any bytes in lines of ASCII that a reader without the decoder can make out.
///
/// Source: RFC 2045, section 6.7.
enum QuotedPrintable {
    /// Most bytes of a line, without the `=` of a soft line break.
    private static let lineBytesMax = 75

    /// - Parameter text: Its lines end with LF, CRLF or CR.
    /// - Returns: Lines of at most 76 bytes, without their ends.
    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var last: UInt8 = 0
        for byte in text.utf8 {
            defer { last = byte }
            if byte == newline, last == carriageReturn { continue }
            if byte == newline || byte == carriageReturn {
                lines += encode(line)
                line = []
            } else {
                line.append(byte)
            }
        }
        return line.isEmpty ? lines : lines + encode(line)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func encode(_ line: [UInt8]) -> [String] {
        var lines: [String] = []
        var coded: [UInt8] = []
        for (index, byte) in line.enumerated() {
            let isPlain =
                switch byte {
                // At the end of a line blanks get lost on the way.
                case UInt8(ascii: " "), UInt8(ascii: "\t"): index < line.count - 1
                case UInt8(ascii: "="): false
                // Mailboxes mark a line that begins with "From ".
                case UInt8(ascii: "F"): index > 0 || !line.starts(with: "From ".utf8)
                default: 33...126 ~= byte
                }
            let token = isPlain ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            if coded.count + token.count > lineBytesMax {
                lines.append(String(decoding: coded, as: UTF8.self) + "=")
                coded = []
            }
            coded += token
        }
        return lines + [String(decoding: coded, as: UTF8.self)]
    }
}
