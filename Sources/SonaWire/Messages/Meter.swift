extension Catalogue {
    /// How well listeners hear.
    ///
    /// Source: Protocol/spec/meter.md.
    static let meter = Area(
        "meter",
        requests: [ListeningReport.self, RoomMeter.self])
}

extension Limits {
    /// The feature that announces reports of what listeners measure, and the meter that shows them.
    public static let meterFeature = "meter"
    /// How long a report may be about.
    public static let meterWindowMilliseconds: ClosedRange<Int64> = 1...600_000
    /// Errors, latencies and round trips in a report: what is a minute or more is told as a minute.
    public static let meterMicroseconds: ClosedRange<Int64> = 0...60_000_000
    /// Drift between a client's clock and the server's, in 10⁻⁹.
    public static let meterDriftPPB: ClosedRange<Int64> = -100_000_000...100_000_000
    /// Milliseconds of audio a client may report as buffered.
    public static let meterBufferMilliseconds: ClosedRange<Int64> = 0...600_000
    /// Milliseconds that sounded within a window.
    public static let meterHeardMilliseconds: ClosedRange<Int64> = 0...600_000
    /// Counts of events within a window.
    public static let meterCount: ClosedRange<Int64> = 0...1_000_000
    /// Seconds between two reports of a listener, and how many there must be at least: what comes sooner is
    /// `request.rate_limited`.
    public static let meterIntervalSeconds = 10
    /// Seconds that must lie between two reports of a listener.
    public static let meterIntervalSecondsMin = 2
    /// Milliseconds after which a report says nothing about now.
    public static let meterStaleMilliseconds: Int64 = 30_000
    /// Bytes of an answer to `room.meter`: a page gets shorter before it would grow past this.
    public static let meterBytesMax = 65_536
}

// MARK: - Objects

/// How far from its time something sounded over a while: the middle of the errors, what 95 in 100 stay below, and the
/// largest. Magnitudes, whether early or late.
///
/// Source: Protocol/spec/meter.md, "Measurement".
public struct SyncErrors: DeclaredObject, Hashable {
    /// Microseconds, `Limits.meterMicroseconds`, none smaller than the one before.
    public var median: Int32
    /// 95 % of the errors are at most this, µs. Not less than `median`.
    public var percentile95: Int32
    /// The largest error, µs. Not less than `percentile95`.
    public var max: Int32

    public init(median: Int32, percentile95: Int32, max: Int32) {
        self.median = median
        self.percentile95 = percentile95
        self.max = max
    }

    /// Computes the three from magnitudes in µs, by nearest rank. Values out of range are clamped.
    ///
    /// O(n log n).
    /// - Returns: `nil` if there are no magnitudes.
    public init?(of magnitudes: [Int32]) {
        guard !magnitudes.isEmpty else { return nil }
        let sorted = magnitudes.map { Swift.min(Swift.max(0, $0), Int32(Limits.meterMicroseconds.upperBound)) }.sorted()
        func rank(_ percent: Int) -> Int32 { sorted[(sorted.count * percent + 99) / 100 - 1] }
        self.init(median: rank(50), percentile95: rank(95), max: rank(100))
    }

    public static let declaration = Declaration(
        Member("p50", \Self.median, .integer(Limits.meterMicroseconds)),
        Member("p95", \Self.percentile95, .integer(Limits.meterMicroseconds)),
        Member("max", \Self.max, .integer(Limits.meterMicroseconds)),
        make: Self.init
    ).checked(
        Schema(["description": "Microseconds, none less than the one before."])
    ) { errors, fields throws(WireError) in
        if errors.percentile95 < errors.median { throw fields.invalid("p95", "must not be less than p50") }
        if errors.max < errors.percentile95 { throw fields.invalid("max", "must not be less than p95") }
    }
}

/// How well a client knows the server's time. `nil` for every value it does not know.
///
/// Source: Protocol/spec/meter.md, "Measurement".
public struct ClockQuality: DeclaredObject, Hashable {
    /// How far off its offset may be, µs.
    public var errorMicroseconds: Int32?
    /// Round trip of the probe it goes by, µs.
    public var roundTripMicroseconds: Int32?
    /// How much faster the server's clock runs, in 10⁻⁹.
    public var driftPPB: Int32?

