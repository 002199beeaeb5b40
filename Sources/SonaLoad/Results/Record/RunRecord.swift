package import SonaBase

/// Everything one run has to say: what `--json` writes, and what reports and comparisons are made of.
///
/// The format is described in `Sources/SonaLoad/README.md`. What was not measured is absent, never 0; readers ignore
/// keys they do not know. The totals are members of the record itself.
package struct RunRecord: Codable, Sendable, Equatable {
    package static let formatVersion = 2

    package enum End: String, Codable, Sendable {
        case completed
        /// Ended early by a signal; the record has the measurements until then.
        case interrupted
        /// The harness could not go on; `failure` says why.
        case failed
    }

    /// RFC 3339, UTC.
    package var startedAt: String
    /// Length of the measured part, seconds.
    package var seconds: Double
    package var end: End
    package var failure: String?
    /// Seed of the generator that made the plan; 0 to 2^53 − 1, so that every reader of JSON can hold it.
    package var seed: UInt64
    package var environment: RunEnvironment
    package var scenario: ScenarioRecord
    package var totals: Totals
    package var server: ServerRecord?
    package var harness: HarnessRecord
    package var thresholds: [ThresholdResult]
    package var intervals: [IntervalRecord]
    package var delays: Histogram
    package var joins: Histogram?
    /// Further figures of the engine, by name: passed on and shown, but never compared.
    package var details: [String: RecordValue]

    package init(
        startedAt: String, seed: UInt64, environment: RunEnvironment, scenario: ScenarioRecord,
        harness: HarnessRecord = HarnessRecord(cpuSeconds: 0)
    ) {
        (self.startedAt, self.seed, self.environment, self.scenario) = (startedAt, seed, environment, scenario)
        (seconds, end, totals, self.harness) = (0, .completed, Totals(), harness)
        (thresholds, intervals, delays, details) = ([], [], Histogram(), [:])
    }

    /// Deliveries a second over the measured part.
    package var rate: Double { seconds > 0 ? Double(totals.received) / seconds : 0 }

    private enum CodingKeys: String, CodingKey {
        case end, failure, seed, scenario, server, harness, thresholds, intervals, rate,
            details
        case formatVersion = "format_version"
        case startedAt = "started_at"
        case seconds = "duration_s"
        case delays = "delay_histogram"
        case joins = "join_histogram"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .formatVersion)
        guard 1...Self.formatVersion ~= version else {
            throw DecodingError.dataCorruptedError(
                forKey: .formatVersion, in: container,
                debugDescription:
                    "It has format version \(version); this program reads versions 1 to \(Self.formatVersion).")
        }
        startedAt = try container.decode(String.self, forKey: .startedAt)
        seconds = try container.decode(Double.self, forKey: .seconds)
        end = try container.decode(End.self, forKey: .end)
        failure = try container.decodeIfPresent(String.self, forKey: .failure)
        seed = try container.decode(UInt64.self, forKey: .seed)
        environment = try RunEnvironment(from: decoder)
        scenario = try container.decode(ScenarioRecord.self, forKey: .scenario)
        totals = try Totals(from: decoder)
        server = try container.decodeIfPresent(ServerRecord.self, forKey: .server)
        harness = try container.decode(HarnessRecord.self, forKey: .harness)
        thresholds = try container.decode([ThresholdResult].self, forKey: .thresholds)
        intervals = try container.decode([IntervalRecord].self, forKey: .intervals)
        delays = try container.decode(Histogram.self, forKey: .delays)
        joins = try container.decodeIfPresent(Histogram.self, forKey: .joins)
        details = try container.decodeIfPresent([String: RecordValue].self, forKey: .details) ?? [:]
        if version == 1 { countSkippedAsLost() }
    }

    /// In version 1, packets that the server skipped counted neither as expected nor as lost.
    private mutating func countSkippedAsLost() {
        guard totals.skipped != 0 else { return }
        // A file's figures may be anything: none of them ends the program.
        totals.expected &+= totals.skipped
        totals.lost &+= totals.skipped
        for index in intervals.indices { intervals[index].lost &+= intervals[index].skipped }
        // Thresholds are judged again by the new count, so that no verdict contradicts the figure beside it.
        thresholds = thresholds.map { (try? Threshold(parsing: $0.expression))?.judge(self) ?? $0 }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.formatVersion, forKey: .formatVersion)
        try container.encode(startedAt, forKey: .startedAt)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(end, forKey: .end)
        try container.encodeIfPresent(failure, forKey: .failure)
        try container.encode(seed, forKey: .seed)
        try environment.encode(to: encoder)
        try container.encode(scenario, forKey: .scenario)
        try container.encode((rate * 1000).rounded() / 1000, forKey: .rate)
        try totals.encode(to: encoder)
        try container.encodeIfPresent(server, forKey: .server)
        try container.encode(harness, forKey: .harness)
        try container.encode(thresholds, forKey: .thresholds)
        try container.encode(intervals, forKey: .intervals)
        try container.encode(delays, forKey: .delays)
        try container.encodeIfPresent(joins, forKey: .joins)
        if !details.isEmpty { try container.encode(details, forKey: .details) }
    }
}
