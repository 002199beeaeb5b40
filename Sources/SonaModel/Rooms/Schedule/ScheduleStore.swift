internal import SonaCalendar
internal import SonaDatabase
package import SonaWire

/// When rooms open, and what has begun of that. Off the loop.
package struct ScheduleStore: Sendable {
    let dao: PlayingDAO
    let notifications: Notifications
    let clock: WallClock

    /// How long it is known that an occurrence has begun: longer than one lasts.
    static let keptMilliseconds: Int64 = 3 * 86_400_000
    /// An occurrence that has gone on for longer when the server comes back is not told any more.
    private static let freshMilliseconds: Int64 = 600_000

    init(_ dao: PlayingDAO, notifications: Notifications, clock: WallClock) {
        self.dao = dao
        self.notifications = notifications
        self.clock = clock
    }

    /// The zone of slots for which none is named.
    package var zone: String { Zone.ofThisMachine.name }

    // MARK: Reading

    /// - Throws: `busy`, `storage`.
    package func schedule(of room: RoomID) async throws(Refusal) -> RoomSchedule {
        try await dao.read { db in
            let records = try Self.records(of: room, in: &db)
            return RoomSchedule(records, try Self.people(records, in: &db))
        }
    }

    /// The accounts that host slots, or are asked to.
    static func people(
        _ records: [SlotRecord], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [UserID: User] {
        let uids = Set(records.compactMap(\.dj))
        guard !uids.isEmpty else { return [:] }
        let found = try db.all(UserRecord.filter(UserRecord.uid.isIn(Array(uids))))
        return Dictionary(
            found.map { ($0.uid, User(uid: $0.uid, username: $0.username, isGuest: false)) }, uniquingKeysWith: { $1 })
    }

    private static func records(
        of room: RoomID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [SlotRecord] {
        try db.all(SlotRecord.self, "WHERE room_id = \(room) ORDER BY id")
    }

    /// The open rooms that have a schedule.
    ///
    /// - Throws: `busy`, `storage`.
    package func rooms() async throws(Refusal) -> [RoomID] {
        try await dao.read { db in
            try db.values(
                """
                SELECT DISTINCT s.room_id FROM room_slots s
                JOIN rooms r ON r.id = s.room_id AND r.closed_ms IS NULL
                """, as: RoomID.self)
        }
    }

    /// How many slots there are in all.
    ///
    /// - Throws: `busy`, `storage`.
    package func slotCount() async throws(Refusal) -> Int {
        try await dao.read { db in try db.value("SELECT count(*) FROM room_slots") ?? 0 }
    }

    // MARK: Changing

    /// - Parameter actor: Who must have the capability `control` still, here and below.
    /// - Throws: `scheduleFull`, `scheduleZoneUnknown`, `invalid`, `roomUnknown`, `roomClosed`, `forbidden`, `busy`,
    ///   `storage`.
    package func add(
        _ settings: SlotSettings, to room: RoomID, by actor: UserID
    ) async throws(Refusal) -> Slot {
        let now = clock.nowMilliseconds()
        let new = SlotRecord(
            .random(milliseconds: now), in: room, settings, zone: zone, revision: 0, now: now)
        _ = try Recurrence(new.slot)
        return try await telling { db in
            var record = new
            try RoomRights.require(.control, of: actor, in: room, &db)
            let count: Int = try db.value("SELECT count(*) FROM room_slots WHERE room_id = \(room)") ?? 0
            guard count < Limits.slotsPerRoomMax else { throw Refusal(.scheduleFull) }
            let posted = try ask(settings.dj, for: &record, of: nil, by: actor, in: &db)
            try db.insert(record)
            return (record.slot(try Self.people([record], in: &db)), posted)
        }
    }

    /// Puts other settings in the place of a slot's.
    ///
    /// - Throws: `scheduleNotFound`; otherwise as `add`.
    package func update(
        _ id: SlotID, _ settings: SlotSettings, in room: RoomID, by actor: UserID
    ) async throws(Refusal) -> Slot {
        let (now, zone) = (clock.nowMilliseconds(), zone)
        _ = try Recurrence(SlotRecord(id, in: room, settings, zone: zone, revision: 0, now: now).slot)
        return try await telling { db in
            try RoomRights.require(.control, of: actor, in: room, &db)
            guard let former = try db.first(SlotRecord.self, key: id), former.room == room else {
                throw Refusal(.scheduleNotFound)
            }
            var record = SlotRecord(id, in: room, settings, zone: zone, revision: former.revision + 1, now: now)
            let posted = try ask(settings.dj, for: &record, of: former, by: actor, in: &db)
            _ = try db.update(record)
            return (record.slot(try Self.people([record], in: &db)), posted)
        }
    }

    /// - Throws: `scheduleNotFound`, `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func remove(_ id: SlotID, from room: RoomID, by actor: UserID) async throws(Refusal) {
        try await dao.write { db -> Void in
            try RoomRights.require(.control, of: actor, in: room, &db)
            guard try db.first(SlotRecord.self, key: id)?.room == room else { throw Refusal(.scheduleNotFound) }
            _ = try db.delete(SlotRecord.self, key: id)
        }
    }

    // MARK: What begins

    /// Writes down that an occurrence has begun, once, and tells the followers of the room's owner if the room opens with
    /// it. What a server that was killed had not told yet is told now.
    ///
    /// - Parameter isOpening: As `RoomSchedule.State.opens`. Nobody is told of a private room, of one that opened less
    ///   than an hour ago, and of an occurrence that has gone on for ten minutes.
    /// - Returns: Whether it has begun now: `false` if it was known, or the slot or the room is gone, or the owner banned.
    /// - Throws: `busy`, `storage`.
    package func begin(
        _ occurrence: RoomSchedule.Occurrence, in room: RoomID, isOpening: Bool
    ) async throws(Refusal) -> Bool {
        let now = clock.nowMilliseconds()
        let isFresh = now - occurrence.start < Self.freshMilliseconds
        var isNew = false
        while true {
            let step = try await dao.write { db -> Step in
                guard let slot = try db.first(SlotRecord.self, key: occurrence.slot), slot.room == room,
                    let record = try db.first(RoomRecord.self, key: room), record.closedMilliseconds == nil
                else { return Step() }
                if let ban = try db.first(BanRecord.self, key: record.owner), ban.untilMilliseconds ?? .max > now {
                    return Step()
                }
                var step = Step()
                var begun: SlotStartRecord
                if let known = try db.first(
                    SlotStartRecord.self, key: SlotStartRecord.Key(occurrence.slot, occurrence.start))
                {
                    begun = known
                } else {
                    let isTold = isOpening && isFresh && record.settings.visibility == .public
                    begun = SlotStartRecord(
                        slot: occurrence.slot, start: occurrence.start, toldAfter: isTold ? "" : nil)
                    try db.insert(begun)
                    step.isNew = true
                    if let dj = occurrence.dj, isFresh {
                        step.posted += try tell(.djNow, occurrence, dj.uid, of: record, in: &db)
                    }
                }
                guard let last = begun.toldAfter else { return step }
                var next: String?
                if record.settings.visibility == .public {
                    let (posted, after) = try notifications.announce(
                        occurrence, of: record, after: last, now: now, in: &db)
                    step.posted += posted
                    next = after
                }
                begun.toldAfter = next
                _ = try db.update(begun)
                step.isMore = next != nil
                return step
            }
            notifications.tell(step.posted)
            isNew = isNew || step.isNew
            if !step.isMore { return isNew }
        }
    }

    private struct Step: Sendable {
        var posted: [PostedNotification] = []
        var isNew = false
        var isMore = false
    }

    // MARK: Accounts

    /// The slots of rooms, for the export of their owner's account, by room.
    static func exported(
        of owner: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> (slots: [RoomID: [Slot]], autoplays: [RoomID: Autoplay]) {
        let rooms: SQL = "WHERE room_id IN (SELECT id FROM rooms WHERE owner_uid = \(owner))"
        let slots = try db.all(SlotRecord.self, "\(rooms) ORDER BY id")
        var autoplays: [RoomID: Autoplay] = [:]
        for record in try db.all(AutoplayRecord.self, rooms) {
            autoplays[record.room] = Autoplay(isOn: true, playlist: record.playlist)
        }
        for record in try db.all(JingleRecord.self, rooms) {
            autoplays[record.room, default: Autoplay(isOn: false)].jingles = record.jingles
        }
        let people = try people(slots, in: &db)
        return (Dictionary(grouping: slots, by: \.room).mapValues { $0.map { $0.slot(people) } }, autoplays)
    }
}
