internal import SonaBase

/// Finds words of a list in texts, also where letters are replaced by others that look like them.
///
/// ```swift
/// let filter = WordFilter([WordPattern("bad")!, WordPattern("spam*")!])
/// filter.matches(in: "A bаd idea")  // Pattern 0, though the а is Cyrillic.
/// filter.matches(in: "Spammers")  // Pattern 1.
/// filter.matches(in: "badge")  // None: a pattern without * is a whole word.
/// ```
///
/// An Aho-Corasick automaton over the folded text: one step a byte, whatever the number of patterns, and no text that
/// takes longer than others of its length. About 2 µs for a chat message of 60 ASCII letters.
///
/// Any thread. Making one takes about 1 µs a byte of the patterns.
public struct WordFilter: Sendable {
    /// A place where a pattern was found.
    public struct Match: Sendable, Equatable {
        /// Place of the pattern in the list.
        public let pattern: Int
        /// UTF-8 offsets in the text.
        public let range: Range<Int>
    }

    private let classes: [UInt8]
    private let classCount: Int
    /// The next state, by state and class of the next byte.
    private let next: [Int32]
    /// The pattern that ends in a state; -1: none.
    private let pattern: [Int32]
    /// The next shorter suffix of a state with which a pattern ends; 0: none.
    private let shorter: [Int32]
    /// Folded bytes of each pattern.
    private let lengths: [Int]

    /// - Parameter patterns: Of equal ones the first is found.
    public init(_ patterns: [WordPattern]) {
        var classes = [UInt8](repeating: 0, count: 256)
        var classCount = 1
        for byte in patterns.lazy.flatMap(\.folded) where classes[Int(byte)] == 0 {
            // 255 bytes can occur in UTF-8 texts without NUL, so the classes fit.
            classes[Int(byte)] = UInt8(classCount)
            classCount += 1
        }
        var next = [Int32](repeating: 0, count: classCount)
        var pattern: [Int32] = [-1]
        for (number, one) in patterns.enumerated() {
            var state = 0
            for byte in one.folded {
                let place = state * classCount + Int(classes[Int(byte)])
                if next[place] == 0 {
                    next[place] = Int32(pattern.count)
                    next.append(contentsOf: repeatElement(0, count: classCount))
                    pattern.append(-1)
                }
                state = Int(next[place])
            }
            if state > 0, pattern[state] < 0 { pattern[state] = Int32(number) }
        }
        (self.next, shorter) = Self.link(next, pattern, classCount)
        self.classes = classes
        self.classCount = classCount
        self.pattern = pattern
        lengths = patterns.map(\.folded.count)
    }

    /// Fills the steps that leave the tree of patterns, breadth first: to the longest suffix that is in it.
    private static func link(
        _ tree: [Int32], _ pattern: [Int32], _ classCount: Int
    ) -> (next: [Int32], shorter: [Int32]) {
        var next = tree
        var suffix = [Int32](repeating: 0, count: pattern.count)
        var shorter = suffix
        var queue = [0]
        var index = 0
        while index < queue.count {
            let state = queue[index]
            index += 1
            for symbol in 0..<classCount {
                let place = state * classCount + symbol
                let fallback = state == 0 ? 0 : next[Int(suffix[state]) * classCount + symbol]
                let child = Int(tree[place])
                guard child != 0 else {
                    next[place] = fallback
                    continue
                }
                suffix[child] = fallback
                shorter[child] = pattern[Int(fallback)] >= 0 ? fallback : shorter[Int(fallback)]
                queue.append(child)
            }
        }
        return (next, shorter)
    }

    /// Whether there is no pattern.
    public var isEmpty: Bool { lengths.isEmpty }

    /// The places where patterns are found, in the order of their ends.
    public func matches(in text: String) -> [Match] {
        guard !isEmpty else { return [] }
        var matches: [Match] = []
        let folded = FoldedText(text)
        var state = 0
        for (index, byte) in folded.bytes.enumerated() {
            state = Int(next[state * classCount + Int(classes[Int(byte)])])
            var end = pattern[state] >= 0 ? state : Int(shorter[state])
            while end > 0 {
                let number = Int(pattern[end])
                matches.append(Match(pattern: number, range: folded.range(endingAt: index, lengths[number])))
                end = Int(shorter[end])
            }
        }
        return matches
    }
}

