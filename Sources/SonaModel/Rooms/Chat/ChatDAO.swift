internal import SonaDatabase
internal import SonaWire

/// What was said in rooms.
struct ChatDAO: RoomRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(ChatRecord.self) }

    /// The number of the next message of a room. Messages are only ever taken from the old end, so none comes twice.
    static func nextNumber(in room: RoomID, _ db: inout some DatabaseAccess & ~Copyable) throws -> Int64 {
        let last = try db.value("SELECT max(id) FROM room_chat WHERE room_id = \(room)", as: Int64?.self)
        return ((last ?? nil) ?? 0) + 1
    }

    /// Takes away what the room has more than it keeps, at most some rows at a time. Replays keep theirs.
    static func prune(_ room: RoomID, newest: Int64, in db: inout WriteAccess) throws {
        guard newest > ChatStore.keptMax else { return }
        try db.execute(
            """
            DELETE FROM room_chat WHERE room_id = \(room) AND id IN (SELECT id FROM room_chat
                WHERE room_id = \(room) AND replay_id IS NULL AND id <= \(newest - ChatStore.keptMax)
                ORDER BY id LIMIT 16)
            """)
    }

    /// Who is meant by the names in a text, in order, each once. Who has blocked the author can't be meant.
    static func mentions(
        in text: ChatStore.Text, by author: UserID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> [String] {
        let candidates = text.mentionCandidates
        guard !candidates.isEmpty else { return [] }
        let keys = Array(Set(candidates.joined()))
        let known = try db.all(UserRecord.filter(UserRecord.usernameKey.isIn(keys)))
        let byKey = Dictionary(known.map { ($0.usernameKey, $0.uid) }) { first, _ in first }
        var meant: [String] = []
        for place in candidates {
            guard let uid = place.lazy.compactMap({ key in byKey[key] }).first, !meant.contains(uid.rawValue),
                try !db.exists(BlockRecord.self, key: UserPair(uid, author))
            else { continue }
            meant.append(uid.rawValue)
            if meant.count == Limits.chatMentionCount.upperBound { break }
        }
        return meant
    }

    /// - Throws: `messageUnknown`.
    static func find(
        _ id: Int64, in room: RoomID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> ChatRecord {
        guard let message = try db.first(ChatRecord.self, key: RoomNumber(room, id)) else {
            throw Refusal.messageUnknown
        }
        return message
    }
}
