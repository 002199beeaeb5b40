import GRDB

/// How one and the same thing is said to GRDB.
protocol GRDBWay<Note>: Sendable {
    associatedtype Note: NoteFields

    /// One row by key, in an access of its own or among others.
    func first(_ db: Database, _ id: Int64) throws -> Note?
    /// For many rows by key.
    func prepared(_ db: Database) throws -> (Int64) throws -> Note?
    func page(_ db: Database, after id: Int64, limit: Int) throws -> [Note]
    func insert(_ note: Note, _ db: Database) throws
    /// For many insertions.
    func insertion(_ db: Database) throws -> (Note) throws -> Void
    /// Returns the checksum of the articles found.
    func search(_ db: Database, _ typed: String, limit: Int) throws -> UInt64
}

/// Codable records and the query interface.
struct Codables: GRDBWay {
    func first(_ db: Database, _ id: Int64) throws -> GRDBNote? { try GRDBNote.fetchOne(db, key: id) }

    func prepared(_ db: Database) throws -> (Int64) throws -> GRDBNote? {
        let statement = try db.cachedStatement(sql: RawNote.byKey)
        return { id in try GRDBNote.fetchOne(statement, arguments: [id]) }
    }

    func page(_ db: Database, after id: Int64, limit: Int) throws -> [GRDBNote] {
        try GRDBNote.filter(Column("id") > id).order(Column("id")).limit(limit).fetchAll(db)
    }

    func insert(_ note: GRDBNote, _ db: Database) throws { try note.insert(db) }

    func insertion(_ db: Database) throws -> (GRDBNote) throws -> Void { { note in try note.insert(db) } }

    func search(_ db: Database, _ typed: String, limit: Int) throws -> UInt64 {
        let pattern = FTS5Pattern(matchingAllPrefixesIn: typed)
        let sql = """
            SELECT articles.* FROM articles JOIN articles_search ON articles_search.rowid = articles.id
            WHERE articles_search MATCH ? ORDER BY articles_search.rank LIMIT ?
            """
        return try GRDBArticle.fetchAll(db, sql: sql, arguments: [pattern, limit]).checksum
    }
}

/// Columns by index and statements out of GRDB's cache, with the SQL and the pattern of the floor.
struct Indexed: GRDBWay {
    func first(_ db: Database, _ id: Int64) throws -> GRDBIndexedNote? { try GRDBIndexedNote.first(db, id: id) }

    func prepared(_ db: Database) throws -> (Int64) throws -> GRDBIndexedNote? {
        let statement = try db.cachedStatement(sql: RawNote.byKey)
        return { id in try GRDBIndexedNote.fetchOne(statement, arguments: [id]) }
    }

    func page(_ db: Database, after id: Int64, limit: Int) throws -> [GRDBIndexedNote] {
        try GRDBIndexedNote.fetchAll(db.cachedStatement(sql: RawNote.after), arguments: [id, limit])
    }

    func insert(_ note: GRDBIndexedNote, _ db: Database) throws { try note.insert(db) }

    func insertion(_ db: Database) throws -> (GRDBIndexedNote) throws -> Void {
        let statement = try db.cachedStatement(sql: RawNote.insertion)
        return { note in try note.insert(statement) }
    }

    func search(_ db: Database, _ typed: String, limit: Int) throws -> UInt64 {
        let statement = try db.cachedStatement(sql: RawArticle.search)
        return try GRDBIndexedArticle.fetchAll(statement, arguments: [RawArticle.pattern(typed), limit]).checksum
    }
}
