/// Why a text is no name under `UsernameRules`.
///
/// Places count characters as a reader does, from 0: grapheme clusters, the same in every normal form.
public enum UsernameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No characters at all.
    case empty
    /// Fewer characters than the rules allow.
    case tooShort(minimum: Int)
    /// More characters than the rules allow.
    case tooLong(maximum: Int)
    /// Few enough characters, but of too many bytes in UTF-8.
    case tooManyBytes(maximum: Int)
    /// A character outside the repertoire, at this place.
    case invalidCharacter(at: Int)
    /// A name begins with a letter or digit.
    case leadingPunctuation
    /// A character that is invisible, or changes the direction of the text after it.
    case invisible(at: Int)
    /// More combining marks on one letter than any language puts there.
    case tooManyMarks(at: Int)
    /// Letters of scripts that no language writes together, or digits of several.
    case mixedScripts
    /// Or looks like one that is.
    case reserved

    /// A code that stays the same from release to release: for the wire, for translations.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .tooShort: "too_short"
        case .tooLong: "too_long"
        case .tooManyBytes: "too_many_bytes"
        case .invalidCharacter: "invalid_character"
        case .leadingPunctuation: "leading_punctuation"
        case .invisible: "invisible"
        case .tooManyMarks: "too_many_marks"
        case .mixedScripts: "mixed_scripts"
        case .reserved: "reserved"
        }
    }

    /// One English sentence with the limit or the place that is at fault. It does not repeat the name.
    public var description: String {
        switch self {
        case .empty: "The name is empty."
        case .tooShort(let minimum): "The name has fewer than \(minimum) characters."
        case .tooLong(let maximum): "The name has more than \(maximum) characters."
        case .tooManyBytes(let maximum): "The name has more than \(maximum) bytes."
        case .invalidCharacter(let place): "Character \(place + 1) of the name is not allowed."
        case .leadingPunctuation: "The name does not begin with a letter or digit."
        case .invisible(let place): "The name has something invisible at character \(place + 1)."
        case .tooManyMarks(let place): "Character \(place + 1) of the name has too many marks."
        case .mixedScripts: "The name mixes letters of different scripts."
        case .reserved: "The name is reserved, or looks like one that is."
        }
    }
}
