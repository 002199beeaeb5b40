internal import SonaDatabase
internal import SonaWire

/// A message. A deleted one keeps its place and loses its text.
struct ChatRecord: Record, Equatable {
    typealias Key = RoomNumber

    let room: RoomID
    let id: Int64
    let uid: UserID
    /// As it was when they wrote it.
    let username: Username?
    let isGuest: Bool
    var text: String
    let atMilliseconds: Int64
    var editedMilliseconds: Int64?
    var deletedMilliseconds: Int64?
    /// The number of the message it answers, which may be gone by now.
    let replyTo: Int64?
    var mentions: SonaDatabase.JSON<[String]>
    /// The replay that it is said in. A message of none may be pruned.
    var replay: ReplayID?

    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let id = Column("id", \Self.id, .check("id >= 1"))
    static let uid = Column("uid", \Self.uid, .byteCount(Limits.userIDBytes))
    static let username = Column("username", \Self.username, .byteCount(Limits.usernameBytes))
    static let isGuest = Column("is_guest", \Self.isGuest, .oneOf(false, true))
    static let text = Column("text", \Self.text, .byteCount(...Limits.chatTextBytesMax))
    static let at = Column("at_ms", \Self.atMilliseconds)
    static let edited = Column("edited_ms", \Self.editedMilliseconds)
    static let deleted = Column("deleted_ms", \Self.deletedMilliseconds)
    static let replyTo = Column("reply_to", \Self.replyTo)
    static let mentions = Column("mentions", \Self.mentions)
    static let replay = Column("replay_id", \Self.replay, .references(ReplayRecord.self, onDelete: .setNull))

    static let table = Table<Self>(
        "room_chat", room, id, uid, username, isGuest, text, at, edited, deleted, replyTo, mentions,
        replay,
        rules: [
            .primaryKey(room, id), .check("(\(text) = '') = (\(deleted) IS NOT NULL)"),
            .index("room_chat_by_user", on: uid.ascending, at.descending),
            .index(
                "room_chat_by_replay", on: replay.ascending, at.ascending, id.ascending, where: "replay_id IS NOT NULL"),
            .index("room_chat_of_none", on: room.ascending, id.ascending, where: "replay_id IS NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(id)
        values.next(uid)
        values.next(username)
        values.next(isGuest)
        values.next(text)
        values.next(atMilliseconds)
        values.next(editedMilliseconds)
        values.next(deletedMilliseconds)
        values.next(replyTo)
        values.next(mentions)
        values.next(replay)
    }
}

extension ChatRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        id = try row.next()
        uid = try row.next()
        username = try row.next()
        isGuest = try row.next()
        text = try row.next()
        atMilliseconds = try row.next()
        editedMilliseconds = try row.next()
        deletedMilliseconds = try row.next()
        replyTo = try row.next()
        mentions = try row.next()
        replay = try row.next()
    }
}
