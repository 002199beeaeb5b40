internal import SonaDatabase
internal import SonaWire

/// The hourly deletion of expired rows, in small steps between which others can write.
///
/// `deploy/limits.md` says how long each kind of row is kept.
package struct Upkeep: Sendable {
    /// How long a closed room is kept. For that time it is answered as closed, and its owner can export it.
    package static let closedRoomMilliseconds: Int64 = 30 * 86_400_000
    /// The most closed rooms kept for one owner. Beyond that, those closed first are deleted earlier.
    package static let closedRoomsPerOwnerMax = 16
    /// The most rows of one step: a write of a few milliseconds.
    static let stepRows = 500

    private let dao: RoomDAO
    private let roomStorage: RoomStorage
    private let clock: WallClock

    init(_ daos: ModelDAOs, roomStorage: RoomStorage, clock: WallClock) {
        dao = daos.rooms
        self.roomStorage = roomStorage
        self.clock = clock
    }

    /// Deletes everything that has expired.
    ///
    /// - Returns: The number of deleted rows.
    /// - Throws: `busy`, `storage`. Rows deleted before the error stay deleted.
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
            step("room_transfers", "expires_ms <= \(now)"),
            step("address_bans", "until_ms <= \(now)"),
            step("notifications", "created_ms <= \(now - Notifications.keptMilliseconds)"),
            step("reports", "resolved_ms <= \(now - Reports.keptMilliseconds)"),
        ]
    }

    /// Returns closed rooms that are too old or too many for their owner.
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

    /// Deletes the rows of a room in steps, then the room. Deleting them by cascade would be one long write.
    private func delete(_ room: RoomID) async throws(Refusal) -> Int {
        var count = 0
        let tables: [SQL] = [
            "room_chat", "room_history", "room_queue_entries", "room_queue_plays", "room_queue_votes", "room_members",
            "room_bans", "room_mutes", "room_covers",
        ]
        for table in ["room_replay_passages", "room_replay_reactions"] as [SQL] {
            count += try await repeated(
                Self.step(table, "replay_id IN (SELECT id FROM room_replays WHERE room_id = \(room))"))
        }
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
