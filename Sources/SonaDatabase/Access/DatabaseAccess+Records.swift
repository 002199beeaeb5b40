extension DatabaseAccess where Self: ~Copyable {
    /// The record with this primary key.
    ///
    /// No SQL text is built or hashed: the statement lies ready after its first use on the connection.
    @inlinable public func first<R: Record>(_: R.Type, key: R.Key) throws(DatabaseError) -> R? {
        let statement = try connection.statement(.selectByKey, on: R.table.definition)
        defer { statement.end() }
        try connection.bind(key, to: statement)
        guard try statement.step() else { return nil }
        var row = Row(statement.handle)
        return try statement.decode(R.self, from: &row)
    }

    /// Whether a record has this primary key.
    @inlinable public func exists<R: Record>(_: R.Type, key: R.Key) throws(DatabaseError) -> Bool {
        let statement = try connection.statement(.existsByKey, on: R.table.definition)
        defer { statement.end() }
        try connection.bind(key, to: statement)
        return try statement.step()
    }

    /// How many records the table has. O(n).
    public func count<R: Record>(_: R.Type) throws(DatabaseError) -> Int {
        let statement = try connection.statement(.count, on: R.table.definition)
        defer { statement.end() }
        guard try statement.step() else { return 0 }
        return try Row(statement.handle)[0]
    }

    // MARK: By query

    /// All matching records in their order. For results that may be long, use a cursor.
    @inlinable public func all<R: Record>(_ query: Query<R>) throws(DatabaseError) -> [R] { try decodeAll(query.sql) }

    /// The first of them in their order; without an order, any.
    @inlinable public func first<R: Record>(_ query: Query<R>) throws(DatabaseError) -> R? {
        try decodeFirst(query.sql)
    }

    /// How many the query means, its limit included.
    public func count<R: Record>(_ query: Query<R>) throws(DatabaseError) -> Int {
        try firstColumn("SELECT count(*) FROM (\(query.select("1")))") ?? 0
    }

    /// Whether any row matches. Stops at the first.
    public func exists<R: Record>(_ query: Query<R>) throws(DatabaseError) -> Bool {
        try firstColumn("SELECT EXISTS (\(query.select("1")))") ?? false
    }

    /// A cursor: lends the records one by one; ends early when `body` returns false.
    @inlinable public func forEach<R: Record>(_ query: Query<R>, _ body: (R) throws -> Bool) throws {
        let statement = try connection.begin(query.sql)
        defer { statement.end() }
        while try statement.step() {
            var row = Row(statement.handle)
            guard try body(try statement.decode(R.self, from: &row)) else { return }
        }
    }

    // MARK: By SQL

    /// Records by what follows `SELECT columns FROM table`: `db.all(Album.self, "WHERE year > \(1990) ORDER BY title")`.
    ///
    /// The columns are named in the order of the declaration, never `*`.
    @inlinable public func all<R: Record>(_: R.Type, _ rest: SQL) throws(DatabaseError) -> [R] {
        try decodeAll(R.select(rest))
    }

    /// The first record of `SELECT … FROM` the table, followed by `rest`; `nil` if there is none.
    @inlinable public func first<R: Record>(_: R.Type, _ rest: SQL) throws(DatabaseError) -> R? {
        try decodeFirst(R.select(rest))
    }

    // MARK: Steps

    @inlinable func decodeAll<R: Record>(_ sql: SQL) throws(DatabaseError) -> [R] {
        let statement = try connection.begin(sql)
        defer { statement.end() }
        var records: [R] = []
        guard try statement.step() else { return records }
        var row = Row(statement.handle)
        records.append(try statement.decode(R.self, from: &row))
        while try statement.step() {
            row.rewind()
            records.append(try statement.decode(R.self, from: &row))
        }
        return records
    }

    @inlinable func decodeFirst<R: Record>(_ sql: SQL) throws(DatabaseError) -> R? {
        let statement = try connection.begin(sql)
        defer { statement.end() }
        guard try statement.step() else { return nil }
        var row = Row(statement.handle)
        return try statement.decode(R.self, from: &row)
    }

    func firstColumn<Value: DatabaseValueConvertible>(_ sql: SQL) throws(DatabaseError) -> Value? {
        let statement = try connection.begin(sql)
        defer { statement.end() }
        guard try statement.step() else { return nil }
        return try Row(statement.handle)[0]
    }
}

extension Record {
    @usableFromInline static func select(_ rest: SQL) -> SQL {
        var sql = table.definition.select
        sql.append(rest)
        return sql
    }
}

extension Connection {
    @inlinable func bind(_ key: some RecordKey, to statement: Statement) throws(DatabaseError) {
        var binder = statement.binder()
        key.bind(to: &binder)
        try finish(binder.position, binder.code, statement)
    }
}
