internal import CICU

/// One word of a text, folded. Between spaces, that is, or where a script without spaces meets another.
struct SearchWord {
    /// The stretches between punctuation, none of them empty.
    private(set) var parts: [ICU.Units] = []

    /// The parts as one word, if there are several.
    var joined: ICU.Units? { parts.count > 1 ? Array(parts.joined()) : nil }

    /// Whether words of the script of the first letter may begin anywhere.
    static func beginsAnywhere(_ word: ICU.Units) -> Bool {
        var decoder = UTF16()
        var units = word.makeIterator()
        guard case .scalarValue(let first) = decoder.decode(&units) else { return false }
        return ICU.isWrittenWithoutSpaces(ICU.script(first.value))
    }

    /// The words of `text`, in its order.
    static func words(of text: String) -> [SearchWord] {
        var splitter = Splitter()
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { splitter.take(ascii: byte) }
        } else {
            let folded = ICU.nfd(ICU.nfkcCasefold(Array(text.utf16)))
            var decoder = UTF16()
            var units = folded.makeIterator()
            while case .scalarValue(let scalar) = decoder.decode(&units) { splitter.take(scalar.value) }
        }
        splitter.endWord()
        return splitter.words
    }

    /// Takes folded characters one by one. A part is being written; it ends at punctuation, its word at a space.
    private struct Splitter {
        private(set) var words: [SearchWord] = []
        private var word = SearchWord()
        private var part: ICU.Units = []
        /// Whether the last letter's script is written without spaces; nil at the start of a word, and after a
        /// character that goes with any script.
        private var isSpaceless: Bool?
        /// Whether something was dropped that marks do not move across: those around it may now be out of order.
        private var isPartLoose = false

        mutating func take(ascii byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): letter(UInt32(byte), isSpaceless: false)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter(UInt32(byte | 0x20), isSpaceless: false)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): letter(UInt32(byte), isSpaceless: false)
            case 0x21...0x7E: endPart()
            default: endWord()
            }
        }

        mutating func take(_ scalar: UInt32) {
            if scalar < 0x80 { return take(ascii: UInt8(scalar)) }
            switch ICU.category(scalar) {
            case U_LOWERCASE_LETTER, U_UPPERCASE_LETTER, U_TITLECASE_LETTER, U_MODIFIER_LETTER, U_OTHER_LETTER,
                U_DECIMAL_DIGIT_NUMBER, U_LETTER_NUMBER, U_OTHER_NUMBER, U_PRIVATE_USE_CHAR, U_UNASSIGNED:
                letter(scalar)
            case U_NON_SPACING_MARK, U_COMBINING_SPACING_MARK, U_ENCLOSING_MARK: mark(scalar)
            case U_OTHER_SYMBOL: symbol(scalar)
            case U_SPACE_SEPARATOR, U_LINE_SEPARATOR, U_PARAGRAPH_SEPARATOR, U_CONTROL_CHAR: endWord()
            default: endPart()
            }
        }

        private mutating func letter(_ scalar: UInt32) {
            switch scalar {
            // The tatweel stretches an Arabic word and is no letter of it, whatever its category says.
            case 0x640: return isPartLoose = true
            // Apostrophes, the ʻokina and accents that stand alone, as modifier letters.
            case 0x2B9...0x2DF: return endPart()
            default: break
            }
            switch ICU.script(scalar) {
            case USCRIPT_LATIN:
                if let ascii = LatinLetters.ascii[scalar] {
                    for unit in ascii { letter(UInt32(unit), isSpaceless: false) }
                } else {
                    letter(scalar, isSpaceless: false)
                }
            case USCRIPT_HIRAGANA: letter(Self.katakana(scalar), isSpaceless: true)
            // The sign that makes a vowel of kana long, for one, belongs to what stands before it.
            case USCRIPT_COMMON, USCRIPT_INHERITED: letter(scalar, isSpaceless: isSpaceless)
            case let script: letter(scalar, isSpaceless: ICU.isWrittenWithoutSpaces(script))
            }
        }

        private mutating func letter(_ scalar: UInt32, isSpaceless: Bool?) {
            if let before = self.isSpaceless, let isSpaceless, before != isSpaceless { endWord() }
            self.isSpaceless = isSpaceless
            append(scalar)
        }

        /// Keeps the marks that are letters of their scripts: vowel signs and tones (classes 0 and 84 to 132), nuktas
        /// (7), dakuten (8) and viramas (9). Drops overlays (1), the vowel points of Hebrew, Arabic and Syriac
        /// (10 to 36), and what stands above, below and beside letters everywhere (200 and more).
        ///
        /// Source: UAX #44, table 15.
        private mutating func mark(_ scalar: UInt32) {
            guard !part.isEmpty else { return }
            if ICU.category(scalar) == U_ENCLOSING_MARK { return isPartLoose = true }
            switch ICU.combiningClass(scalar) {
            case 0, 7, 8, 9, 84...132: append(scalar)
            default: break
            }
        }

        private mutating func symbol(_ scalar: UInt32) {
            endWord()
            append(scalar)
            endWord()
        }

        /// The two syllabaries lie in the same order, 96 apart.
        private static func katakana(_ hiragana: UInt32) -> UInt32 {
            switch hiragana {
            case 0x3041...0x3096, 0x309D...0x309E: hiragana + 0x60
            default: hiragana
            }
        }

        private mutating func append(_ scalar: UInt32) {
            if scalar < 0x1_0000 {
                part.append(UInt16(scalar))
            } else if let scalar = Unicode.Scalar(scalar) {
                part.append(contentsOf: UTF16.encode(scalar)!)  // Every scalar has a form in UTF-16.
            }
        }

        private mutating func endPart() {
            guard !part.isEmpty else { return }
            word.parts.append(isPartLoose ? ICU.nfd(part) : part)
            part = []
            isPartLoose = false
        }

        mutating func endWord() {
            endPart()
            isSpaceless = nil
            guard !word.parts.isEmpty else { return }
            words.append(word)
            word = SearchWord()
        }
    }
}
