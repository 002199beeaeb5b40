internal import SonaDatabase
internal import SonaWire

/// The hourly round: what is over goes, in small steps, between which others write.
///
/// What is kept for how long stands in `deploy/limits.md`.
package struct Upkeep: Sendable {
    /// How long a room is kept after its owner has closed it: it says so that long, and its owner can export it.
    package static let closedRoomMilliseconds: Int64 = 30 * 86_400_000
    /// Closed rooms of one owner that are kept; past that, those closed first go sooner.
    package static let closedRoomsPerOwnerMax = 16
    /// Rows of one step: a write of some milliseconds at most.
    static let stepRows = 500

    private let dao: RoomDAO
    private let roomStorage: RoomStorage
    private let clock: WallClock

    init(_ daos: SonaDAOs, roomStorage: RoomStorage, clock: WallClock) {
        dao = daos.rooms
        self.roomStorage = roomStorage
        self.clock = clock
    }

    /// Sweeps once.
    ///
    /// - Returns: Rows that went.
    /// - Throws: `busy`, `storage`: what was swept before stays swept.
    @discardableResult
    package func round() async throws(Refusal) -> Int {
        let now = clock.nowMilliseconds()
        var count = try await roomStorage.tidy()
        for statement in Self.expired(now: now) { count += try await repeated(statement) }
        while true {
            let ended = try await endedRooms(now: now)
            for room in ended { count += try await delete(room) }
            if ended.count < Self.stepRows { return count }
        }
    }

    private static func expired(now: Int64) -> [SQL] {
        [
            step("refresh_tokens", "expires_ms <= \(now)"), step("account_codes", "expires_ms <= \(now)"),
            step("held_names", "until_ms <= \(now)"),
        ]
    }

    /// Rooms that were closed long ago, or of which their owner has too many.
    private func endedRooms(now: Int64) async throws(Refusal) -> [RoomID] {
        let before = now - Self.closedRoomMilliseconds
        return try await read { db in
            try db.values(
                """
                SELECT id FROM rooms WHERE closed_ms <= \(before)
                UNION
                SELECT id FROM (SELECT id, row_number() OVER
                    (PARTITION BY owner_uid ORDER BY closed_ms DESC, id DESC) AS place
                    FROM rooms WHERE closed_ms IS NOT NULL)
                WHERE place > \(Self.closedRoomsPerOwnerMax)
                LIMIT \(Self.stepRows)
                """, as: RoomID.self)
        }
    }

    /// What is stored of a room goes first, a step at a time: with the room it would be one long write.
    private func delete(_ room: RoomID) async throws(Refusal) -> Int {
        var count = 0
        let tables: [SQL] = [
            "room_chat", "room_history", "room_queue_entries", "room_queue_plays", "room_queue_votes", "room_members",
            "room_bans", "room_mutes",
        ]
        for table in tables {
            count += try await repeated(Self.step(table, "room_id = \(room)"))
        }
        return try await count
            + write { db in
                try db.execute("DELETE FROM rooms WHERE id = \(room) AND closed_ms IS NOT NULL")
            }
    }

    private func repeated(_ statement: SQL) async throws(Refusal) -> Int {
        var count = 0
        while true {
            let step = try await write { db in try db.execute(statement) }
            count += step
            if step < Self.stepRows { return count }
        }
    }

    private static func step(_ table: SQL, _ condition: SQL) -> SQL {
        "DELETE FROM \(table) WHERE rowid IN (SELECT rowid FROM \(table) WHERE \(condition) LIMIT \(stepRows))"
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        do { return try await dao.database.write(body) } catch { throw Refusal(reading: error) }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        do { return try await dao.database.readDetached(body) } catch { throw Refusal(reading: error) }
    }
}
