import Glibc
import SonaDatabase
import SonaTestSupport
import Testing

@testable import SonaModel

/// Manipulations of the file without the key, and how `verify` finds them.
struct JournalTamperingTests {
    @Test(
        arguments: [
            "id = 9", "at_ms = at_ms + 1", "kind = 'unbanned'", "actor = 'mallory'", "actor = NULL", "actor = ''",
            "subject = 'mallory'", "subject = NULL", "detail = '{}'", "detail = detail || ' '",
            // The same bytes with other boundaries between the columns.
            "actor = actor || 'x', subject = substr(subject, 2)", "actor = subject, subject = actor",
            "mac = zeroblob(32)", "mac = zeroblob(31)", "mac = (SELECT mac FROM journal WHERE id = 2)",
        ])
    func `an altered line is found, whichever column was altered`(change: String) async throws {
        for line in [1, 3, 5] as [Int64] {
            let fixture = try await JournalFixture(lines: 5)
            try fixture.tamper("UPDATE journal SET \(change) WHERE id = \(line)")
            let reason: JournalVerification.Reason = change == "id = 9" ? .missing : .altered
            #expect(try await fixture.fault() == .init(line, reason), "line \(line)")
            #expect(try await fixture.verify().entries == line - 1)
            await fixture.close()
        }
    }

    @Test func `removed lines are found: the first, one in the middle, the last, all`() async throws {
        for line in [1, 3, 5] as [Int64] {
            let fixture = try await JournalFixture(lines: 5)
            try fixture.tamper("DELETE FROM journal WHERE id = \(line)")
            #expect(try await fixture.fault() == .init(line, .missing))
            await fixture.close()
        }
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper("DELETE FROM journal")
        #expect(try await fixture.fault() == .init(1, .missing))
        await fixture.close()
    }

