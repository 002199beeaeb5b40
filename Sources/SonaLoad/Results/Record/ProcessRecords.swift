/// The resources that the server used, from /proc; only where its process is known.
package struct ServerRecord: Codable, Sendable, Equatable {
    package var pid: Int?
    /// Processor time of all its threads during the measured part, seconds.
    package var cpuSeconds: Double
    /// Processor time per time: 1 is one core.
    package var cpu: Double?
    /// Processor time per delivery; absent if there were none.
    package var microsecondsPerDelivery: Double?
    /// The most that was resident.
    package var residentBytes: Int
    /// Resident before the first listener came.
    package var residentBytesBefore: Int?

    package init(cpuSeconds: Double, residentBytes: Int) {
        (self.cpuSeconds, self.residentBytes) = (cpuSeconds, residentBytes)
    }

    private enum CodingKeys: String, CodingKey {
        case pid, cpu
        case cpuSeconds = "cpu_s"
        case microsecondsPerDelivery = "us_per_delivery"
        case residentBytes = "rss_bytes"
        case residentBytesBefore = "rss_bytes_before"
    }
}

/// The resources that the harness itself used, and whether it was the bottleneck.
package struct HarnessRecord: Codable, Sendable, Equatable {
    /// A reason to doubt the figures, or to read them with care.
    package struct Warning: Codable, Sendable, Equatable {
        /// Stable: `harness.busy`.
        package var code: String
        /// A sentence for people.
        package var message: String

        package init(code: String, message: String) { (self.code, self.message) = (code, message) }
    }

    package var cpuSeconds: Double
    /// Processor time per time: 1 is one core.
    package var cpu: Double?
    /// Processor time per delivery; absent if there were none.
    package var microsecondsPerDelivery: Double?
    package var residentBytes: Int?
    /// How late its loop began due work.
    package var lag: Distribution?
    /// How late its hosts sent.
    package var sendLateness: Distribution?
    package var warnings: [Warning]

    package init(cpuSeconds: Double, warnings: [Warning] = []) {
        (self.cpuSeconds, self.warnings) = (cpuSeconds, warnings)
    }

    private enum CodingKeys: String, CodingKey {
        case cpu, warnings
        case cpuSeconds = "cpu_s"
        case microsecondsPerDelivery = "us_per_delivery"
        case residentBytes = "rss_bytes"
        case lag = "lag_ms"
        case sendLateness = "send_lateness_ms"
    }
}
