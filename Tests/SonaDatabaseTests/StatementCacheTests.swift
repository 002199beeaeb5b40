import SonaTestSupport
import Testing

@testable import SonaDatabase

struct StatementCacheTests {
    @Test func `the cache is bounded and keeps the most recently used statements`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("cache.sqlite")
        try ConnectionSetup.createFile(atPath: path)
        let connection = try Connection(path: path, role: .reader, statementCacheSize: 8)
        for number in 0..<100 {
            _ = try connection.execute(SQL(trusted: "SELECT \(number)"))
            #expect(connection.statementCount <= 8)
        }
        #expect(connection.statementCount == 8)
    }

    @Test func `statements in use are not dropped`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("cache.sqlite")
        try ConnectionSetup.createFile(atPath: path)
        let connection = try Connection(path: path, role: .reader, statementCacheSize: 1)
        var seen: [Int] = []
        try ReadAccess(connection).forEach("SELECT 1 UNION SELECT 2") { outer in
            for number in 0..<10 { _ = try connection.execute(SQL(trusted: "SELECT \(number) + 1")) }
            seen.append(try outer[0])
            return true
        }
        #expect(seen == [1, 2])
    }
}
