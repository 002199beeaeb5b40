/// The statements of searches in one table, made once.
///
/// The best rows are chosen before the table is touched: the inner SELECT sorts numbers only. `bm25()` with an ORDER BY
/// of SQLite's own is faster than FTS5's `rank`, for which FTS5 prepares a statement of its own at each run. With a
/// condition the table has to be asked before the best are known.
///
/// The columns of the inner SELECT have names that no column of a record has, so that the columns in a condition are
/// those of the table.
struct SearchSQL: Sendable {
    /// The columns that come with each record.
    enum Extra: Int, CaseIterable, Sendable {
        case nothing
        /// A column's text, marked. Parameters: the column's place, two marks.
        case wholeText
        /// An excerpt of it. Parameters: the column's place, two marks, the sign for omitted text, tokens.
        case excerpt

        fileprivate func sql(_ index: String) -> String {
            switch self {
            case .nothing: ""
            case .wholeText: ", highlight(\(index), ?, ?, ?) AS \"search text\""
            case .excerpt: ", snippet(\(index), ?, ?, ?, ?, ?) AS \"search text\""
            }
        }
    }

    /// By `Extra`. Parameters: the weight of each column, those of the extra, the pattern, limit, offset.
    let best: [SQL]
    /// By `Extra`. Up to a condition; parameters as before without limit and offset, which `filteredEnd` has.
    let filtered: [SQL]
    let filteredEnd: SQL
    /// Parameter: the pattern.
    let count: SQL
    /// Up to a condition.
    let filteredCount: SQL
    let filteredCountEnd: SQL

    init(_ table: TableDefinition, key: ColumnDefinition, index: SQL, columnCount: Int) {
        let name = table.quotedName.text
        let index = index.text
        let join = "CROSS JOIN \(name) ON \(name).\(key.sql.text) = \"search row\""
        let order = "ORDER BY \"search rank\", \"search row\""
        let rank = "bm25(\(index)\(String(repeating: ", ?", count: columnCount)))"
        func select(_ extra: Extra) -> String {
            "SELECT \(table.columnList.text)\(extra == .nothing ? "" : ", \"search text\"") FROM "
                + "(SELECT rowid AS \"search row\", \(rank) AS \"search rank\"\(extra.sql(index)) FROM \(index) "
                + "WHERE \(index) MATCH ?"
        }
        best = Extra.allCases.map { SQL(immortal: "\(select($0)) \(order) LIMIT ? OFFSET ?) \(join) \(order)") }
        filtered = Extra.allCases.map { SQL(immortal: "\(select($0))) \(join) WHERE (") }
        filteredEnd = SQL(immortal: ") \(order) LIMIT ? OFFSET ?")
        // The statement names the table, although the index knows the number, so that observers learn when the count
        // changes.
        count = SQL(
            immortal: "SELECT count(*) FROM \(index) WHERE \(index) MATCH ? AND EXISTS (SELECT 1 FROM \(name))")
        filteredCount = SQL(
            immortal: "SELECT count(*) FROM (SELECT rowid AS \"search row\" FROM \(index) WHERE \(index) MATCH ?) "
                + "\(join) WHERE (")
        filteredCountEnd = SQL(immortal: ")")
    }
}
