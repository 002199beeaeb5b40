/// One column, declared once: its name feeds SQL, its type feeds `CREATE TABLE` and keeps comparisons honest.
///
/// A column whose value is optional may be NULL, every other is NOT NULL.
public struct Column<Root, Value: DatabaseValueConvertible>: TableColumn {
    /// Name, type and rules of the column, without the record's type.
    public let definition: ColumnDefinition
    /// The record's property. Used for checks and grouping only, never to read or write a row.
    let path: any KeyPath<Root, Value> & Sendable

    /// - Parameters:
    ///   - name: The name in the file. Quoted wherever it is used.
    ///   - path: The property of the record.
    ///   - rules: Constraints, in any order.
    public init(_ name: StaticString, _ path: any KeyPath<Root, Value> & Sendable, _ rules: ColumnRule<Value>...) {
        self.path = path
        definition = ColumnDefinition(
            name: "\(name)", storageClass: Value.storageClass, isNullable: Value.isNullable,
            rules: rules.map(\.kind))
    }

    /// The value the record has for this column, as it would be stored.
    public func databaseValue(of record: Root) -> DatabaseValue { record[keyPath: path].databaseValue }

    /// The quoted name.
    var sql: SQL { definition.sql }
}

/// A column of `Root`, whatever its type.
public protocol TableColumn<Root>: Sendable {
    /// The record that the column belongs to.
    associatedtype Root
    /// Name, type and rules of the column.
    var definition: ColumnDefinition { get }
    /// The value the record has for this column, as it would be stored.
    func databaseValue(of record: Root) -> DatabaseValue
}

/// The facts about a column that `CREATE TABLE` needs. Has no public members.
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
