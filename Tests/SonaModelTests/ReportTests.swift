import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct ReportTests {
    @Test func `a report keeps what was reported, and a second one replaces its words`() async throws {
        let at = try await RoomFixture()
        let reports = at.model.reports
        let bob = try await at.account("bob")
        let sent = try await at.chat.send(
            try ChatStore.Text("Buy now"), to: at.room, by: User(uid: at.ada, username: nil, isGuest: false))
        try await reports.send("spam", about: .message(at.room, id: sent.id), text: "Once.", by: bob)
        try await reports.send("abuse", about: .message(at.room, id: sent.id), text: "", by: bob)
        try await reports.send("other", about: .room(at.room), text: nil, by: bob)
        let page = try await reports.page(isOpen: true, before: nil, limit: 10)
        #expect(page.map(\.id) == [2, 1] && page.map(\.message) == [nil, sent.id])
        #expect(page[1].kind == "abuse" && page[1].text == nil && page[1].quote == "Buy now" && page[1].user == at.ada)
        #expect(page[0].user == at.ada && page[0].room == at.room)
        #expect(try await reports.page(isOpen: nil, before: 2, limit: 10).map(\.id) == [1])
        #expect(try await reports.page(isOpen: false, before: nil, limit: 10).isEmpty)
        await at.model.close()
    }

    @Test func `a report is decided once, and kept for a year after`() async throws {
        let at = try await RoomFixture()
        let reports = at.model.reports
        let bob = try await at.account("bob")
        try await reports.send("other", about: .user(.id(at.ada)), text: nil, by: bob)
        #expect(try await reports.openCount() == 1)
        await #expect(throws: Refusal.self) { try await reports.resolve(1, note: nil, by: bob) }
        let decided = try await reports.resolve(1, note: "Nothing to do.", by: nil)
        #expect(decided.note == "Nothing to do." && decided.resolvedMilliseconds == at.calendar.clock.nowMilliseconds())
        await #expect(throws: Refusal(.reportResolved)) { try await reports.resolve(1, note: nil, by: nil) }
        await #expect(throws: Refusal(.reportNotFound)) { try await reports.resolve(2, note: nil, by: nil) }
        #expect(try await reports.openCount() == 0)
        at.calendar.advance(milliseconds: Reports.keptMilliseconds - 1)
        _ = try await at.model.upkeep.round()
        #expect(try await reports.page(isOpen: nil, before: nil, limit: 10).count == 1)
        at.calendar.advance(milliseconds: 1)
        _ = try await at.model.upkeep.round()
        #expect(try await reports.page(isOpen: nil, before: nil, limit: 10).isEmpty)
        await at.model.close()
    }

    @Test func `one person can have twenty open reports`() async throws {
        let at = try await RoomFixture()
        let reports = at.model.reports
        let bob = try await at.account("bob")
        let ada = User(uid: at.ada, username: nil, isGuest: false)
        for number in 1...Limits.reportsOpenOfOneMax + 1 {
            _ = try await at.chat.send(try ChatStore.Text("\(number)"), to: at.room, by: ada)
        }
        func send(_ message: Int) async throws {
            try await reports.send("spam", about: .message(at.room, id: Int64(message)), text: "Again.", by: bob)
        }
        for message in 1...Limits.reportsOpenOfOneMax { try await send(message) }
        await #expect(throws: Refusal.self) { try await send(Limits.reportsOpenOfOneMax + 1) }
        // One more about the same message is no new one.
        try await send(1)
        _ = try await reports.resolve(1, note: nil, by: nil)
        try await send(Limits.reportsOpenOfOneMax + 1)
        await at.model.close()
    }
}
