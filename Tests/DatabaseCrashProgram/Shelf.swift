import SonaDatabase

/// A table as it was declared once.
struct OldBook: Record {
    typealias Key = Int
    let id: Int
    let title: String

    static let id = Column("id", \Self.id, .primaryKey)
    static let title = Column("title", \Self.title)
    static let table = Table<Self>("books", id, title)

    init(id: Int, title: String) {
        self.id = id
        self.title = title
    }

    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        title = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(title)
    }
}

/// The same table as it is declared now: with one more column and an index.
struct Book: Record, Equatable {
    typealias Key = Int
    let id: Int
    let title: String
    let year: Int

    static let id = Column("id", \Self.id, .primaryKey)
    static let title = Column("title", \Self.title)
    static let year = Column("year", \Self.year, .defaults(to: 0))
    static let table = Table<Self>("books", id, title, year, rules: [.index("books_by_year", on: year.ascending)])

    init(id: Int, title: String, year: Int) {
        self.id = id
        self.title = title
        self.year = year
    }

    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        title = try row.next()
        year = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(title)
        values.next(year)
    }
}

enum BookError: RecordError {
    case notFound, alreadyExists
    case cannotFetch(DatabaseError), cannotSave(DatabaseError)
}

struct OldBookDAO: TableDAO {
    typealias Model = OldBook
    typealias Failure = BookError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(OldBook.self) }
}

struct BookDAO: TableDAO {
    typealias Model = Book
    typealias Failure = BookError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Book.self) }
}

struct OldShelf: DAOs {
    let books: OldBookDAO
    init(_ database: any DatabaseWriter) { books = OldBookDAO(database) }
}

struct Shelf: DAOs {
    let books: BookDAO
    init(_ database: any DatabaseWriter) { books = BookDAO(database) }
}
