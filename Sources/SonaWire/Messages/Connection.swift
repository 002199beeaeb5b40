extension Catalogue {
    /// Opening a connection, and what a server is.
    ///
    /// Source: Protocol/spec/connection.md.
    static let connection = Area(
        "connection",
        requests: [Hello.self, ServerInfo.self],
        events: [ServerDraining.self, ServerChanged.self])
}

extension Limits {
    /// Default. Bytes of one text message from a client.
    public static let textBytesMax = 65_536
    /// Default. Bytes of one binary message from a client.
    public static let binaryUpBytesMax = 16_384
    /// Bytes of one binary message from the server; a bundle is split before it would grow past this.
    public static let binaryDownBytesMax = 65_536
    /// Default. Requests per second and connection.
    public static let requestsPerSecond = 60
    /// Default. Requests per second and network address, over all its connections.
    public static let requestsPerSecondAndAddress = 1000
    /// Requests of a connection that may wait for earlier ones. One more is `server.busy`.
    public static let requestsWaitingMax = 128
    /// Bytes of those waiting requests together.
    public static let requestsWaitingBytesMax = 1_048_576
    /// Malformed messages within `malformedWindowSeconds`. The last of them closes the connection with 4400.
    public static let malformedMessagesMax = 20
    /// Seconds in which malformed messages are counted together.
    public static let malformedWindowSeconds = 60
    /// Seconds from the WebSocket handshake to `hello`.
    public static let helloSecondsMax = 10
    /// Seconds between two pings of the server.
    public static let pingIntervalSeconds = 15
    /// Seconds without a pong after which the server closes with 4408.
    public static let pongSecondsMax = 40
    /// Seconds a listener may lag in reading audio before it is closed with 4408.
    public static let listenerLagSecondsMax = 5
    /// Bytes of a program's name, and of its version.
    public static let programTextBytes = 1...64
    /// Bytes of the name that an operator gives a server.
    public static let serverTitleBytes = 1...64
    /// Bytes of the path of a server's logo.
    public static let logoPathBytes = 1...200
    /// Bytes of an operator's message to everybody.
    public static let bannerBytes = 1...500
    /// Bytes of the words by which an operator can be reached.
    public static let contactBytes = 1...200
}

// MARK: - Objects

/// A program that speaks the protocol: the client in `hello`, the server in the welcome.
///
/// Source: Protocol/spec/connection.md, "hello".
public struct Program: DeclaredObject, Hashable {
    /// One line of 1 to 64 bytes, like the version.
    public var name: String
    /// One line of 1 to 64 bytes, for people and logs.
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.programTextBytes)),
        Member("version", \Self.version, .line(bytes: Limits.programTextBytes)),
        make: Self.init)
}

// MARK: - Requests

/// `hello`: the first message of a connection.
///
/// Source: Protocol/spec/connection.md, "hello".
public struct Hello: DeclaredRequest {
    public typealias Response = Welcome
    public static let type = "hello"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// How the client says who it is.
    public enum Auth: Equatable, Sendable {
        /// An access token, 1 to 8192 bytes.
        case token(String)
        /// Asks for a guest's identity.
        case guest
    }

    /// The client's program.
    public var client: Program
    /// Absent: the connection is anonymous and may only call `auth.*` and `username.check`.
    public var auth: Auth?
    /// Asks to go on with a session whose connection was lost.
    public var resume: SessionResume?

    public init(client: Program, auth: Auth?, resume: SessionResume? = nil) {
        self.client = client
        self.auth = auth
        self.resume = resume
    }

    public static let declaration = Declaration(
        Member("client", \Self.client, .object),
        Member(optional: "auth", \Self.auth, .auth),
        Member(optional: "resume", \Self.resume, .object),
        make: Self.init)
}

/// The answer to `hello`.
public struct Welcome: DeclaredObject, Equatable {
    /// What this server accepts per connection.
    public struct ConnectionLimits: DeclaredObject, Hashable {
        /// Bytes of one text message from the client, at most.
        public var textBytes: Int
        /// Bytes of one binary message from the client, at most.
        public var binaryBytes: Int
        /// Requests of one connection per second, at most.
        public var requestsPerSecond: Int

