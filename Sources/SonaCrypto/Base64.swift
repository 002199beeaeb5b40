/// Base64 without padding, in the two alphabets that tokens and password strings use.
///
/// Decoding is strict: one byte string has exactly one text. Padding, line breaks, characters of the other alphabet
/// and bits left over in the last character are refused, so no token has a twin that also verifies.
///
/// Source: RFC 4648, sections 4, 5 and 3.5.
public enum Base64 {
    /// The characters that stand for 62 and 63.
    public enum Alphabet: Sendable {
        /// `+` and `/`, as in PHC strings.
        case standard
        /// `-` and `_`, as in JSON Web Tokens.
        case url
    }

    /// Encodes without padding (RFC 4648 §4 and §5). O(n).
    public static func encode(_ bytes: some Collection<UInt8>, _ alphabet: Alphabet = .url) -> String {
        encode(whole: Array(bytes), alphabet)
    }

    private static func encode(whole bytes: [UInt8], _ alphabet: Alphabet) -> String {
        let characters = alphabet == .url ? urlCharacters : standardCharacters
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            characters.withUnsafeBufferPointer { characters in
                var count = 0
                var buffer: UInt32 = 0
                var bits: UInt32 = 0
                for byte in bytes {
                    buffer = (buffer << 8 | UInt32(byte)) & 0xFFFF
                    bits &+= 8
                    while bits >= 6 {
                        bits &-= 6
                        text[count] = characters[Int(buffer &>> bits) & 63]
                        count &+= 1
                    }
                }
                if bits > 0 {
                    text[count] = characters[Int(buffer << (6 - bits)) & 63]
                    count += 1
                }
                return count
            }
        }
    }

    /// - Returns: `nil` unless `text` is the one encoding of some bytes.
    public static func decode(_ text: some Collection<UInt8>, _ alphabet: Alphabet = .url) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var buffer: UInt32 = 0
        var bits = 0
        for character in text {
            guard let value = value(of: character, alphabet) else { return nil }
            buffer = (buffer << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        return bytes
    }

    /// Decodes the UTF-8 bytes of `text`; `nil` under the same conditions as for bytes.
    public static func decode(_ text: String, _ alphabet: Alphabet = .url) -> [UInt8]? {
        decode(text.utf8, alphabet)
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let urlCharacters = Array((common + "-_").utf8)
    private static let standardCharacters = Array((common + "+/").utf8)

    private static func value(of character: UInt8, _ alphabet: Alphabet) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-") where alphabet == .url, UInt8(ascii: "+") where alphabet == .standard: 62
        case UInt8(ascii: "_") where alphabet == .url, UInt8(ascii: "/") where alphabet == .standard: 63
        default: nil
        }
    }
}
