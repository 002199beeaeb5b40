extension SearchDefinition {
    private func name(_ table: TableDefinition) -> String { "\(table.name)_search" }
    private func quoted(_ table: TableDefinition, _ suffix: String = "") -> SQL {
        SQL(trusted: SQL.quoted(name(table) + suffix))
    }

    func create(_ table: TableDefinition, on connection: Connection) throws(DatabaseError) {
        // A database made for comparison is opened without the settings of others.
        try WordTokenizer.register(on: connection)
        for statement in try statements(table) { _ = try connection.execute(statement) }
    }

    /// Makes the index if it is not there, and makes it anew if it is another one: it holds nothing of its own.
    ///
    /// Making it reads the whole table: about 1 s for 100 000 short texts.
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
        let rowID = try rowID(of: table).sql
        let index = quoted(table)
        let names = SQL.list(columns.map(\.sql))
        let old = SQL.list(columns.map { "old.\($0.sql)" })
        let new = SQL.list(columns.map { "new.\($0.sql)" })
        // AFTER UPDATE OF would not help: a record writes all its columns, and most changes touch no text.
        let isChanged = SQL.list(
            ["old.\(rowID) IS NOT new.\(rowID)"] + columns.map { "old.\($0.sql) IS NOT new.\($0.sql)" },
            separator: " OR ")
        let remove: SQL = "INSERT INTO \(index) (\(index), rowid, \(names)) VALUES ('delete', old.\(rowID), \(old));"
        let add: SQL = "INSERT INTO \(index) (rowid, \(names)) VALUES (new.\(rowID), \(new));"
        return [
            "CREATE VIRTUAL TABLE \(index) USING fts5(\(names), \(try options(table)))",
            "CREATE TRIGGER \(quoted(table, "_insert")) AFTER INSERT ON \(table.quotedName) BEGIN \(add) END",
            "CREATE TRIGGER \(quoted(table, "_delete")) AFTER DELETE ON \(table.quotedName) BEGIN \(remove) END",
            """
            CREATE TRIGGER \(quoted(table, "_update")) AFTER UPDATE ON \(table.quotedName) WHEN \(isChanged)
            BEGIN \(remove) \(add) END
            """,
        ]
    }

    private func options(_ table: TableDefinition) throws(DatabaseError) -> SQL {
        var options: [SQL] = [
            "content=\(SQL.literal(.text(table.name)))",
            "content_rowid=\(SQL.literal(.text(try rowID(of: table).name)))",
            "tokenize=\(SQL.literal(.text(tokenizer.declaration)))",
        ]
        if !prefixes.isEmpty {
            options.append("prefix=\(SQL.literal(.text(prefixes.map(String.init).joined(separator: " "))))")
        }
        return SQL.list(options)
    }

    /// - Throws: `misuse` if the table has no INTEGER primary key.
    func rowID(of table: TableDefinition) throws(DatabaseError) -> ColumnDefinition {
        guard let column = table.rowIDColumn else {
            throw DatabaseError(kind: .misuse("a search index needs an INTEGER primary key"), hint: table.name)
        }
        return column
    }

    /// The quoted name of the virtual table, for queries.
    func indexName(_ table: TableDefinition) -> SQL { quoted(table) }
}
