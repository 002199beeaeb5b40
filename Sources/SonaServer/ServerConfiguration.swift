package import SonaCrypto
package import SonaEventLoop
package import SonaTransfer
internal import SonaWire

/// The configuration of one server. Every field has a default that suits a first try on one's own machine.
package struct ServerConfiguration: Sendable {
    /// The folder of the database, the keys and later the uploads. Made if it does not exist.
    package var dataFolder: String
    /// Whether missing keys are made anew although the folder has a database.
    package var makesLostKeys = false
    /// Host and port of each listening socket; port 0 takes a free one.
    package var addresses: [(host: String, port: Int)] = [("127.0.0.1", 8337)]
    /// Certificate and key; if set, the addresses speak TLS.
    package var identity: TLSIdentity?
    /// Reverse proxies that are trusted to name their clients' addresses.
    package var trustedProxies: [AddressRange] = []
    /// Origins (`https://host[:port]`), besides the server's own, whose pages may send requests to it.
    package var allowedOrigins: Set<String> = []
    /// Names that a `Host` header may have, besides those that nobody else can own; `*` for any.
    package var allowedHosts: Set<String> = []
    /// Address of `/metrics`, besides the operator's socket.
    package var metricsAddress: (host: String, port: Int)?
    /// Addresses without per-address limits.
    package var exempt: Set<String> = []
    /// Factor by which the ordinary budgets of each account are multiplied (deploy/limits.md).
    package var budgetFactor = 1
    /// Whether `/v1/echo` exists, for conformance suites.
    package var hasEcho = false
    /// Whether a demo room plays from the start.
    package var hasDemo = false
    /// Most connections of one address (DESIGN: 512).
    package var connectionsPerAddressMax = 512
    /// Seconds for which the session of a lost connection is kept; 0 keeps none.
    package var resumeSeconds = Limits.resumeSeconds
    /// Threads that serve sockets.
    package var loopCount = 1
    /// Seconds a draining server waits for its connections to close.
    package var drainSecondsMax = 10
    /// Seconds it waits after that for writes under way, and as many again for the database to close.
    package var writingSecondsMax = 10
    package var passwordCost = PasswordHash.Cost.standard
    /// The address at which people reach this server, without a slash at the end. Links in mails begin with it.
    package var publicAddress: String?
    /// The page with the terms and the privacy notice of this server, `http://` or `https://`.
    package var policyAddress: String?
    /// How mail is sent; `nil`: no mail is sent, and the operator hands out links.
    package var mail: MailConfiguration?
    /// The Firebase project whose ID tokens sign people in; `nil` for none.
    package var firebase: FirebaseConfiguration?
    /// The program that reads photos, each in its own process, as `sona worker picture`; `nil`: no photos are accepted.
    package var workerProgram: String?
    /// A folder to serve the web player from, in place of the one in the program: for developers of the player.
    package var siteFolder: String?
    /// Receives what the operator should know. On any thread; must not wait.
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
        /// The absolute path of a program that takes a message like sendmail.
        case command(path: String)
    }

    package var way: Way
    package var from: String

    package init(_ way: Way, from: String) {
        self.way = way
        self.from = from
    }
}

/// The Firebase project whose users may sign in.
package struct FirebaseConfiguration: Sendable {
    package var project: String
    /// A path, or an address that begins with `http`; `nil` for Google's.
    package var keys: String?

    package init(project: String, keys: String? = nil) {
        self.project = project
        self.keys = keys
    }
}

/// An event of the running server that the operator should know.
package enum ServerNotice: Sendable {
    /// One or two sentences for the log.
    case line(String)
    /// Sentences for the log. The server must end, because it can store nothing until it is started again.
    case mustEnd(String)
}

/// The server's own name, as clients and `/metrics` see it.
package enum ServerVersion {
    package static let name = "sona"
    package static let number = "0.1.0"
    /// Names of the server's features beyond the first revision of the protocol.
    ///
    /// Source: Protocol/spec/connection.md, "hello".
    static let features = [
        "people", Limits.directoryFeature, Limits.membershipFeature, Limits.chatFeature, Limits.historyFeature,
        Limits.queueFeature, Limits.resumeFeature, Limits.meterFeature,
    ]
}
