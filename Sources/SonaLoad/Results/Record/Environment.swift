/// The environment of a run. It must be the same for two runs to be compared.
package struct RunEnvironment: Codable, Sendable, Equatable {
    package struct Versions: Codable, Sendable, Equatable {
        /// Version of `sonaload`.
        package var harness: String
        /// Name and version of the server from its welcome: `name version`.
        package var server: String?

        package init(harness: String, server: String? = nil) { (self.harness, self.server) = (harness, server) }
    }

    /// The machine on which the harness ran; on loopback the server's too.
    package struct Machine: Codable, Sendable, Equatable {
        package var processor: String?
        package var cores: Int?
        package var memoryBytes: Int?
        /// `Linux 6.1.0-18-amd64`.
        package var kernel: String?
        /// `Debian GNU/Linux 12 (bookworm)`.
        package var system: String?
        /// Load average of the minute before the run.
        package var loadBefore: Double?

        package init() {}

        private enum CodingKeys: String, CodingKey {
            case processor, cores, kernel, system
            case memoryBytes = "memory_bytes"
            case loadBefore = "load_before"
        }
    }

    package var versions: Versions
    package var machine: Machine
    /// Kernel limits in force, by name: `nofile`, `net.core.somaxconn`, …
    package var limits: [String: String]

    package init(versions: Versions, machine: Machine = Machine(), limits: [String: String] = [:]) {
        (self.versions, self.machine, self.limits) = (versions, machine, limits)
    }
}
