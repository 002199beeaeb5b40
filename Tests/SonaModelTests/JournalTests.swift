import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Writing and reading the journal. `JournalTamperingTests` test what `verify` finds.
struct JournalTests {
    @Test func `lines are read newest first, and are intact after a restart`() async throws {
        let fixture = try await JournalFixture()
        let (ada, room) = (try #require(UserID("ada")), try #require(RoomID("abcdefghij0123456789")))
        try await fixture.journal.append(.own(.signIn, ada, ["method": "password", "from": "203.0.113.0/24"]))
        fixture.calendar.advance(seconds: 2)
        try await fixture.journal.append(JournalEntry(.roomDeleted, room: room))
        try await fixture.reopen()
        #expect(fixture.journal.reset == nil)
        let begin = fixture.calendar.clock.nowMilliseconds() - 2_000
        let lines = [
            JournalLine(
                id: 2, atMilliseconds: begin + 2_000, kind: "room_deleted", actor: nil, subject: room.rawValue,
                detail: "{}"),
            JournalLine(
                id: 1, atMilliseconds: begin, kind: "sign_in", actor: "ada", subject: "ada",
                detail: #"{"from":"203.0.113.0/24","method":"password"}"#),
        ]
        #expect(try await fixture.journal.page() == lines)
        let found = try await fixture.verify()
        #expect(
            found
                == JournalVerification(entries: 2, checkedFrom: 1, anchored: 2, firstFault: nil, reason: nil))
        await fixture.close()
    }

    @Test func `a new journal is empty and intact`() async throws {
        let fixture = try await JournalFixture()
        let none = JournalVerification(entries: 0, checkedFrom: 1, anchored: 0, firstFault: nil, reason: nil)
        #expect(try await fixture.verify() == none)
        #expect(try await fixture.journal.page() == [])
        try await fixture.reopen()
        #expect(try await fixture.verify() == none)
        await fixture.close()
    }

    @Test func `concurrent writes make lines without gaps, each chained to the one before`() async throws {
        let fixture = try await JournalFixture()
        let journal = fixture.journal
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...64 {
                group.addTask { try await journal.append(try JournalFixture.entry(number)) }
            }
            // A verification at the same time finds some lines and no fault.
            for _ in 1...4 {
                group.addTask {
                    let found = try await journal.verify()
                    #expect(found.reason == nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await journal.page().map(\.id) == (1...64).reversed().map(Int64.init))
        #expect(Set(try await journal.page().compactMap(\.actor)).count == 64)
        #expect(try await fixture.verify().entries == 64)
        #expect(try await fixture.fault() == .none)
        await fixture.close()
    }

    @Test func `a rolled back transaction leaves no line, and the next line gets its number`() async throws {
        struct Undone: Error {}
        let fixture = try await JournalFixture(lines: 2)
        let journal = fixture.journal
        await #expect(throws: Undone.self) {
            try await fixture.database.write { db in
                try journal.append(JournalEntry(.banned), in: &db)
                throw Undone()
            }
        }
        // The same holds for a savepoint.
        try await fixture.database.write { db in
            #expect(try journal.append(JournalEntry(.recovered), in: &db) == 3)
            do {
                try db.savepoint { db in
                    #expect(try journal.append(JournalEntry(.banned), in: &db) == 4)
                    throw Undone()
                }
            } catch is Undone {}
            #expect(try journal.append(JournalEntry(.unbanned), in: &db) == 4)
        }
        #expect(try await journal.page(limit: 2).map(\.kind) == ["unbanned", "recovered"])
        #expect(try await fixture.verify().entries == 4)
        #expect(try await fixture.fault() == .none)
        await fixture.close()
    }

    @Test func `a long journal is verified in chunks, also if it ends at the end of a chunk`() async throws {
        let fixture = try await JournalFixture(lines: Journal.verifiedAtOnce)
        #expect(try await fixture.verify().entries == Int64(Journal.verifiedAtOnce))
        try await fixture.append(Journal.verifiedAtOnce + 1)
        #expect(try await fixture.verify().entries == Int64(2 * Journal.verifiedAtOnce + 1))
        #expect(try await fixture.fault() == .none)
        let far = Int64(Journal.verifiedAtOnce + 1)
        try fixture.tamper("UPDATE journal SET at_ms = at_ms + 1 WHERE id = \(far)")
        #expect(try await fixture.fault() == .init(far, .altered))
        await fixture.close()
    }

    @Test func `lines added during a long verification are not a fault`() async throws {
        let fixture = try await JournalFixture(lines: 2 * Journal.verifiedAtOnce)
        let journal = fixture.journal
        let written = Monitor(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                group.addTask {
                    while written.withLock({ $0 >= 0 }) {
                        try await journal.append(try JournalFixture.entry(number))
                        written.withLock { if $0 >= 0 { $0 += 1 } }
                    }
                }
            }
            group.addTask {
                var entries: [Int64] = []
                // Repeat until some were written between two chunks.
                while Set(entries).count < 4 {
                    let found = try await journal.verify()
                    #expect(found.reason == nil)
                    entries.append(found.entries)
                }
                #expect(entries == entries.sorted())
                written.withLock { $0 = -1 }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.fault() == .none)
        await fixture.close()
    }

    @Test func `pages are consecutive, and can be limited to one kind, actor or subject`() async throws {
        // The kinds follow each other, so that ten of them come twice.
        let lines = JournalEntry.Kind.allCases.count + 10
        let fixture = try await JournalFixture(lines: lines)
        let journal = fixture.journal
        var ids: [Int64] = []
        while true {
            let page = try await journal.page(before: ids.last, limit: 20)
            if page.isEmpty { break }
            ids += page.map(\.id)
        }
        #expect(ids == (1...lines).reversed().map(Int64.init))
        let (kind, second) = (JournalEntry.Kind.allCases[5], Int64(5 + JournalEntry.Kind.allCases.count))
        #expect(try await journal.page(kind: kind).map(\.id) == [second, 5])
        #expect(try await journal.page(before: second, limit: 1, kind: kind).map(\.id) == [5])
        #expect(try await journal.page(actor: UserID("actor7")).map(\.id) == [7])
        #expect(try await journal.page(subject: "user7").map(\.id) == [7])
        #expect(try await journal.page(kind: kind, actor: UserID("actor7")).isEmpty)
        #expect(try await journal.page(subject: "actor7").isEmpty)
        #expect(try await journal.page(limit: 0).isEmpty)
        #expect(try await journal.page(limit: -1).isEmpty)
        #expect(try await journal.page(before: .min).isEmpty)
        await fixture.close()
    }

    @Test func `every page reads along an index and sorts nothing`() async throws {
        let fixture = try await JournalFixture(lines: 3)
        func plan(_ kind: JournalEntry.Kind?, _ actor: String?, _ subject: String?) async throws -> [String] {
            let rest = JournalDAO.page(before: 9, limit: 5, kind: kind, actor: actor, subject: subject)
            return try await fixture.database.read { db in
                try db.all("EXPLAIN QUERY PLAN SELECT * FROM journal \(rest)") { row in try row[3] as String }
            }
        }
        #expect(try await plan(nil, nil, nil) == ["SEARCH journal USING INTEGER PRIMARY KEY (rowid<?)"])
        #expect(
            try await plan(.banned, nil, nil) == ["SEARCH journal USING INDEX journal_by_kind (kind=? AND rowid<?)"])
        #expect(
            try await plan(nil, "a", nil) == ["SEARCH journal USING INDEX journal_by_actor (actor=? AND rowid<?)"])
        #expect(
            try await plan(nil, nil, "a")
                == ["SEARCH journal USING INDEX journal_by_subject (subject=? AND rowid<?)"])
        await fixture.close()
    }

    @Test func `statements can't change or remove lines, or remove the head`() async throws {
        let fixture = try await JournalFixture(lines: 3)
        let statements: [SQL] = [
            "UPDATE journal SET detail = '{}'", "DELETE FROM journal WHERE id = 3", "DELETE FROM journal",
            "INSERT OR REPLACE INTO journal SELECT * FROM journal WHERE id = 2", "DELETE FROM journal_head",
        ]
        for statement in statements {
            let error = await #expect(throws: DatabaseError.self, "\(statement)") {
                try await fixture.database.write { db in try db.execute(statement) }
            }
            #expect(error?.detail?.hasPrefix("the journal ") == true, "\(statement): \(String(describing: error))")
        }
        #expect(throws: JournalFixture.ShellError(message: "the journal is only added to")) {
            try fixture.shell("UPDATE journal SET actor = NULL WHERE id = 1")
        }
        #expect(try await fixture.verify().entries == 3)
        #expect(try await fixture.fault() == .none)
        await fixture.close()
    }

    @Test func `the next opening restores triggers that were dropped or changed`() async throws {
        let fixture = try await JournalFixture(lines: 1)
        try fixture.tamper(
            """
            DROP TRIGGER IF EXISTS journal_refuses_update;
            CREATE TRIGGER journal_refuses_update BEFORE UPDATE ON journal BEGIN SELECT 1; END;
            """)
        try fixture.shell("UPDATE journal SET at_ms = at_ms WHERE id = 1")
        try await fixture.reopen()
        for statement in ["UPDATE journal SET at_ms = at_ms", "DELETE FROM journal", "DELETE FROM journal_head"] {
            #expect(throws: JournalFixture.ShellError.self) { try fixture.shell(statement) }
        }
        // A further opening leaves them unchanged.
        func version() async throws -> Int? {
            try await fixture.database.read { db in try db.value("PRAGMA schema_version", as: Int.self) }
        }
        let before = try await version()
        try await fixture.reopen()
        #expect(try await version() == before)
        await fixture.close()
    }

    @Test func `lines of removed accounts stay`() async throws {
        let fixture = try await JournalFixture()
        let ada = try #require(UserID("ada"))
        let journal = fixture.journal
        try await fixture.database.write { db in
            try db.insert(UserRecord(ada, username: Username("Ada"), createdMilliseconds: 1))
            try journal.append(.own(.signUp, ada), in: &db)
        }
        try await fixture.database.write { db in
            _ = try db.delete(UserRecord.self, key: ada)
            try journal.append(.own(.accountRemoved, ada), in: &db)
        }
        #expect(try await journal.page(subject: "ada").map(\.kind) == ["account_removed", "sign_up"])
        #expect(try await fixture.fault() == .none)
        await fixture.close()
    }

    @Test func `a journal in memory needs no files`() async throws {
        let (database, daos) = try await DatabaseQueue.inMemory(daos: ModelDAOs.self)
        let journal = try await Journal.open(
            daos.journal, key: .random(), clock: .system, anchorPath: nil)
        for number in 1...3 { try await journal.append(try JournalFixture.entry(number)) }
        #expect(
            try await journal.verify()
                == JournalVerification(entries: 3, checkedFrom: 1, anchored: nil, firstFault: nil, reason: nil))
        await database.close()
    }
}
