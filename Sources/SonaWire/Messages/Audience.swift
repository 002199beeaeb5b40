extension Limits {
    /// The feature that announces how many have listened.
    public static let audienceFeature = "audience"
    /// Broadcasts in one answer to `room.audience`.
    public static let audiencePageCount: ClosedRange<Int64> = 1...100
    /// Broadcasts in one answer to `room.audience` if the request says nothing.
    public static let audiencePageCountDefault = 20
    /// Broadcasts of one room whose audience is kept; the oldest go first.
    public static let audiencesKept: Int64 = 1_000
}

/// How many have listened to a broadcast. Nobody is named.
///
/// Source: Protocol/spec/listening.md, "Audience".
public struct Audience: DeclaredObject, Hashable {
    /// When the broadcast began: milliseconds since 1970, UTC.
    public var fromMilliseconds: Int64
    /// When it ended. `nil` while it goes on.
    public var untilMilliseconds: Int64?
    /// The `session` of its plays. `nil` if it has none.
    public var session: Int64?
    /// Different accounts that listened, ghosts among them.
    public var accounts: Int
    /// Different guests that listened.
    public var guests: Int
    /// The most listeners at one time.
    public var peak: Int
    /// When there were as many for the first time. `nil` if nobody listened.
    public var peakMilliseconds: Int64?
    /// The time that all listened, together.
    public var listenedMilliseconds: Int64

    /// Different listeners.
    public var listeners: Int { accounts + guests }

    public init(
        fromMilliseconds: Int64, untilMilliseconds: Int64? = nil, session: Int64? = nil, accounts: Int = 0,
        guests: Int = 0, peak: Int = 0, peakMilliseconds: Int64? = nil, listenedMilliseconds: Int64 = 0
    ) {
        self.fromMilliseconds = fromMilliseconds
        self.untilMilliseconds = untilMilliseconds
        self.session = session
        self.accounts = accounts
        self.guests = guests
        self.peak = peak
        self.peakMilliseconds = peakMilliseconds
        self.listenedMilliseconds = listenedMilliseconds
    }

    public static let declaration = Declaration(
        Member("from_ms", \Self.fromMilliseconds, .wallTime),
        Member(nullable: "until_ms", \Self.untilMilliseconds, .wallTime),
        Member(nullable: "session", \Self.session, .playID),
        Member("accounts", \Self.accounts, .count),
        Member("guests", \Self.guests, .count),
        Member("peak", \Self.peak, .count),
        Member(nullable: "peak_ms", \Self.peakMilliseconds, .wallTime),
        Member("listened_ms", \Self.listenedMilliseconds, .count),
        make: Self.init)
}

/// `room.audience`: how many have listened to the broadcasts of a room.
///
/// Source: Protocol/spec/listening.md, "room.audience".
public struct RoomAudience: DeclaredRequest {
    public typealias Response = AudiencePage
    public static let type = "room.audience"
    public static let permission: Permission? = .roomsControl

    /// The room the connection is in if absent.
    public var room: RoomReference?
    /// Only broadcasts that began before: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(room: RoomReference? = nil, before: Int64? = nil, limit: Int = Limits.audiencePageCountDefault) {
        self.room = room
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "before", \Self.before, .wallTime),
        Member("limit", \Self.limit, .integer(Limits.audiencePageCount), default: Limits.audiencePageCountDefault),
        make: Self.init)
}

/// The answer to `room.audience`.
public struct AudiencePage: DeclaredObject, Hashable {
    /// Newest first.
    public var audiences: [Audience]
    /// The `before` that asks for older ones. `nil` on the last page.
    public var nextBefore: Int64?

    public init(audiences: [Audience], nextBefore: Int64?) {
        self.audiences = audiences
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("audiences", \Self.audiences, .objects(count: 0...Int(Limits.audiencePageCount.upperBound))),
        Member(nullable: "next_before", \Self.nextBefore, .wallTime),
        make: Self.init)
}
