import SonaBase
import SonaTestSupport

/// Texts that no person would type, of the scripts and oddities that people do.
struct RandomTexts {
    private var dice: SeededGenerator

    init(seed: UInt64) { dice = SeededGenerator(seed: seed) }

    private static let blocks: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0x20...0x7E,  // ASCII, twice as often
        0xA0...0x24F, 0x250...0x2FF,  // Latin, phonetic
        0x300...0x36F,  // combining marks
        0x370...0x3FF, 0x1F00...0x1FFE,  // Greek
        0x400...0x52F,  // Cyrillic
        0x531...0x58A, 0x5D0...0x5F4,  // Armenian, Hebrew
        0x600...0x6FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC,  // Arabic, as letters and as forms
        0x900...0x97F, 0xE00...0xE5B, 0xF00...0xFBC,  // Devanagari, Thai, Tibetan
        0x10A0...0x10FF, 0x13A0...0x13FD, 0xAB70...0xABBF,  // Georgian, Cherokee
        0x1100...0x11FF, 0xAC00...0xD7A3,  // Hangul, in pieces and whole
        0x2000...0x206F, 0x20D0...0x20F0, 0x2100...0x218B,  // punctuation, marks on symbols, letterlike
        0x2460...0x24FF, 0x2C00...0x2CFF,  // enclosed, Glagolitic and Coptic
        0x3041...0x30FF, 0x3131...0x318E, 0x4E00...0x4E80, 0xFF01...0xFFEE,  // kana, jamo, Han, widths
        0xFE00...0xFE0F, 0x10400...0x1044F, 0x1D400...0x1D7FF, 0x1F100...0x1F6FF, 0xE0001...0xE007F,
    ]

    /// 1 to 12 scalars of one to three blocks.
    mutating func next() -> String {
        let blocks = (0..<Int.random(in: 1...3, using: &dice)).map { _ in Self.blocks.randomElement(using: &dice) }
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...12, using: &dice) {
            guard let block = blocks.randomElement(using: &dice) ?? nil else { continue }
            if let scalar = Unicode.Scalar(UInt32.random(in: block, using: &dice)) { text.append(scalar) }
        }
        return String(text)
    }

    /// A username of the protocol.
    mutating func nextUsername() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        let all = letters + "_.-"
        let count = Int.random(in: 3...24, using: &dice)
        return String(
            (0..<count).map { ($0 == 0 ? letters : all).randomElement(using: &dice) ?? "a" })
    }

    /// `text` in another mixture of small letters and capitals.
    mutating func recased(_ text: String) -> String {
        text.map { Bool.random(using: &dice) ? $0.uppercased() : $0.lowercased() }.joined()
    }
}

/// For failures: what a text is made of.
func scalars(_ text: String) -> String {
    text.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
}
