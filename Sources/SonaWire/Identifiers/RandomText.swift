/// The 62 letters and digits of the identifiers that servers of Sona make.
enum RandomText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Draws `count` characters, each of the 62 equally likely.
    ///
    /// It draws six bits at a time. Two of their 64 values have no character and are drawn again: a remainder would
    /// make two characters likelier than the rest.
    static func draw(_ count: Int, using generator: inout some RandomNumberGenerator) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(count)
        while characters.count < count {
            var bits = generator.next() as UInt64
            // Ten groups of six; the last four bits are left unused.
            for _ in 0..<10 where characters.count < count {
                let index = Int(bits & 63)
                bits >>= 6
                if index < alphabet.count { characters.append(alphabet[index]) }
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Whether `text` is exactly `count` ASCII letters and digits.
    static func matches(_ text: String, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy(isLetterOrDigit)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            false
        }
    }
}
