extension Statement {
    /// Decodes a record; the first ones of each statement are held against the declaration of its table.
    @inlinable func decode<R: Record>(_: R.Type, from row: inout Row) throws(DatabaseError) -> R {
        if isVerified { return try R(row: &row) }
        return try decodeVerifying(R.self, from: &row)
    }

    @usableFromInline func decodeVerifying<R: Record>(_: R.Type, from row: inout Row) throws(DatabaseError) -> R {
        let record = try R(row: &row)
        try verifyReading(of: record, from: row)
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
        isVerified = R.table.definition.orderIsProven(by: bound)
    }

    /// Whether `init(row:)` reads them in that order, too.
    ///
    /// - Parameter start: Where in the row the record's columns begin.
    @usableFromInline func verifyReading<R: Record>(
        of record: R, from row: borrowing Row, start: Int = 0
    ) throws(DatabaseError) {
        let columns = R.table.columns
        let count = Int(row.position) - start
        guard count == columns.count else {
            throw misdeclared(R.self, "init(row:) reads \(count) columns, the table has \(columns.count)")
        }
        try verifyBinding(of: record)
        let isProven = isVerified
        isVerified = false
        let bound = Binder.values(of: record.bind)
        var stored: [DatabaseValue] = []
        for place in columns.indices { stored.append(try row[start + place]) }
        // A type may normalise the values it reads. Columns that got each other's values are a mistake, though.
        let misplaced = columns.indices.filter { bound[$0] != stored[$0] }
        for place in misplaced where misplaced.contains(where: { bound[place] == stored[$0] }) {
            let name = columns[place].definition.name
            throw misdeclared(R.self, "init(row:) reads something else where the table has \(name)")
        }
        isVerified = isProven
    }

    private func misdeclared<R: Record>(_: R.Type, _ what: String) -> DatabaseError {
        DatabaseError(kind: .misuse("\(R.self): \(what)"), sql: text)
    }
}
