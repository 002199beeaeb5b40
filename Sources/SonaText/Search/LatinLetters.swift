internal import CICU

/// Latin letters that are no letter of ASCII with a mark, and what stands for them: ł, ø, đ, æ, þ.
///
/// By ICU's transliterator, asked once for each: a table is read by many threads at once, a transliterator behind a
/// lock. 13 ms at first use.
enum LatinLetters {
    static let ascii: [UInt32: ICU.Units] = {
        var table: [UInt32: ICU.Units] = [:]
        // Behind the first plane there are but phonetic signs.
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
