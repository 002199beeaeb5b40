internal import SonaText

/// The letters under which names stand in a list, by their sort keys.
///
/// Latin, Greek and Cyrillic have their alphabets. Each other script is one entry, named by its first letter: a rail of
/// letters beside a list has room for no more. A script that is not here counts to the one before it.
enum ListLetters {
    struct Letter {
        let name: String
        /// Names of the letter have a key from this one on, up to that of the next letter.
        let key: [UInt8]
    }

    /// The entry for names that begin with a digit or a symbol. They are sorted before all letters.
    static let symbols = "#"
    /// Rows without a name: `SortNames.last`.
    static let nameless = "…"

    /// In the order of the keys.
    static let all: [Letter] = {
        let alphabets = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ" + "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЭЮЯ"
        let scripts = "Աაאअঅਅઅଅஅఅಅഅඅกກཀကកሀ가あㄅ"
        // These two begin with a letter that stands for the script less well.
        let named = [("ا", "ء"), ("漢", "一")]
        let letters = (alphabets + scripts).map { (String($0), String($0)) } + named
        return letters.map { Letter(name: $0, key: primary($1)) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }()

    /// A sort key without what distinguishes case and accents, so that it is the least of its letter: levels of a key are
    /// parted by a byte 1.
    private static func primary(_ letter: String) -> [UInt8] {
        Array(SortKey.bytes(letter).prefix { $0 != 1 })
    }
}
