package import SonaWire

/// The counts and measurements of a listener so far, put together by the code that renders the sound. A figure that it
/// does not measure stays `nil`.
package struct ListeningTotals: Sendable, Equatable {
    /// Since it began: times that there was nothing to render, jumps, packets that never came.
    package var underruns: Int?
    package var resyncs: Int?
    package var lost: Int?
    /// The error of each inspected sample since the last report, µs: how early or late it left. The collector bounds
    /// their number.
    package var syncErrorsMicroseconds: [Int64]
    /// Sound buffered now, ms.
    package var bufferMilliseconds: Int?
    /// Delay from here to the ear, as far as the system knows it, µs.
    package var outputLatencyMicroseconds: Int?

    package init(
        underruns: Int? = nil, resyncs: Int? = nil, lost: Int? = nil, syncErrorsMicroseconds: [Int64] = [],
        bufferMilliseconds: Int? = nil, outputLatencyMicroseconds: Int? = nil
    ) {
        self.underruns = underruns
        self.resyncs = resyncs
        self.lost = lost
        self.syncErrorsMicroseconds = syncErrorsMicroseconds
        self.bufferMilliseconds = bufferMilliseconds
        self.outputLatencyMicroseconds = outputLatencyMicroseconds
    }
}

/// Turns the counts of a listener into reports for the server. There is one every ten seconds, about the time since the
/// one before.
///
///     var reporter = MeterReporter(client.welcome, now: MonotonicClock.nowMicroseconds())
///     if let report = reporter.report(totals, client.clock, now: now) { client.tell(report) }
///
/// Source: Protocol/spec/meter.md.
package struct MeterReporter: Sendable {
    /// When the next report is due, µs of our clock; `nil` for a server that takes none.
    package private(set) var dueMicroseconds: Int64?
    private var since: Int64
    private var before = ListeningTotals()

    /// - Parameter now: When listening begins, µs of our clock.
    package init(_ welcome: Welcome, now: Int64) {
        since = now
        if welcome.features.contains(Limits.meterFeature) { dueMicroseconds = now + Self.interval }
    }

    private static let interval = Int64(Limits.meterIntervalSeconds) * 1_000_000

    /// - Returns: The report; `nil` if none is due.
    package mutating func report(
        _ totals: ListeningTotals, _ clock: ClockFilter?, now: Int64
    ) -> ListeningReport? {
        guard let due = dueMicroseconds, now >= due else { return nil }
        let measured = ListeningMeasurement(
            windowMilliseconds: Self.held((now - since) / 1_000, in: Limits.meterWindowMilliseconds),
            syncError: SyncErrors(
                of: totals.syncErrorsMicroseconds.map {
                    Self.held(Int64(clamping: $0.magnitude), in: Limits.meterMicroseconds)
                }),
            bufferMilliseconds: totals.bufferMilliseconds.map {
                Self.held(Int64($0), in: Limits.meterBufferMilliseconds)
            },
            underruns: Self.difference(totals.underruns, before.underruns),
            resyncs: Self.difference(totals.resyncs, before.resyncs), lost: Self.difference(totals.lost, before.lost),
            clock: clock.flatMap { ClockQuality($0) },
            outputLatencyMicroseconds: totals.outputLatencyMicroseconds.map {
                Self.held(Int64($0), in: Limits.meterMicroseconds)
            })
        before = totals
        since = now
        dueMicroseconds = now + Self.interval
        return ListeningReport(measured)
    }

    private static func difference(_ count: Int?, _ before: Int?) -> Int32? {
        count.map { held(Int64($0 - (before ?? 0)), in: Limits.meterCount) }
    }

    fileprivate static func held(_ value: Int64, in range: ClosedRange<Int64>) -> Int32 {
        Int32(truncatingIfNeeded: min(max(value, range.lowerBound), range.upperBound))
    }
}

extension ClockQuality {
    /// The knowledge of a filter; `nil` before its first sample.
    package init?(_ clock: ClockFilter) {
        guard clock.isUsable else { return nil }
        self.init(
            errorMicroseconds: MeterReporter.held(clock.errorMicroseconds, in: Limits.meterMicroseconds),
            roundTripMicroseconds: MeterReporter.held(clock.roundTripMicroseconds, in: Limits.meterMicroseconds),
            driftPPB: MeterReporter.held(
                Int64(exactly: (clock.driftPPM * 1_000).rounded()) ?? 0, in: Limits.meterDriftPPB))
    }
}
