import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// The filter of words: its list, and what becomes of texts.
struct WordGuardTests {
    @Test func `a text is refused, masked or flagged as its words say`() async throws {
        let at = try await RoomFixture()
        let words = at.model.words
        #expect(try words.check("anything", "data.text") == WordGuard.Checked(text: "anything", flagged: []))
        _ = try await words.add("bad", .refuse, by: nil)
        _ = try await words.add("spam*", .mask, by: nil)
        _ = try await words.add("sale", .flag, by: nil)
        #expect(throws: Refusal(.contentRefused, field: "data.text")) { try words.check("A bаd sale", "data.text") }
        #expect(try words.check("badge", "data.text").text == "badge")
        let masked = try words.check("Spammers: no ＳＰＡＭ, a sale! Sаle.", "data.text")
        #expect(masked == WordGuard.Checked(text: "****mers: no ****, a sale! Sаle.", flagged: ["sale"]))
        #expect(throws: Refusal(.contentRefused, field: "data.username")) {
            try words.checkName("spam-bot", "data.username")
        }
        #expect(try words.checkName("sale", "data.username") == ["sale"])
        // What is masked is not found again.
        #expect(try words.check(masked.text, "data.text").text == masked.text)
        await at.model.close()
    }

    @Test func `words are listed in order, replaced by those that find the same, and are there after a restart`()
        async throws
    {
        let folder = TemporaryFolder()
        var model = try await Model.opened(folder)
        for word in ["spam", "bad", "Gut"] { _ = try await model.words.add(word, .refuse, by: nil) }
        _ = try await model.words.add("  bаd ", .mask, by: nil)
        #expect(try await model.words.page(after: nil, limit: 10).map(\.word) == ["Gut", "bаd", "spam"])
        #expect(try await model.words.page(after: "bаd", limit: 10).map(\.word) == ["spam"])
        #expect(try await model.words.page(after: nil, limit: 1).map(\.word) == ["Gut"])
        await model.close()
        model = try await Model.opened(folder)
        #expect(try model.words.check("bad", "data.text").text == "***")
        try await model.words.remove("SPAM", by: nil)
        try await model.words.remove("never there", by: nil)
        #expect(try model.words.check("spam", "data.text").text == "spam")
        #expect(try await model.journal.page(kind: .wordAdded).count == 4)
        #expect(try await model.journal.page(kind: .wordRemoved).count == 1)
        #expect(try await model.journal.page(limit: 100).allSatisfy { !$0.detail.contains("spam") })
        await model.close()
    }

    @Test func `only administrators change the list, and what is no word is refused`() async throws {
        let at = try await RoomFixture()
        let wanted = Refusal.forbidden(Permission.wordsManage)
        #expect(await refusal { try await at.model.words.add("bad", .refuse, by: at.ada) } == wanted)
        #expect(await refusal { try await at.model.words.remove("bad", by: at.ada) } == wanted)
        for text in ["*", "b*d", "..."] {
            let error = await refusal { try await at.model.words.add(text, .refuse, by: nil) }
            #expect(error?.code == .requestInvalid && error?.field == "data.word")
        }
        #expect(try await at.model.words.page(after: nil, limit: 10).isEmpty)
        await at.model.close()
    }

    @Test func `a thousand words can be in the list`() async throws {
        let at = try await RoomFixture()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Limits.filteredWordsMax - 1))
            INSERT INTO filtered_words (word, action, created_ms) SELECT 'word' || i || 'x', 'flag', 0 FROM n
            """)
        _ = try await at.model.words.add("the last", .flag, by: nil)
        let error = await refusal { try await at.model.words.add("one more", .flag, by: nil) }
        #expect(error?.code == .requestInvalid && error?.field == nil)
        #expect(try at.model.words.check("Word77x", "data.text").flagged == ["word77x"])
        // One that finds the same is no further one.
        _ = try await at.model.words.add("WORD9X", .mask, by: nil)
        await at.model.close()
    }

    @Test func `the inbox is told once of a thing while that is open`() async throws {
        let at = try await RoomFixture()
        let reports = at.model.reports
        for _ in 0..<2 {
            await reports.flag(["sale", "spam*"], "A sale", about: .message(at.room, id: 7), by: at.ada)
        }
        await reports.flag(["sale"], "A sale", about: .user(at.ada), by: at.ada)
        let page = try await reports.page(isOpen: true, before: nil, limit: 10)
        #expect(page.count == 2 && page[1].kind == "words" && page[1].by == nil && page[1].text == "sale, spam*")
        #expect(page[1].message == 7 && page[1].room == at.room && page[1].user == at.ada && page[1].quote == "A sale")
        #expect(page[0].user == at.ada && page[0].room == nil)
        // A quote that is too long is cut between characters.
        await reports.flag(["sale"], String(repeating: "é", count: 2_001), about: .room(at.room), by: at.ada)
        let long = try await reports.page(isOpen: true, before: nil, limit: 1)
        #expect(long[0].quote == String(repeating: "é", count: 2_000) && long[0].room == at.room)
        _ = try await reports.resolve(long[0].id, note: nil, by: nil)
        _ = try await reports.resolve(page[1].id, note: nil, by: nil)
        await reports.flag(["sale"], "A sale", about: .message(at.room, id: 7), by: at.ada)
        #expect(try await reports.openCount() == 2)
        await at.model.close()
    }
}
