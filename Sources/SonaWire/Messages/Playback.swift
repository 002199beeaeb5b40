extension Catalogue {
    /// Where a room is in its track.
    ///
    /// Source: Protocol/spec/playback.md.
    static let playback = Area(
        "playback",
        requests: [PlaybackGet.self, PlaybackPlay.self, PlaybackPause.self, PlaybackSeek.self])
}

extension Limits {
    /// `rate_ppm` of a playback; 1 000 000 is normal speed.
    public static let ratePPM: ClosedRange<Int64> = 0...4_000_000
}

// MARK: - Objects

/// Whether a room's position moves, and if not, why.
public enum PlaybackState: UInt8, CaseIterable, Sendable {
    /// Nothing plays, and no track is paused.
    case stopped = 0
    /// The position moves at its rate.
    case playing = 1
    /// The position stands until somebody plays.
    case paused = 2
    /// Meant to play, but nothing arrives: the host is away or late.
    case buffering = 3
}

/// A room's place in its track, as a function of server time rather than a value that would go stale.
///
/// A playback whose anchor lies in the future takes force then; until then the one before it holds.
///
/// Source: Protocol/spec/playback.md.
public struct Playback: DeclaredObject, Hashable {
    /// Whether the position moves, and if not, why.
    public var state: PlaybackState
    /// Server time, µs, at which `positionMicroseconds` is, was, or will be right.
    public var anchorMicroseconds: Int64
    /// Microseconds from the beginning of the track, 0 to 2^53 − 1.
    public var positionMicroseconds: Int64
    /// Millionths of normal speed, 0 to 4 000 000.
    public var ratePPM: Int32
    /// Counts the room's changes of playback and wraps.
    public var revision: UInt32
    /// The epoch it belongs to.
    public var epoch: UInt16

    public init(
        state: PlaybackState, anchorMicroseconds: Int64, positionMicroseconds: Int64, ratePPM: Int32 = 1_000_000,
        revision: UInt32, epoch: UInt16
    ) {
        self.state = state
        self.anchorMicroseconds = anchorMicroseconds
        self.positionMicroseconds = positionMicroseconds
        self.ratePPM = ratePPM
        self.revision = revision
        self.epoch = epoch
    }

    /// The position at a server time, in µs, between 0 and 2^53 − 1.
    ///
    /// While playing, `positionMicroseconds` plus the time since the anchor at `ratePPM`, rounded down; before the
    /// anchor, and in every other state, `positionMicroseconds`. Takes any arguments: 128 bits cannot overflow here.
    public func position(at serverMicroseconds: Int64) -> Int64 {
        var position = Int128(positionMicroseconds)
        if state == .playing {
            let elapsed = max(0, Int128(serverMicroseconds) - Int128(anchorMicroseconds))
            position += elapsed * Int128(max(0, ratePPM)) / 1_000_000
        }
        return Int64(min(max(0, position), Int128(Limits.integerMax)))
    }

    public static let declaration = Declaration(
        Member("state", \Self.state, .playbackState),
        Member("anchor_us", \Self.anchorMicroseconds, .serverTime),
        Member("position_us", \Self.positionMicroseconds, .position),
        Member("rate_ppm", \Self.ratePPM, .integer(Limits.ratePPM)),
        Member("revision", \Self.revision, .anyOfType),
        Member("epoch", \Self.epoch, .epoch),
        make: Self.init)
}

// MARK: - Requests

/// `playback.get`: where a room is in its track.
///
/// Source: Protocol/spec/playback.md, "playback.get".
public struct PlaybackGet: DeclaredRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.get"
    /// The answer says when it was made, so that a client can tell how old it is.
    public static let promises = ["server_us"]

    /// The joined room if absent.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// `playback.play`: has the host go on, or play from a position.
///
/// Source: Protocol/spec/playback.md, "playback.play".
public struct PlaybackPlay: DeclaredRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.play"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// `nil`: the room the connection is in.
    public var room: RoomReference?
    /// Microseconds; where it stands if absent.
    public var positionMicroseconds: Int64?

    public init(room: RoomReference? = nil, positionMicroseconds: Int64? = nil) {
        self.room = room
        self.positionMicroseconds = positionMicroseconds
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "position_us", \Self.positionMicroseconds, .position),
        make: Self.init)
}

/// `playback.pause`: has the host pause.
///
/// Source: Protocol/spec/playback.md, "playback.pause".
public struct PlaybackPause: DeclaredRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.pause"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// `playback.seek`: has the host go to a position, playing or paused as it was.
///
/// Source: Protocol/spec/playback.md, "playback.seek".
public struct PlaybackSeek: DeclaredRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.seek"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// `nil`: the room the connection is in.
    public var room: RoomReference?
    /// Microseconds from the beginning of the track, 0 to 2^53 − 1.
    public var positionMicroseconds: Int64

    public init(room: RoomReference? = nil, positionMicroseconds: Int64) {
        self.room = room
        self.positionMicroseconds = positionMicroseconds
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("position_us", \Self.positionMicroseconds, .position),
        make: Self.init)
}

/// A room's playback: the answer to `playback.*` and `host.pause`.
///
/// Source: Protocol/spec/playback.md, "Playback in answers".
public struct PlaybackResult: DeclaredObject, Equatable {
    /// In force now.
    public var playback: Playback
    /// Playbacks with an anchor in the future, soonest first. Mostly empty.
    public var upcoming: [Playback]
    /// Server time of the answer; only `playback.get` carries it.
    public var serverMicroseconds: Int64?

    public init(playback: Playback, upcoming: [Playback] = [], serverMicroseconds: Int64? = nil) {
        self.playback = playback
        self.upcoming = upcoming
        self.serverMicroseconds = serverMicroseconds
    }

    public static let declaration = Declaration(
        Member("playback", \Self.playback, .object),
        Member("upcoming", \Self.upcoming, .objects()),
        Member(optional: "server_us", \Self.serverMicroseconds, .serverTime),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == PlaybackState {
    fileprivate static var playbackState: Form {
        Form(
            Schema.integer(0...3).described("0 stopped, 1 playing, 2 paused, 3 buffering."),
            read: { fields, key throws(WireError) in
                guard let number = try fields.integerIfPresent(key, in: 0...Int64(UInt8.max)) else { return nil }
                guard let state = PlaybackState(rawValue: UInt8(number)) else {
                    throw fields.invalid(key, "must be 0 to 3")
                }
                return state
            }, write: { $1.integer($0.rawValue) })
    }
}
