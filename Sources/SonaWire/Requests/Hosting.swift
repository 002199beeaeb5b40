/// Who keeps the time of what a host sends.
public enum Pacing: String, CaseIterable, Sendable {
    /// The host follows the server's clock: files.
    case server
    /// The host follows a clock of its own, which the server tracks: sound cards.
    case live
}

/// `host.start`: takes the host seat and begins an epoch.
///
/// Source: Protocol/spec/hosting.md, "host.start".
public struct HostStart: WireRequest {
    public typealias Response = HostStarted
    public static let type = "host.start"

    /// `nil` for a room that is followed by position only.
    public var stream: StreamOffer?
    public var pacing: Pacing
    public var track: Track?
    /// Place in the track of the first audible sample, microseconds.
    public var positionMicroseconds: Int64
    /// Whether the listeners' decoders go on from the epoch before.
    public var continues: Bool
    /// The command that this carries out.
    public var command: Int64?

    public init(
        stream: StreamOffer?, pacing: Pacing, track: Track? = nil, positionMicroseconds: Int64 = 0,
        continues: Bool = false, command: Int64? = nil
    ) {
        self.stream = stream
        self.pacing = pacing
        self.track = track
        self.positionMicroseconds = positionMicroseconds
        self.continues = continues
        self.command = command
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        stream = try fields.objectIfPresent("stream", as: StreamOffer.self)
        pacing = try fields.word("pacing", as: Pacing.self)
        track = try fields.objectIfPresent("track", as: Track.self)
        positionMicroseconds = try fields.integerIfPresent("position_us", in: 0...Limits.integerMax) ?? 0
        continues = try fields.boolIfPresent("continues") ?? false
        command = try fields.commandIfPresent()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("stream", orNull: stream)
            writer.member("pacing", pacing.rawValue)
            writer.member("track", ifPresent: track)
            writer.member("position_us", positionMicroseconds)
            writer.member("continues", continues)
            writer.member("command", ifPresent: command)
        }
    }
}

/// The answer to `host.start`.
public struct HostStarted: WireObject, Equatable {
    public var epoch: UInt16
    /// Server time at which the first audible sample will sound.
    public var startMicroseconds: Int64
    /// How long before its sounding a packet should arrive.
    public var leadMicroseconds: Int64
    public var playback: Playback
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        epoch = try fields.integer("epoch", as: UInt16.self)
        startMicroseconds = try fields.integer("start_us", in: -Limits.integerMax...Limits.integerMax)
        leadMicroseconds = try fields.integer("lead_us", in: 0...Limits.integerMax)
        playback = try fields.object("playback", as: Playback.self)
        upcoming = try fields.array("upcoming", of: Playback.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("start_us", startMicroseconds)
            writer.member("lead_us", leadMicroseconds)
            writer.member("playback", playback)
            writer.member("upcoming", upcoming)
        }
    }
}

/// `host.pause`: stops the timeline after the last packet sent.
///
/// Source: Protocol/spec/hosting.md, "host.pause".
public struct HostPause: WireRequest {
    public typealias Response = PlaybackResult
    public static let type = "host.pause"

    public var command: Int64?
    /// Where it will go on, if that is another place than where it stops: a seek while paused. µs.
    public var positionMicroseconds: Int64?

    public init(command: Int64? = nil, positionMicroseconds: Int64? = nil) {
        self.command = command
        self.positionMicroseconds = positionMicroseconds
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        command = try fields.commandIfPresent()
        positionMicroseconds = try fields.integerIfPresent("position_us", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("command", ifPresent: command)
            writer.member("position_us", ifPresent: positionMicroseconds)
        }
    }
}

/// `host.track`: says what is playing.
///
/// Source: Protocol/spec/hosting.md, "host.track".
public struct HostTrack: WireRequest {
    public typealias Response = Empty
    public static let type = "host.track"

    public var track: Track

    public init(track: Track) { self.track = track }

    public init(_ data: JSON) throws(WireError) {
        track = try Fields(request: data).object("track", as: Track.self)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("track", track) } }
}

/// `host.stop`: ends the broadcast after the last packet sent and frees the seat.
///
/// Source: Protocol/spec/hosting.md, "host.stop".
public struct HostStop: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "host.stop"

    public init() {}
}

/// `host.reject`: the host cannot carry out a command.
///
/// Source: Protocol/spec/hosting.md, "host.reject".
public struct HostReject: WireRequest {
    public typealias Response = Empty
    public static let type = "host.reject"

    public var command: Int64
    public var code: ErrorCode
    /// One line of at most 512 bytes.
    public var message: String

    public init(command: Int64, code: ErrorCode = .hostRefused, message: String) {
        self.command = command
        self.code = code
        self.message = message
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        command = try fields.command()
        code = try fields.parsed("code", "an error code", ErrorCode.init)
        message = try fields.line("message", bytes: Limits.errorMessageBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("command", command)
            writer.member("code", code.text)
            writer.member("message", message)
        }
    }
}

extension Fields {
    /// The number of a `host.command`.
    func commandIfPresent() throws(WireError) -> Int64? {
        try integerIfPresent("command", in: 0...Limits.integerMax)
    }

    func command() throws(WireError) -> Int64 { try integer("command", in: 0...Limits.integerMax) }
}
