import GRDB

/// GRDB 7, twice: with the record its first pages teach, and as fast as its documentation knows how.
struct GRDBContender: Contender {
    func entrants(_ line: Line) -> [Entrant] {
        [
            Entrant(name: Entrant.grdb) { try Self.prepare(line, $0, Codables()) },
            Entrant(name: Entrant.grdbBest) { try Self.prepare(line, $0, Indexed()) },
        ].filter { entrant in line != .searchPattern || entrant.name == Entrant.grdb }
    }

    private static func prepare(_ line: Line, _ stage: Stage, _ way: some GRDBWay) throws -> Trial {
        switch line {
        case .bulkInsert: try bulkInsert(stage, way)
        case .commitFull: try commits(stage, .full, stage.sizes.commitsFull, way)
        case .commitNormal: try commits(stage, .normal, stage.sizes.commitsNormal, way)
        case .commitFullAwaited: try awaitedCommits(stage, .full, stage.sizes.commitsFull, way)
        case .commitNormalAwaited: try awaitedCommits(stage, .normal, stage.sizes.commitsNormal, way)
        case .lookupPrepared: try lookups(stage, stage.sizes.lookups) { db in try way.prepared(db) }
        case .lookupRecord: try lookups(stage, stage.sizes.recordLookups) { db in { id in try way.first(db, id) } }
        case .readEach: try readEach(stage, way)
        case .fetch: try fetch(stage, way)
        case .search: try search(stage, way)
        case .searchPattern: patterns(stage)
        case .mixed: try mixed(stage, way)
        case .awaitedReads: try awaitedReads(stage, way)
        case .awaitedWrites1, .awaitedWrites64, .awaitedWrites256: try awaitedWrites(line, stage, way)
        }
    }

    private static func bulkInsert<Way: GRDBWay>(_ stage: Stage, _ way: Way) throws -> Trial {
        let pool = try empty(stage, .full)
        let notes = stage.data.notes.map { Way.Note($0) }
        return .blocking(closing: { try pool.close() }) {
            try pool.write { db in
                let insert = try way.insertion(db)
                for note in notes { try insert(note) }
            }
            return Sample(operations: notes.count, written: notes.count)
        }
    }

    private static func commits<Way: GRDBWay>(
        _ stage: Stage, _ synchronous: RawConnection.Synchronous, _ count: Int, _ way: Way
    ) throws -> Trial {
        let pool = try empty(stage, synchronous)
        let notes = stage.data.notes.prefix(count).map { Way.Note($0) }
        return .blocking(closing: { try pool.close() }) {
            for note in notes { try pool.write { db in try way.insert(note, db) } }
            return Sample(operations: count, written: count)
        }
    }

    private static func awaitedCommits<Way: GRDBWay>(
        _ stage: Stage, _ synchronous: RawConnection.Synchronous, _ count: Int, _ way: Way
    ) throws -> Trial {
        let pool = try empty(stage, synchronous)
        let notes = stage.data.notes.prefix(count).map { Way.Note($0) }
        return .awaiting(closing: { try pool.close() }) {
            for note in notes { try await pool.write { db in try way.insert(note, db) } }
            return Sample(operations: count, written: count)
        }
    }

    private static func lookups<Note: NoteFields>(
        _ stage: Stage, _ count: Int, _ read: @escaping @Sendable (Database) throws -> (Int64) throws -> Note?
    ) throws -> Trial {
        let pool = try filled(stage)
        return .blocking(closing: { try pool.close() }) {
            let checksum = try pool.read { db in
                let first = try read(db)
                var dice = Dice(state: 7)
                var checksum: UInt64 = 0
                for _ in 0..<count { checksum &+= try first(dice.id(stage.sizes.rows))?.checksum ?? 0 }
                return checksum
            }
            return Sample(operations: count, checksum: checksum)
        }
    }

    private static func readEach<Way: GRDBWay>(_ stage: Stage, _ way: Way) throws -> Trial {
        let pool = try filled(stage)
        return .blocking(closing: { try pool.close() }) {
            var dice = Dice(state: 7)
            var checksum: UInt64 = 0
            for _ in 0..<stage.sizes.accesses {
                let id = dice.id(stage.sizes.rows)
                checksum &+= try pool.read { db in try way.first(db, id) }?.checksum ?? 0
            }
            return Sample(operations: stage.sizes.accesses, checksum: checksum)
        }
    }

