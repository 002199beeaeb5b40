/// How far from its time something sounded over a while: the middle of the errors, what 95 in 100 stay below, and the
/// largest. Magnitudes, whether early or late.
///
/// Source: Protocol/spec/meter.md, "Measurement".
public struct SyncErrors: WireObject, Hashable {
    /// Microseconds, `Limits.meterMicroseconds`, none smaller than the one before.
    public var median: Int32
    public var percentile95: Int32
    public var max: Int32

    public init(median: Int32, percentile95: Int32, max: Int32) {
        self.median = median
        self.percentile95 = percentile95
        self.max = max
    }

    /// Of several magnitudes in µs, by nearest rank; those out of range are held within it.
    ///
    /// O(n log n).
    /// - Returns: `nil` of none.
    public init?(of magnitudes: [Int32]) {
        guard !magnitudes.isEmpty else { return nil }
        let sorted = magnitudes.map { Swift.min(Swift.max(0, $0), Int32(Limits.meterMicroseconds.upperBound)) }.sorted()
        func rank(_ percent: Int) -> Int32 { sorted[(sorted.count * percent + 99) / 100 - 1] }
        self.init(median: rank(50), percentile95: rank(95), max: rank(100))
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        median = try fields.meter("p50", in: Limits.meterMicroseconds)
        percentile95 = try fields.meter("p95", in: Limits.meterMicroseconds)
        max = try fields.meter("max", in: Limits.meterMicroseconds)
        if percentile95 < median { throw fields.invalid("p95", "must not be less than p50") }
        if max < percentile95 { throw fields.invalid("max", "must not be less than p95") }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("p50", median)
            writer.member("p95", percentile95)
            writer.member("max", max)
        }
    }
}

/// How well a client knows the server's time. What it does not know is `nil`.
///
/// Source: Protocol/spec/meter.md, "Measurement".
public struct ClockQuality: WireObject, Hashable {
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        errorMicroseconds = try fields.meterIfPresent("error_us", in: Limits.meterMicroseconds)
        roundTripMicroseconds = try fields.meterIfPresent("rtt_us", in: Limits.meterMicroseconds)
        driftPPB = try fields.meterIfPresent("drift_ppb", in: Limits.meterDriftPPB)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("error_us", ifPresent: errorMicroseconds)
            writer.member("rtt_us", ifPresent: roundTripMicroseconds)
            writer.member("drift_ppb", ifPresent: driftPPB)
        }
    }
}

/// What a client has measured of its own listening over a while. What it has not measured is `nil`: never a number that
/// stands for one.
///
/// Narrow integers, since a server keeps one for each listener who reports.
///
/// Source: Protocol/spec/meter.md, "Measurement".
public struct ListeningMeasurement: WireObject, Hashable {
    /// How long was measured, ms: `Limits.meterWindowMilliseconds`.
    public var windowMilliseconds: Int32
    public var syncError: SyncErrors?
    /// What is there and has not sounded, ms.
    public var bufferMilliseconds: Int32?
    /// Within the window: how often there was nothing to sound, how often it jumped, packets that never came.
    public var underruns: Int32?
    public var resyncs: Int32?
    public var lost: Int32?
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

    public init(_ json: JSON) throws(WireError) { try self.init(Fields(json)) }

    init(_ fields: Fields) throws(WireError) {
        windowMilliseconds = try fields.meter("window_ms", in: Limits.meterWindowMilliseconds)
        syncError = try fields.objectIfPresent("sync_error_us", as: SyncErrors.self)
        bufferMilliseconds = try fields.meterIfPresent("buffer_ms", in: Limits.meterBufferMilliseconds)
        underruns = try fields.meterIfPresent("underruns", in: Limits.meterCount)
        resyncs = try fields.meterIfPresent("resyncs", in: Limits.meterCount)
        lost = try fields.meterIfPresent("lost", in: Limits.meterCount)
        clock = try fields.objectIfPresent("clock", as: ClockQuality.self)
        outputLatencyMicroseconds = try fields.meterIfPresent("output_latency_us", in: Limits.meterMicroseconds)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("window_ms", windowMilliseconds)
            writer.member("sync_error_us", ifPresent: syncError)
            writer.member("buffer_ms", ifPresent: bufferMilliseconds)
            writer.member("underruns", ifPresent: underruns)
            writer.member("resyncs", ifPresent: resyncs)
            writer.member("lost", ifPresent: lost)
            writer.member("clock", ifPresent: clock)
            writer.member("output_latency_us", ifPresent: outputLatencyMicroseconds)
        }
    }
}

/// What the server itself measures of a connection that it sends to, at the moment it is asked.
///
/// Source: Protocol/spec/meter.md, "Served".
public struct ServedListener: WireObject, Hashable {
    /// Whether it does not keep up just now.
    public var isBehind: Bool
    /// Packets that were left out for it since it entered the room.
    public var skippedPackets: Int64
    /// Bytes sent to it that have not been acknowledged.
    public var unsentBytes: Int64
    /// TCP's smoothed round trip, µs; `nil` where there is none.
    public var roundTripMicroseconds: Int64?

    public init(isBehind: Bool, skippedPackets: Int64, unsentBytes: Int64, roundTripMicroseconds: Int64?) {
        self.isBehind = isBehind
        self.skippedPackets = skippedPackets
        self.unsentBytes = unsentBytes
        self.roundTripMicroseconds = roundTripMicroseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        isBehind = try fields.bool("behind")
        skippedPackets = try fields.integer("skipped", in: 0...Limits.integerMax)
        unsentBytes = try fields.integer("unsent_bytes", in: 0...Limits.integerMax)
        roundTripMicroseconds = try fields.integerIfPresent("tcp_rtt_us", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("behind", isBehind)
            writer.member("skipped", skippedPackets)
            writer.member("unsent_bytes", unsentBytes)
            writer.member("tcp_rtt_us", orNull: roundTripMicroseconds)
        }
    }
}

extension Fields {
    fileprivate func meterIfPresent(_ key: String, in range: ClosedRange<Int64>) throws(WireError) -> Int32? {
        try integerIfPresent(key, in: range).map { Int32(truncatingIfNeeded: $0) }
    }

    fileprivate func meter(_ key: String, in range: ClosedRange<Int64>) throws(WireError) -> Int32 {
        Int32(truncatingIfNeeded: try integer(key, in: range))
    }
}
