extension Catalogue {
    /// When rooms open, and what they play by themselves at which hours.
    ///
    /// Source: Protocol/spec/schedules.md.
    static let schedules = Area(
        "schedules",
        requests: [
            ScheduleGet.self, ScheduleAdd.self, ScheduleUpdate.self, ScheduleRemove.self, ScheduleUpcoming.self,
            ScheduleAnswer.self, ScheduleDuties.self,
        ],
        events: [ScheduleChanged.self])
}

extension Limits {
    /// The feature that announces schedules of rooms.
    public static let schedulesFeature = "schedules"
    /// Slots of one room.
    public static let slotsPerRoomMax = 200
    /// Bytes of the title of a slot.
    public static let slotTitleBytes = 1...200
    /// How long a slot lasts, seconds.
    public static let slotSeconds: ClosedRange<Int64> = 60...86_400
    /// Bytes of the name of a time zone.
    public static let zoneBytes = 1...64
    /// Occurrences that one answer tells.
    public static let occurrencesMax = 50
    /// How far ahead occurrences are told, ms: a week and a day.
    public static let occurrencesAheadMilliseconds: Int64 = 8 * 86_400_000
    /// Rooms in one answer to `schedule.upcoming`.
    public static let upcomingCount: ClosedRange<Int64> = 1...50
    /// Rooms in one answer to `schedule.upcoming` if the request says nothing.
    public static let upcomingCountDefault = 20
}

// MARK: - Objects

/// How often a slot comes again.
public enum SlotFrequency: String, CaseIterable, Sendable {
    case day
    case week
}

/// By what rule a slot comes again.
///
/// Source: Protocol/spec/schedules.md, "Repeat".
public struct SlotRepeat: DeclaredObject, Hashable {
    public var every: SlotFrequency
    /// 1 for Monday to 7 for Sunday; only with `week`. `nil`: the day of the week of the start.
    public var weekdays: [Int64]?
    /// The last day on which it may begin, `YYYY-MM-DD`. `nil`: it does not end.
    public var until: String?

    public init(every: SlotFrequency, weekdays: [Int64]? = nil, until: String? = nil) {
        self.every = every
        self.weekdays = weekdays
        self.until = until
    }

    public static let declaration = Declaration(
        Member("every", \Self.every, .word),
        Member(optional: "weekdays", \Self.weekdays, .integers(1...7, count: 1...7)),
        Member(optional: "until", \Self.until, .localDate),
        make: Self.init
    ).checked(
        Schema([
            "anyOf": [
                ["properties": ["weekdays": ["type": "null"]]],
                ["properties": ["every": ["const": "week"], "weekdays": ["uniqueItems": true]]],
            ]
        ])
    ) { rule, fields throws(WireError) in
        guard let weekdays = rule.weekdays else { return }
        guard rule.every == .week else { throw fields.invalid("weekdays", "must be absent unless every is week") }
        guard Set(weekdays).count == weekdays.count else { throw fields.invalid("weekdays", "must differ") }
    }
}

/// What a slot is: all of it but its identifier.
///
/// Source: Protocol/spec/schedules.md, "Slot".
public struct SlotSettings: DeclaredObject, Hashable {
    public var title: String?
    /// What clocks of the zone show when it begins, `YYYY-MM-DDTHH:MM`.
    public var start: String
    /// A name of the IANA database; the server's own zone if `nil`.
    public var zone: String?
    public var durationSeconds: Int
    public var rule: SlotRepeat?
    /// What the room plays by itself.
    public var playlist: MusicID?
    /// Who is asked to host it; an account.
    public var dj: UserReference?

    public init(
        title: String? = nil, start: String, zone: String? = nil, durationSeconds: Int, rule: SlotRepeat? = nil,
        playlist: MusicID? = nil, dj: UserReference? = nil
    ) {
        self.title = title
        self.start = start
        self.zone = zone
        self.durationSeconds = durationSeconds
        self.rule = rule
        self.playlist = playlist
        self.dj = dj
    }

    public static let declaration = Declaration(
        Member(optional: "title", \Self.title, .line(bytes: Limits.slotTitleBytes)),
        Member("start", \Self.start, .localTime),
        Member(optional: "zone", \Self.zone, .zone),
        Member("duration_s", \Self.durationSeconds, .integer(Limits.slotSeconds)),
        Member(optional: "repeat", \Self.rule, .object),
        Member(optional: "playlist", \Self.playlist, .musicID),
        Member(optional: "dj", \Self.dj, .userReference),
        make: Self.init)
}

