extension Statement {
    /// Decodes a record; the first one of each statement is held against the declaration of its table.
    @inlinable func decode<R: Record>(_: R.Type, from row: inout Row) throws(DatabaseError) -> R {
        let record = try R(row: &row)
        if !isVerified { try verifyReading(of: record, from: row) }
        return record
    }

    /// Whether `bind(to:)` writes the columns of the table in their order.
    @usableFromInline func verifyBinding<R: Record>(of record: R) throws(DatabaseError) {
        let columns = R.table.columns
        let bound = Binder.values(of: record.bind)
        guard bound.count == columns.count else {
            throw misdeclared(R.self, "bind(to:) writes \(bound.count) values, the table has \(columns.count) columns")
        }
        for (place, column) in columns.enumerated() where column.databaseValue(of: record) != bound[place] {
            throw misdeclared(R.self, "bind(to:) writes something else where the table has \(column.definition.name)")
        }
        isVerified = true
    }

    /// Whether `init(row:)` reads them in that order, too.
    @usableFromInline func verifyReading<R: Record>(of record: R, from row: borrowing Row) throws(DatabaseError) {
        let columns = R.table.columns
        guard Int(row.position) == columns.count else {
            throw misdeclared(R.self, "init(row:) reads \(row.position) columns, the table has \(columns.count)")
        }
        try verifyBinding(of: record)
        isVerified = false
        let bound = Binder.values(of: record.bind)
        var stored: [DatabaseValue] = []
        for place in columns.indices { stored.append(try row[place]) }
        for (place, column) in columns.enumerated() where column.definition.isStoredExactly {
            // A type may tidy up what it reads. That it holds another column's value is no tidying.
            guard bound[place] != stored[place], stored.contains(bound[place]) else { continue }
            throw misdeclared(
                R.self, "init(row:) reads something else where the table has \(column.definition.name)")
        }
        isVerified = true
    }

    private func misdeclared<R: Record>(_: R.Type, _ what: String) -> DatabaseError {
        DatabaseError(kind: .misuse("\(R.self): \(what)"), sql: text)
    }
}
