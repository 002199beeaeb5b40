/// Makes the declared tables, or holds those of a file against their declaration.
struct SchemaSetUp {
    let tables: [TableDefinition]
    let log: (@Sendable (DatabaseEvent) -> Void)?

    /// The tables of all DAOs of a struct, those referred to before those that refer to them.
    ///
    /// - Throws: `misuse` for a property that is no DAO, for two tables of one name, and for a circle of foreign keys.
    static func tables(of daos: some DAOs) throws(DatabaseError) -> [TableDefinition] {
        var setUp = TableSetUp()
        try add(daos, to: &setUp)
        return try sorted(setUp.tables)
    }

    private static func add(_ daos: any DAOs, to setUp: inout TableSetUp) throws(DatabaseError) {
        for property in Mirror(reflecting: daos).children {
            if property.value is any DatabaseReader { continue }
            if let group = property.value as? any DAOs {
                try add(group, to: &setUp)
                continue
            }
            guard let dao = property.value as? any DAO else {
                throw DatabaseError(kind: .misuse("\(type(of: daos)).\(property.label ?? "?") is no DAO"))
            }
            type(of: dao).setUpTables(&setUp)
        }
    }

    static func sorted(_ tables: [TableDefinition]) throws(DatabaseError) -> [TableDefinition] {
        var byName: [String: TableDefinition] = [:]
        for table in tables {
            if let known = byName[table.name], known !== table {
                throw DatabaseError(kind: .misuse("two records declare the table \(table.name)"))
            }
            byName[table.name] = table
        }
        var sorted: [TableDefinition] = []
        var done: Set<String> = []
        func visit(_ table: TableDefinition, path: [String]) throws(DatabaseError) {
            if done.contains(table.name) { return }
            if let start = path.firstIndex(of: table.name) {
                let circle = (path[start...] + [table.name]).joined(separator: " → ")
                throw DatabaseError(kind: .misuse("foreign keys go in a circle: \(circle)"))
            }
            for other in table.referencedTables {
                guard let known = byName[other.name] else {
                    throw DatabaseError(
                        kind: .setUp(table: table.name, reason: "it refers to \(other.name), which no DAO sets up"))
                }
                guard known === other else {
                    throw DatabaseError(kind: .misuse("two records declare the table \(other.name)"))
                }
                try visit(other, path: path + [table.name])
            }
            done.insert(table.name)
            sorted.append(table)
        }
        for table in tables { try visit(table, path: []) }
        return sorted
    }

    /// Inside a transaction, in a file without tables.
    func create(_ connection: Connection) throws(DatabaseError) {
        for table in tables {
            try naming(table) { () throws(DatabaseError) in try connection.createTable(table) }
        }
    }

    /// Inside a transaction: makes tables, columns and indexes that are missing, and refuses what differs otherwise.
    func adapt(_ connection: Connection) throws(DatabaseError) {
        let declared = try Self.fresh(tables)
        var changes: [String] = []
        for table in tables {
            try naming(table) { () throws(DatabaseError) in
                guard let wanted = try TableShape(table.name, on: declared) else { return }
                guard let found = try TableShape(table.name, on: connection) else {
                    try connection.createTable(table)
                    changes.append("made the table \(table.name)")
                    return
                }
                changes += try adapt(table, from: found, to: wanted, on: connection)
            }
        }
        // Logged only now, since a table that fails undoes all of it.
        for change in changes { log?(.schemaChanged(change)) }
    }

    /// - Returns: The changes made.
    private func adapt(
        _ table: TableDefinition, from found: TableShape, to wanted: TableShape, on connection: Connection
    ) throws(DatabaseError) -> [String] {
        var changes: [String] = []
        let missing = table.columns.filter { found.columns[$0.name] == nil }
        for column in missing {
            guard column.canBeAdded else {
                throw DatabaseError(kind: .schemaMismatch("the column \(column.name) is missing and needs a migration"))
            }
            _ = try connection.execute("ALTER TABLE \(table.quotedName) ADD COLUMN \(column.ddl)")
            changes.append("added the column \(column.name) to \(table.name)")
        }
        for index in table.indexes where found.indexes[index.name] == nil {
            _ = try connection.execute(index.sql)
            changes.append("made the index \(index.name)")
        }
        guard let now = try TableShape(table.name, on: connection) else { return changes }
        let differences = now.differences(from: wanted)
        guard differences.isEmpty else {
            throw DatabaseError(kind: .schemaMismatch(differences.joined(separator: "; ")))
        }
        try table.search?.adapt(table, on: connection)
        return changes
    }

