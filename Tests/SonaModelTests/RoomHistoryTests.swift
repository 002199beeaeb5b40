import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomHistoryTests {
    @Test func `what played comes back newest first, also after a restart`() async throws {
        let at = try await RoomFixture()
        let track = Track(
            title: "Så", artist: "Björk", album: "Post", durationMicroseconds: 201_000_000, artwork: "/v1/art/1")
        try await at.history.append(track, at: 5_000, host: at.ada, to: at.room)
        let first = try #require(try await at.history.last(of: at.room))
        try await at.history.append(Track(), at: 4_000, host: nil, to: at.room)
        let second = try #require(try await at.history.last(of: at.room))
        #expect(first.id == 1 && first.track == track)
        #expect(first.host == User(uid: at.ada, username: Username("ada"), isGuest: false))
        #expect(second.id == 2 && second.track == Track() && second.host == nil)
        await at.model.close()
        let again = try await Model.opened(at.folder, at.calendar)
        #expect(try await again.roomStorage.history.page(of: at.room).plays == [second, first])
        // By the time it was heard, from and including the first moment to before the last.
        #expect(try await again.roomStorage.history.recap(of: at.room, from: 0, to: .max) == [second, first])
        #expect(try await again.roomStorage.history.recap(of: at.room, from: 4_000, to: 5_000) == [second])
        #expect(try await again.roomStorage.history.recap(of: at.room, from: 5_000, to: 5_001) == [first])
        #expect(try await again.roomStorage.history.recap(of: at.room, from: 5_001, to: 4_000) == [])
        await again.close()
    }

    @Test func `bounds hold, and the one past each does not`() async throws {
        let at = try await RoomFixture()
        func refused(
            _ track: Track = Track(), in room: RoomID? = nil
        ) async -> Refusal? {
            await refusal {
                try await at.history.append(track, at: 0, host: nil, to: room ?? at.room)
            }
        }
        let long = String(repeating: "é", count: 256)
        #expect(await refused(Track(title: long, artist: long, album: long, durationMicroseconds: 0)) == nil)
        for track in [Track(title: long + "x"), Track(artist: long + "x"), Track(album: long + "x")] {
            #expect(await refused(track) == .invalid)
        }
        #expect(await refused(Track(durationMicroseconds: -1)) == .invalid)
        #expect(await refused(Track(durationMicroseconds: Limits.integerMax)) == nil)
        #expect(await refused(Track(durationMicroseconds: Limits.integerMax + 1)) == .invalid)
        #expect(await refused(Track(artwork: String(repeating: "x", count: 1_024))) == nil)
        #expect(await refused(Track(artwork: String(repeating: "x", count: 1_025))) == .invalid)
        #expect(await refused(Track(artwork: "")) == .invalid)
        #expect(await refused(in: RoomFixture.noRoom()) == .roomUnknown)
        await at.model.close()
    }

    @Test func `tracks of one broadcast share its number, also over a restart, and hosts have their names`()
        async throws
    {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        for (title, begins) in [("A", true), ("B", false), ("C", true), ("D", false)] {
            try await at.history.append(
                Track(title: title), at: 10, host: begins ? at.ada : bob, beginsBroadcast: begins, to: at.room)
        }
        await at.model.close()
        let again = try await Model.opened(at.folder, at.calendar)
        let history = again.roomStorage.history
        try await history.append(Track(title: "E"), at: 20, host: nil, to: at.room)
        let page = try await history.page(of: at.room)
        #expect(page.plays.map(\.session) == [3, 3, 3, 1, 1])
        #expect(page.plays.map { $0.host?.username?.rawValue } == [nil, "bob", "ada", "bob", "ada"])
        #expect(try await history.last(of: at.room)?.track.title == "E")
        #expect(try await history.recap(of: at.room, broadcast: 3).map(\.track.title) == ["C", "D", "E"])
        #expect(try await history.recap(of: at.room, broadcast: 3, from: 11).map(\.track.title) == ["E"])
        #expect(try await history.recap(of: at.room, broadcast: 1, limit: 1).map(\.track.title) == ["A"])
        #expect(try await history.recap(of: at.room, broadcast: 2).isEmpty)
        #expect(try await history.last(of: RoomFixture.noRoom()) == nil)
        await again.close()
    }

    @Test func `ten thousand entries of a room are kept, in pages without a gap`() async throws {
        let at = try await RoomFixture()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO room_history (room_id, id, at_ms, title) SELECT \(at.room), i, i, 't' || i FROM n
            """)
        try await at.history.append(Track(), at: 9, host: nil, to: at.room)
        #expect(try await at.history.last(of: at.room)?.id == 10_001)
        #expect(try await at.count("room_history") == 10_000)
        var (ids, before): ([Int64], Int64?) = ([], nil)
        repeat {
            let page = try await at.history.page(of: at.room, before: before, limit: 100)
            ids += page.plays.map(\.id)
            before = page.nextBefore
        } while before != nil && ids.count < 10_000
        #expect(ids == (2...10_001).reversed())
        #expect(try await at.history.recap(of: at.room, from: .min, to: .max).count == 10_000)
        await at.model.close()
    }
}
