internal import SonaDatabase
internal import SonaWire

/// What becomes of replays within the transactions of others.
enum ReplayDAO {
    /// The replay of a room that goes on, or that nobody has ended yet.
    static func current(
        in room: RoomID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> ReplayRecord? {
        try db.first(ReplayRecord.self, "WHERE room_id = \(room) AND end_ms IS NULL ORDER BY id DESC LIMIT 1")
    }

    /// The replay that a message of a room belongs to.
    ///
    /// - Parameters:
    ///   - id: The number of the message.
    ///   - now: When it is said, ms.
    static func replay(
        ofMessage id: Int64, in room: RoomID, now: Int64, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> ReplayID? {
        guard let replay = try current(in: room, &db), !replay.isOver(at: now),
            id - replay.firstMessage < Limits.replayMessagesMax
        else { return nil }
        return replay.id
    }

    /// Ends what goes on in a room.
    ///
    /// - Parameter now: When, ms. `nil`: where the replay was over.
    static func end(in room: RoomID, at now: Int64?, _ db: inout WriteAccess) throws {
        for replay in try db.all(ReplayRecord.self, "WHERE room_id = \(room) AND end_ms IS NULL") {
            try end(replay, at: now ?? end(of: replay, &db), &db)
        }
    }

    static func end(_ replay: ReplayRecord, at milliseconds: Int64, _ db: inout WriteAccess) throws {
        var ended = replay
        ended.end = max(replay.start, milliseconds)
        try db.updateChanges(ended, from: replay)
    }

    /// Where a replay that is over was over: with the last sound or, later, the last message.
    static func end(
        of replay: ReplayRecord, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> Int64 {
        if let end = replay.end { return end }
        let latest = replay.start + Limits.replayLengthMilliseconds
        let silent = replay.silentSince ?? latest
        let said =
            try db.value(
                "SELECT max(at_ms) FROM room_chat WHERE replay_id = \(replay.id)", as: Int64?.self) ?? nil
        return min(latest, max(silent, said ?? silent))
    }

    /// Forgets a replay. Messages and plays that the room keeps anyhow stay; the others go.
    ///
    /// - Returns: Rows that went, that of the replay among them.
    @discardableResult
    static func remove(_ replay: ReplayRecord, _ db: inout WriteAccess) throws -> Int {
        var count = 0
        let chat = try ChatDAO.nextNumber(in: replay.room, &db) - 1 - ChatStore.keptMax
        let history = try PlayingDAO.nextNumber(in: replay.room, &db).id - 1 - HistoryStore.keptMax
        for (table, last) in [("room_chat", chat), ("room_history", history)] as [(SQL, Int64)] {
            count += try db.execute("DELETE FROM \(table) WHERE replay_id = \(replay.id) AND id <= \(last)")
            try db.execute("UPDATE \(table) SET replay_id = NULL WHERE replay_id = \(replay.id)")
        }
        count += try db.execute("DELETE FROM room_replay_passages WHERE replay_id = \(replay.id)")
        count += try db.execute("DELETE FROM room_replay_reactions WHERE replay_id = \(replay.id)")
        _ = try db.delete(ReplayRecord.self, key: replay.id)
        // A recording goes with the last replay in whose time it is.
        count += try db.execute(
            """
            DELETE FROM room_recordings WHERE room_id = \(replay.room) AND is_open = 0
                AND start_ms + length_ms > \(replay.start) AND start_ms < \(replay.end ?? Limits.integerMax)
                AND \(RecordingStore.isOfNoReplay)
            """)
        return count + 1
    }

    /// The replays of rooms, for the export of their owner's account, by room.
    static func exported(
        of owner: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [RoomID: [Replay]] {
        let records = try db.all(
            ReplayRecord.self, "WHERE room_id IN (SELECT id FROM rooms WHERE owner_uid = \(owner)) ORDER BY id")
        var replays: [RoomID: [Replay]] = [:]
        for record in records { replays[record.room, default: []].append(try wire(record, now: nil, &db)) }
        return replays
    }

    /// - Parameter now: Milliseconds since 1970: a replay that is over by then is told as ended. `nil`: as it is stored.
    static func wire(
        _ replay: ReplayRecord, now: Int64?, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> Replay {
        let isOver = now.map(replay.isOver) ?? (replay.end != nil)
        let plays = try db.value("SELECT count(*) FROM room_history WHERE replay_id = \(replay.id)") ?? 0
        return Replay(
            id: replay.id, room: replay.room, startMilliseconds: max(0, replay.start),
            endMilliseconds: isOver ? max(0, try end(of: replay, &db)) : nil, playCount: plays)
    }
}
