import SonaDatabase
import SonaTestSupport
import Testing

/// Records for the tests: authors with a number SQLite chooses, books with an identifier of their own, chapters named by
/// two columns.
enum Library {
    static let applicationID: Int32 = 0x4C49_4252

    /// A database in memory with all three tables.
    static func inMemory(
        options: DatabaseOptions = DatabaseOptions()
    ) async throws -> (database: DatabaseQueue, daos: CatalogueDAOs) {
        try await DatabaseQueue.inMemory(daos: CatalogueDAOs.self, options: options)
    }

    /// A file with all three.
    static func open(
        _ folder: TemporaryFolder, options: DatabaseOptions = DatabaseOptions()
    ) async throws -> (database: DatabasePool, daos: CatalogueDAOs) {
        try await DatabasePool.open(
            folder.file("library.sqlite"), applicationID: applicationID, daos: CatalogueDAOs.self, options: options)
    }

    /// One author and four books, of which one has no year and one no rating.
    static func fill(_ database: some DatabaseWriter) async throws {
        try await database.write { db in
            try db.insert(Author(id: 1, name: "Nina"))
            try db.insert(contentsOf: [
                Book(id: "a", title: "Apple", author: 1, year: 1990, rating: 4.5),
                Book(id: "b", title: "Bread", author: 1, year: 1991, rating: 3),
                Book(id: "c", title: "Corn", author: 1, year: nil, rating: 2),
                Book(id: "d", title: "Date", author: 1, year: 1993, genre: .fairyTale),
            ])
        }
    }
}

struct Author: Record, Equatable {
    typealias Key = Int64
    /// `nil` until SQLite has chosen one.
    var id: Int64?
    var name: String
    var country: String?
}

extension Author {
    static let id = Column("id", \Self.id, .primaryKey)
    static let name = Column("name", \Self.name, .unique, .byteCount(1...40))
    static let country = Column("country", \Self.country, .byteCount(...2))
    static let table = Table<Self>("authors", id, name, country)

    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        name = try row.next()
        country = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(name)
        values.next(country)
    }
}

struct BookID: DatabaseValueConvertible, Hashable, ExpressibleByStringLiteral {
    let text: String

    init(_ text: String) { self.text = text }
    init(stringLiteral text: String) { self.text = text }

    static var storageClass: StorageClass { .text }
    var databaseValue: DatabaseValue { .text(text) }
    init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue, !text.isEmpty else { return nil }
        self.text = text
    }
}

/// One of them has a quote in its name.
enum Genre: String, CaseIterable, DatabaseValueConvertible { case crime, fairyTale = "children's tales", poetry }

struct Book: Record, Equatable {
    typealias Key = BookID
    var id: BookID
    var title: String
    var author: Int64
    var year: Int?
    var genre = Genre.crime
    var cover: [UInt8]?
    var rating: Double?
    var isPublic = true
}

extension Book {
    static let id = Column("id", \Self.id, .primaryKey)
    static let title = Column("title", \Self.title, .byteCount(1...200), .indexed)
    static let author = Column("author", \Self.author, .references(Author.self, onDelete: .cascade), .indexed)
    static let year = Column("year", \Self.year)
    static let genre = Column("genre", \Self.genre, .anyCase)
    static let cover = Column("cover", \Self.cover, .byteCount(0...8))
    static let rating = Column("rating", \Self.rating)
    static let isPublic = Column("is_public", \Self.isPublic, .defaults(to: true))
    static let table = Table<Self>("books", id, title, author, year, genre, cover, rating, isPublic)

    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        title = try row.next()
        author = try row.next()
        year = try row.next()
        genre = try row.next()
        cover = try row.next()
        rating = try row.next()
        isPublic = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(title)
        values.next(author)
        values.next(year)
        values.next(genre)
        values.next(cover)
        values.next(rating)
        values.next(isPublic)
    }
}

struct ChapterKey: RecordKey, Hashable {
    var book: BookID
    var place: Int
}

