extension Limits {
    /// Rows from one cursor of an outline to the next, at least.
    public static let outlineStepMin = 100
    /// Cursors of an outline. A longer list has a larger step.
    public static let outlineCursorsMax = 1_000
    /// Letters of an outline.
    public static let outlineLettersMax = 128
    /// Bytes of one of them.
    public static let outlineLetterBytes = 1...8
}

/// `library.outline`: how long a list of the library is, and cursors into it, so that a client can show any part of it
/// without the parts before.
///
/// Source: Protocol/spec/library.md, "library.outline".
public struct LibraryOutline: DeclaredRequest {
    public typealias Response = LibraryOutlineResult
    public static let type = "library.outline"
    public static let permission: Permission? = .libraryListen

    public var kind: LibraryKind
    public var scope: LibraryScope
    public var sort: LibrarySort
    /// Only tracks or albums of this artist.
    public var artist: MusicID?
    /// Only tracks or albums of this genre.
    public var genre: MusicID?

    public init(
        kind: LibraryKind = .tracks, scope: LibraryScope = .all, sort: LibrarySort = .title, artist: MusicID? = nil,
        genre: MusicID? = nil
    ) {
        self.kind = kind
        self.scope = scope
        self.sort = sort
        self.artist = artist
        self.genre = genre
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .word, default: .tracks),
        Member("scope", \Self.scope, .word, default: .all),
        Member("sort", \Self.sort, .word, default: .title),
        Member(optional: "artist", \Self.artist, .musicID),
        Member(optional: "genre", \Self.genre, .musicID),
        make: Self.init)
}

/// The answer to `library.outline`.
public struct LibraryOutlineResult: DeclaredObject, Equatable {
    /// Rows of the whole list.
    public var total: Int
    /// Rows from one cursor to the next.
    public var step: Int
    /// The first begins at row `step`, the second at row `2 × step`, and so on.
    public var cursors: [String]
    /// In the order of the list. Empty for orders that have none.
    public var letters: [LibraryLetter]

    public init(total: Int, step: Int, cursors: [String], letters: [LibraryLetter]) {
        self.total = total
        self.step = step
        self.cursors = cursors
        self.letters = letters
    }

    public static let declaration = Declaration(
        Member("total", \Self.total, .count),
        Member("step", \Self.step, .integer(Int64(Limits.outlineStepMin)...Int64(1) << 31)),
        Member(
            "cursors", \Self.cursors,
            .lines(bytes: Limits.cursorBytes, count: 0...Limits.outlineCursorsMax)),
        Member("letters", \Self.letters, .objects(count: 0...Limits.outlineLettersMax)),
        make: Self.init)
}

/// Where the rows of one letter begin.
public struct LibraryLetter: DeclaredObject, Hashable {
    /// A capital letter; `#` for what stands before all letters; `…` for what has no name to sort by.
    public var letter: String
    /// The first row, from 0.
    public var index: Int

    public init(letter: String, index: Int) {
        self.letter = letter
        self.index = index
    }

    public static let declaration = Declaration(
        Member("letter", \Self.letter, .line(bytes: Limits.outlineLetterBytes)),
        Member("index", \Self.index, .count), make: Self.init)
}