/// A word, or words with spaces between them, that a `WordFilter` looks for. A `*` at the beginning or the end stands
/// for the rest of a word.
public struct WordPattern: Hashable, Sendable {
    /// What was written, without spaces around it.
    public let text: String
    /// What is looked for. Two patterns that find the same have the same. A space is the edge of a word.
    public let folded: [UInt8]

    /// - Returns: `nil` if there is no letter or digit in it, or fewer than two beside a `*`, or a `*` elsewhere.
    public init?(_ typed: String) {
        var core = Substring(typed)
        while core.first?.isWhitespace == true { core.removeFirst() }
        while core.last?.isWhitespace == true { core.removeLast() }
        text = String(core)
        let (isOpenAtStart, isOpenAtEnd) = (core.hasPrefix("*"), core.count > 1 && core.hasSuffix("*"))
        if isOpenAtStart { core.removeFirst() }
        if isOpenAtEnd { core.removeLast() }
        guard !core.contains("*") else { return nil }
        var bytes = FoldedText(String(core)).bytes
        let letters = bytes.count { $0 != FoldedText.edge }
        guard letters >= (isOpenAtStart || isOpenAtEnd ? 2 : 1) else { return nil }
        if isOpenAtStart { bytes.removeFirst() }
        if isOpenAtEnd { bytes.removeLast() }
        folded = bytes
    }

    public static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// A text in which letters that look alike are the same, with one space between words, before the first and after the
/// last. Marks on letters and what shows nothing are left out.
struct FoldedText {
    static let edge = UInt8(ascii: " ")

    private(set) var bytes: [UInt8] = [edge]
    /// For each byte, the UTF-8 offsets of the character of the text that it came from.
    private var origins: [(start: Int32, end: Int32)] = [(0, 0)]

    init(_ text: String) {
        bytes.reserveCapacity(text.utf8.count + 2)
        origins.reserveCapacity(text.utf8.count + 2)
        var offset: Int32 = 0
        for scalar in text.unicodeScalars {
            let end = offset + Int32(UTF8.width(scalar))
            if scalar.value < 0x80 {
                let letters = LookAlikes.ascii[Int(scalar.value)]
                append(letters.first, offset, end)
                if letters.second != 0 { append(letters.second, offset, end) }
            } else {
                for byte in LookAlikes.of(scalar) { append(byte, offset, end) }
            }
            offset = end
        }
        append(Self.edge, offset, offset)
    }

    private mutating func append(_ byte: UInt8, _ start: Int32, _ end: Int32) {
        if byte == Self.edge, bytes.last == Self.edge { return }
        bytes.append(byte)
        origins.append((start, end))
    }

    /// The offsets in the text of so many folded bytes, without the edges of words.
    func range(endingAt last: Int, _ count: Int) -> Range<Int> {
        var first = last - count + 1
        var last = last
        if bytes[first] == Self.edge { first += 1 }
        if bytes[last] == Self.edge { last -= 1 }
        return Int(origins[first].start)..<Int(origins[max(first, last)].end)
    }
}

/// The folded form of single characters: that of `NameKey`, without marks.
enum LookAlikes {
    /// One or two bytes for each ASCII character; a space for what is in no word.
    static let ascii: [(first: UInt8, second: UInt8)] = (0..<128).map { value in
        let bytes = fold(Unicode.Scalar(UInt8(value)))
        return (bytes.first ?? FoldedText.edge, bytes.count > 1 ? bytes[1] : 0)
    }

    private static let known = Monitor<[Unicode.Scalar: [UInt8]]>([:])
    private static let knownMax = 32_768

    /// The folded bytes of a character; empty if it shows nothing or is a mark.
    ///
    /// About 50 ns for a character that was seen before, 20 µs the first time.
    static func of(_ scalar: Unicode.Scalar) -> [UInt8] {
        if let bytes = known.withLock({ $0[scalar] }) { return bytes }
        let bytes = fold(scalar)
        known.withLock { known in
            if known.count >= knownMax { known.removeAll() }
            known[scalar] = bytes
        }
        return bytes
    }

    private static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
        // The key is composed; marks are told apart from letters in the decomposed form.
        let key = String(units: ICU.nfd(Array(NameKey(String(Character(scalar))).text.utf16)))
        var bytes: [UInt8] = []
        for part in key.unicodeScalars where !isMark(part) {
            if isOfWord(part) {
                bytes.append(contentsOf: Array(String(Character(part)).utf8))
            } else if bytes.last != FoldedText.edge {
                bytes.append(FoldedText.edge)
            }
        }
        return bytes
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format: true
        default: false
        }
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