extension ChapterKey {
    static let columnCount = 2
    init(row: inout Row) throws(DatabaseError) {
        book = try row.next()
        place = try row.next()
    }
    func bind(to values: inout Binder) {
        values.next(book)
        values.next(place)
    }
}

struct Chapter: Record, Equatable {
    typealias Key = ChapterKey
    var title: String
    var pages = 0
    var book: BookID
    var place: Int
}

extension Chapter {
    // The columns of the key are the last ones: the order of a key is not that of the columns.
    static let title = Column("title", \Self.title)
    static let pages = Column("pages", \Self.pages, .range(0...1_000_000), .defaults(to: 0))
    static let book = Column("book", \Self.book, .references(Book.self, onDelete: .cascade))
    static let place = Column("place", \Self.place)
    static let table = Table<Self>("chapters", title, pages, book, place, rules: [.primaryKey(book, place)])

    init(row: inout Row) throws(DatabaseError) {
        title = try row.next()
        pages = try row.next()
        book = try row.next()
        place = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(title)
        values.next(pages)
        values.next(book)
        values.next(place)
    }
}

enum LibraryError: RecordError {
    case notFound, alreadyExists, nameTaken
    case cannotFetch(DatabaseError), cannotSave(DatabaseError)

    init?(_ error: DatabaseError) {
        guard case .unique("authors", ["name"]) = error.kind else { return nil }
        self = .nameTaken
    }
}

struct AuthorDAO: TableDAO {
    typealias Model = Author
    typealias Failure = LibraryError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Author.self) }
}

/// Books and their chapters.
struct BookDAO: TableDAO {
    typealias Model = Book
    typealias Failure = LibraryError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(Chapter.self)
        setUp.createTable(Book.self)
    }
}

struct CatalogueDAOs: DAOs {
    let books: BookDAO
    let authors: AuthorDAO
    init(_ database: any DatabaseWriter) {
        books = BookDAO(database)
        authors = AuthorDAO(database)
    }
}

/// A record of which only the table is used.
protocol TableOnly: Record {}

extension TableOnly {
    init(row: inout Row) throws(DatabaseError) { throw DatabaseError(kind: .misuse("a table only")) }
    func bind(to values: inout Binder) {}
}

/// A DAO of one table and nothing else.
struct TableOf<R: Record>: DAO {
    enum Failure: DomainError { case failed(DatabaseError) }
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(R.self) }
}

struct One<A: Record>: DAOs {
    let a: TableOf<A>
    init(_ database: any DatabaseWriter) { a = TableOf(database) }
}

struct Two<A: Record, B: Record>: DAOs {
    let a: TableOf<A>
    let b: TableOf<B>
    init(_ database: any DatabaseWriter) { (a, b) = (TableOf(database), TableOf(database)) }
}

struct Three<A: Record, B: Record, C: Record>: DAOs {
    let a: TableOf<A>
    let b: TableOf<B>
    let c: TableOf<C>
    init(_ database: any DatabaseWriter) { (a, b, c) = (TableOf(database), TableOf(database), TableOf(database)) }
}

/// The kind of the database error that `body` throws; `nil` if it throws none.
func kind<Value>(_ body: () async throws -> Value) async -> DatabaseError.Kind? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? DatabaseError)?.kind
    }
}

/// Expects a database error of that kind from `body`.
func expectFailure<Value>(
    _ wanted: DatabaseError.Kind, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let found = await kind(body)
    #expect(found == wanted, comment, sourceLocation: sourceLocation)
}

/// Expects `misuse`, whatever the sentence.
func expectMisuse<Value>(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async {
    let found = await kind(body)
    #expect(found.isMisuse, comment, sourceLocation: sourceLocation)
}

extension DatabaseError.Kind? {
    /// Whether it is `misuse`, whatever the sentence.
    var isMisuse: Bool { if case .misuse = self { true } else { false } }
}
