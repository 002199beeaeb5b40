extension DatabaseAccess where Self: ~Copyable {
    /// Records in which a text is found, the best first: those with more of its words, rarer words, shorter texts
    /// (BM25).
    ///
    /// Equally good ones come in the order of their keys, so pages do not overlap while nothing is written.
    ///
    /// Every row found is ranked, whatever the limit: about 0.7 µs each, besides some 10 µs for the search and 1 µs for
    /// each record returned.
    ///
    /// - Parameters:
    ///   - columns: Columns of the search index to search in; none means all.
    ///   - condition: A further condition for a row. It is evaluated for each row found.
    ///   - weights: How much more than another a column counts; 1 for those that are not named.
    ///   - limit: Negative numbers count as 0, here and in `offset`.
    /// - Throws: `misuse` if the table has no search index, or a column is not in it.
    @inlinable public func search<R: Record>(
        _: R.Type, _ text: SearchText, in columns: [any TableColumn<R>] = [], where condition: Condition<R>? = nil,
        weights: [SearchWeight<R>] = [], limit: Int, offset: Int = 0
    ) throws(DatabaseError) -> [R] {
        let statement = try connection.begin(
            SearchRequest(text, columns, condition, weights, limit: limit, offset: offset))
        defer { statement.end() }
        var records: [R] = []
        while try statement.step() {
            var row = Row(statement.handle)
            records.append(try statement.decode(R.self, from: &row))
        }
        return records
    }

    /// The same, and the places in one column's text where something was found.
    ///
    /// Some 3 µs more for each record returned, more for long texts. What stands between a NUL in a text and the next
    /// match is left out of the marked text.
    ///
    /// - Parameters:
    ///   - column: The column of the search index to show. If `columns` leaves it out, nothing is marked.
    ///   - words: Most words (1–64) of an excerpt around the best match, with … for the parts left out; `nil` shows the
    ///     whole text. In scripts without spaces each character is a word.
    @inlinable public func search<R: Record>(
        _: R.Type, _ text: SearchText, marking column: any TableColumn<R>, words: Int? = nil,
        in columns: [any TableColumn<R>] = [], where condition: Condition<R>? = nil, weights: [SearchWeight<R>] = [],
        limit: Int, offset: Int = 0
    ) throws(DatabaseError) -> [SearchHit<R>] {
        let marking = SearchMarking(column.definition, words: words)
        let statement = try connection.begin(
            SearchRequest(text, columns, condition, weights, limit: limit, offset: offset, marking))
        defer { statement.end() }
        var hits: [SearchHit<R>] = []
        while try statement.step() {
            var row = Row(statement.handle)
            let record = try statement.decode(R.self, from: &row)
            hits.append(SearchHit(record: record, text: marking.read(&row)))
        }
        return hits
    }

    /// How many records `search` would find without a limit. Faster than finding them: nothing is ranked.
    public func searchCount<R: Record>(
        _: R.Type, _ text: SearchText, in columns: [any TableColumn<R>] = [], where condition: Condition<R>? = nil
    ) throws(DatabaseError) -> Int {
        let statement = try connection.beginCount(SearchRequest(text, columns, condition, [], limit: 0, offset: 0))
        defer { statement.end() }
        guard try statement.step() else { return 0 }
        return try Row(statement.handle)[0]
    }
}

/// A column and how much it counts in a search, where another counts 1.
public struct SearchWeight<R: Record>: Sendable {
    let column: ColumnDefinition
    let weight: Double
}

extension Column where Root: Record {
    /// The weight of the column in the ranking of a search: `weights: [Album.title.weight(5)]`.
    public func weight(_ weight: Double) -> SearchWeight<Root> { SearchWeight(column: definition, weight: weight) }
}

/// The column to show with matches marked, and how much of it.
@usableFromInline struct SearchMarking {
    let column: ColumnDefinition
    let words: Int?
    let marks = SearchMarks()

    @usableFromInline init(_ column: ColumnDefinition, words: Int?) {
        self.column = column
        self.words = words
    }

    var extra: SearchSQL.Extra { words == nil ? .wholeText : .excerpt }

    /// Reads what stands after the record.
    @usableFromInline func read(_ row: inout Row) -> MarkedText {
        let stored = StoredValue(row.statement, row.position)
        return MarkedText(parts: stored.withText { marks.parts(of: $0) } ?? [])
    }
}

