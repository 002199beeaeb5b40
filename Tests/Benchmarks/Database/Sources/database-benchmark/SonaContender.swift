import SonaDatabase

/// SonaDatabase, as its documentation teaches it. Where it has a second way that people will use, that one is shown too.
struct SonaContender: Contender {
    func entrants(_ line: Line) -> [Entrant] {
        var entrants = [Entrant(name: Entrant.sona) { stage in try await Self.prepare(line, stage) }]
        if line == .fetch {
            entrants.append(Entrant(name: "Sona query") { stage in try await Self.fetch(stage, Self.pageByQuery) })
        }
        if line == .awaitedReads {
            entrants.append(
                Entrant(name: "Sona snapshot") { stage in
                    try await Self.awaitedReads(stage) { pool, id in
                        try await pool.read { db in try db.first(SonaNote.self, key: id) }
                    }
                })
        }
        return entrants
    }

    private static func prepare(_ line: Line, _ stage: Stage) async throws -> Trial {
        switch line {
        case .bulkInsert: try await bulkInsert(stage)
        case .commitFull: try await commits(stage, .full, stage.sizes.commitsFull)
        case .commitNormal: try await commits(stage, .normal, stage.sizes.commitsNormal)
        case .commitFullAwaited: try await awaitedCommits(stage, .full, stage.sizes.commitsFull)
        case .commitNormalAwaited: try await awaitedCommits(stage, .normal, stage.sizes.commitsNormal)
        case .lookupPrepared: try await preparedLookups(stage)
        case .lookupRecord: try await recordLookups(stage)
        case .readEach: try await readEach(stage)
        case .fetch: try await fetch(stage, pageBySQL)
        case .search: try await search(stage)
        case .searchPattern: patterns(stage)
        case .mixed: try await mixed(stage)
        case .awaitedReads: try await awaitedReads(stage) { pool, id in try await pool.first(SonaNote.self, key: id) }
        case .awaitedWrites1, .awaitedWrites64, .awaitedWrites256: try await awaitedWrites(line, stage)
        }
    }

    private static func bulkInsert(_ stage: Stage) async throws -> Trial {
        let pool = try await open(stage, .full)
        let notes = stage.data.notes.map { SonaNote($0) }
        return .blocking(closing: { await pool.close() }) {
            try pool.writeNow { db in try db.insert(contentsOf: notes) }
            return Sample(operations: notes.count, written: notes.count)
        }
    }

    private static func commits(
        _ stage: Stage, _ durability: DatabaseOptions.Durability, _ count: Int
    ) async throws -> Trial {
        let pool = try await open(stage, durability)
        let notes = stage.data.notes.prefix(count).map { SonaNote($0) }
        return .blocking(closing: { await pool.close() }) {
            for note in notes { try pool.writeNow { db in try db.insert(note) } }
            return Sample(operations: count, written: count)
        }
    }

    private static func awaitedCommits(
        _ stage: Stage, _ durability: DatabaseOptions.Durability, _ count: Int
    ) async throws -> Trial {
        let pool = try await open(stage, durability)
        let notes = stage.data.notes.prefix(count).map { SonaNote($0) }
        return .awaiting(closing: { await pool.close() }) {
            for note in notes { try await pool.write { db in try db.insert(note) } }
            return Sample(operations: count, written: count)
        }
    }

    private static func preparedLookups(_ stage: Stage) async throws -> Trial {
        let pool = try await filled(stage)
        return .blocking(closing: { await pool.close() }) {
            let count = stage.sizes.lookups
            let checksum = try pool.readNow { db in
                try db.withStatement(
                    "SELECT id, title, body, author, rank, created, score, parent FROM notes WHERE id = ?"
                ) { statement in
                    var dice = Dice(state: 7)
                    var checksum: UInt64 = 0
                    for _ in 0..<count {
                        let id = dice.id(stage.sizes.rows)
                        checksum &+= try statement.first(id) { row in try SonaNote(row: &row) }?.checksum ?? 0
                    }
                    return checksum
                }
            }
            return Sample(operations: count, checksum: checksum)
        }
    }

    private static func recordLookups(_ stage: Stage) async throws -> Trial {
        let pool = try await filled(stage)
        return .blocking(closing: { await pool.close() }) {
            let count = stage.sizes.recordLookups
            let checksum = try pool.readNow { db in
                var dice = Dice(state: 7)
                var checksum: UInt64 = 0
                for _ in 0..<count {
                    checksum &+= try db.first(SonaNote.self, key: dice.id(stage.sizes.rows))?.checksum ?? 0
                }
                return checksum
            }
            return Sample(operations: count, checksum: checksum)
        }
    }

