/// Rules for unique names, and the check that gives a name its unique key.
///
/// ```swift
/// let name = try UsernameRules.ascii.check("Ada.Lovelace")
/// name.display  // Ada.Lovelace
/// name.key == NameKey("ada.lovelace")
/// ```
///
/// Any thread; about 7 µs for a name that passes. What is far too long is refused at once, however long it is.
///
/// Source: Protocol/spec/identifiers.md, "Usernames", for `ascii`; UTS #39, sections 3.1 and 5.2, for `anyScript`.
public struct UsernameRules: Sendable {
    /// The characters a name may be made of.
    public enum Repertoire: Sendable, Hashable {
        /// `A–Z a–z 0–9`, and `_ . -` but for the first character.
        case ascii
        /// Letters, digits and marks that UTS #39 recommends for identifiers, of scripts that one language writes
        /// together, and `_ . -` but for the first character.
        case anyScript
    }

    /// The characters allowed in names.
    public var repertoire: Repertoire
    /// Lengths allowed, in characters as a reader counts them.
    public var characters = 3...24
    /// Most bytes in UTF-8: room for 24 characters of four bytes. Combining marks take their bytes from the same room.
    public var bytesMax = 96
    /// Combining marks that may follow each other, in NFD.
    public var marksInARowMax = 4
    /// Names that nobody may take; `ReservedNames.none` allows all.
    public var reserved = ReservedNames.standard

    /// Rules with the usual sizes: 3 to 24 characters, 96 bytes, the standard reserved names.
    public init(_ repertoire: Repertoire) { self.repertoire = repertoire }

    /// The rules of the protocol.
    public static let ascii = UsernameRules(.ascii)
    /// Rules for names in any script, which not every keyboard can type.
    public static let anyScript = UsernameRules(.anyScript)

    /// Makes a name from the text a person typed. Nothing is trimmed: a space is a character that is not allowed.
    ///
    /// - Throws: The first fault found. The whole name is checked before its characters, those before their
    ///   combination, and last whether the name is reserved.
    public func check(_ typed: String) throws(UsernameError) -> CanonicalName {
        guard !typed.isEmpty else { throw .empty }
        // NFC makes no text shorter than a third of its length.
        guard typed.utf8.count <= bytesMax * 4 else {
            throw typed.prefix(characters.upperBound + 1).count > characters.upperBound
                ? .tooLong(maximum: characters.upperBound) : .tooManyBytes(maximum: bytesMax)
        }
        let units = ICU.nfc(Array(typed.utf16))
        let display = String(units: units)
        guard display.count <= characters.upperBound else { throw .tooLong(maximum: characters.upperBound) }
        guard display.utf8.count <= bytesMax else { throw .tooManyBytes(maximum: bytesMax) }

        if let place = Invisible.firstPlace(in: display) { throw .invisible(at: place) }
        if let place = Marks.firstPlace(in: display, rowMax: marksInARowMax) { throw .tooManyMarks(at: place) }
        try checkCharacters(display)
        guard display.count >= characters.lowerBound else { throw .tooShort(minimum: characters.lowerBound) }
        if repertoire != .ascii, ICU.mixesScripts(units) { throw .mixedScripts }

        let key = NameKey(display)
        guard !reserved.contains(key) else { throw .reserved }
        return CanonicalName(display: display, key: key)
    }

    private func checkCharacters(_ name: String) throws(UsernameError) {
        for (place, character) in name.enumerated() {
            var previous = Kind.other
            for scalar in character.unicodeScalars {
                let kind = kind(of: scalar)
                // A mark stands on a letter or another mark; on a digit or a dot it is ornament.
                guard kind != .other, kind != .mark || previous == .letter || previous == .mark else {
                    throw .invalidCharacter(at: place)
                }
                if place == 0, kind == .punctuation { throw .leadingPunctuation }
                previous = kind
            }
        }
    }

    private enum Kind { case letter, digit, mark, punctuation, other }

    private func kind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar {
        case "a"..."z", "A"..."Z": return .letter
        case "0"..."9": return .digit
        case "_", ".", "-": return .punctuation
        default: break
        }
        guard repertoire == .anyScript, ICU.isRecommended(scalar) else { return .other }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: .letter
        case .decimalNumber: .digit
        case .nonspacingMark, .spacingMark: .mark
        default: .other
        }
    }
}
