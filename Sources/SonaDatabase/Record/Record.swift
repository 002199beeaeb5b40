/// A struct that is a row of one table.
///
/// Columns are declared once; table, statements and typed conditions come of the declaration. Values move by position,
/// without a name being looked up: `init(row:)` reads the columns in the order of `table`, `bind(to:)` writes them in the
/// same order.
/// ```swift
/// struct Album: Record {
///     typealias Key = Int64
///     var id: Int64
///     var title: String
///     var artist: Int64?
///
///     static let id = Column("id", \Self.id, .primaryKey)
///     static let title = Column("title", \Self.title, .byteCount(1...200))
///     static let artist = Column("artist", \Self.artist, .references(Artist.self, onDelete: .cascade), .indexed)
///     static let table = Table<Self>("albums", id, title, artist)
///
///     init(row: inout Row) throws(DatabaseError) {
///         id = try row.next()
///         title = try row.next()
///         artist = try row.next()
///     }
///     func bind(to values: inout Binder) {
///         values.next(id)
///         values.next(title)
///         values.next(artist)
///     }
/// }
/// ```
/// An order that differs between the three is found when the first record that tells its columns apart is written or
/// read on a connection, so in every test that touches the table, and is `misuse`.
public protocol Record: Sendable {
    /// The value that names one row: the type of the primary key's column, or a struct of several.
    associatedtype Key: RecordKey
    /// The table of this record, with its columns in the order of `bind` and `init(row:)`.
    static var table: Table<Self> { get }
    /// - Throws: `badValue` if a column holds no value of its property's type.
    init(row: inout Row) throws(DatabaseError)
    /// Binds the values of all columns, in the order of the table.
    func bind(to values: inout Binder)
}
