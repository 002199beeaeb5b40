import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// How many listened to broadcasts, and that nobody can be told from it afterwards.
struct AudienceStoreTests {
    private let salt: [UInt8] = Array(repeating: 7, count: 32)

    private func change(
        from: Int64 = 1_000, until: Int64? = nil, accounts: Int = 1, at: Int64 = 2_000, fresh: [ListenerMark] = []
    ) -> AudienceChange {
        AudienceChange(
            audience: Audience(
                fromMilliseconds: from, untilMilliseconds: until, accounts: accounts, peak: accounts,
                peakMilliseconds: from),
            salt: until == nil ? salt : nil, fresh: fresh, atMilliseconds: at)
    }

    private func marks(_ fixture: RoomFixture) async throws -> Int64 {
        let beside = try await Model.look(fixture.folder)
        let count = try await beside.read { db in
            try db.value(
                """
                SELECT (SELECT count(*) FROM room_listener_marks)
                    + (SELECT count(*) FROM room_audiences WHERE salt IS NOT NULL AND until_ms IS NOT NULL)
                """, as: Int64.self)
        }
        await beside.close()
        return count ?? -1
    }

    @Test func `a broadcast that goes on is found with its listeners, and after its end nothing tells them`()
        async throws
    {
        let fixture = try await RoomFixture()
        let (store, room) = (fixture.storage.audiences, fixture.room)
        #expect(try await store.open(of: room) == nil)
        let (one, two) = (ListenerMark(high: .min, low: 1), ListenerMark(high: 3, low: .max))
        try await store.write([(room, change(fresh: [one])), (room, change(accounts: 2, fresh: [two, one]))])
        let open = try #require(try await store.open(of: room))
        #expect(open.audience.accounts == 2 && Set(open.seen) == [one, two] && open.salt == salt)
        #expect(try await marks(fixture) == 2)
        try await store.write([(room, change(until: 3_000, accounts: 2))])
        #expect(try await store.open(of: room) == nil)
        #expect(try await marks(fixture) == 0)
        #expect(try await store.page(of: room).audiences.map(\.accounts) == [2])
    }

    @Test func `one that nobody went on with ends when the next begins, or by itself`() async throws {
        let fixture = try await RoomFixture()
        let (store, room) = (fixture.storage.audiences, fixture.room)
        try await store.write([(room, change(fresh: [ListenerMark(high: 1, low: 1)]))])
        try await store.write([(room, change(from: 5_000, at: 6_000))])
        #expect(try await store.page(of: room).audiences.map(\.untilMilliseconds) == [nil, 2_000])
        #expect(try await store.open(of: room)?.seen == [])
        #expect(try await store.closeStale(before: 6_000) == 0)
        #expect(try await store.closeStale(before: 6_001) == 1)
        #expect(try await store.page(of: room).audiences.map(\.untilMilliseconds) == [6_000, 2_000])
        #expect(try await marks(fixture) == 0)
    }

    @Test func `each is known by the plays within it, in pages, and what is gone is left out`() async throws {
        let fixture = try await RoomFixture()
        let (store, room) = (fixture.storage.audiences, fixture.room)
        for (at, begins) in [(1_500, true), (1_700, false), (5_100, true)] as [(Int64, Bool)] {
            try await fixture.history.append(
                Track(title: "A"), at: at, host: fixture.ada, beginsBroadcast: begins, to: room)
        }
        for from in [1_000, 3_000, 5_000] as [Int64] {
            try await store.write([(room, change(from: from, until: from + 900))])
        }
        try await store.write([(RoomFixture.noRoom(), change())])
        #expect(try await store.page(of: room).audiences.map(\.session) == [3, nil, 1])
        let page = try await store.page(of: room, limit: 2)
        #expect(page.audiences.map(\.fromMilliseconds) == [5_000, 3_000] && page.nextBefore == 3_000)
        let rest = try await store.page(of: room, before: 3_000, limit: 2)
        #expect(rest.audiences.map(\.fromMilliseconds) == [1_000] && rest.nextBefore == nil)
        #expect(try await store.audience(of: room, session: 3)?.fromMilliseconds == 5_000)
        #expect(try await store.audience(of: room, session: 2) == nil)
        let account = try await fixture.model.accounts.signIn("ada").account
        let export = try await fixture.model.accounts.export(account).data
        #expect(export["rooms"]?.array?.first?["audiences"]?.array?.count == 3)
    }
}
