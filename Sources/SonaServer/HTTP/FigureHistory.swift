internal import SonaBase
internal import SonaEventLoop
internal import SonaWire

/// The server's figures of the last hour, for the page of administrators: one sample every ten seconds, in memory.
///
/// Any thread. A sample is some hundred bytes and a hop to each loop; the oldest goes when there are
/// `Limits.historySamplesMax`. What outlives a restart is Prometheus' business (`/metrics`).
final class FigureHistory: Sendable {
    private struct State {
        /// What the next sample counts from.
        var last: FigureReading?
        var atMilliseconds: [Int64] = []
        /// One array for each series.
        var values = [[Int64]](repeating: [], count: FigureHistory.series.count)
    }

    private let state = Monitor(State())
    private let startedMilliseconds = MonotonicClock.wallMilliseconds()

    /// A figure, its unit, and how it follows from two readings.
    struct Series: Sendable {
        let name: String
        let unit: String
        let value: @Sendable (_ now: FigureReading, _ before: FigureReading) -> Int64
    }

    /// Source: Protocol/spec/figures.md, "Series".
    static let series = [
        Series(name: "listeners", unit: "count") { now, _ in Int64(now.listeners) },
        Series(name: "rooms", unit: "count") { now, _ in Int64(now.rooms) },
        Series(name: "connections", unit: "count") { now, _ in Int64(now.connections) },
        Series(name: "jobs", unit: "count") { now, _ in Int64(now.jobs) },
        Series(name: "deliveries", unit: "events") { growth($0.deliveries, $1.deliveries) },
        Series(name: "skipped", unit: "events") { growth($0.skipped, $1.skipped) },
        Series(name: "sent_bytes", unit: "sent_bytes") { growth($0.sentBytes, $1.sentBytes) },
        Series(name: "requests", unit: "events") { growth($0.requests, $1.requests) },
        Series(name: "errors", unit: "events") { growth($0.errors, $1.errors) },
        Series(name: "loop_lag_p50", unit: "us") { percentile(500, $0.lateness, $1.lateness, Lateness.bounds) },
        Series(name: "loop_lag_p99", unit: "us") { percentile(990, $0.lateness, $1.lateness, Lateness.bounds) },
        Series(name: "sync_error_p95", unit: "us") { percentile(950, $0.syncErrors, $1.syncErrors, $0.syncBounds) },
        Series(name: "resident_bytes", unit: "bytes") { now, _ in now.residentBytes },
        Series(name: "processor", unit: "permille") { now, before in
            let passed = max(1, now.monotonicMicroseconds - before.monotonicMicroseconds)
            return max(0, now.processorMicroseconds - before.processorMicroseconds) * 1_000 / passed
        },
    ]

    /// How far a counter has come. Counters wrap rather than trap.
    private static func growth(_ now: UInt64, _ before: UInt64) -> Int64 {
        Int64(clamping: min(now &- before, UInt64(Limits.integerMax)))
    }

    /// The upper bound of the class below which so many thousandths of the events between two readings are; the
    /// greatest bound if they are above all of them, 0 if there was no event.
    static func percentile(_ part: UInt64, _ now: [UInt64], _ before: [UInt64], _ bounds: [Int64]) -> Int64 {
        let counts = now.enumerated().map { $1 &- (before.indices.contains($0) ? before[$0] : 0) }
        let total = counts.reduce(0, &+)
        guard total > 0, let greatest = bounds.last else { return 0 }
        let wanted = (total * part + 999) / 1_000
        var sum: UInt64 = 0
        for (count, bound) in zip(counts, bounds) {
            sum += count
            if sum >= wanted { return bound }
        }
        return greatest
    }

    /// Takes a sample every `Limits.historyEveryMilliseconds`, until the task is cancelled.
    func follow(_ shard: Shard) async {
        while !Task.isCancelled {
            take(await FigureReading.now(shard))
            try? await Task.sleep(for: .milliseconds(Limits.historyEveryMilliseconds))
        }
    }

    /// Adds a sample: what happened since the reading before. The first reading has nothing before it and adds none.
    func take(_ reading: FigureReading) {
        state.withLock { state in
            defer { state.last = reading }
            guard let last = state.last else { return }
            if state.atMilliseconds.count >= Limits.historySamplesMax {
                state.atMilliseconds.removeFirst()
                for index in state.values.indices { state.values[index].removeFirst() }
            }
            state.atMilliseconds.append(reading.wallMilliseconds)
            for (index, series) in Self.series.enumerated() {
                state.values[index].append(max(0, series.value(reading, last)))
            }
        }
    }

    var result: ServerHistoryResult {
        let (times, values) = state.withLock { ($0.atMilliseconds, $0.values) }
        return ServerHistoryResult(
            startedMilliseconds: startedMilliseconds, everyMilliseconds: Limits.historyEveryMilliseconds,
            atMilliseconds: times,
            series: zip(Self.series, values).map { FigureSeries(name: $0.name, unit: $0.unit, values: $1) })
    }
}