/// A search without its record's type.
@usableFromInline struct SearchRequest {
    fileprivate let table: TableDefinition
    fileprivate let text: SearchText
    fileprivate let columns: [ColumnDefinition]
    fileprivate let condition: SQL?
    fileprivate let weights: [(column: ColumnDefinition, weight: Double)]
    fileprivate let limit: Int
    fileprivate let offset: Int
    fileprivate let marking: SearchMarking?

    @usableFromInline init<R: Record>(
        _ text: SearchText, _ columns: [any TableColumn<R>], _ condition: Condition<R>?, _ weights: [SearchWeight<R>],
        limit: Int, offset: Int, _ marking: SearchMarking? = nil
    ) {
        table = R.table.definition
        self.text = text
        // Closures: a generic key path is made anew at each call, which takes longer than all the rest.
        self.columns = columns.map { $0.definition }
        self.condition = condition?.sql
        self.weights = weights.map { ($0.column, $0.weight) }
        self.limit = max(0, limit)
        self.offset = max(0, offset)
        self.marking = marking
    }

    fileprivate func index() throws(DatabaseError) -> SearchDefinition {
        guard let search = table.search else {
            throw DatabaseError(kind: .misuse("the table \(table.name) has no search index"))
        }
        return search
    }

    // MARK: Binding, in the order of `SearchSQL`

    fileprivate func bindWeights(_ index: SearchDefinition, to binder: inout Binder) throws(DatabaseError) {
        for (column, _) in weights { _ = try index.place(of: column) }
        for column in index.columns {
            binder.real(weights.last { $0.column === column }?.weight ?? 1)
        }
    }

    fileprivate func bindMarking(_ index: SearchDefinition, to binder: inout Binder) throws(DatabaseError) {
        guard let marking else { return }
        binder.integer(Int64(try index.place(of: marking.column)))
        binder.text(marking.marks.begin)
        binder.text(marking.marks.end)
        guard let words = marking.words else { return }
        binder.text("…")
        // snippet() refuses more.
        binder.integer(Int64(min(max(1, words), 64)))
    }

    /// For some columns only, `{"title" "artist"} : ("word"*)`.
    fileprivate func bindPattern(_ index: SearchDefinition, to binder: inout Binder) throws(DatabaseError) {
        guard !columns.isEmpty else { return binder.text(text.pattern) }
        for column in columns { _ = try index.place(of: column) }
        binder.text("{\(columns.map { $0.sql.text }.joined(separator: " "))} : (\(text.pattern))")
    }

    fileprivate func bindCondition(to binder: inout Binder) throws(DatabaseError) {
        guard let condition else { return }
        guard condition.names.isEmpty else {
            throw DatabaseError(kind: .misuse("the condition of a search takes its values by position, not by name"))
        }
        for argument in condition.arguments { binder.value(argument) }
    }
}

extension Connection {
    @usableFromInline func begin(_ request: SearchRequest) throws(DatabaseError) -> Statement {
        let index = try request.index()
        let sql = try index.sql(for: request.table)
        let extra = request.marking?.extra.rawValue ?? 0
        let text = request.condition.map { "\(sql.filtered[extra])\($0)\(sql.filteredEnd)" } ?? sql.best[extra]
        return try begin(text) { binder throws(DatabaseError) in
            try request.bindWeights(index, to: &binder)
            try request.bindMarking(index, to: &binder)
            try request.bindPattern(index, to: &binder)
            try request.bindCondition(to: &binder)
            binder.integer(Int64(request.limit))
            binder.integer(Int64(request.offset))
        }
    }

    fileprivate func beginCount(_ request: SearchRequest) throws(DatabaseError) -> Statement {
        let index = try request.index()
        let sql = try index.sql(for: request.table)
        let text = request.condition.map { "\(sql.filteredCount)\($0)\(sql.filteredCountEnd)" } ?? sql.count
        return try begin(text) { binder throws(DatabaseError) in
            try request.bindPattern(index, to: &binder)
            try request.bindCondition(to: &binder)
        }
    }

    private func begin(
        _ sql: SQL, _ bind: (inout Binder) throws(DatabaseError) -> Void
    ) throws(DatabaseError) -> Statement {
        let statement = try prepare(sql)
        do throws(DatabaseError) {
            var binder = Binder(statement.handle)
            try bind(&binder)
            try finish(binder.position, binder.code, statement)
            return statement
        } catch {
            statement.end()
            throw error
        }
    }
}
