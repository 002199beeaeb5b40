/// Some rows of one table, in some order: a value that becomes SQL when it is run.
///
/// ```swift
/// try db.all(Album.filter(Album.year >= 1990).order(Album.title.ascending).limit(20))
/// ```
public struct Query<R: Record>: Sendable {
    private var conditions: [SQL] = []
    private var ordering: [SQL] = []
    private var limit: (count: Int, offset: Int)?

    init() {}

    /// Rows for which this holds too.
    public func filter(_ condition: Condition<R>) -> Self {
        var query = self
        query.conditions.append(condition.sql)
        return query
    }

    /// After the orderings given before.
    public func order(_ orderings: Ordering<R>...) -> Self {
        var query = self
        query.ordering += orderings.map(\.sql)
        return query
    }

    /// At most `count` rows, after leaving out `offset`. Negative numbers count as 0.
    public func limit(_ count: Int, offset: Int = 0) -> Self {
        var query = self
        query.limit = (max(0, count), max(0, offset))
        return query
    }

    /// `WHERE … ORDER BY … LIMIT …`
    var rest: SQL {
        var sql = whereClause
        if !ordering.isEmpty { sql.append(" \(orderClause)") }
        if let limit { sql.append(" LIMIT \(limit.count) OFFSET \(limit.offset)") }
        return sql
    }

    /// `ORDER BY …`, or nothing.
    var orderClause: SQL { ordering.isEmpty ? "" : "ORDER BY \(SQL.list(ordering))" }

    /// `SELECT columns FROM table WHERE …`
    public var sql: SQL {
        var sql = R.table.definition.select
        sql.append(rest)
        return sql
    }

    private var whereClause: SQL {
        var sql = SQL()
        for (place, condition) in conditions.enumerated() {
            sql.append(place == 0 ? "WHERE (" : " AND (")
            sql.append(condition)
            sql.append(")")
        }
        return sql
    }

    /// `SELECT key FROM table WHERE …`, for the rows of a related table or of a change.
    func select(_ columns: SQL) -> SQL { "SELECT \(columns) FROM \(R.table) \(rest)" }

    /// The end of a DELETE or an UPDATE, after the table. With a limit or an order it goes by the keys chosen.
    var target: SQL {
        guard limit != nil else { return whereClause }
        let keys = R.table.definition.keyList
        return "WHERE (\(keys)) IN (\(select(keys)))"
    }
}

extension Record {
    /// Every row.
    public static var all: Query<Self> { Query() }
    /// The rows for which a condition holds.
    public static func filter(_ condition: Condition<Self>) -> Query<Self> { Query().filter(condition) }
    /// Every row, by the first ordering, then by the next.
    public static func order(_ orderings: Ordering<Self>...) -> Query<Self> {
        orderings.reduce(Query()) { $0.order($1) }
    }
}