    @Test func `a removed line is found even if the others are renumbered`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper(
            """
            DELETE FROM journal WHERE id = 3;
            UPDATE journal SET id = 3 WHERE id = 4;
            UPDATE journal SET id = 4 WHERE id = 5;
            """)
        #expect(try await fixture.fault() == .init(3, .altered))
        await fixture.close()
    }

    @Test func `swapped lines are found`() async throws {
        for columns in ["at_ms, kind, actor, subject, detail", "at_ms, kind, actor, subject, detail, mac"] {
            let fixture = try await JournalFixture(lines: 5)
            try fixture.tamper(
                """
                CREATE TEMP TABLE old AS SELECT * FROM journal;
                UPDATE journal SET (\(columns)) = (SELECT \(columns) FROM old WHERE old.id = 5 - journal.id)
                WHERE id IN (2, 3);
                """)
            #expect(try await fixture.fault() == .init(2, .altered))
            await fixture.close()
        }
    }

    @Test func `an inserted line is found: before the first, in the middle, after the last`() async throws {
        func insert(_ id: Int, fault: JournalFixture.Fault, first: String = "") async throws {
            let fixture = try await JournalFixture(lines: 5)
            try fixture.tamper(
                "\(first); INSERT INTO journal VALUES (\(id), 1, 'banned', NULL, 'user1', '{}', randomblob(32))")
            #expect(try await fixture.fault() == fault)
            await fixture.close()
        }
        try await insert(0, fault: .init(1, .unexpected))
        try await insert(-7, fault: .init(1, .unexpected))
        try await insert(
            3, fault: .init(3, .altered),
            first: "UPDATE journal SET id = -id WHERE id > 2; UPDATE journal SET id = 1 - id WHERE id < 0")
        try await insert(6, fault: .init(6, .altered))
        try await insert(7, fault: .init(6, .missing))
    }

    /// A copy of an earlier line has a mac that was valid in its place.
    @Test func `a copy of a line after the last one is found`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper(
            "INSERT INTO journal SELECT 6, at_ms, kind, actor, subject, detail, mac FROM journal WHERE id = 5")
        #expect(try await fixture.fault() == .init(6, .altered))
        await fixture.close()
    }

    @Test(arguments: ["count = 4", "count = 6", "mac = zeroblob(32)", "since_id = 2", "seal = zeroblob(32)"])
    func `an altered head is found, and takes no further lines`(change: String) async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper("UPDATE journal_head SET \(change)")
        #expect(try await fixture.fault() == .init(nil, .headInvalid))
        let error = await refusal {
            try await fixture.journal.append(JournalEntry(.operatorAction))
        }
        guard let cause = error?.cause, error == .storage(cause) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.kind == .corrupt)
        #expect(try await fixture.journal.page().count == 5)
        await fixture.close()
    }

    @Test func `a missing head is found`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper("DELETE FROM journal_head")
        #expect(try await fixture.fault() == .init(nil, .headMissing))
        await fixture.close()
    }

    @Test func `a fault in a line is reported before a fault in the head`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper("DELETE FROM journal_head; UPDATE journal SET kind = 'banned' WHERE id = 4")
        #expect(try await fixture.fault() == .init(4, .altered))
        await fixture.close()
    }

    // MARK: Rollbacks

    /// Goal: show what only the anchor reveals. Way: keep lines and head of three lines, and put them back when there
    /// are five.
    @Test func `a rollback of lines and head is found if the anchor counts later lines`() async throws {
        for isAnchored in [false, true] {
            let fixture = try await JournalFixture(lines: 3)
            try fixture.shell("CREATE TABLE kept AS SELECT * FROM journal_head")
            try await fixture.append(2)
            if isAnchored { try await fixture.journal.anchor() }
            try fixture.tamper(
                """
                DELETE FROM journal WHERE id > 3;
                UPDATE journal_head SET (count, mac, seal) = (SELECT count, mac, seal FROM kept);
                """)
            let fault = try await fixture.fault()
            #expect(fault == (isAnchored ? .init(4, .rolledBack) : .none))
            // Other lines in their place do not hide it.
            try await fixture.append(3)
            #expect(try await fixture.fault() == (isAnchored ? .init(5, .anchorDisagrees) : .none))
            try await fixture.journal.anchor()
            try await fixture.reopen()
            #expect(try await fixture.fault() == (isAnchored ? .init(5, .anchorDisagrees) : .none))
            await fixture.close()
        }
    }

    @Test func `a journal emptied with its head is found by the anchor, until reanchor accepts it`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try await fixture.journal.anchor()
        try fixture.tamper("DELETE FROM journal; DELETE FROM journal_head")
        #expect(try await fixture.fault() == .init(nil, .headMissing))
        try await fixture.reopen()
        #expect(try await fixture.fault() == .init(1, .rolledBack))
        try await fixture.append(9)
        #expect(try await fixture.fault() == .init(5, .anchorDisagrees))
        try await fixture.journal.reanchor()
        let found = try await fixture.verify()
        #expect(found.reason == nil && found.entries == 9 && found.anchored == 9)
        await fixture.close()
    }

    /// Goal: a line depends on the lines before it, not only on its number. Way: line 4 was written twice, the second
    /// time after a rollback of the first. Both are valid, but line 5 was written after the second.
    @Test func `a line from an abandoned history is found in the later one`() async throws {
        let fixture = try await JournalFixture(lines: 3)
        try fixture.shell("CREATE TABLE kept_head AS SELECT * FROM journal_head")
        try await fixture.append(1)
        try fixture.tamper(
            """
            CREATE TABLE kept AS SELECT * FROM journal WHERE id = 4;
            DELETE FROM journal WHERE id = 4;
            UPDATE journal_head SET (count, mac, seal) = (SELECT count, mac, seal FROM kept_head);
            """)
        try await fixture.append(2)
        #expect(try await fixture.fault() == .none)
        try fixture.tamper("DELETE FROM journal WHERE id = 4; INSERT INTO journal SELECT * FROM kept")
        #expect(try await fixture.fault() == .init(5, .altered))
        await fixture.close()
    }

    @Test func `a rollback of the head alone is found`() async throws {
        let fixture = try await JournalFixture(lines: 3)
        try fixture.shell("CREATE TABLE kept AS SELECT * FROM journal_head")
        try await fixture.append(2)
        try fixture.tamper("UPDATE journal_head SET (count, mac, seal) = (SELECT count, mac, seal FROM kept)")
        #expect(try await fixture.fault() == .init(4, .unexpected))
        // The next line would get a number that is in use.
        #expect(
            await refusal {
                try await fixture.journal.append(JournalEntry(.operatorAction))
            } != nil)
        await fixture.close()
    }

    @Test func `a damaged anchor, or one of another key, is reported and never replaced automatically`() async throws {
        let fixture = try await JournalFixture(lines: 3)
        try await fixture.journal.anchor()
        var bytes = try #require(TemporaryFolder.bytes(ofFile: fixture.anchorPath))
        bytes[7] ^= 1
        for damaged in [bytes, Array(bytes.dropLast()), bytes + [0], []] {
            TemporaryFolder.write(damaged, toFile: fixture.anchorPath)
            #expect(try await fixture.fault() == .init(nil, .anchorForeign))
            try await fixture.reopen()
            #expect(try await fixture.fault() == .init(nil, .anchorForeign))
        }
        try await fixture.journal.reanchor()
        #expect(try await fixture.fault() == .none)
        #expect(TemporaryFolder.mode(ofFile: fixture.anchorPath) == 0o600)
        await fixture.close()
    }

    // MARK: After a fault

    @Test(
        arguments: [
            ("UPDATE journal_head SET seal = zeroblob(32)", JournalReset.headInvalid),
            ("UPDATE journal_head SET key_id = '0123456789abcdef'", .keyChanged),
            ("DELETE FROM journal_head", .headMissing),
            ("DELETE FROM journal WHERE id > 3", .linesMissing),
            ("INSERT INTO journal VALUES (6, 1, 'banned', NULL, NULL, '{}', zeroblob(32))", .linesAdded),
        ])
    func `the next opening begins a new seal, and the journal reports that for ever`(
        change: String, cause: JournalReset
    ) async throws {
        let fixture = try await JournalFixture(lines: 5)
        try await fixture.journal.anchor()
        try fixture.tamper(change)
        let left = try await fixture.journal.page().count
        try await fixture.reopen()
        #expect(fixture.journal.reset == cause)
        let line = try #require(try await fixture.journal.page(limit: 1).first)
        #expect(line.kind == "journal_reset" && line.id == Int64(left) + 1)
        #expect(line.detail.contains(#""cause":"\#(cause.rawValue)""#) && line.detail.contains(#""lines":\#(left)"#))
        // The anchor is of the old seal and stays until `reanchor`. If lines that it counts are missing, that is the
        // fault.
        #expect(try await fixture.verify().reason == (left == 3 ? .rolledBack : .anchorDisagrees))
        try await fixture.journal.reanchor()
        try await fixture.append(2)
        try await fixture.reopen()
        #expect(fixture.journal.reset == nil)
        let found = try await fixture.verify()
        #expect(found.reason == nil && found.entries == line.id + 2 && found.checkedFrom == line.id)
        // Lines under the new seal are protected as before.
        try fixture.tamper("UPDATE journal SET detail = '{}' WHERE id = \(line.id)")
        #expect(try await fixture.fault() == .init(line.id, .altered))
        await fixture.close()
    }

    @Test func `another key is reported, and with a lost key older lines can't be checked`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        let other = try await Journal.open(
            JournalDAO(fixture.database), key: .random(), clock: .system, anchorPath: nil)
        #expect(other.reset == .keyChanged)
        let found = try await fixture.verify()
        #expect(found.reason == .keyUnknown && found.entries == 0 && found.firstFault == nil)
        await #expect(throws: Refusal.self) { try await fixture.journal.append(JournalEntry(.banned)) }
        unlink(fixture.keyPath)
        try await fixture.reopen()
        #expect(fixture.journal.reset == .keyChanged)
        #expect(try await fixture.fault() == .init(nil, .anchorForeign))
        try await fixture.journal.reanchor()
        let mended = try await fixture.verify()
        #expect(mended.reason == nil && mended.entries == 7 && mended.checkedFrom == 7)
        #expect(try await fixture.journal.page().map(\.kind).prefix(2) == ["journal_reset", "journal_reset"])
        await fixture.close()
    }
}
