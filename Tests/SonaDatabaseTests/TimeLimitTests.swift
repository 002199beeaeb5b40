import SonaDatabase
import SonaTestSupport
import Testing

struct TimeLimitTests {
    private static let endless: SQL = """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT max(i) FROM n
        """

    @Test func `a read ends at its limit and the reader serves the next`() async throws {
        let folder = TemporaryFolder()
        var options = DatabaseOptions()
        options.readers = 1
        let pool = try await Notes.open(folder, options: options)
        let start = ContinuousClock.now
        await #expect(throws: DatabaseError.self) {
            try await pool.read(timeLimit: .milliseconds(50)) { db in try db.value(Self.endless, as: Int.self) }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(try await Notes.count(pool) == 0)
        // The limit is gone with its access; within it, everything works.
        #expect(try await pool.read(timeLimit: .seconds(60)) { db in try db.value("SELECT 1") ?? 0 } == 1)
        await pool.close()
    }

    @Test func `the limit of one part leaves the rest of the access alone`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        let result = try await queue.read { db -> (DatabaseError.Kind?, Int?) in
            var kind: DatabaseError.Kind?
            do {
                _ = try db.withTimeLimit(.milliseconds(20)) { db in try db.value(Self.endless, as: Int.self) }
            } catch {
                kind = (error as? DatabaseError)?.kind
            }
            return (kind, try db.value("SELECT 7"))
        }
        #expect(result.0 == .timedOut)
        #expect(result.1 == 7)
        await queue.close()
    }
}
