extension Catalogue {
    /// The host seat and what its holder sends.
    ///
    /// Source: Protocol/spec/hosting.md.
    static let hosting = Area(
        "hosting",
        requests: [
            HostStart.self, HostPause.self, HostTrack.self, HostStop.self, HostReject.self, HostRequest.self,
            HostOffer.self, HostTakeBack.self,
        ],
        events: [HostChanged.self, HostCommand.self, HostRequested.self, HostOffered.self, HostLostSeat.self])
}

extension Limits {
    /// Seconds a lost host's seat is kept for it.
    public static let hostSeatSeconds = 60
    /// Seconds a host has to answer a command.
    public static let hostCommandSeconds = 5
    /// How far ahead of the lead a host may be before it is held back.
    public static let hostAheadMicrosecondsMax: Int64 = 2_000_000
    /// A packet from the host that sounds earlier than this after its arrival is late.
    public static let hostLateMicroseconds: Int64 = 20_000
    /// How much longer or shorter the server may have the samples of a live host last, millionths.
    public static let liveStretchPPMMax = 200
    /// Time by which a live epoch that none precedes begins later than a file's: a packet is captured before it is
    /// sent.
    public static let liveHeadstartMicroseconds: Int64 = 250_000
    /// Time for which late live packets are left out. If packets are still late after it, the timeline moves.
    public static let liveLateMicroseconds: Int64 = 300_000
    /// Time beyond the lead by which a live host's first packets may arrive early.
    public static let liveEarlyMicrosecondsMax: Int64 = 1_000_000
    /// Time by which live packets may come to arrive earlier than at their latest. Beyond it, the excess is left out.
    public static let liveAheadMicrosecondsMax: Int64 = 250_000
    /// How long a room plays on after a live packet marked SILENCE that nothing follows.
    public static let liveSilenceMicroseconds: Int64 = 5_000_000
    /// How far from server time the anchor of a host's POSITION may lie.
    public static let hostAnchorMicrosecondsMax: Int64 = 10_000_000
    /// A reported position this far from the predicted one is news.
    public static let positionNewsMicroseconds: Int64 = 30_000
    /// Seconds an offer of the host seat is good for.
    public static let hostOfferSeconds = 60
    /// Seconds between two `host.requested` about one person; what they ask in between is not told.
    public static let hostRequestSeconds = 10
}

// MARK: - Objects

/// The stream a host is going to send, without the members the server decides.
///
/// Source: Protocol/spec/hosting.md, "host.start".
public struct StreamOffer: DeclaredObject, Hashable {
    /// How the host's packets will be encoded.
    public var codec: Codec
    /// 1 or 2.
    public var channels: Int
    /// Samples at 48 kHz, 0 to 65 535, as in the head of an Ogg Opus file (RFC 7845, section 5.1).
    public var preSkip: Int
    /// As in `StreamInfo`.
    public var gain: Int?

    public init(codec: Codec = .opus, channels: Int, preSkip: Int, gain: Int? = nil) {
        self.codec = codec
        self.channels = channels
        self.preSkip = preSkip
        self.gain = gain
    }

    public static let declaration = Declaration(
        Member("codec", \Self.codec, .word),
        Member("channels", \Self.channels, .channels),
        Member("pre_skip", \Self.preSkip, .integer(0...65_535)),
        Member(optional: "gain", \Self.gain, .gain),
        make: Self.init)
}

// MARK: - Requests

/// `host.request`: asks for the host seat of the room the connection is in.
///
/// Source: Protocol/spec/hosting.md, "host.request".
public struct HostRequest: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "host.request"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true
    public static let permission: Permission? = .roomsControl

    public init() {}
}

/// `host.offer`: offers the host seat to somebody in the room for 60 s.
///
/// Source: Protocol/spec/hosting.md, "host.offer".
public struct HostOffer: UserRequest {
    public typealias Response = Empty
    public static let type = "host.offer"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true
    public static let permission: Permission? = .roomsControl

    /// The person in the room who is to get the seat.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `host.take_back`: makes the host seat vacant. If it is, nothing happens.
///
/// Source: Protocol/spec/hosting.md, "host.take_back".
public struct HostTakeBack: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "host.take_back"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true
    public static let permission: Permission? = .roomsControl

    public init() {}
}

/// Whose clock the host's audio follows.
public enum Pacing: String, CaseIterable, Sendable {
    /// The host follows the server's clock: files.
    case server
    /// The host follows a clock of its own, which the server tracks: sound cards.
    case live
}