    public init(errorMicroseconds: Int32?, roundTripMicroseconds: Int32?, driftPPB: Int32?) {
        self.errorMicroseconds = errorMicroseconds
        self.roundTripMicroseconds = roundTripMicroseconds
        self.driftPPB = driftPPB
    }

    public static let declaration = Declaration(
        Member(optional: "error_us", \Self.errorMicroseconds, .integer(Limits.meterMicroseconds)),
        Member(optional: "rtt_us", \Self.roundTripMicroseconds, .integer(Limits.meterMicroseconds)),
        Member(optional: "drift_ppb", \Self.driftPPB, .integer(Limits.meterDriftPPB)),
        make: Self.init)
}

/// A client's measurement of its own listening over a while. `nil` for every value it has not measured: no number
/// stands for "unknown".
///
/// The integers are narrow because a server keeps one measurement for each listener who reports.
///
/// Source: Protocol/spec/meter.md, "Measurement".
public struct ListeningMeasurement: DeclaredObject, Hashable {
    /// How long was measured, ms: `Limits.meterWindowMilliseconds`.
    public var windowMilliseconds: Int32
    /// How far from its time the audio sounded.
    public var syncError: SyncErrors?
    /// Audio that has arrived and has not sounded, ms.
    public var bufferMilliseconds: Int32?
    /// Within the window: how often there was nothing to sound, how often it jumped, packets that never came.
    public var underruns: Int32?
    /// How often playback jumped back to its time, `Limits.meterCount`.
    public var resyncs: Int32?
    /// Packets that never came, `Limits.meterCount`.
    public var lost: Int32?
    /// How well the client knows the server's time.
    public var clock: ClockQuality?
    /// From the program to the ear, as far as the system knows, µs.
    public var outputLatencyMicroseconds: Int32?

    public init(
        windowMilliseconds: Int32, syncError: SyncErrors? = nil, bufferMilliseconds: Int32? = nil,
        underruns: Int32? = nil, resyncs: Int32? = nil, lost: Int32? = nil, clock: ClockQuality? = nil,
        outputLatencyMicroseconds: Int32? = nil
    ) {
        self.windowMilliseconds = windowMilliseconds
        self.syncError = syncError
        self.bufferMilliseconds = bufferMilliseconds
        self.underruns = underruns
        self.resyncs = resyncs
        self.lost = lost
        self.clock = clock
        self.outputLatencyMicroseconds = outputLatencyMicroseconds
    }

    public static let declaration = Declaration(
        Member("window_ms", \Self.windowMilliseconds, .integer(Limits.meterWindowMilliseconds)),
        Member(optional: "sync_error_us", \Self.syncError, .object),
        Member(optional: "buffer_ms", \Self.bufferMilliseconds, .integer(Limits.meterBufferMilliseconds)),
        Member(optional: "underruns", \Self.underruns, .integer(Limits.meterCount)),
        Member(optional: "resyncs", \Self.resyncs, .integer(Limits.meterCount)),
        Member(optional: "lost", \Self.lost, .integer(Limits.meterCount)),
        Member(optional: "clock", \Self.clock, .object),
        Member(optional: "output_latency_us", \Self.outputLatencyMicroseconds, .integer(Limits.meterMicroseconds)),
        make: Self.init)
}

/// The server's own measurement of a listener's connection, made when it is asked for.
///
/// Source: Protocol/spec/meter.md, "Served".
public struct ServedListener: DeclaredObject, Hashable {
    /// Whether it does not keep up just now.
    public var isBehind: Bool
    /// Packets that were left out for it since it entered the room.
    public var skippedPackets: Int64
    /// Bytes sent to it that have not been acknowledged.
    public var unsentBytes: Int64
    /// TCP's smoothed round trip, µs. `nil` where TCP reports none.
    public var roundTripMicroseconds: Int64?

    public init(isBehind: Bool, skippedPackets: Int64, unsentBytes: Int64, roundTripMicroseconds: Int64?) {
        self.isBehind = isBehind
        self.skippedPackets = skippedPackets
        self.unsentBytes = unsentBytes
        self.roundTripMicroseconds = roundTripMicroseconds
    }

