extension WriteAccess {
    // MARK: Inserting

    /// - Throws: `unique`, `foreignKey`, `check`, `notNull`.
    @inlinable public mutating func insert<R: Record>(_ record: R) throws(DatabaseError) {
        try run(.insert, record)
    }

    /// Inserts one after the other with one statement. All of the write or nothing, as ever.
    @inlinable public mutating func insert<R: Record>(contentsOf records: some Sequence<R>) throws(DatabaseError) {
        let statement = try connection.statement(.insert, on: R.table.definition)
        defer { statement.end() }
        for record in records {
            try connection.bind(record, to: statement)
            while try statement.step() {}
            statement.rewind()
        }
    }

    /// - Returns: The row as it was stored: with the key and the defaults SQLite chose.
    @inlinable public mutating func insertReturning<R: Record>(_ record: R) throws(DatabaseError) -> R {
        try returned(try runReturning(.insertReturning, record))
    }

    /// Inserts, or changes the row that has the same primary key.
    @inlinable public mutating func upsert<R: Record>(_ record: R) throws(DatabaseError) { try run(.upsert, record) }

    /// Inserts, or changes the row that has the same primary key.
    ///
    /// - Returns: The row as it is now, with the defaults SQLite chose.
    @inlinable public mutating func upsertReturning<R: Record>(_ record: R) throws(DatabaseError) -> R {
        try returned(try runReturning(.upsertReturning, record))
    }

    /// Inserts, or changes the row with which the record collides in `columns`, which have a UNIQUE constraint.
    ///
    /// - Parameter updating: Columns that take the record's value then; all but the key and `columns` if `nil`, none
    ///   if empty.
    /// - Returns: The row as it is now.
    public mutating func upsert<R: Record>(
        _ record: R, onConflict columns: any TableColumn<R>..., updating: [any TableColumn<R>]? = nil
    ) throws(DatabaseError) -> R {
        let table = R.table.definition
        let conflict = columns.map(\.definition)
        guard !conflict.isEmpty else {
            throw DatabaseError(kind: .misuse("an upsert names the columns it may collide in"), hint: table.name)
        }
        let changed =
            updating?.map(\.definition)
            ?? table.columns.filter { column in !(conflict + table.keyColumns).contains { $0 === column } }
        var sql = table.sql(for: .insert)
        sql.append(" ON CONFLICT (\(SQL.list(conflict.map(\.sql)))) DO UPDATE SET ")
        // DO NOTHING would return no row.
        let sets = (changed.isEmpty ? [conflict[0]] : changed).map { column -> SQL in
            changed.isEmpty ? "\(column.sql) = \(column.sql)" : "\(column.sql) = excluded.\(column.sql)"
        }
        sql.append(SQL.list(sets))
        sql.append(" RETURNING \(table.columnList)")
        let statement = try connection.prepare(sql)
        defer { statement.end() }
        return try returned(try stored(record, by: statement))
    }

    // MARK: Updating

    /// Writes every column of the row that has the record's primary key.
    ///
    /// - Returns: False if there is no such row.
    @inlinable public mutating func update<R: Record>(_ record: R) throws(DatabaseError) -> Bool {
        try run(.update, record) > 0
    }

    /// - Returns: The row as it is now; `nil` if there is none with that key.
    @inlinable public mutating func updateReturning<R: Record>(_ record: R) throws(DatabaseError) -> R? {
        try runReturning(.updateReturning, record)
    }

    /// Writes the columns in which `record` differs from `old`, and no others.
    ///
    /// - Returns: How many columns differed; none, and nothing is run.
    /// - Throws: `misuse` if the two have different keys; `notFound` if there is no such row (any more).
    @discardableResult
    public mutating func updateChanges<R: Record>(_ record: R, from old: R) throws(DatabaseError) -> Int {
        let table = R.table.definition
        let before = Binder.values(of: old.bind)
        let after = Binder.values(of: record.bind)
        var sets: [SQL] = []
        var keys: [SQL] = []
        for (place, column) in table.columns.enumerated() {
            if table.keyColumns.contains(where: { $0 === column }) {
                guard before[place] == after[place] else {
                    throw DatabaseError(kind: .misuse("an update does not change the key"), hint: table.name)
                }
                keys.append("\(column.sql) = \(after[place])")
            } else if before[place] != after[place] {
                sets.append("\(column.sql) = \(after[place])")
            }
        }
        guard !sets.isEmpty else { return 0 }
        let changed = try execute(
            "UPDATE \(R.table) SET \(SQL.list(sets)) WHERE \(SQL.list(keys, separator: " AND "))")
        guard changed > 0 else { throw DatabaseError(kind: .notFound, hint: table.name) }
        return sets.count
    }

