extension DisplayText {
    /// Limits on a text. Start from `name`, `title` or `lines` and change what is different.
    public struct Rules: Hashable, Sendable {
        /// Characters as a reader counts them. A range from 0 allows an empty text: what shows nothing becomes empty.
        public var characters: ClosedRange<Int>
        /// Most bytes in UTF-8, after trimming.
        public var bytesMax: Int
        /// Most lines; 1 allows no line break.
        public var linesMax = 1
        /// Combining marks that may follow each other, in NFD. Vietnamese takes 2, pointed Hebrew 3, a Tibetan syllable
        /// 4.
        public var marksInARowMax = 4
        /// Whether one word may mix letters of several scripts. Artists' names do, and so do names that imitate others.
        /// Words of different scripts may always stand side by side.
        public var allowsMixedScripts = true

        /// Rules for one line; `linesMax` and the rest are set afterwards.
        public init(characters: ClosedRange<Int>, bytesMax: Int) {
            self.characters = characters
            self.bytesMax = bytesMax
        }

        /// One line of up to 100 bytes, so of 100 characters at most.
        public static let name = Rules(characters: 1...100, bytesMax: 100)
        /// One line of up to 200 bytes.
        public static let title = Rules(characters: 1...200, bytesMax: 200)
        /// Up to 2 000 bytes in up to 100 lines, or nothing.
        public static let lines = {
            var rules = Rules(characters: 0...2_000, bytesMax: 2_000)
            rules.linesMax = 100
            return rules
        }()
    }
}

extension DisplayText.Rules {
    /// The flags of England, Scotland and Wales take six tags.
    private static let invisibleInARowMax = 8

    /// The first fault in `text`, which is in NFC. `offset` is the place of its first character.
    func problem(in text: String, from offset: Int) -> DisplayTextError? {
        if let problem = controlProblem(in: text, from: offset) { return problem }
        if let place = Marks.firstPlace(in: text, rowMax: marksInARowMax) { return .tooManyMarks(at: offset + place) }
        if !allowsMixedScripts, let place = Self.firstMixedWord(in: text) { return .mixedScripts(at: offset + place) }
        return nil
    }

    private func controlProblem(in text: String, from offset: Int) -> DisplayTextError? {
        var lines = 1
        var isolates = IsolateCounter()
        var invisible = 0
        for (place, character) in text.enumerated() {
            for scalar in character.unicodeScalars {
                if scalar == "\n" {
                    lines += 1
                    if lines > linesMax { return .tooManyLines(maximum: linesMax) }
                    if let open = isolates.endLine() { return .bidirectionalControl(at: offset + open) }
                } else if Self.isControl(scalar) {
                    return .controlCharacter(at: offset + place)
                }
                guard isolates.take(scalar, at: place) else { return .bidirectionalControl(at: offset + place) }
                invisible = Invisible.isInvisible(scalar) ? invisible + 1 : 0
                if invisible > Self.invisibleInARowMax { return .invisible(at: offset + place) }
            }
        }
        return isolates.endLine().map { .bidirectionalControl(at: offset + $0) }
    }

    /// Controls, characters that are none, and the three that annotate. Private and unassigned ones pass: a phone may
    /// know newer emoji than this server.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{FFF9}"..."\u{FFFB}": true
        default: scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
        }
    }

    private static func firstMixedWord(in text: String) -> Int? {
        var place = 0
        for word in text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
            if ICU.mixesScripts(Array(word.utf16)) { return place }
            place += word.count + 1
        }
        return nil
    }
}

/// Controls of direction. Isolates are allowed if each ends in its line; embeddings and overrides never are, for
/// isolates do the one better and the other is made to deceive.
///
/// Source: UAX #9, section 2; marks of direction (U+200E, U+200F, U+061C) reach no further than themselves.
struct IsolateCounter {
    /// The places of those that are open, the outermost first.
    private var open: [Int] = []

    /// - Returns: Whether the character may stand here.
    mutating func take(_ scalar: Unicode.Scalar, at place: Int) -> Bool {
        switch scalar {
        case "\u{202A}"..."\u{202E}": return false
        case "\u{2066}"..."\u{2068}": open.append(place)
        case "\u{2069}": return open.popLast() != nil
        default: break
        }
        return true
    }

    /// - Returns: The place of the first that is still open.
    mutating func endLine() -> Int? { open.first }
}