    public static let declaration = Declaration(
        Member("behind", \Self.isBehind, .flag),
        Member("skipped", \Self.skippedPackets, .count),
        Member("unsent_bytes", \Self.unsentBytes, .count),
        Member(nullable: "tcp_rtt_us", \Self.roundTripMicroseconds, .count),
        make: Self.init)
}

// MARK: - Requests

/// `listening.report`: what a client has measured of its own listening, or hosting, over a while.
///
/// Source: Protocol/spec/meter.md, "listening.report".
public struct ListeningReport: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "listening.report"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// The measurement. Its members stand in the request's `data` itself.
    public var measured: ListeningMeasurement
    /// What sounded since the report before, in step with the room and audibly, ms. Nobody else is told.
    public var heardMilliseconds: Int64?

    public init(_ measured: ListeningMeasurement, heardMilliseconds: Int64? = nil) {
        self.measured = measured
        self.heardMilliseconds = heardMilliseconds
    }

    public static let declaration = Declaration(
        Member(\Self.measured, spread: .members),
        Member(optional: "heard_ms", \Self.heardMilliseconds, .integer(Limits.meterHeardMilliseconds))
    ) { Self($0, heardMilliseconds: $1) }
}

/// `room.meter`: how each connection in a room hears it, a page at a time.
///
/// Source: Protocol/spec/meter.md, "room.meter".
public struct RoomMeter: DeclaredRequest {
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

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// One connection in a room, and how it hears it.
public struct MeteredListener: DeclaredObject, Hashable {
    /// Whose connection this is.
    public var user: UserCard
    /// This connection has the host seat.
    public var isHost: Bool
    /// Whether the listener is a ghost. Ghosts are named only to people who may moderate.
    public var isGhost: Bool
    /// Whether it is sent audio.
    public var takesAudio: Bool
    /// The client's last report.
    public var report: ListeningMeasurement?
    /// Age of the report, ms. `nil` exactly if there is no report.
    public var ageMilliseconds: Int64?
    /// The server's own measurement. `nil` if the connection has just gone.
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

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("host", \Self.isHost, .flag),
        Member("ghost", \Self.isGhost, .flag),
        Member("audio", \Self.takesAudio, .flag),
        Member(nullable: "report", \Self.report, .object),
        Member(nullable: "age_ms", \Self.ageMilliseconds, .count),
        Member(nullable: "served", \Self.served, .object),
        make: Self.init
    ).checked(
        Schema([
            "description": "age_ms is null exactly if report is.",
            "oneOf": [
                ["properties": ["report": ["type": "null"], "age_ms": ["type": "null"]]],
                ["properties": ["report": ["type": "object"], "age_ms": ["type": "integer"]]],
            ],
        ])
    ) { listener, fields throws(WireError) in
        if (listener.report == nil) != (listener.ageMilliseconds == nil) {
            throw fields.invalid("age_ms", "must be there exactly if there is a report")
        }
    }
}

/// A room's listening in a few numbers.
public struct MeterSummary: DeclaredObject, Hashable {
    /// Connections in the room, ghosts and the host's counted.
    public var connections: Int
    /// Connections whose last report is not stale.
    public var reporting: Int
    /// Errors computed over the p95 of all reports. `nil` if nobody reported one.
    public var syncError: SyncErrors?

    public init(connections: Int, reporting: Int, syncError: SyncErrors?) {
        self.connections = connections
        self.reporting = reporting
        self.syncError = syncError
    }

    public static let declaration = Declaration(
        Member("connections", \Self.connections, .count),
        Member("reporting", \Self.reporting, .count),
        Member(nullable: "sync_error_us", \Self.syncError, .object),
        make: Self.init)
}

/// The answer to `room.meter`.
public struct RoomMeterPage: DeclaredObject, Equatable {
    /// The listeners of this page, the longest connected first.
    public var listeners: [MeteredListener]
    /// Figures of the whole room.
    public var summary: MeterSummary
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(listeners: [MeteredListener], summary: MeterSummary, nextCursor: String?) {
        self.listeners = listeners
        self.summary = summary
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("listeners", \Self.listeners, .objects(count: 0...Int(Limits.userPageCount.upperBound))),
        Member("summary", \Self.summary, .object),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}