    private static func readEach(_ stage: Stage) async throws -> Trial {
        let pool = try await filled(stage)
        return .blocking(closing: { await pool.close() }) {
            var dice = Dice(state: 7)
            var checksum: UInt64 = 0
            for _ in 0..<stage.sizes.accesses {
                let id = dice.id(stage.sizes.rows)
                checksum &+= try pool.readNow { db in try db.first(SonaNote.self, key: id) }?.checksum ?? 0
            }
            return Sample(operations: stage.sizes.accesses, checksum: checksum)
        }
    }

    private typealias Page = @Sendable (inout ReadAccess, _ after: Int64, _ limit: Int) throws -> [SonaNote]

    private static let pageBySQL: Page = { db, after, limit in
        try db.all(SonaNote.self, "WHERE id > \(after) ORDER BY id LIMIT \(limit)")
    }

    private static let pageByQuery: Page = { db, after, limit in
        try db.all(SonaNote.filter(SonaNote.id > after).order(SonaNote.id.ascending).limit(limit))
    }

    private static func fetch(_ stage: Stage, _ page: @escaping Page) async throws -> Trial {
        let pool = try await filled(stage)
        return .blocking(closing: { await pool.close() }) {
            let sizes = stage.sizes
            let checksum = try pool.readNow { db in
                var checksum: UInt64 = 0
                for batch in 0..<sizes.fetchedRows / sizes.fetchedAtOnce {
                    let after = Int64(batch * sizes.fetchedAtOnce % sizes.rows)
                    checksum &+= try page(&db, after, sizes.fetchedAtOnce).checksum
                }
                return checksum
            }
            return Sample(operations: sizes.fetchedRows, checksum: checksum)
        }
    }

    private static func search(_ stage: Stage) async throws -> Trial {
        let migrations = [Migration("articles") { db in try db.createTable(SonaArticle.self) }]
        let setup = try await DatabasePool.open(stage.path, applicationID: 1, migrations: migrations)
        // By Sona itself: its index has a tokenizer of its own, which other connections do not know.
        let articles = stage.data.articles.map { SonaArticle(id: $0.id, title: $0.title, body: $0.body) }
        try await setup.write { db in try db.insert(contentsOf: articles) }
        await setup.close()
        let pool = try await DatabasePool.open(stage.path, applicationID: 1, migrations: migrations)
        return .blocking(closing: { await pool.close() }) {
            let checksum = try pool.readNow { db in
                var checksum: UInt64 = 0
                for typed in stage.data.typed {
                    guard let text = SearchText(typed) else { continue }
                    checksum &+= try db.search(SonaArticle.self, text, limit: 20).checksum
                }
                return checksum
            }
            return Sample(operations: stage.data.typed.count, checksum: checksum)
        }
    }

    private static func patterns(_ stage: Stage) -> Trial {
        .blocking(closing: {}) {
            Fixture.countPatterns(stage, rounds: 200) { SearchText($0)?.pattern.utf8.count ?? 0 }
        }
    }

    private static func mixed(_ stage: Stage) async throws -> Trial {
        await (try await filled(stage)).close()
        let pool = try await open(stage, .normal)
        let read: @Sendable (Int64) throws -> UInt64 = { id in
            try pool.readNow { db in try db.first(SonaNote.self, key: id) }?.checksum ?? 0
        }
        return .blocking(closing: { await pool.close() }) {
            try Running.mixed(
                stage.sizes, read: Array(repeating: read, count: stage.sizes.readers),
                write: { id in
                    let note = SonaNote(stage.data.note(id))
                    try pool.writeNow { db in try db.insert(note) }
                })
        }
    }

    private static func awaitedReads(
        _ stage: Stage, _ read: @escaping @Sendable (DatabasePool, Int64) async throws -> SonaNote?
    ) async throws -> Trial {
        let pool = try await filled(stage)
        return .awaiting(closing: { await pool.close() }) {
            try await Running.awaitedReads(stage.sizes) { id in try await read(pool, id)?.checksum ?? 0 }
        }
    }

    private static func awaitedWrites(_ line: Line, _ stage: Stage) async throws -> Trial {
        let pool = try await open(stage, .full)
        return .awaiting(closing: { await pool.close() }) {
            try await Running.awaitedWrites(line, stage.sizes) { id in
                let note = SonaNote(stage.data.note(id))
                try await pool.write { db in try db.insert(note) }
            }
        }
    }

    private static func open(
        _ stage: Stage, _ durability: DatabaseOptions.Durability
    ) async throws -> DatabasePool {
        var options = DatabaseOptions()
        options.durability = durability
        options.readers = stage.sizes.readers
        return try await DatabasePool.open(
            stage.path, applicationID: 1,
            migrations: [Migration("notes") { db in try db.createTable(SonaNote.self) }], options: options)
    }

    private static func filled(_ stage: Stage) async throws -> DatabasePool {
        await (try await open(stage, .full)).close()
        try Fixture.fillNotes(stage)
        return try await open(stage, .full)
    }
}
