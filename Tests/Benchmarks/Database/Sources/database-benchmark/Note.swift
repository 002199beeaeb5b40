/// The eight columns that every contender reads and writes, each in a struct of its own.
///
/// Their own, since the protocols of two libraries on one struct would get into each other's way, and each library is
/// to be seen with the struct its users write.
protocol NoteFields: Sendable {
    var id: Int64 { get }
    var title: String { get }
    var body: String { get }
    var author: String { get }
    var rank: Int { get }
    var created: Int64 { get }
    var score: Double { get }
    var parent: Int64? { get }

    init(
        id: Int64, title: String, body: String, author: String, rank: Int, created: Int64, score: Double,
        parent: Int64?)
}

extension NoteFields {
    init(_ other: some NoteFields, id: Int64? = nil) {
        self.init(
            id: id ?? other.id, title: other.title, body: other.body, author: other.author, rank: other.rank,
            created: other.created, score: other.score, parent: other.parent)
    }

    /// Touches every field, so that no contender can leave one unread, for a few nanoseconds; of the texts the length,
    /// and in one row of 64 every byte.
    ///
    /// Sums are compared, so the order of rows is free.
    @inline(__always)
    var checksum: UInt64 {
        var sum = UInt64(bitPattern: id)
        sum = (sum ^ title.fingerprint(id)) &* 0x9E37_79B9_7F4A_7C15
        sum = (sum ^ body.fingerprint(id)) &* 0x9E37_79B9_7F4A_7C15
        sum = (sum ^ author.fingerprint(id)) &* 0x9E37_79B9_7F4A_7C15
        sum = (sum ^ UInt64(bitPattern: Int64(rank))) &* 0x9E37_79B9_7F4A_7C15
        sum = (sum ^ UInt64(bitPattern: created)) &* 0x9E37_79B9_7F4A_7C15
        sum = (sum ^ score.bitPattern) &* 0x9E37_79B9_7F4A_7C15
        return (sum ^ UInt64(bitPattern: parent ?? -1)) &* 0x9E37_79B9_7F4A_7C15
    }

    func isSame(as other: some NoteFields) -> Bool {
        id == other.id && title == other.title && body == other.body && author == other.author && rank == other.rank
            && created == other.created && score == other.score && parent == other.parent
    }
}

/// The record that searches find: fewer columns, more text.
protocol ArticleFields: Sendable {
    var id: Int64 { get }
    var title: String { get }
    var body: String { get }
}

extension ArticleFields {
    @inline(__always)
    var checksum: UInt64 {
        let sum = (UInt64(bitPattern: id) ^ title.fingerprint(id)) &* 0x9E37_79B9_7F4A_7C15
        return (sum ^ body.fingerprint(id)) &* 0x9E37_79B9_7F4A_7C15
    }
}

extension String {
    @inline(__always)
    fileprivate func fingerprint(_ id: Int64) -> UInt64 { id & 63 == 0 ? fingerprintOfBytes : UInt64(utf8.count) }

    private var fingerprintOfBytes: UInt64 { utf8.reduce(0) { $0 &* 31 &+ UInt64($1) } }
}

extension Sequence where Element: NoteFields {
    @inline(__always)
    var checksum: UInt64 { reduce(0) { $0 &+ $1.checksum } }
}

extension Sequence where Element: ArticleFields {
    @inline(__always)
    var checksum: UInt64 { reduce(0) { $0 &+ $1.checksum } }
}
