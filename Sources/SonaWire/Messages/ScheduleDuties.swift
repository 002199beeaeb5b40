extension Limits {
    /// The feature that announces DJs of slots.
    public static let djsFeature = "djs"
    /// Slots in one answer to `schedule.duties`.
    public static let dutiesMax = 200
    /// How long before its beginning the DJ of a slot is told and may come in, milliseconds.
    public static let djNoticeMilliseconds: Int64 = 600_000
}

/// What the DJ of a slot has said.
public enum SlotDJState: String, CaseIterable, Sendable {
    /// Nothing yet.
    case asked
    case accepted
    case declined
}

/// Who is to host a slot.
///
/// Source: Protocol/spec/schedules.md, "DJs".
public struct SlotDJ: DeclaredObject, Hashable {
    public var user: User
    public var state: SlotDJState

    public init(user: User, state: SlotDJState) {
        self.user = user
        self.state = state
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object), Member("state", \Self.state, .word), make: Self.init)
}

/// A slot that somebody is to host.
///
/// Source: Protocol/spec/schedules.md, "schedule.duties".
public struct SlotDuty: DeclaredObject, Hashable {
    public var room: RoomID
    /// The title of the room.
    public var title: String
    public var slot: Slot
    /// The one that goes on, or comes next. `nil`: none will come.
    public var next: SlotOccurrence?

    public init(room: RoomID, title: String, slot: Slot, next: SlotOccurrence?) {
        self.room = room
        self.title = title
        self.slot = slot
        self.next = next
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID), Member("title", \Self.title, .line(bytes: Limits.titleBytes)),
        Member("slot", \Self.slot, .object), Member(nullable: "next", \Self.next, .object), make: Self.init)
}

/// `schedule.answer`: accepts or declines to host a slot.
///
/// Source: Protocol/spec/schedules.md, "schedule.answer".
public struct ScheduleAnswer: DeclaredRequest {
    public typealias Response = SlotResult
    public static let type = "schedule.answer"
    public static let permission: Permission? = .accountManage

    public var slot: SlotID
    public var accepts: Bool

    public init(slot: SlotID, accepts: Bool) {
        self.slot = slot
        self.accepts = accepts
    }

    public static let declaration = Declaration(
        Member("slot", \Self.slot, .slotID), Member("accept", \Self.accepts, .flag), make: Self.init)
}

/// `schedule.duties`: the slots that one is asked to host, or hosts.
///
/// Source: Protocol/spec/schedules.md, "schedule.duties".
public struct ScheduleDuties: FieldlessRequest {
    public typealias Response = SlotDuties
    public static let type = "schedule.duties"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// The answer to `schedule.duties`.
public struct SlotDuties: DeclaredObject, Hashable {
    /// Those that come first, first.
    public var duties: [SlotDuty]

    public init(duties: [SlotDuty]) { self.duties = duties }

    public static let declaration = Declaration(Member("duties", \Self.duties, .objects()), make: Self.init)
}
