package import SonaCrypto
package import SonaEventLoop
package import SonaTransfer
internal import SonaWire

/// How one server runs. Every field has a default that suits a first try on one's own machine.
package struct ServerConfiguration: Sendable {
    /// Where the database, the keys and later the uploads live. Made if it is not there.
    package var dataFolder: String
    /// Whether keys that are gone from it, though there is a database, are made anew.
    package var makesLostKeys = false
    /// Host and port of each listening socket; port 0 takes a free one.
    package var addresses: [(host: String, port: Int)] = [("127.0.0.1", 8337)]
    /// With it the addresses speak TLS.
    package var identity: TLSIdentity?
    /// Reverse proxies, whose word is taken for who a client is.
    package var trustedProxies: [AddressRange] = []
    /// Origins (`https://host[:port]`) whose pages may ask this server besides its own.
    package var allowedOrigins: Set<String> = []
    /// Names that a `Host` header may have besides those that nobody else can own; `*` for any.
    package var allowedHosts: Set<String> = []
    /// Where `/metrics` is served besides the operator's socket.
    package var metricsAddress: (host: String, port: Int)?
    /// Addresses without per-address limits.
    package var exempt: Set<String> = []
    /// How many times the ordinary budgets each account has (deploy/limits.md).
    package var budgetFactor = 1
    /// Whether `/v1/echo` is there: for conformance suites.
    package var hasEcho = false
    /// Whether a room plays from the start.
    package var hasDemo = false
    /// Connections an address may hold (DESIGN: 512).
    package var connectionsPerAddressMax = 512
    /// Seconds the session of a lost connection is kept; 0 keeps none.
    package var resumeSeconds = Limits.resumeSeconds
    /// Threads that serve sockets.
    package var loopCount = 1
    /// Seconds a draining server waits for its connections to close.
    package var drainSecondsMax = 10
    /// Seconds it waits after that for what is being written; and as many for the database to close.
    package var writingSecondsMax = 10
    package var passwordCost = PasswordHash.Cost.standard
    /// Where people reach this server, without a slash at the end: what links in mails begin with.
    package var publicAddress: String?
    /// The page with the terms and the privacy notice of this server, `http://` or `https://`.
    package var policyAddress: String?
    /// How mail leaves; `nil` where it does not, and the operator hands out links.
    package var mail: MailConfiguration?
    /// Whose ID tokens sign people in; `nil` for nobody's.
    package var firebase: FirebaseConfiguration?
    /// The program that reads photos, each in a process of its own, as `sona worker picture`; `nil` where none are taken.
    package var workerProgram: String?
    /// A folder to serve the web player from, in place of the one in the program: for who works on it.
    package var siteFolder: String?
    /// Told what whoever runs the server should know. On any thread; must not wait.
    package var notice: (@Sendable (ServerNotice) -> Void)?

    package init(dataFolder: String) {
        self.dataFolder = dataFolder
    }
}

/// How mail leaves the server.
package struct MailConfiguration: Sendable {
    package enum Way: Sendable {
        /// `smtp://host:port` or `smtps://host:port`.
        case smtp(url: String, user: String?, password: String, startTLS: SMTPServer.StartTLS)
        /// A program that takes a message like sendmail: its absolute path.
        case command(path: String)
    }

    package var way: Way
    package var from: String

    package init(_ way: Way, from: String) {
        self.way = way
        self.from = from
    }
}

/// Which Firebase project's users may sign in.
package struct FirebaseConfiguration: Sendable {
    package var project: String
    /// A path, or an address that begins with `http`; `nil` for Google's.
    package var keys: String?

    package init(project: String, keys: String? = nil) {
        self.project = project
        self.keys = keys
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
    /// Names of what the server does beyond the first revision of the protocol.
    ///
    /// Source: Protocol/spec/connection.md, "hello".
    static let features = [
        "people", Limits.directoryFeature, Limits.membershipFeature, Limits.chatFeature, Limits.historyFeature,
        Limits.queueFeature, Limits.resumeFeature, Limits.meterFeature,
    ]
}
