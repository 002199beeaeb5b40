/// The structure of a table in a file, in a form in which two can be compared.
///
/// The order of columns does not count (statements name them), nor do spaces and quotes in the text of constraints.
struct TableShape {
    struct Column: Equatable {
        let type: String
        let isNotNull: Bool
        let defaultText: String?
        /// 1 for the first column of the primary key; 0 for a column outside of it.
        let keyPlace: Int
    }

    private(set) var columns: [String: Column] = [:]
    /// Indexes by name, without those of constraints.
    private(set) var indexes: [String: String] = [:]
    private var uniques: Set<[String]> = []
    private var foreignKeys: Set<String> = []
    private var checks: Set<String> = []
    /// Counts of words that change what a column or a constraint means, and that no PRAGMA tells of.
    private var words: [String: Int] = [:]
    private var isStrict = false

    /// - Returns: `nil` if there is no such table.
    init?(_ name: String, on connection: Connection) throws(DatabaseError) {
        let text: String? = try connection.ask(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = \(name)")
        guard let text else { return nil }
        checks = Set(SQLText.checks(in: text))
        words = SQLText.count(["COLLATE", "CONFLICT", "DEFERRED", "ROWID"], in: text)
        isStrict = try connection.ask("SELECT strict FROM pragma_table_list(\(name)) WHERE schema = 'main'") ?? false
        try connection.eachRow(
            #"SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(\#(name))"#
        ) { row throws(DatabaseError) in
            let name = try row.next(String.self)
            columns[name] = Column(
                type: try row.next(), isNotNull: try row.next(),
                defaultText: try row.next(String?.self).map(SQLText.normalized), keyPlace: try row.next())
        }
        try connection.eachRow(
            #"SELECT "from", "table", coalesce("to", ''), on_delete FROM pragma_foreign_key_list(\#(name))"#
        ) { row throws(DatabaseError) in
            let from = try row.next(String.self)
            foreignKeys.insert(
                "\(from) → \(try row.next(String.self))(\(try row.next(String.self))) \(try row.next(String.self))")
        }
        try readIndexes(of: name, on: connection)
    }

    private mutating func readIndexes(of name: String, on connection: Connection) throws(DatabaseError) {
        var constraints: [String] = []
        try connection.eachRow(
            """
            SELECT l.name, l.origin, s.sql FROM pragma_index_list(\(name)) l
            LEFT JOIN sqlite_schema s ON s.type = 'index' AND s.name = l.name
            """
        ) { row throws(DatabaseError) in
            let index = try row.next(String.self)
            let origin = try row.next(String.self)
            let text = try row.next(String?.self)
            if origin == "u" { constraints.append(index) }
            if origin == "c", let text { indexes[index] = SQLText.normalized(text) }
        }
        for index in constraints {
            var names: [String] = []
            try connection.eachRow("SELECT name FROM pragma_index_info(\(index)) ORDER BY seqno") {
                row throws(DatabaseError) in names.append(try row.next())
            }
            uniques.insert(names)
        }
    }

    /// The differences, in sentences; empty if the table is as wanted.
    ///
    /// - Parameter isExact: Columns and indexes that are not declared count too. Otherwise they may be there, as long as
    ///   rows can be inserted without naming them.
    func differences(from wanted: TableShape, isExact: Bool = false) -> [String] {
        var found: [String] = []
        for (name, column) in wanted.columns.sorted(by: { $0.key < $1.key }) {
            guard let own = columns[name] else {
                found.append("the column \(name) is missing")
                continue
            }
            if own != column { found.append("the column \(name) is \(own.text), declared \(column.text)") }
        }
        for (name, column) in columns.sorted(by: { $0.key < $1.key }) where wanted.columns[name] == nil {
            if isExact || (column.isNotNull && column.defaultText == nil) {
                found.append("the column \(name) is not declared")
            }
        }
        for (name, text) in wanted.indexes.sorted(by: { $0.key < $1.key }) where indexes[name] != text {
            found.append("the index \(name) is \(indexes[name] ?? "missing"), declared \(text)")
        }
        if isExact {
            for name in indexes.keys.sorted() where wanted.indexes[name] == nil {
                found.append("the index \(name) is not declared")
            }
        }
        found += Self.differences(uniques, wanted.uniques, "UNIQUE") { $0.joined(separator: ", ") }
        found += Self.differences(foreignKeys, wanted.foreignKeys, "the foreign key") { $0 }
        found += Self.differences(checks, wanted.checks, "CHECK") { $0 }
        for (word, count) in wanted.words.sorted(by: { $0.key < $1.key }) where words[word] != count {
            found.append("\(word) occurs \(words[word] ?? 0) times, declared \(count) times")
        }
        if isStrict != wanted.isStrict { found.append("the table is \(isStrict ? "STRICT" : "not STRICT")") }
        return found
    }

    private static func differences<Item: Hashable>(
        _ own: Set<Item>, _ wanted: Set<Item>, _ what: String, _ text: (Item) -> String
    ) -> [String] {
        wanted.subtracting(own).map { "\(what) (\(text($0))) is missing" }.sorted()
            + own.subtracting(wanted).map { "\(what) (\(text($0))) is not declared" }.sorted()
    }
}

extension TableShape.Column {
    fileprivate var text: String {
        var text = type
        if isNotNull { text += " NOT NULL" }
        if keyPlace > 0 { text += " PRIMARY KEY \(keyPlace)" }
        if let defaultText { text += " DEFAULT \(defaultText)" }
        return text
    }
}

extension Connection {
    /// Rows of an internal question.
    func eachRow(
        _ sql: SQL, _ body: (inout Row) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let statement = try Statement(sql, on: handle, hooks: hooks, isKept: false)
        try statement.bind(sql)
        while try statement.step() {
            var row = Row(statement.handle)
            try body(&row)
        }
    }
}
