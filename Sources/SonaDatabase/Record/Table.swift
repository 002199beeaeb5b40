internal import Synchronization

/// Name, columns and constraints of a table, and everything that follows from them.
///
/// ```swift
/// static let table = Table<Self>("stars", note, place, rules: [.primaryKey(note, place)])
/// ```
/// Made once per record, as a `static let`; its SQL is built then, not per call.
public struct Table<R: Record>: Sendable {
    /// Has no public members.
    public let definition: TableDefinition
    let columns: [any TableColumn<R>]

    /// - Parameters:
    ///   - columns: In the order of `init(row:)` and `bind(to:)`.
    ///   - rules: Constraints over several columns, and indexes.
    ///   - search: A full-text index kept in step by triggers.
    public init(
        _ name: StaticString, _ columns: any TableColumn<R>..., rules: [TableRule<R>] = [],
        search: SearchIndex<R>? = nil
    ) {
        self.columns = columns
        definition = TableDefinition(
            name: "\(name)", columns: columns.map(\.definition), rules: rules.map(\.kind), search: search?.definition)
        precondition(
            R.Key.columnCount == definition.keyColumns.count,
            "The key of \(R.self) has \(R.Key.columnCount) columns, the primary key of its table \(definition.keyColumns.count)."
        )
    }

    /// The quoted columns in order, for statements written by hand: `"SELECT \(Album.table.columnList) FROM …"`.
    public var columnList: SQL { definition.columnList }
}

/// A constraint or an index over several columns.
public struct TableRule<R: Record>: Sendable {
    let kind: TableRuleKind

    /// A primary key of several columns, in place of a column's `.primaryKey`.
    public static func primaryKey(_ columns: any TableColumn<R>...) -> Self {
        Self(kind: .primaryKey(columns.map(\.definition)))
    }
    /// A UNIQUE constraint on several columns together. A row with a NULL among them collides with none.
    public static func unique(_ columns: any TableColumn<R>...) -> Self {
        Self(kind: .unique(columns.map(\.definition)))
    }
    /// A CHECK over several columns of a row. A condition that is NULL passes, as in SQL.
    public static func check(_ condition: SQL) -> Self { Self(kind: .check(condition)) }

    /// An index of its own name.
    ///
    /// - Parameters:
    ///   - terms: Columns, ascending or descending.
    ///   - condition: For an index of some rows only: `"visibility = 'public'"`.
    public static func index(
        _ name: StaticString, on terms: Ordering<R>..., isUnique: Bool = false, where condition: SQL? = nil
    ) -> Self {
        Self(kind: .index(name: "\(name)", terms: terms.map(\.sql), isUnique: isUnique, condition))
    }
}

enum TableRuleKind: Sendable {
    case primaryKey([ColumnDefinition])
    case unique([ColumnDefinition])
    case check(SQL)
    case index(name: String, terms: [SQL], isUnique: Bool, SQL?)
}

/// The facts that the statements of a table are made from, without its record's type.
public final class TableDefinition: Sendable {
    /// Where connections keep the statements of this table. Counts the tables of the process.
    let number: Int
    let name: String
    let quotedName: SQL
    let columns: [ColumnDefinition]
    let rules: [TableRuleKind]
    let search: SearchDefinition?
    /// The columns of the primary key.
    let keyColumns: [ColumnDefinition]
    /// `"a", "b", "c"`
    let columnList: SQL
    /// `SELECT "a", "b", "c" FROM "t" `
    let select: SQL
    /// `"a", "b"`: the primary key.
    let keyList: SQL
    private let operations: [SQL]
    /// Records held against the declaration that had one value in two columns.
    private let unprovenRecords = Atomic(0)

    private static let tables = Atomic(0)

    init(name: String, columns: [ColumnDefinition], rules: [TableRuleKind], search: SearchDefinition?) {
        number = Self.tables.wrappingAdd(1, ordering: .relaxed).oldValue
        self.name = name
        self.columns = columns
        self.rules = rules
        self.search = search
        let declared = rules.compactMap { if case .primaryKey(let columns) = $0 { columns } else { nil } }.first
        keyColumns = declared ?? columns.filter(\.isPrimaryKey)
        precondition(!columns.isEmpty, "The table \(name) has no columns.")
        precondition(!keyColumns.isEmpty, "The table \(name) has no primary key.")
        precondition(Set(columns.map { $0.name.lowercased() }).count == columns.count, "\(name) has a column twice.")
        let statements = RecordSQL(name: name, columns: columns, keyColumns: keyColumns)
        quotedName = SQL(immortal: statements.table)
        columnList = SQL(immortal: statements.columnList)
        select = SQL(immortal: statements.select + " ")
        keyList = SQL(immortal: keyColumns.map { SQL.quoted($0.name) }.joined(separator: ", "))
        operations = RecordOperation.allCases.map { SQL(immortal: statements.text(for: $0)) }
    }

    /// `s."a", s."b"`, for a table under another name.
    func columnList(of alias: SQL) -> SQL { SQL.list(columns.map { "\(alias).\($0.sql)" }) }

    /// Whether values found in order prove the order: two columns with one value would look right either way, and
    /// counters at 0 are such. Looking goes on for 1 000 records, and no longer, since it costs microseconds.
    func orderIsProven(by values: [DatabaseValue]) -> Bool {
        Set(values).count == values.count || unprovenRecords.wrappingAdd(1, ordering: .relaxed).newValue > 1_000
    }

    func sql(for operation: RecordOperation) -> SQL { operations[operation.rawValue] }

    /// The one column that is the rowid itself, if there is one.
    var rowIDColumn: ColumnDefinition? {
        guard keyColumns.count == 1, keyColumns[0].storageClass == .integer else { return nil }
        return keyColumns[0]
    }

    /// The tables it refers to, itself left out.
    var referencedTables: [TableDefinition] {
        columns.flatMap(\.rules).compactMap { rule in
            guard case .references(let table, _, _) = rule else { return nil }
            return table()
        }.filter { $0.name != name }
    }
}
