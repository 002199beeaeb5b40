extension WordTokenizer {
    /// How the tokenizer treats a character.
    enum Script {
        /// A word of its own.
        case withoutSpaces
        /// No part of a word. For characters younger than the tables of `unicode61`, which takes all it does not know
        /// for letters: an emoji of 2015 would be one with the word it stands at.
        case symbol
        /// `unicode61` decides.
        case other
    }
}

extension WordTokenizer.Script {
    /// Letters, vowel signs, tone marks and digits of Unicode 16; punctuation stays with `unicode61`, which drops it.
    ///
    /// Source: unicode.org/Public/16.0.0/ucd/Blocks.txt; sqlite.org/src/file/ext/fts5/fts5_unicode2.c for what it
    /// knows.
    init(_ scalar: UInt32) {
        switch scalar {
        // Han: iteration marks and zero, extension A, unified, compatibility, planes 2 and 3.
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD,
            // Hiragana, Katakana, their extensions, half-width Katakana.
            0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F,
            0x1AFF0...0x1B16F,
            // Thai, Lao.
            0x0E01...0x0E3A, 0x0E40...0x0E4E, 0x0E50...0x0E59, 0x0E81...0x0EDF,
            // Myanmar, its extensions B and A.
            0x1000...0x1049, 0x1050...0x109D, 0xA9E0...0xA9FE, 0xAA60...0xAA76, 0xAA7A...0xAA7F,
            // Khmer.
            0x1780...0x17D3, 0x17D7, 0x17DC...0x17DD, 0x17E0...0x17E9:
            self = .withoutSpaces
        // Arabic letter mark and isolates, which surround words of another direction; currency; signs and arrows;
        // supplemental punctuation; emoji and other pictographs.
        case 0x061C, 0x2066...0x2069, 0x20BA...0x20C0, 0x23F4...0x23FF, 0x2B4D...0x2BFF, 0x2E3C...0x2E5D,
            0x1F000...0x1F0FF, 0x1F10D...0x1FAFF:
            self = .symbol
        default: self = .other
        }
    }
}