/// `host.start`: takes the host seat and begins an epoch.
///
/// Source: Protocol/spec/hosting.md, "host.start".
public struct HostStart: DeclaredRequest {
    public typealias Response = HostStarted
    public static let type = "host.start"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// `nil` for a room that is followed by position only.
    public var stream: StreamOffer?
    /// Whether the audio comes from a file or is captured live.
    public var pacing: Pacing
    /// What will be playing. `nil`: the host names nothing.
    public var track: Track?
    /// Place in the track of the first audible sample, microseconds.
    public var positionMicroseconds: Int64
    /// Whether the listeners' decoders go on from the epoch before.
    public var continues: Bool
    /// The `host.command` that this carries out. `nil` if the host begins by itself.
    public var command: Int64?
    /// Whether the host plays what the room's queue says, and tells the queue what it plays.
    public var followsQueue: Bool

    public init(
        stream: StreamOffer?, pacing: Pacing, track: Track? = nil, positionMicroseconds: Int64 = 0,
        continues: Bool = false, command: Int64? = nil, followsQueue: Bool = false
    ) {
        self.stream = stream
        self.pacing = pacing
        self.track = track
        self.positionMicroseconds = positionMicroseconds
        self.continues = continues
        self.command = command
        self.followsQueue = followsQueue
    }

    public static let declaration = Declaration(
        Member(nullable: "stream", \Self.stream, .object, isRequired: false),
        Member("pacing", \Self.pacing, .word),
        Member(optional: "track", \Self.track, .object),
        Member("position_us", \Self.positionMicroseconds, .position, default: 0),
        Member("continues", \Self.continues, .flag, default: false),
        Member(optional: "command", \Self.command, .command),
        Member("follows_queue", \Self.followsQueue, .flag, default: false),
        make: Self.init)
}

/// The answer to `host.start`.
public struct HostStarted: DeclaredObject, Equatable {
    /// The number the host's audio frames must carry.
    public var epoch: UInt16
    /// Server time at which the first audible sample will sound.
    public var startMicroseconds: Int64
    /// How long before its sounding a packet should arrive.
    public var leadMicroseconds: Int64
    /// Where the room is in its track now.
    public var playback: Playback
    /// Changes of the playback that are decided but lie ahead of now, the nearest first.
    public var upcoming: [Playback]

    public init(
        epoch: UInt16, startMicroseconds: Int64, leadMicroseconds: Int64, playback: Playback, upcoming: [Playback]
    ) {
        self.epoch = epoch
        self.startMicroseconds = startMicroseconds
        self.leadMicroseconds = leadMicroseconds
        self.playback = playback
        self.upcoming = upcoming
    }

    public static let declaration = Declaration(
        Member("epoch", \Self.epoch, .epoch),
        Member("start_us", \Self.startMicroseconds, .serverTime),
        Member("lead_us", \Self.leadMicroseconds, .count),
        Member("playback", \Self.playback, .object),
        Member("upcoming", \Self.upcoming, .objects()),
        make: Self.init)
}

/// `host.pause`: stops the timeline after the last packet sent.
///
/// Source: Protocol/spec/hosting.md, "host.pause".
public struct HostPause: DeclaredRequest {
    public typealias Response = PlaybackResult
    public static let type = "host.pause"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// The `host.command` this carries out. `nil` if the host pauses by itself.
    public var command: Int64?
    /// Where it will go on, if that is another place than where it stops: a seek while paused. µs.
    public var positionMicroseconds: Int64?

    public init(command: Int64? = nil, positionMicroseconds: Int64? = nil) {
        self.command = command
        self.positionMicroseconds = positionMicroseconds
    }

    public static let declaration = Declaration(
        Member(optional: "command", \Self.command, .command),
        Member(optional: "position_us", \Self.positionMicroseconds, .position),
        make: Self.init)
}

/// `host.track`: says what is playing.
///
/// Source: Protocol/spec/hosting.md, "host.track".
public struct HostTrack: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "host.track"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// What is playing from then on.
    public var track: Track

    public init(track: Track) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .object), make: Self.init)
}

/// `host.stop`: ends the broadcast after the last packet sent and frees the seat.
///
/// Source: Protocol/spec/hosting.md, "host.stop".
public struct HostStop: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "host.stop"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    public init() {}
}

/// `host.reject`: the host cannot carry out a command.
///
/// Source: Protocol/spec/hosting.md, "host.reject".
public struct HostReject: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "host.reject"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// The `host.command` that cannot be carried out.
    public var command: Int64
    /// Why not, for the client that asked.
    public var code: ErrorCode
    /// One line of at most 512 bytes.
    public var message: String

    public init(command: Int64, code: ErrorCode = .hostRefused, message: String) {
        self.command = command
        self.code = code
        self.message = message
    }

    public static let declaration = Declaration(
        Member("command", \Self.command, .command),
        Member("code", \Self.code, .errorCode),
        Member("message", \Self.message, .line(bytes: Limits.errorMessageBytes)),
        make: Self.init)
}

