internal import CICU

/// One of ICU's ways to write a text in other letters.
///
/// Safe to share: ICU's transliterators keep nothing between calls and lock what they share (translit.h).
struct Transliterator: @unchecked Sendable {
    /// Never closed: the ones there are live as long as the program.
    private let pointer: UnsafeMutableRawPointer

    /// - Parameter id: As ICU writes it, such as `Latin-ASCII`; one that ICU does not know ends the program.
    private init(_ id: String) {
        let units = Array(id.utf16)
        var status = U_ZERO_ERROR
        let pointer = sona_icu_transliterator_open(units, Int32(units.count), &status)
        ICU.check(status)
        self.pointer = pointer!  // Open, or the line above has ended the program.
    }

    /// Latin letters beyond A–Z as those of ASCII that stand for them: ł is l, ø is o, æ is ae, þ is th. 12 ms and
    /// 3 MB at first use.
    static let latinToASCII = Transliterator("Latin-ASCII")
    /// Writes any script by its sound; up to 2 ms for each script at its first use. Chinese characters stay: they would
    /// be read as Mandarin in every language, and their rules alone take 85 ms.
    static let anyToASCII = Transliterator("[:^Han:] Any-Latin; Latin-ASCII")

    func callAsFunction(_ text: ICU.Units) -> ICU.Units {
        // ICU writes in place and cannot tell the length beforehand; it reports an overflow.
        var capacity = text.count * 4 + 16
        while true {
            var units = text + ICU.Units(repeating: 0, count: capacity - text.count)
            var count = Int32(text.count)
            var status = U_ZERO_ERROR
            sona_icu_transliterate(pointer, &units, &count, Int32(capacity), &status)
            guard status == U_BUFFER_OVERFLOW_ERROR else {
                ICU.check(status)
                return ICU.Units(units.prefix(Int(count)))
            }
            capacity *= 2
        }
    }
}
