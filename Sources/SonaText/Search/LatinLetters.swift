internal import CICU

/// Latin letters that are not an ASCII letter with a mark, such as ł, ø, đ, æ, þ, and their replacements.
///
/// ICU's transliterator is asked once for each letter: many threads can read a table at once, whereas a transliterator
/// locks. 13 ms at first use.
enum LatinLetters {
    static let ascii: [UInt32: ICU.Units] = {
        var table: [UInt32: ICU.Units] = [:]
        // Beyond the first plane there are only phonetic signs.
        for scalar in UInt32(0x80)...0xFFFF where ICU.script(scalar) == USCRIPT_LATIN {
            let ascii = Transliterator.latinToASCII([UInt16(scalar)])
            // Letters and digits only, so that a key's key is the key.
            guard !ascii.isEmpty, ascii.allSatisfy(isSmallLetterOrDigit) else { continue }
            table[scalar] = ascii
        }
        return table
    }()

    private static func isSmallLetterOrDigit(_ unit: UInt16) -> Bool {
        switch UInt8(exactly: unit) {
        case .some(UInt8(ascii: "a")...UInt8(ascii: "z")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): true
        default: false
        }
    }
}