/// A time at which a room opens, once or again and again.
///
/// Source: Protocol/spec/schedules.md, "Slot".
public struct Slot: DeclaredObject, Hashable {
    public var id: SlotID
    public var title: String?
    /// What clocks of the zone show when it begins, `YYYY-MM-DDTHH:MM`.
    public var start: String
    /// A name of the IANA database.
    public var zone: String
    public var durationSeconds: Int
    public var rule: SlotRepeat?
    /// What the room plays by itself; `nil` also for whoever may not change it.
    public var playlist: MusicID?
    /// Who hosts it. One that has not accepted is `nil` for whoever may not change it, but for themselves.
    public var dj: SlotDJ?

    public init(
        id: SlotID, title: String? = nil, start: String, zone: String, durationSeconds: Int, rule: SlotRepeat? = nil,
        playlist: MusicID? = nil, dj: SlotDJ? = nil
    ) {
        self.id = id
        self.title = title
        self.start = start
        self.zone = zone
        self.durationSeconds = durationSeconds
        self.rule = rule
        self.playlist = playlist
        self.dj = dj
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .slotID),
        Member(nullable: "title", \Self.title, .line(bytes: Limits.slotTitleBytes)),
        Member("start", \Self.start, .localTime),
        Member("zone", \Self.zone, .zone),
        Member("duration_s", \Self.durationSeconds, .integer(Limits.slotSeconds)),
        Member(nullable: "repeat", \Self.rule, .object),
        Member(nullable: "playlist", \Self.playlist, .musicID),
        Member(optional: "dj", \Self.dj, .object),
        make: Self.init)
}

/// One time at which a room opens.
///
/// Source: Protocol/spec/schedules.md, "Occurrence".
public struct SlotOccurrence: DeclaredObject, Hashable {
    public var slot: SlotID
    public var title: String?
    /// Milliseconds since 1970, UTC.
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    /// Who hosts it, and has accepted that.
    public var dj: User?

    public init(
        slot: SlotID, title: String? = nil, startMilliseconds: Int64, endMilliseconds: Int64, dj: User? = nil
    ) {
        self.slot = slot
        self.title = title
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.dj = dj
    }

    public static let declaration = Declaration(
        Member("slot", \Self.slot, .slotID),
        Member(nullable: "title", \Self.title, .line(bytes: Limits.slotTitleBytes)),
        Member("start_ms", \Self.startMilliseconds, .wallTime),
        Member("end_ms", \Self.endMilliseconds, .wallTime),
        Member(optional: "dj", \Self.dj, .object),
        make: Self.init)
}

/// A room that opens soon, or has opened.
///
/// Source: Protocol/spec/schedules.md, "schedule.upcoming".
public struct UpcomingRoom: DeclaredObject, Hashable {
    public var room: Room
    public var occurrence: SlotOccurrence

    public init(room: Room, occurrence: SlotOccurrence) {
        self.room = room
        self.occurrence = occurrence
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .object), Member("occurrence", \Self.occurrence, .object), make: Self.init)
}

// MARK: - Requests

/// `schedule.get`: the slots of a room, and what comes next of them.
///
/// Source: Protocol/spec/schedules.md, "schedule.get".
public struct ScheduleGet: DeclaredRequest {
    public typealias Response = Schedule
    public static let type = "schedule.get"
    public static let permission: Permission? = .roomsListen

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// The answer to `schedule.get`.
public struct Schedule: DeclaredObject, Hashable {
    /// The zone of slots for which none was named.
    public var zone: String
    public var slots: [Slot]
    /// What goes on and what comes, the first first.
    public var occurrences: [SlotOccurrence]

    public init(zone: String, slots: [Slot], occurrences: [SlotOccurrence]) {
        self.zone = zone
        self.slots = slots
        self.occurrences = occurrences
    }

    public static let declaration = Declaration(
        Member("zone", \Self.zone, .zone), Member("slots", \Self.slots, .objects()),
        Member("occurrences", \Self.occurrences, .objects()), make: Self.init)
}

/// `schedule.add`: gives a room another slot.
///
/// Source: Protocol/spec/schedules.md, "schedule.add".
public struct ScheduleAdd: DeclaredRequest {
    public typealias Response = SlotResult
    public static let type = "schedule.add"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var settings: SlotSettings

