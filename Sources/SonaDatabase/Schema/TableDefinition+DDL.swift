extension TableDefinition {
    /// `CREATE TABLE … STRICT`
    var ddl: SQL {
        let isRowID = rowIDColumn != nil
        var parts = columns.map { column in
            column.isPrimaryKey && keyColumns.count == 1 ? column.keyDDL(isRowID: isRowID) : column.ddl
        }
        for rule in rules {
            switch rule {
            case .primaryKey(let columns): parts.append("PRIMARY KEY (\(SQL.list(columns.map(\.sql))))")
            case .unique(let columns): parts.append("UNIQUE (\(SQL.list(columns.map(\.sql))))")
            case .check(let condition): parts.append("CHECK (\(condition.withLiterals))")
            case .index: continue
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
    /// With its values written into the text: `CREATE` takes no bound ones. For values of the program's own only.
    var withLiterals: SQL {
        var sql = SQL()
        var values = arguments[...]
        for piece in pieces {
            if case .parameter = piece, let value = values.popFirst() {
                sql.append(Self.literal(value))
            } else {
                sql.append(piece)
            }
        }
        return sql
    }

    static func literal(_ value: DatabaseValue) -> SQL {
        switch value {
        case .null: return "NULL"
        case .integer(let value): return SQL(trusted: "\(value)")
        case .real(let value): return SQL(trusted: "\(value)")
        case .text(let value):
            precondition(!value.utf8.contains(0), "A text with a NUL can't be written into SQL.")
            return SQL(
                trusted: "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'")
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
