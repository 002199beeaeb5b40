/// `listening.report`: what a client has measured of its own listening, or hosting, over a while.
///
/// Source: Protocol/spec/meter.md, "listening.report".
public struct ListeningReport: WireRequest {
    public typealias Response = Empty
    public static let type = "listening.report"

    public var measured: ListeningMeasurement

    public init(_ measured: ListeningMeasurement) { self.measured = measured }

    public init(_ data: JSON) throws(WireError) { measured = try ListeningMeasurement(Fields(request: data)) }

    public func encode(into writer: inout JSONWriter) { measured.encode(into: &writer) }
}

/// `room.meter`: how each connection in a room hears it, a page at a time.
///
/// Source: Protocol/spec/meter.md, "room.meter".
public struct RoomMeter: WireRequest {
    public typealias Response = RoomMeterPage
    public static let type = "room.meter"
    public static let permission: Permission? = .roomsListen

    /// The room the connection is in if absent.
    public var room: RoomReference?
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(room: RoomReference? = nil, limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.room = room
        self.limit = limit
        self.cursor = cursor
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        limit = try fields.userLimit()
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

/// One connection in a room, and how it hears it.
public struct MeteredListener: WireObject, Hashable {
    public var user: UserCard
    /// This connection has the host seat.
    public var isHost: Bool
    /// It is not named to those who do not keep order.
    public var isGhost: Bool
    /// Whether it is sent audio.
    public var takesAudio: Bool
    /// What the client said last.
    public var report: ListeningMeasurement?
    /// How long ago that came, ms; `nil` exactly if there is none.
    public var ageMilliseconds: Int64?
    /// What the server sees itself; `nil` if the connection has just gone.
    public var served: ServedListener?

    public init(
        user: UserCard, isHost: Bool, isGhost: Bool, takesAudio: Bool, report: ListeningMeasurement?,
        ageMilliseconds: Int64?, served: ServedListener?
    ) {
        self.user = user
        self.isHost = isHost
        self.isGhost = isGhost
        self.takesAudio = takesAudio
        self.report = report
        self.ageMilliseconds = ageMilliseconds
        self.served = served
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: UserCard.self)
        isHost = try fields.bool("host")
        isGhost = try fields.bool("ghost")
        takesAudio = try fields.bool("audio")
        report = try fields.objectIfPresent("report", as: ListeningMeasurement.self)
        ageMilliseconds = try fields.integerIfPresent("age_ms", in: 0...Limits.integerMax)
        served = try fields.objectIfPresent("served", as: ServedListener.self)
        if (report == nil) != (ageMilliseconds == nil) {
            throw fields.invalid("age_ms", "must be there exactly if there is a report")
        }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("host", isHost)
            writer.member("ghost", isGhost)
            writer.member("audio", takesAudio)
            writer.member("report", orNull: report)
            writer.member("age_ms", orNull: ageMilliseconds)
            writer.member("served", orNull: served)
        }
    }
}

/// A room's listening in a few numbers.
public struct MeterSummary: WireObject, Hashable {
    /// Connections in the room, ghosts and the host's counted.
    public var connections: Int
    /// Those of which a report is not stale.
    public var reporting: Int
    /// Over what those who report told as their p95; `nil` if none did.
    public var syncError: SyncErrors?

    public init(connections: Int, reporting: Int, syncError: SyncErrors?) {
        self.connections = connections
        self.reporting = reporting
        self.syncError = syncError
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        connections = Int(try fields.integer("connections", in: 0...Limits.integerMax))
        reporting = Int(try fields.integer("reporting", in: 0...Limits.integerMax))
        syncError = try fields.objectIfPresent("sync_error_us", as: SyncErrors.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("connections", connections)
            writer.member("reporting", reporting)
            writer.member("sync_error_us", orNull: syncError)
        }
    }
}

/// The answer to `room.meter`.
public struct RoomMeterPage: WireObject, Equatable {
    /// Those first that have been connected for longest.
    public var listeners: [MeteredListener]
    /// Of the whole room.
    public var summary: MeterSummary
    /// What to ask with for the next page; `nil` on the last.
    public var nextCursor: String?

    public init(listeners: [MeteredListener], summary: MeterSummary, nextCursor: String?) {
        self.listeners = listeners
        self.summary = summary
        self.nextCursor = nextCursor
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        listeners = try fields.array(
            "listeners", of: MeteredListener.self, count: 0...Int(Limits.userPageCount.upperBound))
        summary = try fields.object("summary", as: MeterSummary.self)
        nextCursor = try fields.stringIfPresent("next_cursor", bytes: Limits.cursorBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("listeners", listeners)
            writer.member("summary", summary)
            writer.member("next_cursor", orNull: nextCursor)
        }
    }
}
