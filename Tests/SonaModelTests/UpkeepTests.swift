import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// How long rows are kept.
struct UpkeepTests {
    @Test func `a closed room is kept for thirty days, and then deleted with all its rows`() async throws {
        let at = try await RoomFixture()
        let open = try await at.another()
        let user = User(uid: at.ada, username: nil, isGuest: false)
        for room in [at.room, open] {
            _ = try await at.chat.send(try ChatStore.Text("hello"), to: room, by: user)
            try await at.history.append(Track(title: "Song"), at: 1, host: at.ada, to: room)
            try await at.queues.save(.everything, revision: 1, of: room)
        }
        // More rows than one step deletes.
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
            INSERT INTO room_chat (room_id, id, uid, username, is_guest, text, at_ms, edited_ms, deleted_ms, reply_to,
                mentions) SELECT \(at.room), i, \(at.ada), NULL, 0, 'x', 1, NULL, NULL, NULL, '[]' FROM n
            """)
        _ = try await at.model.rooms.close(at.room)
        at.calendar.advance(milliseconds: Upkeep.closedRoomMilliseconds - 1)
        #expect(try await at.model.upkeep.round() == 0)
        #expect(try await at.model.rooms.room(at.room)?.closedMilliseconds != nil)
        at.calendar.advance(milliseconds: 1)
        #expect(try await at.model.upkeep.round() >= 1_205)
        #expect(try await at.model.rooms.room(at.room) == nil)
        let tables: [SQL] = [
            "room_chat", "room_history", "room_queue", "room_queue_entries", "room_queue_plays", "room_queue_votes",
            "rooms",
        ]
        for table in tables { #expect(try await at.count(table) == 1, "\(table)") }
        #expect(try await at.model.rooms.room(open) != nil)
        await at.model.close()
    }

    @Test func `covers that a closed room still has are deleted in a step before the room`() async throws {
        let at = try await RoomFixture()
        _ = try await at.model.rooms.close(at.room)
        try await at.addCover(to: at.room)
        at.calendar.advance(milliseconds: Upkeep.closedRoomMilliseconds)
        // Tokens and codes of the sign-up may have expired too. The room and its cover are a row each.
        let others = try await at.expiring()
        let count = try await at.model.upkeep.round()
        let kept = try await at.expiring()
        #expect(count - (others - kept) == 2)
        #expect(try await at.count("room_covers") == 0)
        #expect(try await at.count("rooms") == 0)
        await at.model.close()
    }

    @Test func `an owner who makes and closes rooms in a loop keeps at most sixteen closed ones`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        var rooms: [RoomID] = []
        for owner in [at.ada, bob] {
            for number in 0..<20 {
                let room = try await at.model.rooms.create(RoomSettings(title: "\(number)"), owner: owner)
                _ = try await at.model.rooms.close(room.id)
                at.calendar.advance(milliseconds: 1)
                rooms.append(room.id)
            }
        }
        #expect(try await at.model.upkeep.round() == 8)
        for (number, room) in rooms.enumerated() {
            let isThere = try await at.model.rooms.room(room) != nil
            #expect(isThere == (number % 20 >= 4))
        }
        #expect(try await at.count("rooms") == 1 + 2 * Upkeep.closedRoomsPerOwnerMax)
        await at.model.close()
    }

    @Test func `expired tokens and codes are deleted, also of users who never came back`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let mail = Mailbox()
        let model = try await Model.opened(folder, calendar, mail: mail)
        for number in 0..<3 { _ = try await model.accounts.signUp("user\(number)") }
        calendar.advance(milliseconds: 24 * 3_600_000)
        _ = try await model.accounts.signUp("ada")
        let before = try await Model.rowCounts(folder)
        #expect(before["account_codes"] == 4 && before["refresh_tokens"] == 4)
        try await model.upkeep.round()
        #expect(try await Model.rowCounts(folder)["account_codes"] == 1)
        calendar.advance(milliseconds: RefreshToken.lifetimeMilliseconds - 24 * 3_600_000)
        try await model.upkeep.round()
        let after = try await Model.rowCounts(folder)
        #expect(after["refresh_tokens"] == 1 && after["account_codes"] == 0)
        await model.close()
    }

    /// Every statement uses an index, so that a round reads no row that it keeps.
    @Test func `no statement of the round scans a table`() async throws {
        let at = try await RoomFixture()
        let beside = try await Model.look(at.folder)
        for condition in [
            "refresh_tokens WHERE expires_ms <= 1", "account_codes WHERE expires_ms <= 1",
            "held_names WHERE until_ms <= 1", "rooms WHERE closed_ms <= 1",
        ] as [SQL] {
            let plan = try await beside.read { db in
                try db.all("EXPLAIN QUERY PLAN SELECT rowid FROM \(condition)") { row in
                    _ = (try row.next(Int.self), try row.next(Int.self), try row.next(Int.self))
                    return try row.next(String.self)
                }
            }
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
        }
        await beside.close()
        await at.model.close()
    }
}

extension RoomFixture {
    /// The rows that expire beside rooms.
    fileprivate func expiring() async throws -> Int {
        let tokens = try await count("refresh_tokens")
        return try await tokens + count("account_codes")
    }
}
