internal import SonaDatabase
internal import SonaWire

/// One entry of the queue of a room.
struct QueueEntryRecord: Record, Equatable {
    typealias Key = QueueRowKey

    let room: RoomID
    let entry: QueueRows.Entry

    static let room = Column("room_id", \Self.room, .references(QueueRecord.self, onDelete: .cascade))
    static let id = Column("id", \Self.entry.id, .check("id >= 1"))
    static let list = Column("list", \Self.entry.list, .anyCase)
    static let place = Column("place", \Self.entry.place)
    static let text = Column("entry", \Self.entry.text, .byteCount(1...QueueStore.rowBytesMax))

    static let table = Table<Self>("room_queue_entries", room, id, list, place, text, rules: [.primaryKey(room, id)])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(entry.id)
        values.next(entry.list)
        values.next(entry.place)
        values.next(entry.text)
    }
}

extension QueueEntryRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        entry = QueueRows.Entry(
            id: try row.next(), list: try row.next(), place: try row.next(), text: try row.next())
    }
}

/// A play that the rules of the queue still ask about.
struct QueuePlayRecord: Record, Equatable {
    typealias Key = QueueRowKey

    let room: RoomID
    let play: QueueRows.Play

    static let room = Column("room_id", \Self.room, .references(QueueRecord.self, onDelete: .cascade))
    static let number = Column("number", \Self.play.number)
    static let text = Column("play", \Self.play.text, .byteCount(1...QueueStore.rowBytesMax))

    static let table = Table<Self>("room_queue_plays", room, number, text, rules: [.primaryKey(room, number)])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(play.number)
        values.next(play.text)
    }
}

extension QueuePlayRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        play = QueueRows.Play(number: try row.next(), text: try row.next())
    }
}

/// One user's vote on an entry of the queue.
struct QueueVoteRecord: Record, Equatable {
    typealias Key = QueueVoteKey

    let room: RoomID
    let vote: QueueRows.Vote

    static let room = Column("room_id", \Self.room, .references(QueueRecord.self, onDelete: .cascade))
    static let entry = Column("entry_id", \Self.vote.entry, .check("entry_id >= 1"))
    static let user = Column("uid", \Self.vote.user, .byteCount(Limits.userIDBytes))
    static let choice = Column("vote", \Self.vote.choice, .anyCase)

    static let table = Table<Self>(
        "room_queue_votes", room, entry, user, choice, rules: [.primaryKey(room, entry, user)])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(vote.entry)
        values.next(vote.user)
        values.next(vote.choice)
    }
}

extension QueueVoteRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        vote = QueueRows.Vote(entry: try row.next(), user: try row.next(), choice: try row.next())
    }
}

/// The key of an entry or a play: of which room, and which.
struct QueueRowKey: RecordKey, Hashable {
    static let columnCount = 2

    let room: RoomID
    let number: Int64

    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        number = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(number)
    }
}

/// The key of a vote: in which room, for which entry, by whom.
struct QueueVoteKey: RecordKey, Hashable {
    static let columnCount = 3

    let room: RoomID
    let entry: Int64
    let user: String

    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        entry = try row.next()
        user = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(entry)
        values.next(user)
    }
}

extension QueueRows.List: DatabaseValueConvertible {}
extension QueueRows.Choice: DatabaseValueConvertible {}
