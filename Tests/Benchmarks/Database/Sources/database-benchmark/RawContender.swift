import Dispatch
import Synchronization

/// The floor: `RawConnection`, and no library at all.
struct RawContender: Contender {
    func entrants(_ line: Line) -> [Entrant] {
        [Entrant(name: Entrant.floor) { stage in try Self.prepare(line, stage) }]
    }

    private static func prepare(_ line: Line, _ stage: Stage) throws -> Trial {
        switch line {
        case .bulkInsert: try bulkInsert(stage)
        case .commitFull, .commitFullAwaited: try commits(stage, .full, stage.sizes.commitsFull)
        case .commitNormal, .commitNormalAwaited: try commits(stage, .normal, stage.sizes.commitsNormal)
        case .lookupPrepared: try lookups(stage, stage.sizes.lookups, inTransaction: true)
        case .lookupRecord: try lookups(stage, stage.sizes.recordLookups, inTransaction: true)
        case .readEach: try lookups(stage, stage.sizes.accesses, inTransaction: false)
        case .fetch: try fetch(stage)
        case .search: try search(stage)
        case .searchPattern: patterns(stage)
        case .mixed: try mixed(stage)
        case .awaitedReads: try awaitedReads(stage)
        case .awaitedWrites1, .awaitedWrites64, .awaitedWrites256: try awaitedWrites(line, stage)
        }
    }

    private static func emptyNotes(_ stage: Stage, _ synchronous: RawConnection.Synchronous) throws -> RawConnection {
        let connection = try RawConnection(stage.path, synchronous: synchronous)
        try connection.execute(RawNote.table)
        return connection
    }

    private static func filledNotes(_ stage: Stage) throws -> RawConnection {
        try emptyNotes(stage, .full).close()
        try Fixture.fillNotes(stage)
        return try RawConnection(stage.path)
    }

    private static func bulkInsert(_ stage: Stage) throws -> Trial {
        let connection = try emptyNotes(stage, .full)
        let insertion = try connection.prepare(RawNote.insertion)
        return .blocking(closing: { try connection.close() }) {
            try connection.execute("BEGIN IMMEDIATE")
            for note in stage.data.notes { try note.insert(insertion) }
            try connection.execute("COMMIT")
            return Sample(operations: stage.data.notes.count, written: stage.data.notes.count)
        }
    }

    /// Each insertion is a transaction of its own, without a BEGIN: the least SQLite can do for a durable row.
    private static func commits(
        _ stage: Stage, _ synchronous: RawConnection.Synchronous, _ count: Int
    ) throws -> Trial {
        let connection = try emptyNotes(stage, synchronous)
        let insertion = try connection.prepare(RawNote.insertion)
        return .blocking(closing: { try connection.close() }) {
            for note in stage.data.notes.prefix(count) { try note.insert(insertion) }
            return Sample(operations: count, written: count)
        }
    }

    private static func lookups(_ stage: Stage, _ count: Int, inTransaction: Bool) throws -> Trial {
        let connection = try filledNotes(stage)
        let byKey = try connection.prepare(RawNote.byKey)
        return .blocking(closing: { try connection.close() }) {
            var dice = Dice(state: 7)
            var checksum: UInt64 = 0
            if inTransaction { try connection.execute("BEGIN") }
            for _ in 0..<count {
                guard let note = try RawNote.first(byKey, id: dice.id(stage.sizes.rows)) else { continue }
                checksum &+= note.checksum
            }
            if inTransaction { try connection.execute("COMMIT") }
            return Sample(operations: count, checksum: checksum)
        }
    }

    private static func fetch(_ stage: Stage) throws -> Trial {
        let connection = try filledNotes(stage)
        let after = try connection.prepare(RawNote.after)
        return .blocking(closing: { try connection.close() }) {
            let sizes = stage.sizes
            var checksum: UInt64 = 0
            try connection.execute("BEGIN")
            for batch in 0..<sizes.fetchedRows / sizes.fetchedAtOnce {
                try after.bind(1, Int64(batch * sizes.fetchedAtOnce % sizes.rows))
                try after.bind(2, Int64(sizes.fetchedAtOnce))
                var notes: [RawNote] = []
                while try after.step() { notes.append(RawNote(after)) }
                after.reset()
                checksum &+= notes.checksum
            }
            try connection.execute("COMMIT")
            return Sample(operations: sizes.fetchedRows, checksum: checksum)
        }
    }