// MARK: - Events

/// `host.requested`: somebody in the room would like to be its host. Personal, to people who may offer the seat.
///
/// Source: Protocol/spec/hosting.md, "host.requested".
public struct HostRequested: DeclaredEvent {
    public static let type = "host.requested"
    public static let scope = EventScope.personal

    /// The room whose seat is asked for.
    public var room: RoomID
    /// Who asks for it.
    public var user: User

    public init(room: RoomID, user: User) {
        self.room = room
        self.user = user
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("user", \Self.user, .object),
        make: Self.init)
}

/// `host.offered`: the seat is this user's for 60 s: `host.start` takes it. Personal.
///
/// Source: Protocol/spec/hosting.md, "host.offered".
public struct HostOffered: DeclaredEvent {
    public static let type = "host.offered"
    public static let scope = EventScope.personal

    /// The room whose seat is offered.
    public var room: RoomID
    /// Who offers it.
    public var by: User

    public init(room: RoomID, by: User) {
        self.room = room
        self.by = by
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("by", \Self.by, .object),
        make: Self.init)
}

/// `host.lost_seat`: this connection is not the host any more, and did not ask for that. Personal.
///
/// Source: Protocol/spec/hosting.md, "host.lost_seat".
public struct HostLostSeat: DeclaredEvent {
    public static let type = "host.lost_seat"
    public static let scope = EventScope.personal

    // Reasons of this revision.
    /// Reason: the seat was taken back.
    public static let takenBack = "taken_back"
    /// Reason: the person it had been offered to took the seat.
    public static let handedOver = "handed_over"
    /// Reason: the same user hosts by another connection.
    public static let elsewhere = "elsewhere"

    /// The room whose seat was lost.
    public var room: RoomID
    /// A word for programs, 1 to 64 bytes; new ones may come.
    public var reason: String

    public init(room: RoomID, reason: String) {
        self.room = room
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("reason", \Self.reason, .line(bytes: Limits.reasonBytes)),
        make: Self.init)
}

/// `host.command`: the room's owner asks its host for something. To the host alone.
///
/// Source: Protocol/spec/hosting.md, "host.command".
public struct HostCommand: DeclaredEvent {
    public static let type = "host.command"
    public static let scope = EventScope.personal

    /// What the host is to do.
    public enum Action: String, CaseIterable, Sendable {
        /// Begin to play, or go on.
        case play
        /// Stop after what has been sent.
        case pause
        /// Go to another position of the track.
        case seek
    }

    /// The host's answer repeats it.
    public var command: Int64
    /// What the host is to do.
    public var action: Action
    /// Microseconds; always there for `seek`, never for `pause`.
    public var positionMicroseconds: Int64?

    public init(command: Int64, action: Action, positionMicroseconds: Int64? = nil) {
        self.command = command
        self.action = action
        self.positionMicroseconds = positionMicroseconds
    }

    public static let declaration = Declaration(
        Member("command", \Self.command, .command),
        Member("action", \Self.action, .word),
        Member(optional: "position_us", \Self.positionMicroseconds, .position),
        make: Self.init
    ).checked(
        Schema([
            "if": ["properties": ["action": ["const": "seek"]]],
            "then": ["properties": ["position_us": ["type": "integer"]], "required": ["position_us"]],
        ])
    ) { command, fields throws(WireError) in
        if command.action == .seek, command.positionMicroseconds == nil {
            throw fields.invalid("position_us", "is missing")
        }
    }
}

/// `host.changed`: somebody took the seat, left it, was lost, or came back, or follows the queue from now on or no
/// longer.
///
/// Source: Protocol/spec/hosting.md, "host.changed".
public struct HostChanged: DeclaredEvent {
    public static let type = "host.changed"

    /// `nil` exactly if `state` is `none` or `server`.
    public var host: User?
    /// Whether somebody has the seat, and whether their connection stands.
    public var state: HostState
    /// Whether what plays is what the room's queue says. `nil` exactly if `state` is `none`.
    public var followsQueue: Bool?
    /// `true`: the host's sound is recorded. Else `nil`.
    public var isRecorded: Bool?

    public init(host: User?, state: HostState, followsQueue: Bool? = nil, isRecorded: Bool? = nil) {
        self.isRecorded = isRecorded
        self.host = host
        self.state = state
        self.followsQueue = followsQueue
    }

    public static let declaration = Declaration(
        Member(nullable: "host", \Self.host, .object),
        Member("state", \Self.state, .word),
        Member(optional: "follows_queue", \Self.followsQueue, .flag),
        Member(optional: "recorded", \Self.isRecorded, .flag),
        make: Self.init)
}
