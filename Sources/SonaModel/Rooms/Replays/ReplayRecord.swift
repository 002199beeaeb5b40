internal import SonaDatabase
internal import SonaWire

/// A replay of a room. What was said in it, and what was heard, are rows of the room's chat and history that name it.
struct ReplayRecord: Record, Equatable {
    typealias Key = ReplayID

    let id: ReplayID
    let room: RoomID
    /// Milliseconds since 1970, UTC, like the others: when its first passage began.
    let start: Int64
    /// `nil` while it goes on, or nobody has looked whether it is over.
    var end: Int64?
    /// Since when nothing is heard. `nil`: something is.
    var silentSince: Int64?
    /// The number of the first message that can belong to it.
    let firstMessage: Int64
    /// How many rows of reactions it has.
    var reactions: Int

    static let id = Column("id", \Self.id, .primaryKey, .check("length(CAST(id AS BLOB)) = \(MusicID.count)"))
    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let start = Column("start_ms", \Self.start)
    static let end = Column("end_ms", \Self.end)
    static let silentSince = Column("silent_since_ms", \Self.silentSince)
    static let firstMessage = Column("first_message", \Self.firstMessage)
    static let reactions = Column("reactions", \Self.reactions)

    static let table = Table<Self>(
        "room_replays", id, room, start, end, silentSince, firstMessage, reactions,
        rules: [
            .index("room_replays_by_room", on: room.ascending, id.descending),
            .index("room_replays_by_age", on: start.ascending),
            .index("room_replays_going_on", on: room.ascending, where: "end_ms IS NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(room)
        values.next(start)
        values.next(end)
        values.next(silentSince)
        values.next(firstMessage)
        values.next(reactions)
    }
}

extension ReplayRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        room = try row.next()
        start = try row.next()
        end = try row.next()
        silentSince = try row.next()
        firstMessage = try row.next()
        reactions = try row.next()
    }

    /// Whether nothing that happens at a moment belongs to it any more, ms.
    func isOver(at milliseconds: Int64) -> Bool {
        if end != nil || milliseconds - start >= Limits.replayLengthMilliseconds { return true }
        return silentSince.map { milliseconds - $0 >= Limits.replaySilenceMilliseconds } ?? false
    }
}

/// A passage of a replay.
struct PassageRecord: Record, Equatable {
    struct Key: RecordKey {
        static let columnCount = 2

        let replay: ReplayID
        let number: Int64

        init(_ replay: ReplayID, _ number: Int64) { (self.replay, self.number) = (replay, number) }

        init(row: inout Row) throws(DatabaseError) {
            replay = try row.next()
            number = try row.next()
        }

        func bind(to values: inout Binder) {
            values.next(replay)
            values.next(number)
        }
    }

    let replay: ReplayID
    /// 1, 2, 3 … in each replay.
    let number: Int64
    /// Milliseconds since 1970, UTC; not before that of the passage before.
    let at: Int64
    let isSounding: Bool
    /// The number of the play in the room's history.
    let play: Int64?
    let positionMicroseconds: Int64

    static let replay = Column("replay_id", \Self.replay, .references(ReplayRecord.self, onDelete: .cascade))
    static let number = Column("number", \Self.number, .check("number >= 1"))
    static let at = Column("at_ms", \Self.at)
    static let isSounding = Column("sounds", \Self.isSounding, .oneOf(false, true))
    static let play = Column("play", \Self.play)
    static let position = Column("position_us", \Self.positionMicroseconds, .check("position_us >= 0"))

    static let table = Table<Self>(
        "room_replay_passages", replay, number, at, isSounding, play, position, rules: [.primaryKey(replay, number)])

    func bind(to values: inout Binder) {
        values.next(replay)
        values.next(number)
        values.next(at)
        values.next(isSounding)
        values.next(play)
        values.next(positionMicroseconds)
    }
}

extension PassageRecord {
    init(row: inout Row) throws(DatabaseError) {
        replay = try row.next()
        number = try row.next()
        at = try row.next()
        isSounding = try row.next()
        play = try row.next()
        positionMicroseconds = try row.next()
    }
}

/// How often one sign was sent for one second of a replay.
struct ReplayReactionRecord: Record, Equatable {
    struct Key: RecordKey {
        static let columnCount = 3

        let replay: ReplayID
        let second: Int64
        let emoji: String

        init(_ replay: ReplayID, _ second: Int64, _ emoji: String) {
            (self.replay, self.second, self.emoji) = (replay, second, emoji)
        }

        init(row: inout Row) throws(DatabaseError) {
            replay = try row.next()
            second = try row.next()
            emoji = try row.next()
        }

        func bind(to values: inout Binder) {
            values.next(replay)
            values.next(second)
            values.next(emoji)
        }
    }

    let replay: ReplayID
    /// Seconds since the replay's start.
    let second: Int64
    let emoji: String
    var count: Int

    static let replay = Column("replay_id", \Self.replay, .references(ReplayRecord.self, onDelete: .cascade))
    static let second = Column("at_s", \Self.second, .check("at_s >= 0"))
    static let emoji = Column("emoji", \Self.emoji, .byteCount(Limits.reactionBytes))
    static let count = Column("count", \Self.count, .check("count >= 1"))

    static let table = Table<Self>(
        "room_replay_reactions", replay, second, emoji, count, rules: [.primaryKey(replay, second, emoji)])

    func bind(to values: inout Binder) {
        values.next(replay)
        values.next(second)
        values.next(emoji)
        values.next(count)
    }
}

extension ReplayReactionRecord {
    init(row: inout Row) throws(DatabaseError) {
        replay = try row.next()
        second = try row.next()
        emoji = try row.next()
        count = try row.next()
    }
}