    private static func search(_ stage: Stage) throws -> Trial {
        let setup = try RawConnection(stage.path)
        try setup.execute(RawArticle.schema)
        try setup.close()
        try Fixture.fillArticles(stage)
        let connection = try RawConnection(stage.path)
        let search = try connection.prepare(RawArticle.search)
        return .blocking(closing: { try connection.close() }) {
            var checksum: UInt64 = 0
            try connection.execute("BEGIN")
            for typed in stage.data.typed {
                try search.bind(1, copied: RawArticle.pattern(typed))
                try search.bind(2, Int64(20))
                var articles: [RawArticle] = []
                while try search.step() { articles.append(RawArticle(search)) }
                search.reset()
                checksum &+= articles.checksum
            }
            try connection.execute("COMMIT")
            return Sample(operations: stage.data.typed.count, checksum: checksum)
        }
    }

    private static func patterns(_ stage: Stage) -> Trial {
        .blocking(closing: {}) {
            Fixture.countPatterns(stage, rounds: 200) { RawArticle.pattern($0).utf8.count }
        }
    }

    private static func mixed(_ stage: Stage) throws -> Trial {
        try filledNotes(stage).close()
        let readers = try (0..<stage.sizes.readers).map { _ in try RawConnection(stage.path) }
        let byKey = try readers.map { try $0.prepare(RawNote.byKey) }
        let writer = try RawConnection(stage.path, synchronous: .normal)
        let insertion = try writer.prepare(RawNote.insertion)
        let close: @Sendable () throws -> Void = {
            for connection in readers + [writer] { try connection.close() }
        }
        return .blocking(closing: close) {
            try Running.mixed(
                stage.sizes,
                read: byKey.map { statement in { try RawNote.first(statement, id: $0)?.checksum ?? 0 } },
                write: { try stage.data.note($0).insert(insertion) })
        }
    }

    /// Read where the task runs, with a connection out of a small pool behind a lock: no thread is changed.
    private static func awaitedReads(_ stage: Stage) throws -> Trial {
        try filledNotes(stage).close()
        let connections = try (0..<stage.sizes.readers).map { _ in try RawConnection(stage.path) }
        let idle = IdleStatements(try connections.map { try $0.prepare(RawNote.byKey) })
        return .awaiting(closing: { for connection in connections { try connection.close() } }) {
            try await Running.awaitedReads(stage.sizes) { id in
                let statement = idle.take()
                defer { idle.giveBack(statement) }
                return try RawNote.first(statement, id: id)?.checksum ?? 0
            }
        }
    }

    /// One by one: a queue in front of one connection, a commit for each, as one writes it without group commit.
    private static func awaitedWrites(_ line: Line, _ stage: Stage) throws -> Trial {
        let connection = try emptyNotes(stage, .full)
        let insertion = try connection.prepare(RawNote.insertion)
        let queue = DispatchQueue(label: "writer")
        return .awaiting(closing: { try connection.close() }) {
            try await Running.awaitedWrites(line, stage.sizes) { id in
                let note = stage.data.note(id)
                try await withUnsafeThrowingContinuation { continuation in
                    queue.async { continuation.resume(with: Result { try note.insert(insertion) }) }
                }
            }
        }
    }
}

/// The floor's pool. Never empty when asked: a reading task does not suspend, and there are at most as many threads that
/// run tasks as there are cores.
private final class IdleStatements: Sendable {
    private let idle: Mutex<[RawStatement]>

    init(_ statements: [RawStatement]) { idle = Mutex(statements) }

    func take() -> RawStatement {
        guard let statement = idle.withLock({ $0.popLast() }) else {
            preconditionFailure("More threads run tasks than there are connections: raise Sizes.readers.")
        }
        return statement
    }

    func giveBack(_ statement: RawStatement) { idle.withLock { $0.append(statement) } }
}
