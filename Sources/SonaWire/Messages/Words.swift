extension Catalogue {
    /// Words that the operator does not want in texts.
    ///
    /// Source: Protocol/spec/words.md.
    static let words = Area("words", requests: [WordsList.self, WordsAdd.self, WordsRemove.self])
}

extension Limits {
    /// Bytes of a word of the filter.
    public static let filteredWordBytes = 1...64
    /// Words of the filter.
    public static let filteredWordsMax = 1_000
    /// Words in one page.
    public static let wordPageCount: ClosedRange<Int64> = 1...200
    /// Words in one page if the request says nothing.
    public static let wordPageCountDefault = 100
    /// The name of the feature in the welcome.
    public static let wordsFeature = "words"
}

// MARK: - Objects

/// What becomes of a text with the word.
public enum WordAction: String, CaseIterable, Sendable {
    /// It is refused with `content.refused`.
    case refuse
    /// Each letter of the word becomes a `*`.
    case mask
    /// It is taken, and a report goes to the administrators.
    case flag
}

/// A word of the filter.
///
/// Source: Protocol/spec/words.md, "Word".
public struct FilteredWord: DeclaredObject, Hashable {
    /// The word, or words with spaces between them; `*` at the beginning or end stands for the rest of a word.
    public var word: String
    public var action: WordAction
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    /// Who added it; `nil` for the operator, and for accounts that are gone.
    public var by: UserID?

    public init(word: String, action: WordAction, createdMilliseconds: Int64, by: UserID?) {
        self.word = word
        self.action = action
        self.createdMilliseconds = createdMilliseconds
        self.by = by
    }

    public static let declaration = Declaration(
        Member("word", \Self.word, .line(bytes: Limits.filteredWordBytes)),
        Member("action", \Self.action, .word),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member(nullable: "by", \Self.by, .userID),
        make: Self.init)
}

// MARK: - Requests

/// `words.list`: the words of the filter, in the order of their letters.
///
/// Source: Protocol/spec/words.md, "words.list".
public struct WordsList: DeclaredRequest {
    public typealias Response = FilteredWordPage
    public static let type = "words.list"
    public static let permission: Permission? = .wordsManage

    /// Only words after this one: the last of the page before.
    public var after: String?
    /// 1 to 200.
    public var limit: Int

    public init(after: String? = nil, limit: Int = Limits.wordPageCountDefault) {
        self.after = after
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "after", \Self.after, .line(bytes: Limits.filteredWordBytes)),
        Member("limit", \Self.limit, .integer(Limits.wordPageCount), default: Limits.wordPageCountDefault),
        make: Self.init)
}

/// The answer to `words.list`.
public struct FilteredWordPage: DeclaredObject, Equatable {
    public var words: [FilteredWord]
    /// What to ask with as `after` for the page after; `nil` on the last page.
    public var nextAfter: String?

    public init(words: [FilteredWord], nextAfter: String?) {
        self.words = words
        self.nextAfter = nextAfter
    }

    public static let declaration = Declaration(
        Member("words", \Self.words, .objects()),
        Member(nullable: "next_after", \Self.nextAfter, .line(bytes: Limits.filteredWordBytes)),
        make: Self.init)
}

/// `words.add`: adds a word to the filter, or changes what becomes of texts with it.
///
/// Source: Protocol/spec/words.md, "words.add".
public struct WordsAdd: DeclaredRequest {
    public typealias Response = FilteredWordResult
    public static let type = "words.add"
    public static let permission: Permission? = .wordsManage

    public var word: String
    public var action: WordAction

    public init(word: String, action: WordAction) {
        self.word = word
        self.action = action
    }

    public static let declaration = Declaration(
        Member("word", \Self.word, .line(bytes: Limits.filteredWordBytes)),
        Member("action", \Self.action, .word),
        make: Self.init)
}

/// The answer to `words.add`.
public struct FilteredWordResult: DeclaredObject, Equatable {
    public var word: FilteredWord

    public init(word: FilteredWord) { self.word = word }

    public static let declaration = Declaration(Member("word", \Self.word, .object), make: Self.init)
}

/// `words.remove`: takes a word out of the filter.
///
/// Source: Protocol/spec/words.md, "words.remove".
public struct WordsRemove: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "words.remove"
    public static let permission: Permission? = .wordsManage

    /// The word, or one that finds the same.
    public var word: String

    public init(word: String) { self.word = word }

    public static let declaration = Declaration(
        Member("word", \Self.word, .line(bytes: Limits.filteredWordBytes)), make: Self.init)
}
