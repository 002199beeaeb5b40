internal import SonaDatabase
package import SonaWire

/// Which sound of hosts is kept, and where it belongs. The sound itself is in files beside the database.
///
/// Off the loop. A recording belongs to the replay of its room in whose time it began.
///
/// Source: Protocol/spec/replays.md, "Recordings".
package struct RecordingStore: Sendable {
    /// A recording as it is stored.
    package struct Stored: Sendable, Equatable {
        package var id: RecordingID
        package var room: RoomID
        package var host: UserID
        /// Milliseconds since 1970, UTC.
        package var startMilliseconds: Int64
        package var lengthMilliseconds: Int64
        package var bytes: Int64
    }

    let dao: PlayingDAO
    let clock: WallClock

    init(_ dao: PlayingDAO, clock: WallClock) {
        self.dao = dao
        self.clock = clock
    }

    // MARK: Writing

    /// Notes that a recording has begun. The oldest ones of the room go if they are too many bytes.
    ///
    /// - Parameter spaceBytes: Bytes that all recordings of the server may have.
    /// - Throws: `recordingOff` if the room keeps no replays, or is closed; `quotaServerFull`, `busy`, `storage`.
    package func begin(
        _ id: RecordingID, in room: RoomID, host: UserID, start: Int64, spaceBytes: Int64
    ) async throws(Refusal) {
        try await dao.write { db -> Void in
            guard let record = try db.first(RoomRecord.self, key: room), record.closedMilliseconds == nil,
                record.settings.keepsReplays, try db.first(UserRecord.self, key: host) != nil
            else { throw Refusal(.recordingOff) }
            try Self.require(spaceBytes, &db)
            try Self.makePlace(in: room, &db)
            try db.insert(
                RecordingRecord(
                    id: id, room: room, host: host, start: start, length: 0, bytes: 0, isOpen: true))
        }
    }

    private static func require(_ spaceBytes: Int64, _ db: inout WriteAccess) throws {
        let used = try db.value("SELECT total(bytes) FROM room_recordings", as: Double.self) ?? 0
        if Int64(used) >= spaceBytes { throw Refusal(.quotaServerFull) }
    }

    private static func makePlace(in room: RoomID, _ db: inout WriteAccess) throws {
        var used = Int64(
            try db.value("SELECT total(bytes) FROM room_recordings WHERE room_id = \(room)", as: Double.self) ?? 0)
        var count = try db.value("SELECT count(*) FROM room_recordings WHERE room_id = \(room)") ?? 0
        while used > Limits.recordingBytesPerRoomMax || count >= Limits.recordingsPerRoomMax,
            let oldest = try db.first(
                RecordingRecord.self, "WHERE room_id = \(room) AND is_open = 0 ORDER BY start_ms LIMIT 1")
        {
            used -= oldest.bytes
            count -= 1
            _ = try db.delete(RecordingRecord.self, key: oldest.id)
        }
    }

    /// Notes how long a recording is by now.
    ///
    /// - Parameter isOpen: Whether it goes on.
    /// - Throws: `recordingNotFound` if it was removed; `recordingOff` if its room keeps no replays any more;
    ///   `quotaServerFull` if it goes on and may not, then it has been ended; `busy`, `storage`.
    package func note(
        _ id: RecordingID, length: Int64, bytes: Int64, isOpen: Bool, spaceBytes: Int64
    ) async throws(Refusal) {
        let refused: Refusal? = try await dao.write { db in
            guard let record = try db.first(RecordingRecord.self, key: id) else {
                throw Refusal(.recordingNotFound)
            }
            var changed = record
            (changed.length, changed.bytes, changed.isOpen) = (length, bytes, isOpen)
            if !isOpen, length == 0 {
                _ = try db.delete(RecordingRecord.self, key: id)
                return nil
            }
            try db.updateChanges(changed, from: record)
            guard isOpen else { return nil }
            let room = try db.first(RoomRecord.self, key: record.room)
            if room?.settings.keepsReplays != true { return Refusal(.recordingOff) }
            do { try Self.require(spaceBytes, &db) } catch let refusal as Refusal { return refusal }
            return nil
        }
        if let refused { throw refused }
    }

    /// Forgets a recording.
    ///
    /// - Parameter actor: Whose sound it is, or who owns the room.
    /// - Throws: `recordingNotFound`, `forbidden`, `roomUnknown`, `roomClosed`, `busy`, `storage`.
    package func remove(_ id: RecordingID, by actor: UserID) async throws(Refusal) {
        try await dao.write { db -> Void in
            guard let record = try db.first(RecordingRecord.self, key: id) else {
                throw Refusal(.recordingNotFound)
            }
            if record.host != actor { try RoomRights.require(.manage, of: actor, in: record.room, &db) }
            _ = try db.delete(RecordingRecord.self, key: id)
        }
    }

    /// Forgets recordings in whose time no replay is, once they have ended for an hour. For an hourly round.
    ///
    /// - Returns: Rows that went.
    /// - Throws: `busy`, `storage`.
    @discardableResult
    package func tidy() async throws(Refusal) -> Int {
        let before = clock.nowMilliseconds() - 3_600_000
        return try await dao.write { db in
            try db.execute(
                """
                DELETE FROM room_recordings WHERE is_open = 0 AND start_ms + length_ms < \(before)
                    AND \(Self.isOfNoReplay)
                """)
        }
    }

    /// The condition for recordings in whose time their room has no replay.
    static var isOfNoReplay: SQL {
        """
        NOT EXISTS (
            SELECT 1 FROM room_replays r WHERE r.room_id = room_recordings.room_id
                AND r.start_ms < room_recordings.start_ms + room_recordings.length_ms
                AND coalesce(r.end_ms, \(Limits.integerMax)) > room_recordings.start_ms)
        """
    }

    // MARK: Reading

    /// The recordings that went on when the server ended. For its start.
    ///
    /// - Throws: `busy`, `storage`.
    package func open() async throws(Refusal) -> [Stored] {
        try await dao.read { db in try db.all(RecordingRecord.self, "WHERE is_open = 1").map(Stored.init) }
    }

    /// The identifiers of all of them.
    ///
    /// - Throws: `busy`, `storage`.
    package func all() async throws(Refusal) -> Set<RecordingID> {
        try await dao.read { db in Set(try db.values("SELECT id FROM room_recordings", as: RecordingID.self)) }
    }

    /// - Throws: `recordingNotFound`, `busy`, `storage`.
    package func recording(_ id: RecordingID) async throws(Refusal) -> Stored {
        try await dao.read { db in
            guard let record = try db.first(RecordingRecord.self, key: id) else {
                throw Refusal(.recordingNotFound)
            }
            return Stored(record)
        }
    }

    /// Some recordings of a replay, in the order of their time.
    ///
    /// - Parameters:
    ///   - after: Only those that come after this one.
    ///   - limit: 1…200.
    /// - Returns: At most one more than `limit`.
    /// - Throws: `replayNotFound`, `busy`, `storage`.
    package func recordings(
        of replay: ReplayID, after: RecordingID? = nil, limit: Int
    ) async throws(Refusal) -> [(recording: Stored, host: User)] {
        try await dao.read { db in
            guard let found = try db.first(ReplayRecord.self, key: replay) else { throw Refusal(.replayNotFound) }
            let later: SQL = after.map { "AND id > \($0)" } ?? ""
            let records = try db.all(
                RecordingRecord.self,
                """
                WHERE room_id = \(found.room) AND start_ms + length_ms > \(found.start)
                    AND start_ms < \(found.end ?? Limits.integerMax) AND length_ms > 0 \(later)
                ORDER BY id LIMIT \(limit + 1)
                """)
            var hosts: [UserID: User] = [:]
            var told: [(recording: Stored, host: User)] = []
            for record in records {
                if hosts[record.host] == nil {
                    hosts[record.host] = try db.first(UserRecord.self, key: record.host).map {
                        User(uid: $0.uid, username: $0.username, isGuest: false)
                    }
                }
                if let host = hosts[record.host] { told.append((Stored(record), host)) }
            }
            return told
        }
    }

    /// Number of recordings, and their bytes.
    ///
    /// - Throws: `busy`, `storage`.
    package func usage() async throws(Refusal) -> (count: Int, bytes: Int64) {
        try await dao.read { db in
            let bytes = try db.value("SELECT total(bytes) FROM room_recordings", as: Double.self) ?? 0
            return (try db.value("SELECT count(*) FROM room_recordings") ?? 0, Int64(bytes))
        }
    }

    /// Those of a host, for the export of their account.
    static func exported(of host: UserID, in db: inout some DatabaseAccess & ~Copyable) throws -> [Stored] {
        try db.all(RecordingRecord.self, "WHERE host_uid = \(host) ORDER BY id").map(Stored.init)
    }
}

extension RecordingStore.Stored {
    fileprivate init(_ record: RecordingRecord) {
        self.init(
            id: record.id, room: record.room, host: record.host, startMilliseconds: record.start,
            lengthMilliseconds: record.length, bytes: record.bytes)
    }
}
