extension TableDefinition {
    /// `CREATE TABLE … STRICT`
    var ddl: SQL {
        let isRowID = rowIDColumn != nil
        let keyColumn = keyColumns.count == 1 && keyColumns[0].isPrimaryKey ? keyColumns[0] : nil
        var parts = columns.map { $0 === keyColumn ? $0.keyDDL(isRowID: isRowID) : $0.ddl }
        if keyColumn == nil { parts.append("PRIMARY KEY (\(keyList))") }
        for rule in rules {
            switch rule {
            case .unique(let columns): parts.append("UNIQUE (\(SQL.list(columns.map(\.sql))))")
            case .check(let condition): parts.append("CHECK (\(condition.withLiterals))")
            case .primaryKey, .index: continue
            }
        }
        return "CREATE TABLE \(quotedName) (\(SQL.list(parts))) STRICT"
    }

    var indexes: [(name: String, sql: SQL)] {
        let single = columns.filter(\.isIndexed).map { column in
            let name = "\(self.name)_by_\(column.name)"
            return (name, "CREATE INDEX \(SQL(trusted: SQL.quoted(name))) ON \(quotedName) (\(column.sql))" as SQL)
        }
        let named = rules.compactMap { rule -> (String, SQL)? in
            guard case .index(let name, let terms, let isUnique, let condition) = rule else { return nil }
            var sql: SQL = isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX "
            sql.append("\(SQL(trusted: SQL.quoted(name))) ON \(quotedName) (\(SQL.list(terms)))")
            if let condition { sql.append(" WHERE \(condition.withLiterals)") }
            return (name, sql)
        }
        return single + named
    }
}

extension ColumnDefinition {
    /// `"name" TEXT NOT NULL UNIQUE …`, as in `CREATE TABLE` and in `ALTER TABLE … ADD COLUMN`.
    var ddl: SQL { ddl(begin: isNullable ? "" : " NOT NULL") }

    /// The column that is the primary key alone. An INTEGER one is the rowid: SQLite chooses its value if it is NULL.
    func keyDDL(isRowID: Bool) -> SQL { ddl(begin: isRowID ? " PRIMARY KEY" : " NOT NULL PRIMARY KEY") }

    private func ddl(begin: SQL) -> SQL {
        var ddl: SQL = "\(sql) \(SQL(trusted: storageClass.rawValue))\(begin)"
        for rule in rules {
            switch rule {
            case .primaryKey, .indexed: continue
            case .unique: ddl.append(" UNIQUE")
            case .defaults(let value): ddl.append(" DEFAULT \(SQL.literal(value))")
            case .check(let condition): ddl.append(" CHECK (\(condition(sql).withLiterals))")
            case .references(let table, let action, let isDeferred):
                let target = table()
                ddl.append(
                    " REFERENCES \(target.quotedName) (\(target.keyList)) ON DELETE \(SQL(trusted: action.rawValue))")
                if isDeferred { ddl.append(" DEFERRABLE INITIALLY DEFERRED") }
            }
        }
        return ddl
    }

    var isIndexed: Bool { rules.contains { if case .indexed = $0 { true } else { false } } }

    /// Whether `ALTER TABLE … ADD COLUMN` takes it in a table that has rows.
    ///
    /// Source: sqlite.org/lang_altertable.html, "ALTER TABLE ADD COLUMN".
    var canBeAdded: Bool {
        var hasDefault = false
        for rule in rules {
            switch rule {
            case .primaryKey, .unique: return false
            case .defaults(let value): hasDefault = value != .null
            default: continue
            }
        }
        return isNullable || hasDefault
    }
}

extension SQL {
    /// The same SQL with its values written into the text, since `CREATE` takes no bound ones. Only for the program's
    /// own values.
    var withLiterals: SQL {
        var values = arguments[...]
        return replacingParameters { values.popFirst().map(Self.literal) }
    }

    static func literal(_ value: DatabaseValue) -> SQL {
        switch value {
        case .null: return "NULL"
        case .integer(let value): return SQL(trusted: "\(value)")
        case .real(let value) where value.isNaN: return "NULL"
        // Too large for a Double: SQLite reads it as infinite, and knows no word for that.
        case .real(let value) where value.isInfinite: return value < 0 ? "-9e999" : "9e999"
        case .real(let value): return SQL(trusted: "\(value)")
        case .text(let value):
            precondition(!value.utf8.contains(0), "A text with a NUL can't be written into SQL.")
            // Goes by scalars: a quote and a combining mark after it are one character to Swift, but not to SQLite.
            let scalars = value.unicodeScalars.map { $0 == "'" ? "''" : String($0) }
            return SQL(trusted: "'" + scalars.joined() + "'")
        case .blob(let bytes):
            let digits = Array("0123456789abcdef".utf8)
            let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return SQL(trusted: "x'" + String(decoding: hex, as: UTF8.self) + "'")
        }
    }
}

extension Connection {
    func createTable(_ table: TableDefinition) throws(DatabaseError) {
        _ = try execute(table.ddl)
        for index in table.indexes { _ = try execute(index.sql) }
        try table.search?.create(table, on: self)
    }
}
