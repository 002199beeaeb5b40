/// A constraint on one column, typed by the values of the column.
public struct ColumnRule<Value: DatabaseValueConvertible>: Sendable {
    let kind: ColumnRuleKind

    /// An INTEGER primary key is the rowid: if its property is optional, `nil` lets SQLite choose the next.
    public static var primaryKey: Self { Self(kind: .primaryKey) }
    /// A UNIQUE constraint on the column alone. NULLs do not collide.
    public static var unique: Self { Self(kind: .unique) }
    /// An index of the column alone.
    public static var indexed: Self { Self(kind: .indexed) }

    /// A foreign key to the primary key of `R`; also what tables are sorted by when they are set up.
    ///
    /// - Parameter isDeferred: Checked at the end of the write and not at the statement.
    public static func references<R: Record>(
        _: R.Type, onDelete: ForeignKeyAction = .restrict, isDeferred: Bool = false
    ) -> Self where R.Key == Value {
        Self(kind: .references({ R.table.definition }, onDelete, isDeferred: isDeferred))
    }

    /// The same for a column that may be NULL.
    public static func references<R: Record>(
        _: R.Type, onDelete: ForeignKeyAction = .restrict, isDeferred: Bool = false
    ) -> Self where Value == R.Key? {
        Self(kind: .references({ R.table.definition }, onDelete, isDeferred: isDeferred))
    }

    /// The value of a row that names none. A default also allows a column to be added to a table that has rows.
    public static func defaults(to value: Value) -> Self { Self(kind: .defaults(value.databaseValue)) }

    /// A CHECK over any columns of the row: `.check("starts_ms < ends_ms")`.
    public static func check(_ condition: SQL) -> Self { Self(kind: .check { _ in condition }) }

    /// A CHECK on the UTF-8 bytes of a text or the bytes of a blob.
    public static func byteCount(_ range: ClosedRange<Int>) -> Self {
        Self(kind: .check { "length(CAST(\($0) AS BLOB)) BETWEEN \(range.lowerBound) AND \(range.upperBound)" })
    }
    /// A CHECK on the UTF-8 bytes of a text or the bytes of a blob: at most the upper bound.
    public static func byteCount(_ range: PartialRangeThrough<Int>) -> Self {
        Self(kind: .check { "length(CAST(\($0) AS BLOB)) <= \(range.upperBound)" })
    }

    /// A CHECK that the value lies within the bounds.
    public static func range(_ range: ClosedRange<Value>) -> Self where Value: Comparable {
        Self(kind: .check { "\($0) BETWEEN \(range.lowerBound) AND \(range.upperBound)" })
    }

    /// A CHECK that the value is one of these.
    public static func oneOf(_ values: Value...) -> Self { among(values) }

    fileprivate static func among(_ values: [Value]) -> Self {
        // A NULL in the list of SQL's IN makes the result NULL for every other value, and a CHECK lets NULL pass.
        let known = values.map(\.databaseValue).filter { $0 != .null }
        return Self(
            kind: .check { name in
                let list: SQL = "\(name) IN (\(SQL.list(known.map { "\($0)" })))"
                return known.count == values.count ? list : "\(list) OR \(name) IS NULL"
            })
    }
}

extension ColumnRule where Value: CaseIterable {
    /// A CHECK that the value is one of the cases of its enum.
    public static var anyCase: Self { among(Array(Value.allCases)) }
}

/// The fate of a row whose referenced row is deleted.
public enum ForeignKeyAction: String, Sendable {
    /// The deletion is refused.
    case restrict = "RESTRICT"
    /// The referring rows are deleted, too.
    case cascade = "CASCADE"
    /// The referring columns become NULL.
    case setNull = "SET NULL"
    /// SQLite's own default: like `restrict`, but a deferred key may be put right before the end of the write.
    case noAction = "NO ACTION"
}

enum ColumnRuleKind: Sendable {
    case primaryKey
    case unique
    case indexed
    /// A closure, since the other table may be this one, or not be initialized yet.
    case references(@Sendable () -> TableDefinition, ForeignKeyAction, isDeferred: Bool)
    case defaults(DatabaseValue)
    /// Gets the quoted name of the column.
    case check(@Sendable (SQL) -> SQL)
}
