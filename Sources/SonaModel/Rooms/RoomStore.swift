internal import SonaCrypto
internal import SonaDatabase
package import SonaWire

/// The rooms that survive restarts: who owns them, how they are called, where they were.
///
/// Off the loop. What happens in a room while it is live is not here but in memory; this is told now and then.
package struct RoomStore: Sendable {
    private let database: DatabasePool
    private let clock: WallClock

    init(database: DatabasePool, clock: WallClock) {
        self.database = database
        self.clock = clock
    }

    // MARK: Making and changing

    /// Makes a room. The limit is decided inside the transaction, so two requests at once can't both take the last place.
    ///
    /// - Parameters:
    ///   - title: At most 200 bytes.
    ///   - delivery: `interactive` or `party`.
    ///   - leadMilliseconds: 150…10000.
    /// - Throws: `limitReached`, `ownerUnknown`, `invalid`, `busy`, `storage`.
    package func create(
        owner: UserID, title: String, isPublic: Bool, delivery: String, leadMilliseconds: Int, maxPerOwner: Int = 8
    ) async throws(RoomStoreError) -> StoredRoom {
        let id = Self.newRoomID()
        let now = clock.nowMilliseconds()
        return try await write { db in
            let count = try db.value("SELECT count(*) FROM rooms WHERE owner_uid = \(owner)", as: Int.self) ?? 0
            guard count < maxPerOwner else { throw RoomStoreError.limitReached }
            do throws(DatabaseError) {
                try db.execute(
                    """
                    INSERT INTO rooms (id, owner_uid, title, visibility, delivery, lead_ms, created_ms)
                    VALUES (\(id), \(owner), \(title), \(isPublic ? "public" : "private"), \(delivery),
                        \(leadMilliseconds), \(now))
                    """)
            } catch {
                throw error.kind == .foreignKey ? RoomStoreError.ownerUnknown : RoomStoreError(error)
            }
            guard let room = try Self.find(id, in: db) else { throw RoomStoreError.roomUnknown }
            return room
        }
    }

    /// Writes down where the room is. Ephemeral by nature: the latest call wins.
    ///
    /// - Throws: `roomUnknown`, `invalid`, `busy`, `storage`.
    package func savePlayback(_ id: RoomID, _ playback: StoredPlayback) async throws(RoomStoreError) {
        try await write { db in
            do throws(DatabaseError) {
                try db.execute(
                    """
                    INSERT INTO room_playback (room_id, state, position_us, rate_ppm, anchor_monotonic_us, clock_id,
                        anchor_wall_ms, revision, has_audio)
                    VALUES (\(id), \(playback.state), \(playback.positionMicroseconds), \(playback.ratePPM),
                        \(playback.anchorMonotonicMicroseconds), \(playback.clockID),
                        \(playback.anchorWallMilliseconds), \(playback.revision), \(playback.hasAudio))
                    ON CONFLICT (room_id) DO UPDATE SET state = excluded.state, position_us = excluded.position_us,
                        rate_ppm = excluded.rate_ppm, anchor_monotonic_us = excluded.anchor_monotonic_us,
                        clock_id = excluded.clock_id, anchor_wall_ms = excluded.anchor_wall_ms,
                        revision = excluded.revision, has_audio = excluded.has_audio
                    """)
            } catch {
                throw error.kind == .foreignKey ? RoomStoreError.roomUnknown : RoomStoreError(error)
            }
        }
    }

    /// Remembers that the room had a host at `milliseconds`; an earlier time than the one known changes nothing.
    ///
    /// - Throws: `roomUnknown`, `busy`, `storage`.
    package func markLive(_ id: RoomID, at milliseconds: Int64) async throws(RoomStoreError) {
        try await write { db in
            let changed = try db.execute(
                """
                UPDATE rooms SET last_live_ms = max(coalesce(last_live_ms, \(milliseconds)), \(milliseconds))
                WHERE id = \(id)
                """)
            guard changed > 0 else { throw RoomStoreError.roomUnknown }
        }
    }

    /// Deletes the room and where it was.
    ///
    /// - Throws: `roomUnknown`, `busy`, `storage`.
    package func delete(_ id: RoomID) async throws(RoomStoreError) {
        try await write { db in
            let changed = try db.execute("DELETE FROM rooms WHERE id = \(id)")
            guard changed > 0 else { throw RoomStoreError.roomUnknown }
        }
    }

    // MARK: Finding

    /// - Returns: `nil` if there is no such room.
    package func room(_ id: RoomID) async throws(RoomStoreError) -> StoredRoom? {
        try await read { db in try Self.find(id, in: db) }
    }

    /// The rooms of that user: the one that was live last first, those never live after it, newest first.
    package func room(ofUsername username: Username) async throws(RoomStoreError) -> [StoredRoom] {
        try await read { db in
            try db.all(
                """
                \(StoredRoom.select) WHERE u.username_key = \(username.key)
                ORDER BY r.last_live_ms DESC NULLS LAST, r.created_ms DESC, r.id DESC
                """
            ) { row in try StoredRoom(row: &row) }
        }
    }

    /// A page of rooms, newest first.
    ///
    /// - Parameters:
    ///   - publicOnly: Leaves private rooms out.
    ///   - owner: Only rooms of this user.
    ///   - cursor: Creation time and id of the last room of the page before.
    ///   - limit: At most 200; less than one counts as one.
    package func list(
        publicOnly: Bool, owner: UserID?, after cursor: (createdMs: Int64, id: RoomID)?, limit: Int
    ) async throws(RoomStoreError) -> [StoredRoom] {
        var condition: SQL = "TRUE"
        if publicOnly { condition = "\(condition) AND r.visibility = 'public'" }
        if let owner { condition = "\(condition) AND r.owner_uid = \(owner)" }
        if let cursor { condition = "\(condition) AND (r.created_ms, r.id) < (\(cursor.createdMs), \(cursor.id))" }
        let limit = min(max(limit, 1), Int(Limits.roomListCount.upperBound))
        let query: SQL = "\(StoredRoom.select) WHERE \(condition) ORDER BY r.created_ms DESC, r.id DESC LIMIT \(limit)"
        return try await read { db in try db.all(query) { row in try StoredRoom(row: &row) } }
    }

    // MARK: Steps

    private static func newRoomID() -> RoomID {
        var generator = SecureRandom.Generator()
        return RoomID.random(using: &generator)
    }

    private static func find(_ id: RoomID, in db: borrowing some DatabaseAccess & ~Copyable) throws -> StoredRoom? {
        try db.first("\(StoredRoom.select) WHERE r.id = \(id)") { row in try StoredRoom(row: &row) }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(RoomStoreError) -> Value {
        do { return try await database.read(body) } catch { throw RoomStoreError(error) }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws(RoomStoreError) -> Value {
        do { return try await database.write(body) } catch { throw RoomStoreError(error) }
    }
}
