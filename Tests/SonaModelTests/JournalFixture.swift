import CSQLite
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

// SonaWire has types with the same names.
typealias JournalLine = SonaModel.JournalLine
typealias JournalVerification = SonaModel.JournalVerification

/// A journal in a folder of its own that can be reopened, and a second connection that manipulates its file.
final class JournalFixture {
    let folder = TemporaryFolder()
    let calendar = ManualCalendar()
    private(set) var database: DatabasePool
    private(set) var journal: Journal

    var databasePath: String { folder.file("x.sqlite") }
    var keyPath: String { folder.file("journal.key") }
    var anchorPath: String { folder.file("journal.head") }

    init(lines: Int = 0) async throws {
        (database, journal) = try await Self.open(folder, calendar)
        if lines > 0 { try await append(lines) }
    }

    private static func open(
        _ folder: TemporaryFolder, _ calendar: ManualCalendar
    ) async throws -> (DatabasePool, Journal) {
        let (database, daos) = try await DatabasePool.open(
            folder.file("x.sqlite"), applicationID: ModelSchema.applicationID, daos: ModelDAOs.self,
            migrations: ModelSchema.timeline)
        let key = try JournalKey.loadOrCreate(atPath: folder.file("journal.key"))
        let journal = try await Journal.open(
            daos.journal, key: key, clock: calendar.clock, anchorPath: folder.file("journal.head"))
        return (database, journal)
    }

    func reopen() async throws {
        await database.close()
        (database, journal) = try await Self.open(folder, calendar)
    }

    func close() async { await database.close() }

    /// Adds lines that differ in every column.
    func append(_ count: Int) async throws {
        let (journal, calendar) = (journal, calendar)
        try await database.write { db in
            for number in 1...count {
                calendar.advance(seconds: 1)
                try journal.append(Self.entry(number), in: &db)
            }
        }
    }

    static func entry(_ number: Int) throws -> JournalEntry {
        let kinds = JournalEntry.Kind.allCases
        return JournalEntry(
            kinds[number % kinds.count], actor: UserID("actor\(number)"), user: UserID("user\(number)"),
            ["number": .integer(Int64(number))])
    }

    /// Runs statements on a plain connection without triggers and CHECKs.
    func tamper(_ statements: String) throws {
        try Self.withHandle(databasePath) { handle in
            let guards = ["update", "delete"].map { "DROP TRIGGER IF EXISTS journal_refuses_\($0);" }.joined()
            try Self.execute(
                guards + "DROP TRIGGER IF EXISTS journal_head_refuses_delete; PRAGMA ignore_check_constraints = ON;"
                    + statements, handle)
        }
    }

    /// Runs statements on a plain connection with triggers and CHECKs.
    func shell(_ statements: String) throws {
        try Self.withHandle(databasePath) { handle in try Self.execute(statements, handle) }
    }

    private static func withHandle(_ path: String, _ body: (OpaquePointer) throws -> Void) throws {
        var opened: OpaquePointer?
        try #require(sqlite3_open(path, &opened) == SQLITE_OK)
        let handle = try #require(opened)
        defer { sqlite3_close(handle) }
        sqlite3_busy_timeout(handle, 5_000)
        try body(handle)
    }

    private static func execute(_ statements: String, _ handle: OpaquePointer) throws {
        guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
            throw ShellError(message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    struct ShellError: Error, Equatable { let message: String }

    func verify() async throws -> JournalVerification { try await journal.verify() }

    /// The result of `verify`, in short.
    func fault() async throws -> Fault {
        let found = try await journal.verify()
        return Fault(found.firstFault, found.reason)
    }

    struct Fault: Equatable {
        let line: Int64?
        let reason: JournalVerification.Reason?
        init(_ line: Int64?, _ reason: JournalVerification.Reason?) { (self.line, self.reason) = (line, reason) }
        static let none = Fault(nil, nil)
    }
}
