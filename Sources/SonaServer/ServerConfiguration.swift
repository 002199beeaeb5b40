package import SonaCrypto

/// How one server runs. Every field has a default that suits a first try on one's own machine.
package struct ServerConfiguration: Sendable {
    /// Where the database, the keys and later the uploads live. Made if it is not there.
    package var dataFolder: String
    /// Host and port of each listening socket; port 0 takes a free one.
    package var addresses: [(host: String, port: Int)] = [("127.0.0.1", 8337)]
    /// Addresses without per-address limits.
    package var exempt: Set<String> = []
    /// Whether `/v1/echo` is there: for conformance suites.
    package var hasEcho = false
    /// Whether a room plays from the start.
    package var hasDemo = false
    /// Connections an address may hold (DESIGN: 512).
    package var connectionsPerAddressMax = 512
    /// Seconds a draining server waits for its connections to close.
    package var drainSecondsMax = 10
    package var passwordCost = PasswordHash.Cost.standard
    /// Told what whoever runs the server should know. On any thread; must not wait.
    package var notice: (@Sendable (ServerNotice) -> Void)?

    package init(dataFolder: String) {
        self.dataFolder = dataFolder
    }
}

/// Something that happens while the server runs and that a person should know of.
package enum ServerNotice: Sendable {
    /// One sentence for the log.
    case line(String)
    /// The same, and the server can't go on: what it is asked to keep can't be kept until it is started again.
    case mustEnd(String)
}

/// The server's own name, as clients and `/metrics` see it.
package enum ServerVersion {
    package static let name = "sona"
    package static let number = "0.1.0"
}
