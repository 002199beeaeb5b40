/// The statements that every table has, prepared once per connection on first use.
@usableFromInline enum RecordOperation: Int, CaseIterable, Sendable {
    case selectByKey, existsByKey, count
    case insert, insertReturning, upsert, upsertReturning
    case update, updateReturning, deleteByKey
}

/// The prepared ones of a connection.
final class RecordStatements {
    @exclusivity(unchecked) private var statements: [Statement?] = Array(
        repeating: nil, count: RecordOperation.allCases.count)

    subscript(_ operation: RecordOperation) -> Statement? {
        get { statements[operation.rawValue] }
        set { statements[operation.rawValue] = newValue }
    }
}

/// Text of those statements. `?N` is the N-th column, so that one order of binding serves all of them.
struct RecordSQL {
    let table: String
    let columnList: String
    private let names: [String]
    private let keyPlaces: [Int]

    init(name: String, columns: [ColumnDefinition], keyColumns: [ColumnDefinition]) {
        table = SQL.quoted(name)
        names = columns.map { SQL.quoted($0.name) }
        columnList = names.joined(separator: ", ")
        keyPlaces = keyColumns.map { key in
            guard let place = columns.firstIndex(where: { $0 === key }) else {
                preconditionFailure("The key column \(key.name) is no column of \(name).")
            }
            return place
        }
    }

    var select: String { "SELECT \(columnList) FROM \(table)" }

    func text(for operation: RecordOperation) -> String {
        switch operation {
        case .selectByKey: "\(select) WHERE \(keyIsBound)"
        case .existsByKey: "SELECT 1 FROM \(table) WHERE \(keyIsBound)"
        case .count: "SELECT count(*) FROM \(table)"
        case .insert: insert
        case .insertReturning: "\(insert) RETURNING \(columnList)"
        case .upsert: upsert
        case .upsertReturning: "\(upsert) RETURNING \(columnList)"
        case .update: update
        case .updateReturning: "\(update) RETURNING \(columnList)"
        case .deleteByKey: "DELETE FROM \(table) WHERE \(keyIsBound)"
        }
    }

    /// The key's values are bound alone, in the key's order.
    private var keyIsBound: String {
        keyPlaces.enumerated().map { "\(names[$1]) = ?\($0 + 1)" }.joined(separator: " AND ")
    }
    private var keyIsTheRecords: String {
        keyPlaces.map { "\(names[$0]) = ?\($0 + 1)" }.joined(separator: " AND ")
    }
    private var otherPlaces: [Int] { names.indices.filter { !keyPlaces.contains($0) } }

    private var insert: String {
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(columnList)) VALUES (\(places))"
    }

    private var upsert: String {
        let keys = keyPlaces.map { names[$0] }.joined(separator: ", ")
        let sets = otherPlaces.map { "\(names[$0]) = excluded.\(names[$0])" }
        // If there is nothing to change, sets a column to itself: DO NOTHING would return no row.
        let set =
            sets.isEmpty ? "\(names[keyPlaces[0]]) = excluded.\(names[keyPlaces[0]])" : sets.joined(separator: ", ")
        return "\(insert) ON CONFLICT (\(keys)) DO UPDATE SET \(set)"
    }

    private var update: String {
        let sets = otherPlaces.map { "\(names[$0]) = ?\($0 + 1)" }
        let set = sets.isEmpty ? "\(names[keyPlaces[0]]) = ?\(keyPlaces[0] + 1)" : sets.joined(separator: ", ")
        return "UPDATE \(table) SET \(set) WHERE \(keyIsTheRecords)"
    }
}
