/// One column, declared once: its name feeds SQL, its type feeds `CREATE TABLE` and keeps comparisons honest.
///
/// A column whose value is optional may be NULL, every other is NOT NULL.
public struct Column<Root, Value: DatabaseValueConvertible>: TableColumn {
    public let definition: ColumnDefinition
    /// Where a record has the value. Never on the way of a row: it is for checks and for grouping.
    let path: any KeyPath<Root, Value> & Sendable

    /// - Parameters:
    ///   - name: As in the file. Quoted wherever it is used.
    ///   - path: The property of the record.
    ///   - rules: Constraints, in any order.
    public init(_ name: StaticString, _ path: any KeyPath<Root, Value> & Sendable, _ rules: ColumnRule<Value>...) {
        self.path = path
        definition = ColumnDefinition(
            name: "\(name)", storageClass: Value.storageClass, isNullable: Value.isNullable,
            rules: rules.map(\.kind))
    }

    public func databaseValue(of record: Root) -> DatabaseValue { record[keyPath: path].databaseValue }

    /// The quoted name.
    var sql: SQL { definition.sql }
}

/// A column of `Root`, whatever its type.
public protocol TableColumn<Root>: Sendable {
    associatedtype Root
    var definition: ColumnDefinition { get }
    func databaseValue(of record: Root) -> DatabaseValue
}

/// What `CREATE TABLE` needs to know of a column. Has no public members.
public final class ColumnDefinition: Sendable {
    let name: String
    let storageClass: StorageClass
    let isNullable: Bool
    let rules: [ColumnRuleKind]
    let sql: SQL

    init(name: String, storageClass: StorageClass, isNullable: Bool, rules: [ColumnRuleKind]) {
        self.name = name
        self.storageClass = storageClass
        self.isNullable = isNullable
        self.rules = rules
        sql = SQL(immortal: SQL.quoted(name))
    }

    var isPrimaryKey: Bool { rules.contains { if case .primaryKey = $0 { true } else { false } } }
}

extension SQL.StringInterpolation {
    /// The quoted name of the column.
    public mutating func appendInterpolation<Root, Value>(_ column: Column<Root, Value>) { sql.append(column.sql) }
    /// The quoted name of the table.
    public mutating func appendInterpolation<Root>(_ table: Table<Root>) { sql.append(table.definition.quotedName) }
}
