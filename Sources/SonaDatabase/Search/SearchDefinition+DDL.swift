extension SearchDefinition {
    private func name(_ table: TableDefinition) -> String { "\(table.name)_search" }
    private func quoted(_ table: TableDefinition, _ suffix: String = "") -> SQL {
        SQL(trusted: SQL.quoted(name(table) + suffix))
    }

    func create(_ table: TableDefinition, on connection: Connection) throws(DatabaseError) {
        for statement in try statements(table) { _ = try connection.execute(statement) }
    }

    /// Makes the index if it is not there, and makes it anew if it is another one: it holds nothing of its own.
    func adapt(_ table: TableDefinition, on connection: Connection) throws(DatabaseError) {
        let wanted = try statements(table)
        let names = [name(table)] + ["_insert", "_delete", "_update"].map { name(table) + $0 }
        var isSame = true
        for (name, statement) in zip(names, wanted) {
            let found: String? = try connection.ask("SELECT sql FROM sqlite_schema WHERE name = \(name)")
            isSame = isSame && found.map(SQLText.normalized) == SQLText.normalized(statement.text)
        }
        guard !isSame else { return }
        for suffix in ["_insert", "_delete", "_update"] {
            _ = try connection.execute("DROP TRIGGER IF EXISTS \(quoted(table, suffix))")
        }
        _ = try connection.execute("DROP TABLE IF EXISTS \(quoted(table))")
        try create(table, on: connection)
        _ = try connection.execute("INSERT INTO \(quoted(table)) (\(quoted(table))) VALUES ('rebuild')")
    }

    /// The virtual table and its triggers, in the order of their making.
    private func statements(_ table: TableDefinition) throws(DatabaseError) -> [SQL] {
        guard let rowID = table.rowIDColumn else {
            throw DatabaseError(kind: .misuse("a search index needs an INTEGER primary key"), hint: table.name)
        }
        let index = quoted(table)
        let names = SQL.list(columns.map(\.sql))
        let old = SQL.list(columns.map { "old.\($0.sql)" })
        let new = SQL.list(columns.map { "new.\($0.sql)" })
        let prefixes = SQL.literal(.text(prefixes.map(String.init).joined(separator: " ")))
        let remove: SQL = "INSERT INTO \(index) (\(index), rowid, \(names)) VALUES ('delete', old.\(rowID.sql), \(old));"
        let add: SQL = "INSERT INTO \(index) (rowid, \(names)) VALUES (new.\(rowID.sql), \(new));"
        return [
            """
            CREATE VIRTUAL TABLE \(index) USING fts5(\(names), content=\(SQL.literal(.text(table.name))),
            content_rowid=\(SQL.literal(.text(rowID.name))), prefix=\(prefixes),
            tokenize='unicode61 remove_diacritics 2')
            """,
            "CREATE TRIGGER \(quoted(table, "_insert")) AFTER INSERT ON \(table.quotedName) BEGIN \(add) END",
            "CREATE TRIGGER \(quoted(table, "_delete")) AFTER DELETE ON \(table.quotedName) BEGIN \(remove) END",
            """
            CREATE TRIGGER \(quoted(table, "_update")) AFTER UPDATE OF \(rowID.sql), \(names) ON \(table.quotedName)
            BEGIN \(remove) \(add) END
            """,
        ]
    }

    /// The quoted name of the virtual table, for queries.
    func indexName(_ table: TableDefinition) -> SQL { quoted(table) }
}