        public init(
            textBytes: Int = Limits.textBytesMax, binaryBytes: Int = Limits.binaryUpBytesMax,
            requestsPerSecond: Int = Limits.requestsPerSecond
        ) {
            self.textBytes = textBytes
            self.binaryBytes = binaryBytes
            self.requestsPerSecond = requestsPerSecond
        }

        public static let declaration = Declaration(
            Member("text_bytes", \Self.textBytes, .number),
            Member("binary_bytes", \Self.binaryBytes, .number),
            Member("requests_per_second", \Self.requestsPerSecond, .number),
            make: Self.init)
    }

    /// The revision of the protocol: 1.
    public var protocolVersion: Int
    /// The session this connection carries.
    public var session: SessionID
    /// `nil` while the connection is anonymous.
    public var user: User?
    /// The server's program.
    public var server: Program
    /// Names the boot and the clock that server times count on, 16 hexadecimal digits.
    public var clockID: UInt64
    /// Server time when the answer was written. Rough: probes tell better.
    public var serverMicroseconds: Int64
    /// Names of what this server can do beyond the first revision.
    public var features: [String]
    /// What the server accepts on this connection.
    public var limits: ConnectionLimits
    /// For guests: the token to come back with as the same guest.
    public var accessToken: String?
    /// Seconds until `accessToken` expires.
    public var expiresInSeconds: Int?
    /// The token by which a later `hello` resumes this session. `nil` from servers without the feature `resume`.
    public var resumeToken: String?
    /// Seconds for which the session of a lost connection is kept.
    public var resumeSeconds: Int?
    /// Whether the connection goes on with the session that was asked for; `nil` if none was.
    public var isResumed: Bool?
    /// The room that a resumed session is still in.
    public var stay: ResumedStay?

    public init(
        protocolVersion: Int = Limits.protocolVersion, session: SessionID, user: User?, server: Program,
        clockID: UInt64, serverMicroseconds: Int64, features: [String] = [],
        limits: ConnectionLimits = ConnectionLimits(), accessToken: String? = nil, expiresInSeconds: Int? = nil,
        resumeToken: String? = nil, resumeSeconds: Int? = nil, isResumed: Bool? = nil, stay: ResumedStay? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.session = session
        self.user = user
        self.server = server
        self.clockID = clockID
        self.serverMicroseconds = serverMicroseconds
        self.features = features
        self.limits = limits
        self.accessToken = accessToken
        self.expiresInSeconds = expiresInSeconds
        self.resumeToken = resumeToken
        self.resumeSeconds = resumeSeconds
        self.isResumed = isResumed
        self.stay = stay
    }

    public static let declaration = Declaration(
        Member("protocol", \Self.protocolVersion, .number),
        Member("session", \Self.session, .sessionID),
        Member(nullable: "user", \Self.user, .object),
        Member("server", \Self.server, .object),
        Member("clock_id", \Self.clockID, .clockID),
        Member("server_us", \Self.serverMicroseconds, .serverTime),
        Member("features", \Self.features, .texts(bytes: 1...Limits.typeBytesMax)),
        Member("limits", \Self.limits, .object),
        Member(optional: "access_token", \Self.accessToken, .accessToken),
        Member(optional: "expires_in_s", \Self.expiresInSeconds, .expiry),
        Member(optional: "resume_token", \Self.resumeToken, .resumeToken),
        Member(optional: "resume_s", \Self.resumeSeconds, .count),
        Member(optional: "resumed", \Self.isResumed, .flag),
        Member(optional: "stay", \Self.stay, .object),
        make: Self.init)
}

/// `server.info`: what a server is. Anybody may ask, also before `hello` over HTTP.
///
/// Source: Protocol/spec/connection.md, "server.info".
public struct ServerInfo: FieldlessRequest {
    public typealias Response = ServerDescription
    public static let type = "server.info"

    public init() {}
}

