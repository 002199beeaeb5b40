extension Catalogue {
    /// Services to which what an account hears is sent.
    ///
    /// Source: Protocol/spec/scrobbling.md.
    static let scrobbling = Area(
        "scrobbling",
        requests: [ScrobbleList.self, ScrobbleAuthorize.self, ScrobbleConnect.self, ScrobbleDisconnect.self])
}

extension Limits {
    /// The feature that announces scrobbling.
    public static let scrobblingFeature = "scrobbling"
    /// Bytes of the address of a service, and of one that a person opens.
    public static let serviceAddressBytes = 1...500
    /// Bytes of a token of a service.
    public static let serviceTokenBytes = 1...200
    /// Bytes of a name at a service.
    public static let serviceNameBytes = 1...200
    /// Bytes of a word for how something went at a service.
    public static let serviceWordBytes = 1...32
    /// Services to which one account sends what it hears.
    public static let scrobbleConnectionsMax = 5
    /// Listens of one connection that wait. Beyond that the oldest are forgotten.
    public static let scrobblesWaitingMax = 10_000
    /// Days for which a listen waits for its service.
    public static let scrobbleDays = 30
    /// A track has to be longer than this to be sent, ms.
    public static let scrobbleTrackMilliseconds: Int64 = 30_000
}

// MARK: - Words

/// The kinds of services that this revision knows.
///
/// Source: Protocol/spec/scrobbling.md, "Connection".
public enum ScrobbleService: String, CaseIterable, Sendable {
    /// ListenBrainz, and whatever speaks as it does at another address.
    case listenbrainz
    /// Last.fm.
    case lastfm
}

/// Whether listens are sent.
public enum ScrobbleState: String, CaseIterable, Sendable {
    /// They are.
    case active
    /// The service no longer takes the token: they wait until the account connects anew.
    case refused
}

// MARK: - Objects

/// A service to which what the account hears is sent.
///
/// Source: Protocol/spec/scrobbling.md, "Connection".
public struct ScrobbleConnection: DeclaredObject, Hashable {
    public var id: Int64
    /// A word of an open list: see `ScrobbleService`.
    public var service: String
    /// The beginning of the addresses of the service; `nil` where the operator says it.
    public var address: String?
    /// The account's name at the service; `nil` if the service does not tell it.
    public var name: String?
    public var state: ScrobbleState
    /// Milliseconds since 1970, UTC.
    public var sinceMilliseconds: Int64
    /// Listens that wait, that were sent, and that the service would not have.
    public var waitingCount: Int
    public var sentCount: Int64
    public var refusedCount: Int64
    /// When listens were last sent, and when it is tried again after a failure.
    public var sentMilliseconds: Int64?
    public var nextMilliseconds: Int64?
    /// What went wrong last, a word of an open list, and when; `nil` once listens were sent again.
    public var error: String?
    public var errorMilliseconds: Int64?

    public init(
        id: Int64, service: String, address: String?, name: String?, state: ScrobbleState, sinceMilliseconds: Int64,
        waitingCount: Int = 0, sentCount: Int64 = 0, refusedCount: Int64 = 0, sentMilliseconds: Int64? = nil,
        nextMilliseconds: Int64? = nil, error: String? = nil, errorMilliseconds: Int64? = nil
    ) {
        self.id = id
        self.service = service
        self.address = address
        self.name = name
        self.state = state
        self.sinceMilliseconds = sinceMilliseconds
        self.waitingCount = waitingCount
        self.sentCount = sentCount
        self.refusedCount = refusedCount
        self.sentMilliseconds = sentMilliseconds
        self.nextMilliseconds = nextMilliseconds
        self.error = error
        self.errorMilliseconds = errorMilliseconds
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("service", \Self.service, .line(bytes: Limits.serviceWordBytes)),
        Member(nullable: "address", \Self.address, .line(bytes: Limits.serviceAddressBytes)),
        Member(nullable: "name", \Self.name, .line(bytes: Limits.serviceNameBytes)),
        Member("state", \Self.state, .word),
        Member("since_ms", \Self.sinceMilliseconds, .wallTime),
        Member("waiting", \Self.waitingCount, .count),
        Member("sent", \Self.sentCount, .count),
        Member("refused", \Self.refusedCount, .count),
        Member(nullable: "sent_ms", \Self.sentMilliseconds, .wallTime),
        Member(nullable: "next_ms", \Self.nextMilliseconds, .wallTime),
        Member(nullable: "error", \Self.error, .line(bytes: Limits.serviceWordBytes)),
        Member(nullable: "error_ms", \Self.errorMilliseconds, .wallTime),
        make: Self.init)
}

