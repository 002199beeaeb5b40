import CSQLiteFloor

/// Fills and inspects the files of every contender, by the C interface and outside of what is measured.
enum Fixture {
    /// Expects an empty table `notes` in a file nobody has open, and leaves the log emptied into the file.
    static func fillNotes(_ stage: Stage) throws {
        try fill(stage) { connection in
            let insertion = try connection.prepare(RawNote.insertion)
            for note in stage.data.notes { try note.insert(insertion) }
        }
    }

    /// The search index follows by the triggers of the table.
    static func fillArticles(_ stage: Stage) throws {
        try fill(stage) { connection in
            let insertion = try connection.prepare("INSERT INTO articles (id, title, body) VALUES (?, ?, ?)")
            for article in stage.data.articles {
                try insertion.bind(1, article.id)
                try insertion.bind(2, copied: article.title)
                try insertion.bind(3, copied: article.body)
                _ = try insertion.step()
                insertion.reset()
            }
        }
    }

    private static func fill(_ stage: Stage, _ body: (RawConnection) throws -> Void) throws {
        let connection = try RawConnection(stage.path, synchronous: .normal)
        try connection.execute("BEGIN IMMEDIATE")
        try body(connection)
        try connection.execute("COMMIT")
        // Closing the only connection also does this, unless a failed step left something open.
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try connection.close()
    }

    /// Makes sure that a contender wrote what it acknowledged, into a table like everybody's.
    static func check(_ stage: Stage, entrant: String, written: Int?) throws {
        let connection = try RawConnection(stage.path)
        defer { try? connection.close() }
        try demand("a log", "wal", try connection.value("PRAGMA journal_mode"), entrant)
        try demand("pages", "4096", try connection.value("PRAGMA page_size"), entrant)
        guard let written else { return }
        try demand("columns", expectedColumns, try connection.value(shape), entrant)
        let all = try connection.prepare("SELECT \(RawNote.columns) FROM notes ORDER BY id")
        var count = 0
        while try all.step() {
            count += 1
            let note = RawNote(all)
            guard note.isSame(as: stage.data.note(Int64(count))) else {
                throw Mismatch("\(entrant): row \(count) is \(note)")
            }
        }
        all.reset()
        try demand("rows", "\(written)", "\(count)", entrant)
    }

    private static let shape = """
        SELECT group_concat(name || ' ' || type || ' ' || ("notnull" OR pk) || ' ' || pk, ', ')
            || (SELECT ', strict ' || strict FROM pragma_table_list('notes'))
        FROM pragma_table_info('notes')
        """
    private static let expectedColumns = """
        id INTEGER 1 1, title TEXT 1 0, body TEXT 1 0, author TEXT 1 0, rank INTEGER 1 0, created INTEGER 1 0, \
        score REAL 1 0, parent INTEGER 0 0, strict 1
        """

    private static func demand(_ what: String, _ expected: String, _ found: String, _ entrant: String) throws {
        guard found == expected else {
            throw Mismatch("\(entrant): \(what) should be \(expected) and are \(found)")
        }
    }

    /// Builds the patterns of all typed texts, `rounds` times.
    static func countPatterns(_ stage: Stage, rounds: Int, _ build: (String) throws -> Int) rethrows -> Sample {
        var bytes = 0
        for _ in 0..<rounds {
            for typed in stage.data.typed { bytes += try build(typed) }
        }
        precondition(bytes > 0, "No pattern was built.")
        return Sample(operations: rounds * stage.data.typed.count)
    }
}

/// A contender did something else than the others.
struct Mismatch: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension RawConnection {
    /// The first column of the first row, as text.
    func value(_ sql: String) throws -> String {
        let statement = try prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : ""
    }
}
