internal import SonaDatabase
internal import SonaWire

/// Something an account is told of.
///
/// Rooms, tracks, albums and playlists are no foreign keys: what was told stays when they are gone.
struct NotificationRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let uid: UserID
    /// A word of an open list.
    let kind: String
    /// Names what caused it, so that the same is not told twice. `nil`: it can happen again.
    let key: String?
    /// Notifications about an account go with it.
    let from: UserID?
    let room: RoomID?
    let track: MusicID?
    let album: MusicID?
    let playlist: MusicID?
    let title: String?
    let result: String?
    let text: String?
    let createdMilliseconds: Int64
    var readMilliseconds: Int64?
    /// Whether a connection of the account was told of it.
    var isTold = false
    /// The moment of the track, in seconds from its beginning.
    var seconds: Int?

    static let number = Column("number", \Self.number, .primaryKey)
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let kind = Column("kind", \Self.kind, .byteCount(Limits.notificationWordBytes))
    static let key = Column("key", \Self.key, .byteCount(1...200))
    static let from = Column("from_uid", \Self.from, .references(UserRecord.self, onDelete: .cascade))
    static let room = Column("room_id", \Self.room)
    static let track = Column("track", \Self.track)
    static let album = Column("album", \Self.album)
    static let playlist = Column("playlist", \Self.playlist)
    static let title = Column("title", \Self.title, .byteCount(Limits.notificationTitleBytes))
    static let result = Column("result", \Self.result, .byteCount(Limits.notificationWordBytes))
    static let text = Column("text", \Self.text, .byteCount(Limits.notificationTextBytes))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let read = Column("read_ms", \Self.readMilliseconds)
    static let isTold = Column("told", \Self.isTold, .oneOf(false, true))
    static let seconds = Column("at_s", \Self.seconds, .check("at_s BETWEEN 1 AND 999999"))

    static let table = Table<Self>(
        "notifications", number, uid, kind, key, from, room, track, album, playlist, title, result, text, created,
        read, isTold, seconds,
        rules: [
            .index("notifications_by_user", on: uid.ascending, number.ascending),
            .index("notifications_by_sender", on: from.ascending, where: "from_uid IS NOT NULL"),
            .index(
                "notifications_by_key", on: uid.ascending, key.ascending, isUnique: true, where: "key IS NOT NULL"),
            .index("unread_notifications", on: uid.ascending, where: "read_ms IS NULL"),
            .index("untold_notifications", on: uid.ascending, where: "told = 0"),
            .index("notifications_by_age", on: created.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(uid)
        values.next(kind)
        values.next(key)
        values.next(from)
        values.next(room)
        values.next(track)
        values.next(album)
        values.next(playlist)
        values.next(title)
        values.next(result)
        values.next(text)
        values.next(createdMilliseconds)
        values.next(readMilliseconds)
        values.next(isTold)
        values.next(seconds)
    }
}

extension NotificationRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        uid = try row.next()
        kind = try row.next()
        key = try row.next()
        from = try row.next()
        room = try row.next()
        track = try row.next()
        album = try row.next()
        playlist = try row.next()
        title = try row.next()
        result = try row.next()
        text = try row.next()
        createdMilliseconds = try row.next()
        readMilliseconds = try row.next()
        isTold = try row.next()
        seconds = try row.next()
    }
}

/// What becomes of notifications of one kind of an account. Without a row: shown, and not mailed.
struct NotificationPreferenceRecord: Record, Equatable {
    struct Key: RecordKey {
        static let columnCount = 2

        let uid: UserID
        let kind: String

        init(_ uid: UserID, _ kind: NotificationKind) { (self.uid, self.kind) = (uid, kind.rawValue) }

        init(row: inout Row) throws(DatabaseError) {
            uid = try row.next()
            kind = try row.next()
        }

        func bind(to values: inout Binder) {
            values.next(uid)
            values.next(kind)
        }
    }

    let uid: UserID
    let kind: String
    var isShown = true
    var isMailed = false

    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let kind = Column("kind", \Self.kind, .byteCount(Limits.notificationWordBytes))
    static let isShown = Column("shown", \Self.isShown, .oneOf(false, true))
    static let isMailed = Column("mailed", \Self.isMailed, .oneOf(false, true))

    static let table = Table<Self>(
        "notification_preferences", uid, kind, isShown, isMailed, rules: [.primaryKey(uid, kind)])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(kind)
        values.next(isShown)
        values.next(isMailed)
    }
}

extension NotificationPreferenceRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        kind = try row.next()
        isShown = try row.next()
        isMailed = try row.next()
    }
}
