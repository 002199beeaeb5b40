import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

/// A small database for the tests: notes in folders.
enum Notes {
    static let applicationID: Int32 = 0x4E4F_5445

    static let timeline = [
        Migration("folders and notes") { db in
            try db.executeScript(
                """
                CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                CREATE TABLE notes (
                    id INTEGER PRIMARY KEY,
                    folder INTEGER REFERENCES folders (id) DEFERRABLE INITIALLY DEFERRED,
                    text TEXT NOT NULL CONSTRAINT not_empty CHECK (text <> ''),
                    data BLOB, score REAL, flag INTEGER
                ) STRICT;
                CREATE TABLE stars (
                    note INTEGER NOT NULL REFERENCES notes (id), place INTEGER NOT NULL, PRIMARY KEY (note, place)
                ) STRICT;
                """)
        }
    ]

    static func open(
        _ folder: TemporaryFolder, _ name: String = "notes.sqlite", migrations: [Migration] = timeline,
        options: DatabasePool.Options = DatabasePool.Options()
    ) async throws(DatabaseError) -> DatabasePool {
        try await DatabasePool.open(
            folder.file(name), applicationID: applicationID, migrations: migrations, options: options)
    }

    static func count(_ pool: DatabasePool) async throws -> Int {
        try await pool.read { db in try db.value("SELECT count(*) FROM notes") ?? 0 }
    }
}

/// Something a test waits for and another thread brings about.
final class Gate: Sendable {
    private let state = Monitor(false)
    func open() { state.notify { $0 = true } }
    /// Blocks the thread: for the writer's thread and for threads of a test's own.
    func pass() { state.wait { $0 ? () : nil } }
    /// For tasks, which share few threads.
    func opened() async throws {
        while !state.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Waits until something is so that other threads bring about.
func until(_ what: String, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while try await !condition() {
        try #require(ContinuousClock.now < end, "waited in vain until \(what)")
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Runs `body` on a thread of its own.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let started = WorkerThread.start("test") { continuation.resume(with: Result { try body() }) }
        precondition(started)
    }
}

struct Refusal: Error, Equatable {}
