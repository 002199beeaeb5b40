internal import SonaWire

/// Totals of listeners' reports, for the metrics page.
struct ListeningFigures: Sendable {
    var reports: UInt64 = 0
    var underruns: UInt64 = 0
    var resyncs: UInt64 = 0
    var lost: UInt64 = 0
    /// The p95 of each report that has one, µs.
    var syncErrors = Distribution(bounds: [
        100, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000,
    ])
    /// Clients' own estimates of their clock errors, µs.
    var clockErrors = Distribution(bounds: [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000])
    /// ms.
    var buffers = Distribution(bounds: [20, 50, 100, 200, 300, 500, 800, 1_200, 2_000, 5_000, 10_000])

    mutating func add(_ measured: ListeningMeasurement) {
        reports &+= 1
        underruns &+= UInt64(measured.underruns ?? 0)
        resyncs &+= UInt64(measured.resyncs ?? 0)
        lost &+= UInt64(measured.lost ?? 0)
        if let error = measured.syncError { syncErrors.add(Int64(error.percentile95)) }
        if let error = measured.clock?.errorMicroseconds { clockErrors.add(Int64(error)) }
        if let buffer = measured.bufferMilliseconds { buffers.add(Int64(buffer)) }
    }
}

/// A histogram: how many values lie up to each bound.
struct Distribution: Sendable {
    let bounds: [Int64]
    /// One count for each bound, not cumulated, and one for values above all bounds.
    private(set) var counts: [UInt64]
    private(set) var sum: Int64 = 0

    init(bounds: [Int64]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ value: Int64) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] &+= 1
        sum &+= value
    }
}
