/// The form that two names have in common if a reader could mistake one for the other: the form that is kept unique.
///
/// ```swift
/// NameKey("alice") == NameKey("ALICE")  // Case.
/// NameKey("alice") == NameKey("Ａlice")  // Full width.
/// NameKey("alice") == NameKey("аlice")  // A Cyrillic а.
/// NameKey("alice") == NameKey("alice\u{200B}")  // A space without width.
/// NameKey("alice") == NameKey("aIice")  // A capital I for the l.
/// NameKey("mike") == NameKey("rnike")
/// ```
///
/// **How it is made.** NFKC, case fold, and what shows nothing left out; then the skeleton of UTS #39 of the name in
/// small letters, and that of the name in capitals, each folded again; all this until it changes nothing any more.
///
/// **Why both cases.** Names are shown as typed and compared without case. `aIice` looks like `alice` and is `AIICE` in
/// capitals, which is `aiice` in small letters: once case is ignored and I looks like l, i is l as well, and there is
/// no key that says otherwise. What follows within ASCII is this, and no more:
///
/// | one letter | because |
/// |---|---|
/// | i I l L 1 (and the bar) | I, l, 1 look alike |
/// | o O 0 | O, 0 look alike |
/// | m and rn | UTS #39 |
/// | w and vv | ours; UTS #39 has no opinion |
///
/// Beyond ASCII, a letter may look like one in small letters and like another in capitals: Greek ν like v, Ν like N.
/// The small letters decide.
///
/// So `al1ce` and `allce` have the key of `alice`. The price: of two names like `Maria` and `Marla`, only one can be
/// had. This concerns 8 of the 1 504 proper names in the Debian package `miscfiles`.
///
/// **What it is not.** The key is no name: `alice` has `allce`. It is neither shown nor looked up as one.
///
/// Any thread; about 5 µs for a name. Keys change with the tables they are made from: see `KeyVersion`.
///
/// Source: UTS #39, section 4, "Confusable Detection"; UAX #31 for NFKC_Casefold.
public struct NameKey: Hashable, Sendable, CustomStringConvertible {
    /// Normalised, so that equal keys are equal byte by byte.
    public let text: String

    /// O(n): bound the name first. The key of a key is itself.
    public init(_ name: String) { text = String(units: Self.fixedPoint(of: Array(name.utf16))) }

    /// `text`, as it is.
    public var description: String { text }

    /// No character of Unicode takes more than three rounds; the bound is against tables yet to come.
    private static let roundsMax = 8

    private static func fixedPoint(of name: ICU.Units) -> ICU.Units {
        var key = name
        for _ in 0..<roundsMax {
            let next = round(key)
            if next == key { break }
            key = next
        }
        return key
    }

    private static func round(_ name: ICU.Units) -> ICU.Units {
        let small = ICU.nfkcCasefold(ICU.skeleton(ICU.nfkcCasefold(name)))
        let capitals = ICU.skeleton(ICU.uppercased(small))
        return withoutDoubleU(ICU.nfkcCasefold(capitals))
    }

    /// `vv` for `w`, the one pair that UTS #39 leaves out and no reader can tell apart in print.
    private static func withoutDoubleU(_ units: ICU.Units) -> ICU.Units {
        let v = UInt16(UInt8(ascii: "v"))
        let w = UInt16(UInt8(ascii: "w"))
        guard units.contains(w) else { return units }
        return units.flatMap { $0 == w ? [v, v] : [$0] }
    }
}
