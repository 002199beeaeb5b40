internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// One hearing of a track that counts.
///
/// Counters are kept beside: `tracks.plays` is the number of a track's rows, and `artists.plays` the sum over an artist's
/// tracks. A person who does not want to be known for a play any more takes the name off it (`uid` is null then, and so is
/// everything that tells of them); the row stays, so that the counters stay what they are.
struct PlayRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    /// `nil`: nobody is known to have heard it.
    var uid: UserID?
    let track: Int64
    let atMilliseconds: Int64
    var heardMilliseconds: Int64
    let source: PlaySource
    var room: String?
    /// The client's name for the hearing, so that it is written once.
    var key: String?

    static let number = Column("number", \Self.number, .primaryKey)
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .setNull))
    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .cascade))
    static let at = Column("at_ms", \Self.atMilliseconds)
    static let heard = Column("heard_ms", \Self.heardMilliseconds, .range(0...Int64.max))
    static let source = Column("source", \Self.source, .anyCase)
    static let room = Column("room", \Self.room)
    static let key = Column("key", \Self.key, .byteCount(1...100))

    static let table = Table<Self>(
        "plays", number, uid, track, at, heard, source, room, key,
        rules: [
            .index("plays_by_user", on: uid.ascending, at.descending, number.descending, where: "uid IS NOT NULL"),
            .index("plays_by_track", on: track.ascending, uid.ascending, at.ascending),
            .index(
                "plays_by_key", on: uid.ascending, key.ascending, isUnique: true,
                where: "uid IS NOT NULL AND key IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(uid)
        values.next(track)
        values.next(atMilliseconds)
        values.next(heardMilliseconds)
        values.next(source)
        values.next(room)
        values.next(key)
    }
}

extension PlayRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        uid = try row.next()
        track = try row.next()
        atMilliseconds = try row.next()
        heardMilliseconds = try row.next()
        source = try row.next()
        room = try row.next()
        key = try row.next()
    }
}

/// What is kept of an account's plays, and who sees it. An account without a row has the defaults.
struct PlaySettingsRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var settings = PlayPrivacy()
    /// When the account began to share its plays: friends do not see those of before. `nil` while it does not.
    var sharedSinceMilliseconds: Int64?

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let isPrivate = Column("private", \Self.settings.isPrivate, .oneOf(false, true))
    static let sharesPlays = Column("share_plays", \Self.settings.sharesPlays, .oneOf(false, true))
    static let sharesTaste = Column("share_taste", \Self.settings.sharesTaste, .oneOf(false, true))
    static let keepDays = Column("keep_days", \Self.settings.keepDays, .range(0...3_650))
    static let sharedSince = Column("shared_since_ms", \Self.sharedSinceMilliseconds)

    static let table = Table<Self>(
        "play_settings", uid, isPrivate, sharesPlays, sharesTaste, keepDays, sharedSince,
        rules: [.index("limited_plays", on: uid.ascending, where: "keep_days > 0")])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(settings.isPrivate)
        values.next(settings.sharesPlays)
        values.next(settings.sharesTaste)
        values.next(settings.keepDays)
        values.next(sharedSinceMilliseconds)
    }
}

extension PlaySettingsRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        settings.isPrivate = try row.next()
        settings.sharesPlays = try row.next()
        settings.sharesTaste = try row.next()
        settings.keepDays = try row.next()
        sharedSinceMilliseconds = try row.next()
    }
}