    /// Fetches a record, lets `body` change it, and writes the columns that changed.
    ///
    /// - Returns: The record as it is now; `nil` if there is none with that key.
    @discardableResult
    public mutating func update<R: Record>(
        _: R.Type, key: R.Key, _ body: (inout R) throws -> Void
    ) throws -> R? {
        guard let old = try first(R.self, key: key) else { return nil }
        var record = old
        try body(&record)
        try updateChanges(record, from: old)
        return record
    }

    /// Sets columns of every row the query means: `try db.update(Album.filter(…), Album.plays.set(to: 0))`.
    ///
    /// - Returns: Rows changed.
    @discardableResult
    public mutating func update<R: Record>(
        _ query: Query<R>, _ assignments: Assignment<R>...
    ) throws(DatabaseError) -> Int {
        guard !assignments.isEmpty else { return 0 }
        return try execute("UPDATE \(R.table) SET \(SQL.list(assignments.map(\.sql))) \(query.target)")
    }

    /// - Returns: The rows as they are now, in no order.
    public mutating func updateReturning<R: Record>(
        _ query: Query<R>, _ assignments: Assignment<R>...
    ) throws(DatabaseError) -> [R] {
        guard !assignments.isEmpty else { return try all(query) }
        return try decodeAll(
            """
            UPDATE \(R.table) SET \(SQL.list(assignments.map(\.sql))) \(query.target)
            RETURNING \(R.table.columnList)
            """)
    }

    // MARK: Deleting

    /// - Returns: False if there was no such row.
    @inlinable public mutating func delete<R: Record>(_: R.Type, key: R.Key) throws(DatabaseError) -> Bool {
        let statement = try connection.statement(.deleteByKey, on: R.table.definition)
        defer { statement.end() }
        try connection.bind(key, to: statement)
        while try statement.step() {}
        return connection.changes(of: statement) > 0
    }

    /// - Returns: Rows deleted, those of cascades not counted.
    @discardableResult
    public mutating func delete<R: Record>(_ query: Query<R>) throws(DatabaseError) -> Int {
        try execute("DELETE FROM \(R.table) \(query.target)")
    }

    /// - Returns: The rows deleted, in no order.
    public mutating func deleteReturning<R: Record>(_ query: Query<R>) throws(DatabaseError) -> [R] {
        try decodeAll("DELETE FROM \(R.table) \(query.target) RETURNING \(R.table.columnList)")
    }

    // MARK: Steps

    @discardableResult
    @inlinable mutating func run<R: Record>(
        _ operation: RecordOperation, _ record: R
    ) throws(DatabaseError) -> Int {
        let statement = try connection.statement(operation, on: R.table.definition)
        defer { statement.end() }
        try connection.bind(record, to: statement)
        while try statement.step() {}
        return connection.changes(of: statement)
    }

    @inlinable mutating func runReturning<R: Record>(
        _ operation: RecordOperation, _ record: R
    ) throws(DatabaseError) -> R? {
        let statement = try connection.statement(operation, on: R.table.definition)
        defer { statement.end() }
        return try stored(record, by: statement)
    }

    /// Runs a statement that takes the record and returns the row it became.
    @inlinable mutating func stored<R: Record>(_ record: R, by statement: Statement) throws(DatabaseError) -> R? {
        let isVerified = statement.isVerified
        try connection.bind(record, to: statement)
        // Only its writing was looked at so far.
        statement.isVerified = isVerified
        guard try statement.step() else { return nil }
        var row = Row(statement.handle)
        let stored = try statement.decode(R.self, from: &row)
        // The record counts as written only once the statement has run to its end.
        while try statement.step() {}
        return stored
    }

    @usableFromInline func returned<R>(_ record: R?) throws(DatabaseError) -> R {
        guard let record else { throw DatabaseError(kind: .other, hint: "no row came back") }
        return record
    }
}

extension Connection {
    @inlinable func bind<R: Record>(_ record: R, to statement: Statement) throws(DatabaseError) {
        if !statement.isVerified { try statement.verifyBinding(of: record) }
        var binder = statement.binder()
        record.bind(to: &binder)
        try finish(binder.position, binder.code, statement)
    }
}

extension SQL {
    static func list(_ parts: [SQL], separator: SQL = ", ") -> SQL {
        var sql = SQL()
        for (place, part) in parts.enumerated() {
            if place > 0 { sql.append(separator) }
            sql.append(part)
        }
        return sql
    }
}