/// The answer to `server.info`.
public struct ServerDescription: DeclaredObject, Equatable {
    /// The name of the server's program, one line of 1 to 64 bytes.
    public var name: String
    /// The version of its program, one line of 1 to 64 bytes.
    public var version: String
    /// The page with its terms and its privacy notice; `nil` if the operator names none.
    public var policyURL: String?
    /// A page for wishes and problems; `nil` if the operator names none.
    public var feedbackURL: String?
    /// A page where people can say that they like the server or its program; `nil` if the operator names none.
    public var starsURL: String?
    /// Names of what the server does beyond the first revision of the protocol, as in the welcome.
    public var features: [String]
    /// What its operator says of it.
    public var profile: ServerProfile

    public init(
        name: String, version: String, policyURL: String?, feedbackURL: String? = nil, starsURL: String? = nil,
        features: [String], profile: ServerProfile
    ) {
        self.name = name
        self.version = version
        self.policyURL = policyURL
        self.feedbackURL = feedbackURL
        self.starsURL = starsURL
        self.features = features
        self.profile = profile
    }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.programTextBytes)),
        Member("version", \Self.version, .line(bytes: Limits.programTextBytes)),
        Member(nullable: "policy_url", \Self.policyURL, .linkURL),
        Member(nullable: "feedback_url", \Self.feedbackURL, .linkURL, isRequired: false),
        Member(nullable: "stars_url", \Self.starsURL, .linkURL, isRequired: false),
        Member("features", \Self.features, .texts(bytes: 1...Limits.typeBytesMax)),
        Member(
            "title", \Self.profile.title, .line(bytes: Limits.serverTitleBytes), default: ServerProfile.standardTitle),
        Member(nullable: "logo", \Self.profile.logo, .line(bytes: Limits.logoPathBytes), isRequired: false),
        Member(nullable: "banner", \Self.profile.banner, .line(bytes: Limits.bannerBytes), isRequired: false),
        Member(nullable: "contact", \Self.profile.contact, .line(bytes: Limits.contactBytes), isRequired: false),
        Member("registration", \Self.profile.registration, .registration, default: .open),
        Member("guests", \Self.profile.takesGuests, .flag, default: true),
        Member("terms_required", \Self.profile.requiresTerms, .flag, default: false),
        Member("mail", \Self.profile.sendsMail, .flag, default: true),
        Member("maintenance", \Self.profile.isInMaintenance, .flag, default: false)
    ) {
        name, version, policy, feedback, stars, features, title, logo, banner, contact, registration, guests, terms,
        mail, maintenance in
        ServerDescription(
            name: name, version: version, policyURL: policy, feedbackURL: feedback, starsURL: stars,
            features: features,
            profile: ServerProfile(
                title: title, logo: logo, banner: banner, contact: contact, registration: registration,
                takesGuests: guests, requiresTerms: terms, sendsMail: mail, isInMaintenance: maintenance))
    }
}

/// The rule for new accounts.
///
/// Source: Protocol/spec/connection.md, "server.info".
public enum Registration: Hashable, Sendable {
    /// Everybody.
    case open
    /// Whoever has an invite of an administrator.
    case invite
    /// Everybody, once an administrator has approved the account.
    case approval
    /// Nobody, but for the operator.
    case closed
    /// A way that a later revision knows; clients treat it like `open` and show what the server answers.
    case other(String)

    public init(_ word: String) {
        self =
            switch word {
            case "open": .open
            case "invite": .invite
            case "approval": .approval
            case "closed": .closed
            default: .other(word)
            }
    }

    /// The word as it stands in a message.
    public var word: String {
        switch self {
        case .open: "open"
        case .invite: "invite"
        case .approval: "approval"
        case .closed: "closed"
        case .other(let word): word
        }
    }
}

/// What the operator says of a server, and how it is run. An earlier server says nothing, which is the default.
///
/// Source: Protocol/spec/connection.md, "server.info".
public struct ServerProfile: Hashable, Sendable {
    public static let standardTitle = "Sona"

    /// What the operator calls the server, one line of 1 to 64 bytes.
    public var title = ServerProfile.standardTitle
    /// The path of a picture for the place beside the title, on this server: one line of 1 to 200 bytes.
    public var logo: String?
    /// A message to everybody, one line of 1 to 500 bytes.
    public var banner: String?
    /// How the operator can be reached, one line of 1 to 200 bytes.
    public var contact: String?
    public var registration = Registration.open
    /// Whether people may come without an account.
    public var takesGuests = true
    /// Whether `auth.sign_up` wants `accepts_terms`.
    public var requiresTerms = false
    /// Whether the server sends mail.
    public var sendsMail = true
    /// Whether the server answers administrators only.
    public var isInMaintenance = false

