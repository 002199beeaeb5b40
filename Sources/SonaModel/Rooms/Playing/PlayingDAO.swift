internal import SonaDatabase
internal import SonaWire

/// What played in rooms, and what is to play.
struct PlayingDAO: DAO {
    typealias Failure = RoomMemoryError
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(HistoryRecord.self)
        setUp.createTable(QueueRecord.self)
    }

    /// The number of the next entry of a room. Entries are only ever taken from the old end, so none comes twice.
    static func nextNumber(in room: RoomID, _ db: inout some DatabaseAccess & ~Copyable) throws -> Int64 {
        let last = try db.value("SELECT max(id) FROM room_history WHERE room_id = \(room)", as: Int64?.self)
        return ((last ?? nil) ?? 0) + 1
    }

    /// Takes away what the room has more than it keeps, at most some rows at a time.
    static func prune(_ room: RoomID, newest: Int64, in db: inout WriteAccess) throws {
        guard newest > HistoryStore.keptMax else { return }
        try db.execute(
            """
            DELETE FROM room_history WHERE room_id = \(room) AND id IN (SELECT id FROM room_history
                WHERE room_id = \(room) AND id <= \(newest - HistoryStore.keptMax) ORDER BY id LIMIT 16)
            """)
    }
}
