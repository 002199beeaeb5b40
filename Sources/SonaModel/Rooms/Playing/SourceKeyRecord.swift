internal import SonaDatabase
internal import SonaWire

/// The key by which a program that speaks Icecast hosts a room, in the name of whoever made it. A room has one at most.
struct SourceKeyRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    let uid: UserID
    /// SHA-256 of the key in base64url: what is read here opens nothing.
    let digest: String
    let madeMilliseconds: Int64

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let digest = Column("digest", \Self.digest, .byteCount(43...43))
    static let made = Column("made_ms", \Self.madeMilliseconds)

    static let table = Table<Self>(
        "room_source_keys", room, uid, digest, made,
        rules: [.index("room_source_keys_by_user", on: uid.ascending)])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(uid)
        values.next(digest)
        values.next(madeMilliseconds)
    }
}

extension SourceKeyRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        uid = try row.next()
        digest = try row.next()
        madeMilliseconds = try row.next()
    }
}
