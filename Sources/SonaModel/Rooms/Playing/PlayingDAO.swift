internal import SonaDatabase
internal import SonaWire

/// What played in rooms, and what is to play.
struct PlayingDAO: RoomRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(HistoryRecord.self)
        setUp.createTable(QueueRecord.self)
        setUp.createTable(QueueEntryRecord.self)
        setUp.createTable(QueuePlayRecord.self)
        setUp.createTable(QueueVoteRecord.self)
        setUp.createTable(AutoplayRecord.self)
        setUp.createTable(JingleRecord.self)
        setUp.createTable(SongRequestsRecord.self)
        setUp.createTable(SourceKeyRecord.self)
        setUp.createTable(SpeakerRecord.self)
        setUp.createTable(SlotRecord.self)
        setUp.createTable(SlotStartRecord.self)
        setUp.createTable(ReplayRecord.self)
        setUp.createTable(PassageRecord.self)
        setUp.createTable(ReplayReactionRecord.self)
        setUp.createTable(RecordingRecord.self)
        setUp.createTable(AudienceRecord.self)
        setUp.createTable(ListenerMarkRecord.self)
    }

    /// The number of the next entry of a room, and the broadcast of the last. Entries are only ever taken from the old
    /// end, so no number comes twice.
    static func nextNumber(
        in room: RoomID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> (id: Int64, broadcast: Int64) {
        let last = try db.first(HistoryRecord.self, "WHERE room_id = \(room) ORDER BY id DESC LIMIT 1")
        return ((last?.id ?? 0) + 1, last?.broadcast ?? 1)
    }

    /// The number of the play that was written down last; `nil` if there is none.
    static func lastNumber(in room: RoomID, _ db: inout some DatabaseAccess & ~Copyable) throws -> Int64? {
        try db.value("SELECT max(id) FROM room_history WHERE room_id = \(room)", as: Int64?.self) ?? nil
    }

    /// `h` are plays, `u` their hosts.
    static func plays(
        _ rest: SQL, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> [RoomPlay] {
        try db.all("\(RoomPlay.select) \(rest)") { row in try RoomPlay(row: &row) }
    }

    /// Takes away what the room has more than it keeps, at most some rows at a time. Replays keep theirs.
    static func prune(_ room: RoomID, newest: Int64, in db: inout WriteAccess) throws {
        guard newest > HistoryStore.keptMax else { return }
        try db.execute(
            """
            DELETE FROM room_history WHERE room_id = \(room) AND id IN (SELECT id FROM room_history
                WHERE room_id = \(room) AND replay_id IS NULL AND id <= \(newest - HistoryStore.keptMax)
                ORDER BY id LIMIT 16)
            """)
    }
}
