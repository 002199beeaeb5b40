import SonaDatabase

/// As a user of SonaDatabase writes it: declared once, moved by position.
///
/// The columns name their types because `NoteFields` demands properties of the same names: the compiler would look for
/// the column's type by way of the conformance, and for the conformance by way of the column's type.
struct SonaNote: NoteFields, Record {
    typealias Key = Int64

    var id: Int64
    var title: String
    var body: String
    var author: String
    var rank: Int
    var created: Int64
    var score: Double
    var parent: Int64?

    static let id: Column<Self, Int64> = Column("id", \.id, .primaryKey)
    static let title: Column<Self, String> = Column("title", \.title)
    static let body: Column<Self, String> = Column("body", \.body)
    static let author: Column<Self, String> = Column("author", \.author)
    static let rank: Column<Self, Int> = Column("rank", \.rank)
    static let created: Column<Self, Int64> = Column("created", \.created)
    static let score: Column<Self, Double> = Column("score", \.score)
    static let parent: Column<Self, Int64?> = Column("parent", \.parent)
    static let table = Table<Self>("notes", id, title, body, author, rank, created, score, parent)
}

extension SonaNote {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        title = try row.next()
        body = try row.next()
        author = try row.next()
        rank = try row.next()
        created = try row.next()
        score = try row.next()
        parent = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(title)
        values.next(body)
        values.next(author)
        values.next(rank)
        values.next(created)
        values.next(score)
        values.next(parent)
    }
}

struct SonaArticle: ArticleFields, Record {
    typealias Key = Int64

    var id: Int64
    var title: String
    var body: String

    static let id: Column<Self, Int64> = Column("id", \.id, .primaryKey)
    static let title: Column<Self, String> = Column("title", \.title)
    static let body: Column<Self, String> = Column("body", \.body)
    static let table = Table<Self>("articles", id, title, body, search: SearchIndex(title, body))
}

extension SonaArticle {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        title = try row.next()
        body = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(title)
        values.next(body)
    }
}
