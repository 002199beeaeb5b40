internal import SonaDatabase
internal import SonaWire

/// A slot of a room's schedule.
struct SlotRecord: Record, Equatable {
    typealias Key = SlotID

    let id: SlotID
    let room: RoomID
    var title: String?
    /// What clocks of the zone show, as in messages.
    var start: String
    var zone: String
    var durationSeconds: Int
    /// `nil`: once.
    var every: SlotFrequency?
    /// A bit for each day of the week, 1 for Monday. `nil`: that of the start.
    var weekdays: Int?
    var until: String?
    /// It may be gone: playlists belong to another module.
    var playlist: MusicID?
    /// Who is to host it; `nil` once that account is gone.
    var dj: UserID?
    var djState: SlotDJState?
    var changedMilliseconds: Int64
    /// How often it was changed.
    var revision: Int64

    static let id = Column("id", \Self.id, .primaryKey, .check("length(CAST(id AS BLOB)) = \(MusicID.count)"))
    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let title = Column("title", \Self.title, .byteCount(Limits.slotTitleBytes))
    static let start = Column("start", \Self.start, .byteCount(16...16))
    static let zone = Column("zone", \Self.zone, .byteCount(Limits.zoneBytes))
    static let duration = Column("duration_s", \Self.durationSeconds, .range(60...86_400))
    static let every = Column("every", \Self.every, .oneOf(.day, .week, nil))
    static let weekdays = Column("weekdays", \Self.weekdays, .check("weekdays BETWEEN 1 AND 127"))
    static let until = Column("until", \Self.until, .byteCount(10...10))
    static let playlist = Column("playlist", \Self.playlist)
    static let changed = Column("changed_ms", \Self.changedMilliseconds)
    static let revision = Column("revision", \Self.revision, .check("revision >= 0"))
    static let dj = Column("dj_uid", \Self.dj, .references(UserRecord.self, onDelete: .setNull))
    static let djState = Column("dj_state", \Self.djState, .oneOf(.asked, .accepted, .declined, nil))

    static let table = Table<Self>(
        "room_slots", id, room, title, start, zone, duration, every, weekdays, until, playlist, changed, revision,
        dj, djState,
        rules: [
            .index("room_slots_by_room", on: room.ascending, id.ascending),
            .index("room_slots_by_dj", on: dj.ascending, where: "dj_uid IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(room)
        values.next(title)
        values.next(start)
        values.next(zone)
        values.next(durationSeconds)
        values.next(every)
        values.next(weekdays)
        values.next(until)
        values.next(playlist)
        values.next(changedMilliseconds)
        values.next(revision)
        values.next(dj)
        values.next(djState)
    }
}

extension SlotRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        room = try row.next()
        title = try row.next()
        start = try row.next()
        zone = try row.next()
        durationSeconds = try row.next()
        every = try row.next()
        weekdays = try row.next()
        until = try row.next()
        playlist = try row.next()
        changedMilliseconds = try row.next()
        revision = try row.next()
        dj = try row.next()
        djState = try row.next()
    }

    /// - Parameter zone: The name of the zone, where the settings have none.
    init(_ id: SlotID, in room: RoomID, _ settings: SlotSettings, zone: String, revision: Int64, now: Int64) {
        self.id = id
        self.room = room
        title = settings.title
        start = settings.start
        self.zone = settings.zone ?? zone
        durationSeconds = settings.durationSeconds
        every = settings.rule?.every
        weekdays = settings.rule?.weekdays.map { $0.reduce(0) { $0 | 1 << (Int($1) - 1) } }
        until = settings.rule?.until
        playlist = settings.playlist
        changedMilliseconds = now
        self.revision = revision
    }

    var slot: Slot { slot([:]) }

    /// - Parameter people: Accounts that may host it.
    func slot(_ people: [UserID: User]) -> Slot {
        let dj = dj.flatMap { people[$0] }.map { SlotDJ(user: $0, state: djState ?? .asked) }
        let days = weekdays.map { days in (1...7).filter { days >> ($0 - 1) & 1 == 1 }.map(Int64.init) }
        return Slot(
            id: id, title: title, start: start, zone: zone, durationSeconds: durationSeconds,
            rule: every.map { SlotRepeat(every: $0, weekdays: days, until: until) }, playlist: playlist,
            dj: dj)
    }
}

extension SlotRecord {
    /// Whether it is at the same times.
    func isAsOften(as other: SlotRecord) -> Bool {
        start == other.start && zone == other.zone && durationSeconds == other.durationSeconds && every == other.every
            && weekdays == other.weekdays && until == other.until
    }
}

/// An occurrence of a slot that has begun.
struct SlotStartRecord: Record, Equatable {
    struct Key: RecordKey {
        static let columnCount = 2

        let slot: SlotID
        let start: Int64

        init(_ slot: SlotID, _ start: Int64) { (self.slot, self.start) = (slot, start) }

        init(row: inout Row) throws(DatabaseError) {
            slot = try row.next()
            start = try row.next()
        }

        func bind(to values: inout Binder) {
            values.next(slot)
            values.next(start)
        }
    }

    let slot: SlotID
    /// Milliseconds since 1970, UTC.
    let start: Int64
    /// The last follower who was told of it; those after are told next. `nil`: nobody is left to tell.
    var toldAfter: String?

    static let slot = Column("slot_id", \Self.slot, .references(SlotRecord.self, onDelete: .cascade))
    static let start = Column("start_ms", \Self.start)
    static let toldAfter = Column("told_after", \Self.toldAfter)

    static let table = Table<Self>(
        "room_slot_starts", slot, start, toldAfter,
        rules: [.primaryKey(slot, start), .index("room_slot_starts_by_age", on: start.ascending)])

    func bind(to values: inout Binder) {
        values.next(slot)
        values.next(start)
        values.next(toldAfter)
    }
}

extension SlotStartRecord {
    init(row: inout Row) throws(DatabaseError) {
        slot = try row.next()
        start = try row.next()
        toldAfter = try row.next()
    }
}