    public init(room: RoomReference? = nil, settings: SlotSettings) {
        self.room = room
        self.settings = settings
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member(\Self.settings, spread: .members),
        make: Self.init)
}

/// `schedule.update`: puts other settings in the place of a slot's.
///
/// Source: Protocol/spec/schedules.md, "schedule.update".
public struct ScheduleUpdate: DeclaredRequest {
    public typealias Response = SlotResult
    public static let type = "schedule.update"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var slot: SlotID
    /// All of them: what is absent is none.
    public var settings: SlotSettings

    public init(room: RoomReference? = nil, slot: SlotID, settings: SlotSettings) {
        self.room = room
        self.slot = slot
        self.settings = settings
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("slot", \Self.slot, .slotID),
        Member(\Self.settings, spread: .members), make: Self.init)
}

/// The answer to `schedule.add` and `schedule.update`.
public struct SlotResult: DeclaredObject, Hashable {
    public var slot: Slot

    public init(slot: Slot) { self.slot = slot }

    public static let declaration = Declaration(Member("slot", \Self.slot, .object), make: Self.init)
}

/// `schedule.remove`: takes a slot away.
///
/// Source: Protocol/spec/schedules.md, "schedule.remove".
public struct ScheduleRemove: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "schedule.remove"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var slot: SlotID

    public init(room: RoomReference? = nil, slot: SlotID) {
        self.room = room
        self.slot = slot
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("slot", \Self.slot, .slotID), make: Self.init)
}

/// `schedule.upcoming`: public rooms that open soon.
///
/// Source: Protocol/spec/schedules.md, "schedule.upcoming".
public struct ScheduleUpcoming: DeclaredRequest {
    public typealias Response = UpcomingRooms
    public static let type = "schedule.upcoming"
    public static let permission: Permission? = .roomsListen

    /// Not for guests unless `all`.
    public var scope: RoomScope
    /// 1 to 50.
    public var limit: Int

    public init(scope: RoomScope = .all, limit: Int = Limits.upcomingCountDefault) {
        self.scope = scope
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("scope", \Self.scope, .word, default: .all),
        Member("limit", \Self.limit, .integer(Limits.upcomingCount), default: Limits.upcomingCountDefault),
        make: Self.init)
}

/// The answer to `schedule.upcoming`.
public struct UpcomingRooms: DeclaredObject, Hashable {
    /// The next occurrence of each room, the first first.
    public var rooms: [UpcomingRoom]

    public init(rooms: [UpcomingRoom]) { self.rooms = rooms }

    public static let declaration = Declaration(Member("rooms", \Self.rooms, .objects()), make: Self.init)
}

// MARK: - Events

/// `schedule.changed`: a slot of the room was added, changed or removed, or one has begun or ended.
///
/// Source: Protocol/spec/schedules.md, "schedule.changed".
public struct ScheduleChanged: DeclaredEvent {
    public static let type = "schedule.changed"

    /// What goes on: of several the one that began last.
    public var now: SlotOccurrence?
    /// What begins next, within eight days.
    public var next: SlotOccurrence?

    public init(now: SlotOccurrence? = nil, next: SlotOccurrence? = nil) {
        self.now = now
        self.next = next
    }

    public static let declaration = Declaration(
        Member(nullable: "now", \Self.now, .object), Member(nullable: "next", \Self.next, .object), make: Self.init)
}

// MARK: - Forms

extension Form where Value == SlotID {
    static var slotID: Form {
        .parsed(.musicID, "an identifier of a slot", SlotID.init) { $0.rawValue }
    }
}

extension Form where Value == String {
    /// A date and a time of day. Whether there is such a day is the server's business.
    fileprivate static var localTime: Form {
        .parsed(.localTime, "a time such as 2026-12-01T20:00", { $0.has(shape: "0000-00-00T00:00") ? $0 : nil }) { $0 }
    }

    fileprivate static var localDate: Form {
        .parsed(.localDate, "a date such as 2026-12-01", { $0.has(shape: "0000-00-00") ? $0 : nil }) { $0 }
    }

    fileprivate static var zone: Form { .line(bytes: Limits.zoneBytes) }
}

extension String {
    /// Whether it has the characters of `shape`, with any digit where that has a zero.
    fileprivate func has(shape: String) -> Bool {
        utf8.count == shape.utf8.count
            && zip(utf8, shape.utf8).allSatisfy { one, other in
                other == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(one) : one == other
            }
    }
}

extension Schema {
    fileprivate static let localTime = ascii(
        16...16, pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$", without: "[^0-9:T-]")
    fileprivate static let localDate = ascii(
        10...10, pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", without: "[^0-9-]")
}
