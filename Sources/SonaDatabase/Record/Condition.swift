/// A condition on the rows of one table, made of its columns: `Album.year >= 1990 && Album.title.hasPrefix("A")`.
public struct Condition<R: Record>: Sendable {
    private enum Joint { case and, or }

    let sql: SQL
    /// The operator that joins its parts. A chain of one operator goes without parentheses: SQLite's parser takes some
    /// 90 at most.
    private var joint: Joint?

    /// A condition in SQL, for what columns cannot say.
    public init(_ sql: SQL) { self.sql = sql }

    /// Both conditions hold (SQL's AND).
    public static func && (left: Self, right: Self) -> Self {
        var both = Self("\(left.part(of: .and)) AND \(right.part(of: .and))")
        both.joint = .and
        return both
    }
    /// At least one of the conditions holds (SQL's OR).
    public static func || (left: Self, right: Self) -> Self {
        var either = Self("\(left.part(of: .or)) OR \(right.part(of: .or))")
        either.joint = .or
        return either
    }
    /// The condition does not hold (SQL's NOT): a condition that is NULL stays NULL, and finds no row.
    public static prefix func ! (condition: Self) -> Self { Self("NOT (\(condition.sql))") }

    private func part(of joint: Joint) -> SQL { self.joint == joint ? sql : "(\(sql))" }
}

extension Column where Root: Record {
    /// `nil` equals `nil`, in a column that may be NULL.
    public static func == (column: Self, value: Value) -> Condition<Root> {
        Condition(Value.isNullable ? "\(column.sql) IS \(value)" : "\(column.sql) = \(value)")
    }
    /// The value differs. In a column that may be NULL, NULL differs from every other value.
    public static func != (column: Self, value: Value) -> Condition<Root> {
        Condition(Value.isNullable ? "\(column.sql) IS NOT \(value)" : "\(column.sql) <> \(value)")
    }
    /// SQL's `<`, in SQLite's order of values. NULL finds no row, here and in the comparisons that follow.
    public static func < (column: Self, value: Value) -> Condition<Root> { Condition("\(column.sql) < \(value)") }
    /// SQL's `<=`.
    public static func <= (column: Self, value: Value) -> Condition<Root> { Condition("\(column.sql) <= \(value)") }
    /// SQL's `>`.
    public static func > (column: Self, value: Value) -> Condition<Root> { Condition("\(column.sql) > \(value)") }
    /// SQL's `>=`.
    public static func >= (column: Self, value: Value) -> Condition<Root> { Condition("\(column.sql) >= \(value)") }

    /// Two columns of one row are equal. NULL equals NULL.
    public static func == (left: Self, right: Self) -> Condition<Root> { Condition("\(left.sql) IS \(right.sql)") }
    /// Two columns of one row differ. NULL equals NULL.
    public static func != (left: Self, right: Self) -> Condition<Root> { Condition("\(left.sql) IS NOT \(right.sql)") }
    /// The left column is below the right one. NULL on either side finds no row.
    public static func < (left: Self, right: Self) -> Condition<Root> { Condition("\(left.sql) < \(right.sql)") }
    /// The left column is above the right one. NULL on either side finds no row.
    public static func > (left: Self, right: Self) -> Condition<Root> { Condition("\(left.sql) > \(right.sql)") }

    /// Between the two, or one of them.
    public func isBetween(_ lowest: Value, and highest: Value) -> Condition<Root> {
        Condition("\(sql) BETWEEN \(lowest) AND \(highest)")
    }

    /// One of `values`; of none, never. `nil` is a value like any other.
    ///
    /// The list is filled up to a power of two with its last value, so that lists of many lengths share few statements.
    public func isIn(_ values: [Value]) -> Condition<Root> {
        let known = Value.isNullable ? values.filter { $0.databaseValue != .null } : values
        // A NULL in the list of SQL's IN equals nothing, and makes the result for all other values NULL.
        if known.count < values.count { return isIn(known) || isNull }
        guard let last = values.last else { return Condition("FALSE") }
        var sql: SQL = "\(self.sql) IN ("
        var count = 1
        while count < values.count { count *= 2 }
        for place in 0..<count {
            let value = place < values.count ? values[place] : last
            sql.append(place == 0 ? "\(value)" : ", \(value)")
        }
        sql.append(")")
        return Condition(sql)
    }

    /// The column is NULL.
    public var isNull: Condition<Root> { Condition("\(sql) IS NULL") }
    /// The column is not NULL.
    public var isNotNull: Condition<Root> { Condition("\(sql) IS NOT NULL") }

    /// Smallest first, NULL before all.
    public var ascending: Ordering<Root> { Ordering(sql: sql) }
    /// Largest first, NULL after all.
    public var descending: Ordering<Root> { Ordering(sql: "\(sql) DESC") }

    /// Sets the column to a value in an update.
    public func set(to value: Value) -> Assignment<Root> { Assignment(sql: "\(sql) = \(value)") }
    /// The value of an expression over the row as it was: `Album.plays.set(to: "plays + 1")`.
    public func set(toSQL expression: SQL) -> Assignment<Root> { Assignment(sql: "\(sql) = \(expression)") }
}

/// Conditions on texts. They compare bytes: case and diacritics are a matter of the search index.
extension Column where Root: Record {
    /// Uses an index on the column.
    public func hasPrefix(_ prefix: String) -> Condition<Root> where Value == String { begins(prefix) }
    /// Uses an index on the column. NULL has no prefix.
    public func hasPrefix(_ prefix: String) -> Condition<Root> where Value == String? { begins(prefix) }

    /// Reads every row the other conditions leave.
    public func contains(_ part: String) -> Condition<Root> where Value == String {
        Condition("instr(\(sql), \(part)) > 0")
    }
    /// Reads every row the other conditions leave. NULL contains nothing.
    public func contains(_ part: String) -> Condition<Root> where Value == String? {
        Condition("instr(\(sql), \(part)) > 0")
    }

    private func begins(_ prefix: String) -> Condition<Root> {
        // Texts compare by their bytes, and the byte 0xFF is in no text: all texts from the prefix up to this end begin
        // with the prefix.
        let end = Array(prefix.utf8) + [0xFF]
        return Condition("\(sql) >= \(prefix) AND \(sql) < CAST(\(end) AS TEXT)")
    }
}

/// A column and a direction.
public struct Ordering<R: Record>: Sendable {
    let sql: SQL

    /// NULLs at the end, whatever the direction; SQLite takes them for the smallest values.
    public var nullsLast: Self { Self(sql: "\(sql) NULLS LAST") }
    /// a–z and A–Z as one.
    public static func ignoringASCIICase<Value>(_ column: Column<R, Value>) -> Self {
        Self(sql: "\(column.sql) COLLATE NOCASE")
    }
}

/// A column and its new value.
public struct Assignment<R: Record>: Sendable {
    let sql: SQL
}
