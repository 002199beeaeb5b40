internal import SonaDatabase
internal import SonaWire

/// A word of the filter.
struct FilteredWordRecord: Record, Equatable {
    typealias Key = String

    let word: String
    let action: WordAction
    let createdMilliseconds: Int64
    /// The administrator. `nil`: the operator, or an account that is gone.
    let by: UserID?

    static let word = Column("word", \Self.word, .primaryKey, .byteCount(Limits.filteredWordBytes))
    static let action = Column("action", \Self.action, .anyCase)
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let by = Column("by_uid", \Self.by, .references(UserRecord.self, onDelete: .setNull))

    static let table = Table<Self>(
        "filtered_words", word, action, created, by,
        rules: [.index("filtered_words_by_user", on: by.ascending)])

    func bind(to values: inout Binder) {
        values.next(word)
        values.next(action)
        values.next(createdMilliseconds)
        values.next(by)
    }
}

extension FilteredWordRecord {
    init(row: inout Row) throws(DatabaseError) {
        word = try row.next()
        action = try row.next()
        createdMilliseconds = try row.next()
        by = try row.next()
    }
}

extension FilteredWord {
    init(_ record: FilteredWordRecord) {
        self.init(
            word: record.word, action: record.action, createdMilliseconds: record.createdMilliseconds, by: record.by)
    }
}

/// The words of the filter.
struct WordDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(FilteredWordRecord.self) }

    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .check = error.kind { .invalid } else { nil }
    }
}