// MARK: - Requests

/// `scrobble.list`: the services of the account, and those that may be connected.
///
/// Source: Protocol/spec/scrobbling.md, "scrobble.list".
public struct ScrobbleList: FieldlessRequest {
    public typealias Response = ScrobbleConnections
    public static let type = "scrobble.list"
    public static let permission: Permission? = .libraryCollect

    public init() {}
}

/// The answer to `scrobble.list`.
public struct ScrobbleConnections: DeclaredObject, Hashable {
    /// Those connected first come first.
    public var connections: [ScrobbleConnection]
    /// Words of an open list: see `ScrobbleService`.
    public var services: [String]

    public init(connections: [ScrobbleConnection], services: [String]) {
        self.connections = connections
        self.services = services
    }

    public static let declaration = Declaration(
        Member("connections", \Self.connections, .objects(count: 0...Limits.scrobbleConnectionsMax)),
        Member("services", \Self.services, .lines(bytes: Limits.serviceWordBytes, count: 0...10)), make: Self.init)
}

/// `scrobble.authorize`: begins to connect a service that asks the person itself.
///
/// Source: Protocol/spec/scrobbling.md, "scrobble.authorize".
public struct ScrobbleAuthorize: DeclaredRequest {
    public typealias Response = ScrobbleAuthorization
    public static let type = "scrobble.authorize"
    public static let permission: Permission? = .libraryCollect

    public var service: ScrobbleService

    public init(service: ScrobbleService) { self.service = service }

    public static let declaration = Declaration(Member("service", \Self.service, .word), make: Self.init)
}

/// Where the person allows it, and what to connect with afterwards.
public struct ScrobbleAuthorization: DeclaredObject, Hashable {
    /// An address for the person to open.
    public var url: String
    public var token: String

    public init(url: String, token: String) {
        self.url = url
        self.token = token
    }

    public static let declaration = Declaration(
        Member("url", \Self.url, .line(bytes: 1...1_000)),
        Member("token", \Self.token, .line(bytes: Limits.serviceTokenBytes)), make: Self.init)
}

/// `scrobble.connect`: sends what the account hears from now on to a service.
///
/// Source: Protocol/spec/scrobbling.md, "scrobble.connect".
public struct ScrobbleConnect: DeclaredRequest {
    public typealias Response = ScrobbleConnected
    public static let type = "scrobble.connect"
    public static let permission: Permission? = .libraryCollect

    public var service: ScrobbleService
    /// The beginning of the addresses of the service, with its path; `nil`: the usual one.
    public var address: String?
    /// The account's token at the service, or that of `scrobble.authorize`.
    public var token: String

    public init(service: ScrobbleService, address: String? = nil, token: String) {
        self.service = service
        self.address = address
        self.token = token
    }

    public static let declaration = Declaration(
        Member("service", \Self.service, .word),
        Member(optional: "address", \Self.address, .line(bytes: Limits.serviceAddressBytes)),
        Member("token", \Self.token, .line(bytes: Limits.serviceTokenBytes)), make: Self.init)
}

/// The answer to `scrobble.connect`.
public struct ScrobbleConnected: DeclaredObject, Hashable {
    public var connection: ScrobbleConnection

    public init(connection: ScrobbleConnection) { self.connection = connection }

    public static let declaration = Declaration(Member("connection", \Self.connection, .object), make: Self.init)
}

/// `scrobble.disconnect`: sends nothing more to a service, and forgets what waits.
///
/// Source: Protocol/spec/scrobbling.md, "scrobble.disconnect".
public struct ScrobbleDisconnect: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "scrobble.disconnect"
    public static let permission: Permission? = .libraryCollect

    public var id: Int64

    public init(id: Int64) { self.id = id }

    public static let declaration = Declaration(Member("id", \Self.id, .number), make: Self.init)
}