    /// A database in memory with those tables.
    private static func fresh(_ tables: [TableDefinition]) throws(DatabaseError) -> Connection {
        let connection = try Connection(path: DatabaseQueue.memoryPath, role: .writer, statementCacheSize: 1)
        try connection.control(.begin)
        try SchemaSetUp(tables: tables, log: nil).create(connection)
        return connection
    }

    private func naming(
        _ table: TableDefinition, _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        do {
            try body()
        } catch {
            if case .setUp = error.kind { throw error }
            var reason = "\(error.kind)"
            if case .schemaMismatch(let text) = error.kind { reason = text }
            if let detail = error.detail { reason += ", \(detail)" }
            throw DatabaseError(
                kind: .setUp(table: table.name, reason: reason), extendedCode: error.extendedCode, sql: error.sql,
                detail: error.detail)
        }
    }

    /// The differences between a file made by the migrations and one made from the declared tables. There should be
    /// none. For a test.
    static func differences(
        migrations: [Migration], tables: [TableDefinition]
    ) throws(DatabaseError) -> [String] {
        let declared = try fresh(tables)
        let migrated = try Connection(path: DatabaseQueue.memoryPath, role: .writer, statementCacheSize: 1)
        let migrator = Migrator(schema: SchemaTimeline(applicationID: 1, migrations: migrations), log: nil)
        try migrator.migrate(migrated, from: try migrator.identify(migrated))
        try migrated.control(.begin)
        var differences = try objects(of: declared, butNot: migrated, saying: "is in no migration")
        differences += try objects(of: migrated, butNot: declared, saying: "is not declared")
        for table in tables {
            guard let wanted = try TableShape(table.name, on: declared) else { continue }
            guard let found = try TableShape(table.name, on: migrated) else {
                continue
            }
            differences += found.differences(from: wanted, isExact: true).map { "\(table.name): \($0)" }
        }
        return differences
    }
}

extension SchemaSetUp {
    /// Tables, indexes, triggers and views by their names.
    private static func objects(
        of one: Connection, butNot other: Connection, saying what: String
    ) throws(DatabaseError) -> [String] {
        func names(_ connection: Connection) throws(DatabaseError) -> Set<String> {
            var names: Set<String> = []
            try connection.eachRow(
                """
                SELECT type, name FROM sqlite_schema
                WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name <> 'schema_migrations'
                """
            ) { row throws(DatabaseError) in
                names.insert("the \(try row.next(String.self)) \(try row.next(String.self))")
            }
            return names
        }
        return try names(one).subtracting(names(other)).sorted().map { "\($0) \(what)" }
    }
}

extension DatabaseQueue {
    /// The differences between a file made by `migrations` and one made from the tables of the DAOs. For a test that
    /// expects none; costs two databases in memory.
    public static func schemaDifferences<All: DAOs>(
        _: All.Type, migrations: [Migration]
    ) throws(DatabaseError) -> [String] {
        let all = All(DatabaseQueue(DatabaseEngine(path: memoryPath, options: DatabaseOptions(), hasReaders: false)))
        return try SchemaSetUp.differences(migrations: migrations, tables: SchemaSetUp.tables(of: all))
    }
}

extension WriteAccess {
    /// Makes the table of a record with its indexes and its search index: in a migration, or in a test.
    ///
    /// - Throws: The error of SQLite if the table is there already.
    public mutating func createTable<R: Record>(_: R.Type) throws(DatabaseError) {
        try connection.createTable(R.table.definition)
    }
}
