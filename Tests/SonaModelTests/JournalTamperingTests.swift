import Glibc
import SonaDatabase
import SonaTestSupport
import Testing

@testable import SonaModel

/// What somebody does to the file past this program, without the key, and what is found of it.
struct JournalTamperingTests {
    @Test(
        arguments: [
            "id = 9", "at_ms = at_ms + 1", "kind = 'unbanned'", "actor = 'mallory'", "actor = NULL", "actor = ''",
            "subject = 'mallory'", "subject = NULL", "detail = '{}'", "detail = detail || ' '",
            // The same bytes, parted otherwise.
            "actor = actor || 'x', subject = substr(subject, 2)", "actor = subject, subject = actor",
            "mac = zeroblob(32)", "mac = zeroblob(31)", "mac = (SELECT mac FROM journal WHERE id = 2)",
        ])
    func `a line that is altered is found, whichever column it is`(change: String) async throws {
        for line in [1, 3, 5] as [Int64] {
            let fixture = try await JournalFixture(lines: 5)
            try fixture.tamper("UPDATE journal SET \(change) WHERE id = \(line)")
            let reason: JournalVerification.Reason = change == "id = 9" ? .missing : .altered
            #expect(try await fixture.fault() == .init(line, reason), "line \(line)")
            #expect(try await fixture.verify().entries == line - 1)
            await fixture.close()
        }
    }

    @Test func `a line that is removed is found: the first, one in the middle, the last, all`() async throws {
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

    @Test func `a line that is removed is found though the others are moved up`() async throws {
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

    @Test func `lines that change places are found`() async throws {
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

    @Test func `a line that is inserted is found: in front, in the middle, behind`() async throws {
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

    /// A copy of an earlier line has a mac that was valid where it stood.
    @Test func `a line that is written again behind the last is found`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper(
            "INSERT INTO journal SELECT 6, at_ms, kind, actor, subject, detail, mac FROM journal WHERE id = 5")
        #expect(try await fixture.fault() == .init(6, .altered))
        await fixture.close()
    }

    @Test(arguments: ["count = 4", "count = 6", "mac = zeroblob(32)", "since_id = 2", "seal = zeroblob(32)"])
    func `a head that is altered is found, and takes no more lines`(change: String) async throws {
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

    @Test func `a head that is gone is found`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper("DELETE FROM journal_head")
        #expect(try await fixture.fault() == .init(nil, .headMissing))
        await fixture.close()
    }

    @Test func `what is wrong with a line is told before what is wrong with the head`() async throws {
        let fixture = try await JournalFixture(lines: 5)
        try fixture.tamper("DELETE FROM journal_head; UPDATE journal SET kind = 'banned' WHERE id = 4")
        #expect(try await fixture.fault() == .init(4, .altered))
        await fixture.close()
    }

    // MARK: Putting back

    /// Goal: show what the table alone can't tell, and what the anchor tells. Way: keep the head row of three lines, and
    /// put it back with those lines once there are five.
    @Test func `lines and head of an earlier moment are found if the anchor knows of later lines`() async throws {
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
            // Nor do other lines in their place hide it.
            try await fixture.append(3)
            #expect(try await fixture.fault() == (isAnchored ? .init(5, .anchorDisagrees) : .none))
            try await fixture.journal.anchor()
            try await fixture.reopen()
            #expect(try await fixture.fault() == (isAnchored ? .init(5, .anchorDisagrees) : .none))
            await fixture.close()
        }
    }

    @Test func `a journal emptied with its head is found by the anchor, until somebody accepts it`() async throws {
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

    /// Goal: a line is bound to the ones before it, not only to its number. Way: number 4 was written twice, the second
    /// time after the first had been put back; the first is as valid as the second, but number 5 was written behind that.
    @Test func `a line of a history that was given up is found in the one that went on`() async throws {
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

    @Test func `a head that was put back alone is found`() async throws {
        let fixture = try await JournalFixture(lines: 3)
        try fixture.shell("CREATE TABLE kept AS SELECT * FROM journal_head")
        try await fixture.append(2)
        try fixture.tamper("UPDATE journal_head SET (count, mac, seal) = (SELECT count, mac, seal FROM kept)")
        #expect(try await fixture.fault() == .init(4, .unexpected))
        // The next line would have the number of one that is there.
        #expect(
            await refusal {
                try await fixture.journal.append(JournalEntry(.operatorAction))
            } != nil)
        await fixture.close()
    }

    @Test func `an anchor that is damaged, or of another key, is told and never replaced by itself`() async throws {
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

    // MARK: Going on

    @Test(
        arguments: [
            ("UPDATE journal_head SET seal = zeroblob(32)", JournalReset.headInvalid),
            ("UPDATE journal_head SET key_id = '0123456789abcdef'", .keyChanged),
            ("DELETE FROM journal_head", .headMissing),
            ("DELETE FROM journal WHERE id > 3", .linesMissing),
            ("INSERT INTO journal VALUES (6, 1, 'banned', NULL, NULL, '{}', zeroblob(32))", .linesAdded),
        ])
    func `the next opening begins a new seal, and says so ever after`(
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
        // The anchor is of the old seal, and stays until somebody looks.
        // Without lines that it knows it says that.
        #expect(try await fixture.verify().reason == (left == 3 ? .rolledBack : .anchorDisagrees))
        try await fixture.journal.reanchor()
        try await fixture.append(2)
        try await fixture.reopen()
        #expect(fixture.journal.reset == nil)
        let found = try await fixture.verify()
        #expect(found.reason == nil && found.entries == line.id + 2 && found.checkedFrom == line.id)
        // What was sealed since is guarded as ever.
        try fixture.tamper("UPDATE journal SET detail = '{}' WHERE id = \(line.id)")
        #expect(try await fixture.fault() == .init(line.id, .altered))
        await fixture.close()
    }

    @Test func `another key is told, and one that is lost ends what can be checked`() async throws {
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
