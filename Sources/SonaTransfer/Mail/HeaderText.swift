/// Texts in header fields, which are ASCII: others become encoded words.
///
/// Source: RFC 2047, sections 2 and 5. Always UTF-8 and Base64; a word holds whole characters.
enum HeaderText {
    /// Most bytes of text in one encoded word. In Base64, with its frame `=?UTF-8?B?…?=` and the longest field name
    /// ("Subject: "), they fit a line of 76 characters.
    private static let wordBytesMax = 39
    /// Plain text beyond it would have to be folded; encoded words fold anywhere.
    private static let plainBytesMax = 64

    /// Encodes the text of a field without structure, such as Subject.
    ///
    /// - Parameter text: Without control characters.
    /// - Returns: Parts for lines of their own; the blanks between encoded words are not part of the text.
    static func encode(_ text: String) -> [String] {
        let isPlain = text.utf8.count <= plainBytesMax && text.utf8.allSatisfy { 32...126 ~= $0 }
        // A blank at either end would be lost; "=?" would be read as an encoded word.
        if isPlain, !text.hasPrefix(" "), !text.hasSuffix(" "), !text.contains("=?") { return [text] }
        return words(text)
    }

    /// Encodes a name before an address, where all punctuation has a meaning.
    static func phrase(_ text: String) -> [String] {
        let isPlain = text.utf8.count <= plainBytesMax && text.utf8.allSatisfy(isPhraseByte)
        if isPlain, !text.hasPrefix(" "), !text.hasSuffix(" "), !text.contains("  ") { return [text] }
        return words(text)
    }

    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for scalar in text.unicodeScalars {
            let bytes = UTF8.encode(scalar).map(Array.init) ?? []
            if word.count + bytes.count > wordBytesMax {
                words.append(frame(word))
                word = []
            }
            word += bytes
        }
        if !word.isEmpty { words.append(frame(word)) }
        return words
    }

    private static func frame(_ bytes: [UInt8]) -> String { "=?UTF-8?B?" + base64(bytes) + "?=" }

    private static func isPhraseByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "):
            true
        default: false
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Base64 with padding (RFC 2045, section 6.8).
    private static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            let characters = [18, 12, 6, 0].map { alphabet[Int(bits >> UInt32($0)) & 63] }
            text += characters.prefix(group.count + 1)
            text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
