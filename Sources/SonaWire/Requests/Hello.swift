/// `hello`: the first message of a connection.
///
/// Source: Protocol/spec/connection.md, "hello".
public struct Hello: WireRequest {
    public typealias Response = Welcome
    public static let type = "hello"

    /// How the client says who it is.
    public enum Auth: Equatable, Sendable {
        /// An access token, 1 to 8192 bytes.
        case token(String)
        /// Asks for a guest's identity.
        case guest
    }

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

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        client = try fields.object("client", as: Program.self)
        auth = try fields.objectIfPresent("auth", as: AuthObject.self)?.auth
        resume = try fields.objectIfPresent("resume", as: SessionResume.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("client", client)
            writer.member("auth", ifPresent: auth.map(AuthObject.init))
            writer.member("resume", ifPresent: resume)
        }
    }

    /// The object `{"token":…}` or `{"guest":true}`.
    private struct AuthObject: WireObject {
        var auth: Auth

        init(auth: Auth) { self.auth = auth }

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
    }
}

/// The answer to `hello`.
public struct Welcome: WireObject, Equatable {
    /// What this server accepts per connection.
    public struct ConnectionLimits: WireObject, Hashable {
        public var textBytes: Int
        public var binaryBytes: Int
        public var requestsPerSecond: Int

        public init(
            textBytes: Int = Limits.textBytesMax, binaryBytes: Int = Limits.binaryUpBytesMax,
            requestsPerSecond: Int = Limits.requestsPerSecond
        ) {
            self.textBytes = textBytes
            self.binaryBytes = binaryBytes
            self.requestsPerSecond = requestsPerSecond
        }

        public init(_ json: JSON) throws(WireError) {
            let fields = try Fields(json)
            textBytes = Int(try fields.integer("text_bytes", in: 1...Limits.integerMax))
            binaryBytes = Int(try fields.integer("binary_bytes", in: 1...Limits.integerMax))
            requestsPerSecond = Int(try fields.integer("requests_per_second", in: 1...Limits.integerMax))
        }

        public func encode(into writer: inout JSONWriter) {
            writer.object { writer in
                writer.member("text_bytes", textBytes)
                writer.member("binary_bytes", binaryBytes)
                writer.member("requests_per_second", requestsPerSecond)
            }
        }
    }

    /// The revision of the protocol: 1.
    public var protocolVersion: Int
    public var session: SessionID
    /// `nil` while the connection is anonymous.
    public var user: User?
    public var server: Program
    /// Names the boot and the clock that server times count on, 16 hexadecimal digits.
    public var clockID: UInt64
    /// Server time when the answer was written. Rough: probes tell better.
    public var serverMicroseconds: Int64
    /// Names of what this server can do beyond the first revision.
    public var features: [String]
    public var limits: ConnectionLimits
    /// For guests: the token to come back with as the same guest.
    public var accessToken: String?
    /// Seconds until `accessToken` expires.
    public var expiresInSeconds: Int?
    /// What `hello` goes on with this session by; `nil` from servers without the feature `resume`.
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        protocolVersion = Int(try fields.integer("protocol", in: 1...Limits.integerMax))
        session = try fields.parsed("session", "a session identifier", SessionID.init)
        user = try fields.objectIfPresent("user", as: User.self)
        server = try fields.object("server", as: Program.self)
        clockID = try fields.parsed("clock_id", "16 lower-case hexadecimal digits", Hexadecimal.parse)
        serverMicroseconds = try fields.integer("server_us", in: -Limits.integerMax...Limits.integerMax)
        features = try fields.strings("features", bytes: 1...Limits.typeBytesMax)
        limits = try fields.object("limits", as: ConnectionLimits.self)
        accessToken = try fields.stringIfPresent("access_token", bytes: Limits.tokenBytes)
        expiresInSeconds = try fields.integerIfPresent("expires_in_s", in: 0...Limits.integerMax).map { Int($0) }
        resumeToken = try fields.stringIfPresent("resume_token", bytes: Limits.resumeTokenBytes)
        resumeSeconds = try fields.integerIfPresent("resume_s", in: 0...Limits.integerMax).map { Int($0) }
        isResumed = try fields.boolIfPresent("resumed")
        stay = try fields.objectIfPresent("stay", as: ResumedStay.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("protocol", protocolVersion)
            writer.member("session", session.rawValue)
            writer.member("user", orNull: user)
            writer.member("server", server)
            writer.member("clock_id", Hexadecimal.text(clockID))
            writer.member("server_us", serverMicroseconds)
            writer.member("features", features)
            writer.member("limits", limits)
            writer.member("access_token", ifPresent: accessToken)
            writer.member("expires_in_s", ifPresent: expiresInSeconds)
            writer.member("resume_token", ifPresent: resumeToken)
            writer.member("resume_s", ifPresent: resumeSeconds)
            writer.member("resumed", ifPresent: isResumed)
            writer.member("stay", ifPresent: stay)
        }
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
