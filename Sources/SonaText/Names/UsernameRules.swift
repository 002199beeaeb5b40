/// What may be a name that is unique, and what of it is.
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
    public enum Repertoire: Sendable, Hashable {
        /// `A–Z a–z 0–9`, and `_ . -` but for the first character.
        case ascii
        /// Letters, digits and marks that UTS #39 recommends for identifiers, of scripts that one language writes
        /// together, and `_ . -` but for the first character.
        case anyScript
    }

    public var repertoire: Repertoire
    /// In characters as a reader counts them.
    public var characters = 3...24
    /// In UTF-8. 24 characters of four bytes as a rule: marks share it with the letters they stand on.
    public var bytesMax = 96
    /// Of combining marks, in NFD.
    public var marksInARowMax = 4
    public var reserved = ReservedNames.standard

    public init(_ repertoire: Repertoire) { self.repertoire = repertoire }

    /// What the protocol allows.
    public static let ascii = UsernameRules(.ascii)
    /// For names that are not typed on every keyboard.
    public static let anyScript = UsernameRules(.anyScript)

    /// Makes a name of what a person typed. Nothing is trimmed: a space is a character that is not allowed.
    ///
    /// - Throws: What is wrong first: the whole is looked at before its characters, those before what they make
    ///   together, and whether that is reserved last.
    public func check(_ typed: String) throws(UsernameError) -> CanonicalName {
        guard !typed.isEmpty else { throw .empty }
        // NFC makes no text shorter than a third of what it was.
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
