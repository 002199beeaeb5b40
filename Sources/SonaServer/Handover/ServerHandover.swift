internal import FoundationEssentials
internal import SonaCrypto
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// An event that was sent, as it is handed to another process.
struct KeptEvent: Codable, Sendable {
    var sequence: Int64
    /// The message.
    var text: String
    /// When it was sent, µs.
    var atMicroseconds: Int64

    init(sequence: Int64, text: [UInt8], atMicroseconds: Int64) {
        self.sequence = sequence
        self.text = String(decoding: text, as: UTF8.self)
        self.atMicroseconds = atMicroseconds
    }

    var frame: WebSocketFrame { WebSocketFrame(text: Array(text.utf8)) }
}

/// All that is live, as a server hands it to the process that takes over.
///
/// JSON, because the two may be of different versions: unknown members are passed over, and a room or session that the
/// successor cannot read is left out, so that its people come back as after a restart.
struct ServerHandover: Codable, Sendable {
    /// A change that an older or newer program would misunderstand gets another number.
    static let format = 1

    /// The key of resume tokens, in base64.
    var resumeKey: String
    /// The keys of TLS session tickets, in base64, and when they end.
    var ticketKeys: String?
    var ticketKeysEnd: Int64?
    /// How many connections each loop has numbered.
    var lastConnections: [UInt64]
    var sessions: [Readable<SessionHandover>]
    var rooms: [Readable<HomeHandover>]

    func encoded() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }

    init(decoding bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

    init(resumeKey: String, lastConnections: [UInt64], sessions: [SessionHandover], rooms: [HomeHandover]) {
        self.resumeKey = resumeKey
        self.lastConnections = lastConnections
        self.sessions = sessions.map { Readable(value: $0) }
        self.rooms = rooms.map { Readable(value: $0) }
    }
}

/// A value, or nothing where it was written in a form that is not understood.
struct Readable<Value: Codable & Sendable>: Codable, Sendable {
    var value: Value?

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value?.encode(to: encoder) }
}

/// A session that goes on with another process, when its client is back.
struct SessionHandover: Codable, Sendable {
    var number: UInt64
    var uid: UserID
    var username: Username?
    var isGuest: Bool
    var role: String
    var family: String?
    var authenticatedAt: Int64?
    var expiresAt: Int64?
    var address: String
    var limitedAddress: String?
    var room: RoomID?
    var savesData: Bool
    var sequence: Int64
    var events: [KeptEvent]
    var parting: KeptEvent?
    var device: PlayerDevice?
    /// When it ends, µs, if its client is away already.
    var due: Int64?

    /// - Returns: `nil` if it is nobody's.
    init?(_ session: Session) {
        guard let account = session.account else { return nil }
        number = session.number
        uid = account.uid
        username = account.username
        isGuest = account.isGuest
        role = account.role.rawValue
        family = account.family
        authenticatedAt = account.authenticatedAt
        expiresAt = account.expiresAt
        address = session.link.address
        limitedAddress = session.link.limitedAddress
        room = session.home?.id
        savesData = session.savesData
        let state = session.handedState
        sequence = state?.sequence ?? 0
        events = state?.events ?? []
        parting = state?.parting
        device = session.activeState?.playerDevice
        due = session.isAway ? session.core.away.due(of: session.number) : nil
    }

    var account: Accounts.Account {
        Accounts.Account(
            uid: uid, username: username, isGuest: isGuest, role: AccountRole(rawValue: role) ?? .user, family: family,
            authenticatedAt: authenticatedAt, expiresAt: expiresAt)
    }
}

/// A room at home, as it is handed over.
struct HomeHandover: Codable, Sendable {
    /// A packet that was sent.
    struct Packet: Codable, Sendable {
        /// AUDIO_DOWN, in base64.
        var message: String
        /// µs.
        var due: Int64
    }

    struct Heard: Codable, Sendable {
        var member: MemberID
        var tally: HeardTally
    }

    var room: RoomHandover
    var events: [KeptEvent]
    var packets: [Packet]
    var heard: [Heard]
    /// Tracks that were heard while no process had the data folder.
    var unwritten: [HeardTrack]
    /// The play of the queue's entry that the server sends, if it sends a track of it.
    var play: Int64?

    /// How long packets are handed over after their time, µs: more than a decoder's pre-roll.
    private static let pastMicroseconds: Int64 = 1_000_000

    init(_ home: RoomHome, now: Int64) {
        room = home.room.handover
        events = home.eventLog.handover
        packets = home.outlet.held(after: now - Self.pastMicroseconds).map { chunk in
            Packet(message: Base64.encode(AudioDown.encode(chunk.header, packet: chunk.packet)), due: chunk.due)
        }
        heard = home.heard?.tallies.map { Heard(member: $0.key, tally: $0.value) } ?? []
        unwritten = home.unwritten
        play = home.autoplay?.current.flatMap { $0.isJingle ? nil : $0.play }
    }

    /// The packets; none if one of them cannot be read.
    var chunks: [AudioChunk] {
        var chunks: [AudioChunk] = []
        for packet in packets {
            guard let bytes = Base64.decode(packet.message.utf8),
                let (header, place) = bytes.withUnsafeBytes({ try? AudioDown.decode($0) })
            else { return [] }
            chunks.append(AudioChunk(header: header, packet: Array(bytes[place]), due: packet.due))
        }
        return chunks
    }
}