    public init() {}

    public init(
        title: String, logo: String?, banner: String?, contact: String?, registration: Registration,
        takesGuests: Bool, requiresTerms: Bool, sendsMail: Bool, isInMaintenance: Bool
    ) {
        self.title = title
        self.logo = logo
        self.banner = banner
        self.contact = contact
        self.registration = registration
        self.takesGuests = takesGuests
        self.requiresTerms = requiresTerms
        self.sendsMail = sendsMail
        self.isInMaintenance = isInMaintenance
    }
}

extension Form where Value == Registration {
    /// A word of an open list.
    static var registration: Form {
        let line = Form<String>.line(bytes: 1...Limits.typeBytesMax)
        return Form(
            line.schema,
            read: { fields, key throws(WireError) in try line.read(fields, key).map { Registration($0) } },
            write: { line.write($0.word, &$1) })
    }
}

// MARK: - Events

/// `server.changed`: the operator has changed what `server.info` says. To every connection.
///
/// Source: Protocol/spec/connection.md, "server.changed".
public struct ServerChanged: DeclaredEvent {
    public static let type = "server.changed"
    public static let scope = EventScope.personal

    public var server: ServerDescription

    public init(server: ServerDescription) { self.server = server }

    public static let declaration = Declaration(
        Member("server", \Self.server, .object), make: Self.init)
}

/// `server.draining`: the server is about to stop; come back after a while. To every connection.
///
/// Source: Protocol/spec/connection.md, "server.draining".
public struct ServerDraining: DeclaredEvent {
    public static let type = "server.draining"
    public static let scope = EventScope.personal

    /// How long to wait before connecting again, counted from the close.
    public var reconnectInMilliseconds: Int

    public init(reconnectInMilliseconds: Int) { self.reconnectInMilliseconds = reconnectInMilliseconds }

    public static let declaration = Declaration(
        Member("reconnect_in_ms", \Self.reconnectInMilliseconds, .count),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == Hello.Auth {
    /// The object `{"token":…}` or `{"guest":true}`.
    fileprivate static var auth: Form {
        let object = Form<AuthObject>.object
        return Form(
            AuthObject.schema,
            read: { fields, key throws(WireError) in try object.read(fields, key)?.auth },
            write: { AuthObject(auth: $0).encode(into: &$1) })
    }
}

private struct AuthObject: WireObject {
    var auth: Hello.Auth

    init(auth: Hello.Auth) { self.auth = auth }

    init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        let token = try fields.stringIfPresent("token", bytes: Limits.tokenBytes)
        let guest = try fields.boolIfPresent("guest") ?? false
        switch (token, guest) {
        case (let token?, false): auth = .token(token)
        case (nil, true): auth = .guest
        default: throw WireError(.requestInvalid, "auth holds either a token or guest: true.", field: "")
        }
    }

    func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            switch auth {
            case .token(let token): writer.member("token", token)
            case .guest: writer.member("guest", true)
            }
        }
    }

    static let schema = Schema(["type": "object"]).adding(
        .oneOf([
            .object([
                .init("token", Form.accessToken.schema, isRequired: true),
                .init("guest", Schema(["enum": [false, .null]]), isRequired: false),
            ]),
            .object([
                .init("token", .null, isRequired: false), .init("guest", Schema(["const": true]), isRequired: true),
            ]),
        ]))
}

extension Form where Value == UInt64 {
    fileprivate static var clockID: Form {
        .parsed(
            .ascii(16...16, without: "[^0-9a-f]"), "16 lower-case hexadecimal digits", Hexadecimal.parse,
            text: Hexadecimal.text)
    }
}

/// A clock's identifier as 16 lower-case hexadecimal digits.
enum Hexadecimal {
    static func text(_ value: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * place)) & 15
                text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
    }

    static func parse(_ text: String) -> UInt64? {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else {
            return nil
        }
        return UInt64(text, radix: 16)
    }
}
