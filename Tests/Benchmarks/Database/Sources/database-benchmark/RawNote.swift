/// The plain structs: what the floor reads into, and what the generator makes.
struct RawNote: NoteFields {
    var id: Int64
    var title: String
    var body: String
    var author: String
    var rank: Int
    var created: Int64
    var score: Double
    var parent: Int64?

    static let table = """
        CREATE TABLE notes (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL,
            rank INTEGER NOT NULL, created INTEGER NOT NULL, score REAL NOT NULL, parent INTEGER) STRICT
        """
    static let columns = "id, title, body, author, rank, created, score, parent"
    static let byKey = "SELECT \(columns) FROM notes WHERE id = ?"
    static let after = "SELECT \(columns) FROM notes WHERE id > ? ORDER BY id LIMIT ?"
    static let insertion = "INSERT INTO notes (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
}

extension RawNote {
    @inline(__always)
    init(_ row: RawStatement) {
        id = row.integer(0)
        title = row.text(1)
        body = row.text(2)
        author = row.text(3)
        rank = Int(row.integer(4))
        created = row.integer(5)
        score = row.real(6)
        parent = row.isNull(7) ? nil : row.integer(7)
    }

    /// Binds and steps in one, since the text is only lent.
    @inline(__always)
    func insert(_ statement: RawStatement) throws {
        var (title, body, author) = (title, body, author)
        try title.withUTF8 { title in
            try body.withUTF8 { body in
                try author.withUTF8 { author in
                    try statement.bind(1, id)
                    try statement.bind(2, lent: title)
                    try statement.bind(3, lent: body)
                    try statement.bind(4, lent: author)
                    try statement.bind(5, Int64(rank))
                    try statement.bind(6, created)
                    try statement.bind(7, score)
                    try statement.bind(8, optional: parent)
                    defer { statement.reset() }
                    _ = try statement.step()
                }
            }
        }
    }

    @inline(__always)
    static func first(_ statement: RawStatement, id: Int64) throws -> RawNote? {
        try statement.bind(1, id)
        defer { statement.reset() }
        return try statement.step() ? RawNote(statement) : nil
    }
}

struct RawArticle: ArticleFields {
    var id: Int64
    var title: String
    var body: String

    static let columns = "id, title, body"
    static let search = """
        SELECT articles.id, articles.title, articles.body
        FROM articles_search JOIN articles ON articles.id = articles_search.rowid
        WHERE articles_search MATCH ? ORDER BY articles_search.rank LIMIT ?
        """
    /// External content, kept in step by triggers.
    static let schema = """
        CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL) STRICT;
        CREATE VIRTUAL TABLE articles_search USING fts5(title, body, content='articles', content_rowid='id',
            prefix='2 3', tokenize='unicode61 remove_diacritics 2');
        CREATE TRIGGER articles_search_insert AFTER INSERT ON articles BEGIN
            INSERT INTO articles_search (rowid, title, body) VALUES (new.id, new.title, new.body);
        END;
        """

    @inline(__always)
    init(_ row: RawStatement) {
        id = row.integer(0)
        title = row.text(1)
        body = row.text(2)
    }

    init(id: Int64, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }

    /// Each word in quotes, so that nothing in it is an operator; the last one is unfinished.
    static func pattern(_ typed: String) -> String {
        var pattern = ""
        var isInWord = false
        for scalar in typed.unicodeScalars {
            let isPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if isPart != isInWord {
                if isPart, !pattern.isEmpty { pattern += " " }
                pattern += "\""
                isInWord = isPart
            }
            if isPart { pattern.unicodeScalars.append(scalar) }
        }
        if isInWord { pattern += "\"" }
        return pattern.isEmpty ? pattern : pattern + "*"
    }
}
