/// Why a text is not fit to be shown under `DisplayText.Rules`.
///
/// Places count characters as a reader does, from 0 at the start of the typed text.
public enum DisplayTextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is nothing to see, though there may be characters.
    case empty
    /// Fewer characters than `Rules.characters` allows.
    case tooShort(minimum: Int)
    /// More characters than `Rules.characters` allows.
    case tooLong(maximum: Int)
    /// Few enough characters, but of too many bytes in UTF-8.
    case tooManyBytes(maximum: Int)
    /// More lines than `Rules.linesMax`.
    case tooManyLines(maximum: Int)
    /// A control character, at this place.
    case controlCharacter(at: Int)
    /// A control of writing direction that changes the order of later text, or does not end in its line.
    case bidirectionalControl(at: Int)
    /// More combining marks on one letter than any language puts there.
    case tooManyMarks(at: Int)
    /// More invisible characters in a row than any emoji needs.
    case invisible(at: Int)
    /// A word of letters of scripts that no language writes together.
    case mixedScripts(at: Int)

    /// A code that stays the same from release to release: for the wire, for translations.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .tooShort: "too_short"
        case .tooLong: "too_long"
        case .tooManyBytes: "too_many_bytes"
        case .tooManyLines: "too_many_lines"
        case .controlCharacter: "control_character"
        case .bidirectionalControl: "bidirectional_control"
        case .tooManyMarks: "too_many_marks"
        case .invisible: "invisible"
        case .mixedScripts: "mixed_scripts"
        }
    }

    /// One English sentence with the limit that was passed. It does not repeat the text.
    public var description: String {
        switch self {
        case .empty: "The text shows nothing."
        case .tooShort(let minimum): "The text has fewer than \(minimum) characters."
        case .tooLong(let maximum): "The text has more than \(maximum) characters."
        case .tooManyBytes(let maximum): "The text has more than \(maximum) bytes."
        case .tooManyLines(let maximum): "The text has more than \(maximum) lines."
        case .controlCharacter(let place): "The text has a control character at \(place + 1)."
        case .bidirectionalControl(let place): "The text has a control of direction at character \(place + 1)."
        case .tooManyMarks(let place): "Character \(place + 1) of the text has too many marks."
        case .invisible(let place): "The text has too much that is invisible at character \(place + 1)."
        case .mixedScripts(let place): "The word at character \(place + 1) mixes letters of different scripts."
        }
    }
}
