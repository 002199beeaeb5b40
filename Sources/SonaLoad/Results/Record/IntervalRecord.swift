package import SonaBase

/// One second of a run, or the rest at its end.
package struct IntervalRecord: Codable, Sendable, Equatable {
    /// Its end, in seconds since the run began.
    package var at: Double
    /// Its length, in seconds.
    package var seconds: Double
    /// The named phase of the scenario it belongs to, if any.
    package var phase: String?
    /// Listeners in their rooms at its end.
    package var listeners: Int
    package var received: Int
    /// Found to be missing in it, less those found before that came after all: may be negative.
    package var lost: Int
    package var duplicates: Int
    /// Part of `lost` that the server reported as left out.
    package var skipped: Int
    /// Delays of the packets received in it, ms; absent if there were none.
    package var p50: Double?
    package var p99: Double?
    package var max: Double?
    package var bytesReceived: Int
    package var errors: Int
    /// Processor time per time: 1 is one core.
    package var serverCPU: Double?
    package var serverResidentBytes: Int?
    package var harnessCPU: Double?

    /// Deliveries a second.
    package var rate: Double { seconds > 0 ? Double(received) / seconds : 0 }

    /// - Parameter delays: Delays of the packets received in it.
    package init(at: Double, seconds: Double, delays: borrowing Histogram) {
        self.at = at
        self.seconds = seconds
        (listeners, received, lost, duplicates, skipped, bytesReceived, errors) = (0, 0, 0, 0, 0, 0, 0)
        p50 = delays.percentile(0.5).map { Double($0) / 1000 }
        p99 = delays.percentile(0.99).map { Double($0) / 1000 }
        max = delays.max.map { Double($0) / 1000 }
    }

    private enum CodingKeys: String, CodingKey {
        case seconds, phase, listeners, received, lost, duplicates, skipped, errors, rate
        case at = "at_s"
        case p50 = "p50_ms"
        case p99 = "p99_ms"
        case max = "max_ms"
        case bytesReceived = "bytes_received"
        case serverCPU = "server_cpu"
        case serverResidentBytes = "server_rss_bytes"
        case harnessCPU = "harness_cpu"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        at = try container.decode(Double.self, forKey: .at)
        seconds = try container.decode(Double.self, forKey: .seconds)
        phase = try container.decodeIfPresent(String.self, forKey: .phase)
        listeners = try container.decode(Int.self, forKey: .listeners)
        received = try container.decode(Int.self, forKey: .received)
        lost = try container.decode(Int.self, forKey: .lost)
        duplicates = try container.decode(Int.self, forKey: .duplicates)
        skipped = try container.decode(Int.self, forKey: .skipped)
        p50 = try container.decodeIfPresent(Double.self, forKey: .p50)
        p99 = try container.decodeIfPresent(Double.self, forKey: .p99)
        max = try container.decodeIfPresent(Double.self, forKey: .max)
        bytesReceived = try container.decode(Int.self, forKey: .bytesReceived)
        errors = try container.decode(Int.self, forKey: .errors)
        serverCPU = try container.decodeIfPresent(Double.self, forKey: .serverCPU)
        serverResidentBytes = try container.decodeIfPresent(Int.self, forKey: .serverResidentBytes)
        harnessCPU = try container.decodeIfPresent(Double.self, forKey: .harnessCPU)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try container.encode(seconds, forKey: .seconds)
        try container.encodeIfPresent(phase, forKey: .phase)
        try container.encode(listeners, forKey: .listeners)
        try container.encode((rate * 1000).rounded() / 1000, forKey: .rate)
        try container.encode(received, forKey: .received)
        try container.encode(lost, forKey: .lost)
        try container.encode(duplicates, forKey: .duplicates)
        try container.encode(skipped, forKey: .skipped)
        try container.encodeIfPresent(p50, forKey: .p50)
        try container.encodeIfPresent(p99, forKey: .p99)
        try container.encodeIfPresent(max, forKey: .max)
        try container.encode(bytesReceived, forKey: .bytesReceived)
        try container.encode(errors, forKey: .errors)
        try container.encodeIfPresent(serverCPU, forKey: .serverCPU)
        try container.encodeIfPresent(serverResidentBytes, forKey: .serverResidentBytes)
        try container.encodeIfPresent(harnessCPU, forKey: .harnessCPU)
    }
}