    private static func fetch<Way: GRDBWay>(_ stage: Stage, _ way: Way) throws -> Trial {
        let pool = try filled(stage)
        return .blocking(closing: { try pool.close() }) {
            let sizes = stage.sizes
            let checksum = try pool.read { db in
                var checksum: UInt64 = 0
                for batch in 0..<sizes.fetchedRows / sizes.fetchedAtOnce {
                    let after = Int64(batch * sizes.fetchedAtOnce % sizes.rows)
                    checksum &+= try way.page(db, after: after, limit: sizes.fetchedAtOnce).checksum
                }
                return checksum
            }
            return Sample(operations: sizes.fetchedRows, checksum: checksum)
        }
    }

    private static func search(_ stage: Stage, _ way: some GRDBWay) throws -> Trial {
        let setup = try DatabasePool(path: stage.path)
        try setup.write { db in try createArticles(db) }
        try setup.close()
        try Fixture.fillArticles(stage)
        let pool = try open(stage, .full)
        return .blocking(closing: { try pool.close() }) {
            let checksum = try pool.read { db in
                var checksum: UInt64 = 0
                for typed in stage.data.typed { checksum &+= try way.search(db, typed, limit: 20) }
                return checksum
            }
            return Sample(operations: stage.data.typed.count, checksum: checksum)
        }
    }

    private static func createArticles(_ db: Database) throws {
        try db.create(table: "articles", options: .strict) { table in
            table.primaryKey("id", .integer)
            table.column("title", .text).notNull()
            table.column("body", .text).notNull()
        }
        try db.create(virtualTable: "articles_search", using: FTS5()) { table in
            table.synchronize(withTable: "articles")
            table.tokenizer = .unicode61(diacritics: .remove)
            table.prefixes = [2, 3]
            table.column("title")
            table.column("body")
        }
    }

    /// Few of them: GRDB opens a database in memory for each.
    private static func patterns(_ stage: Stage) -> Trial {
        .blocking(closing: {}) {
            Fixture.countPatterns(stage, rounds: 1) { typed in
                FTS5Pattern(matchingAllPrefixesIn: typed)?.rawPattern.utf8.count ?? 0
            }
        }
    }

    private static func mixed<Way: GRDBWay>(_ stage: Stage, _ way: Way) throws -> Trial {
        try filled(stage).close()
        let pool = try open(stage, .normal)
        let read: @Sendable (Int64) throws -> UInt64 = { id in
            try pool.read { db in try way.first(db, id) }?.checksum ?? 0
        }
        return .blocking(closing: { try pool.close() }) {
            try Running.mixed(
                stage.sizes, read: Array(repeating: read, count: stage.sizes.readers),
                write: { id in
                    let note = Way.Note(stage.data.note(id))
                    try pool.write { db in try way.insert(note, db) }
                })
        }
    }

    private static func awaitedReads(_ stage: Stage, _ way: some GRDBWay) throws -> Trial {
        let pool = try filled(stage)
        return .awaiting(closing: { try pool.close() }) {
            try await Running.awaitedReads(stage.sizes) { id in
                try await pool.read { db in try way.first(db, id) }?.checksum ?? 0
            }
        }
    }

    private static func awaitedWrites<Way: GRDBWay>(_ line: Line, _ stage: Stage, _ way: Way) throws -> Trial {
        let pool = try empty(stage, .full)
        return .awaiting(closing: { try pool.close() }) {
            try await Running.awaitedWrites(line, stage.sizes) { id in
                let note = Way.Note(stage.data.note(id))
                try await pool.write { db in try way.insert(note, db) }
            }
        }
    }

    private static func empty(_ stage: Stage, _ synchronous: RawConnection.Synchronous) throws -> DatabasePool {
        let pool = try open(stage, synchronous)
        try pool.write { db in try db.execute(sql: RawNote.table) }
        return pool
    }

    private static func filled(_ stage: Stage) throws -> DatabasePool {
        try empty(stage, .full).close()
        try Fixture.fillNotes(stage)
        return try open(stage, .full)
    }

    /// GRDB's pool sets NORMAL whatever one asks for before it is open; so FULL is set afterwards, and read back.
    private static func open(_ stage: Stage, _ synchronous: RawConnection.Synchronous) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.maximumReaderCount = stage.sizes.readers
        // The same timeout as all contenders. Without it a write sometimes fails with "database is locked": a reader
        // that meets a half-written header of the log takes the writer's lock for a moment.
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: stage.path, configuration: configuration)
        let found = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        let wanted = synchronous == .full ? 2 : 1
        guard found == wanted else {
            throw Mismatch("GRDB: synchronous should be \(wanted) and is \(found.map { "\($0)" } ?? "unknown")")
        }
        return pool
    }
}
