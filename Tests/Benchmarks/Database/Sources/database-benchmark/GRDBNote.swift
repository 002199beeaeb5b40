import GRDB

/// The record of GRDB's first pages: Codable does the rest.
struct GRDBNote: NoteFields, Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "notes"

    var id: Int64
    var title: String
    var body: String
    var author: String
    var rank: Int
    var created: Int64
    var score: Double
    var parent: Int64?
}

/// The fastest record GRDB's documentation shows: columns by index, statements kept, arguments unchecked.
struct GRDBIndexedNote: NoteFields, FetchableRecord, TableRecord {
    static let databaseTableName = "notes"

    var id: Int64
    var title: String
    var body: String
    var author: String
    var rank: Int
    var created: Int64
    var score: Double
    var parent: Int64?
}

extension GRDBIndexedNote {
    init(row: Row) {
        id = row[0]
        title = row[1]
        body = row[2]
        author = row[3]
        rank = row[4]
        created = row[5]
        score = row[6]
        parent = row[7]
    }

    static func first(_ db: Database, id: Int64) throws -> GRDBIndexedNote? {
        try fetchOne(db.cachedStatement(sql: RawNote.byKey), arguments: [id])
    }

    func insert(_ statement: Statement) throws {
        statement.setUncheckedArguments([id, title, body, author, rank, created, score, parent])
        try statement.execute()
    }

    func insert(_ db: Database) throws { try insert(db.cachedStatement(sql: RawNote.insertion)) }
}

struct GRDBArticle: ArticleFields, Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "articles"

    var id: Int64
    var title: String
    var body: String
}

struct GRDBIndexedArticle: ArticleFields, FetchableRecord {
    var id: Int64
    var title: String
    var body: String

    init(row: Row) {
        id = row[0]
        title = row[1]
        body = row[2]
    }
}
