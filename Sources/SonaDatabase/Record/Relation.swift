/// From a record to the one it refers to: `static let artist = ToOne(Album.artistID, Artist.self)`.
public struct ToOne<Source: Record, Target: Record>: Sendable {
    let column: ColumnDefinition

    /// - Parameter column: Holds the primary key of `Target`, which has one column.
    public init(_ column: Column<Source, Target.Key>, _: Target.Type = Target.self)
    where Target.Key: DatabaseValueConvertible {
        self.column = column.definition
    }

    /// The same through a column that may be NULL.
    public init(_ column: Column<Source, Target.Key?>, _: Target.Type = Target.self)
    where Target.Key: DatabaseValueConvertible {
        self.column = column.definition
    }
}

/// From a record to those that refer to it: `static let tracks = ToMany(Track.albumID, of: Album.self)`.
public struct ToMany<Source: Record, Target: Record>: Sendable
where Source.Key: DatabaseValueConvertible & Hashable {
    let column: ColumnDefinition

    /// - Parameter column: Of the target; holds the primary key of `Source`, which has one column.
    public init(_ column: Column<Target, Source.Key>, of _: Source.Type = Source.self) {
        self.column = column.definition
    }

    /// The same through a column that may be NULL.
    public init(_ column: Column<Target, Source.Key?>, of _: Source.Type = Source.self) {
        self.column = column.definition
    }
}

extension DatabaseAccess where Self: ~Copyable {
    /// Records with the one each refers to: one statement, a left join.
    ///
    /// - Returns: The pairs in the query's order, without a target where the column is NULL (or dangles).
    public func all<Source: Record, Target: Record>(
        _ query: Query<Source>, with relation: ToOne<Source, Target>
    ) throws(DatabaseError) -> [(Source, Target?)] {
        let statement = try connection.begin(relation.sql(query))
        defer { statement.end() }
        let width = Source.table.definition.columns.count
        var sources = Part<Source>(start: 0)
        var targets = Part<Target>(start: width + 1)
        var pairs: [(Source, Target?)] = []
        while try statement.step() {
            var row = Row(statement.handle)
            let source = try sources.decode(&row, of: statement)
            row.move(to: width)
            // The first column of the second part says whether there is one.
            let isThere = try row.next(Bool.self)
            pairs.append((source, isThere ? try targets.decode(&row, of: statement) : nil))
        }
        return pairs
    }

    /// Records with those that refer to each: two statements, whatever their number.
    ///
    /// - Parameter ordering: Of the targets of one source.
    /// - Returns: The records in the query's order, each with its targets.
    public func all<Source: Record, Target: Record>(
        _ query: Query<Source>, with relation: ToMany<Source, Target>, orderedBy ordering: Ordering<Target>...
    ) throws(DatabaseError) -> [(Source, [Target])] {
        let sources = try keyed(query)
        var targets: [DatabaseValue: [Target]] = [:]
        targets.reserveCapacity(sources.count)
        let statement = try connection.begin(relation.sql(query, ordering.map(\.sql)))
        defer { statement.end() }
        var part = Part<Target>(start: 1)
        while try statement.step() {
            var row = Row(statement.handle)
            let key = try row.next(Source.Key.self)
            targets[key.databaseValue, default: []].append(try part.decode(&row, of: statement))
        }
        return sources.map { ($0.record, targets[$0.key.databaseValue] ?? []) }
    }

    /// Those that refer to one record.
    public func all<Source: Record, Target: Record>(
        of key: Source.Key, _ relation: ToMany<Source, Target>, orderedBy ordering: Ordering<Target>...
    ) throws(DatabaseError) -> [Target] {
        var query = Query<Target>().filter(Condition("\(relation.column.sql) = \(key)"))
        for term in ordering { query = query.order(term) }
        return try decodeAll(query.sql)
    }

    /// Records with their keys, which are selected once more in front: a record does not say where its key is.
    private func keyed<Source: Record>(
        _ query: Query<Source>
    ) throws(DatabaseError) -> [(key: Source.Key, record: Source)] where Source.Key: DatabaseValueConvertible {
        let table = Source.table.definition
        let statement = try connection.begin(query.select("\(table.keyList), \(table.columnList)"))
        defer { statement.end() }
        var part = Part<Source>(start: 1)
        var records: [(key: Source.Key, record: Source)] = []
        while try statement.step() {
            var row = Row(statement.handle)
            records.append((try row.next(), try part.decode(&row, of: statement)))
        }
        return records
    }
}

/// The columns of one record in the rows of a statement that holds several; the first ones are held against their
/// declaration.
private struct Part<R: Record> {
    let start: Int
    var isVerified = false

    init(start: Int) { self.start = start }

    mutating func decode(_ row: inout Row, of statement: Statement) throws(DatabaseError) -> R {
        let record = try R(row: &row)
        if !isVerified {
            try statement.verifyReading(of: record, from: row, start: start)
            isVerified = statement.isVerified
            // The statement's own flag is for statements of one record.
            statement.isVerified = false
        }
        return record
    }
}

extension ToOne {
    fileprivate func sql(_ query: Query<Source>) -> SQL {
        let source = Source.table.definition
        let target = Target.table.definition
        // The query's own names are those of the inner table; its order has to be kept, so the rows are numbered.
        let key = target.keyColumns[0].sql
        return """
            SELECT \(source.columnList(of: "s")), t.\(key) IS NOT NULL, \(target.columnList(of: "t"))
            FROM (SELECT \(source.columnList), row_number() OVER (\(query.orderClause)) AS place_in_query
                FROM \(source.quotedName) \(query.rest)) s
            LEFT JOIN \(target.quotedName) t ON t.\(key) = s.\(column.sql)
            ORDER BY s.place_in_query
            """
    }
}

extension ToMany {
    fileprivate func sql(_ query: Query<Source>, _ ordering: [SQL]) -> SQL {
        let source = Source.table.definition
        let target = Target.table.definition
        var sql: SQL = """
            SELECT \(column.sql), \(target.columnList) FROM \(target.quotedName)
            WHERE \(column.sql) IN (\(query.select(source.keyList)))
            """
        if !ordering.isEmpty { sql.append(" ORDER BY \(SQL.list(ordering))") }
        return sql
    }
}
