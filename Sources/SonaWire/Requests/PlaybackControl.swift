/// `playback.get`: where a room is in its track.
///
/// Source: Protocol/spec/playback.md, "playback.get".
public struct PlaybackGet: WireRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.get"

    /// The joined room if absent.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public init(_ data: JSON) throws(WireError) { room = try Fields(request: data).roomIfPresent() }

    public func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("room", ifPresent: room?.text) }
    }
}

/// `playback.play`: has the host go on, or play from a position.
///
/// Source: Protocol/spec/playback.md, "playback.play".
public struct PlaybackPlay: WireRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.play"

    public var room: RoomReference?
    /// Microseconds; where it stands if absent.
    public var positionMicroseconds: Int64?

    public init(room: RoomReference? = nil, positionMicroseconds: Int64? = nil) {
        self.room = room
        self.positionMicroseconds = positionMicroseconds
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        positionMicroseconds = try fields.integerIfPresent("position_us", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("position_us", ifPresent: positionMicroseconds)
        }
    }
}

/// `playback.pause`: has the host pause.
///
/// Source: Protocol/spec/playback.md, "playback.pause".
public struct PlaybackPause: WireRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.pause"

    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public init(_ data: JSON) throws(WireError) { room = try Fields(request: data).roomIfPresent() }

    public func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("room", ifPresent: room?.text) }
    }
}

/// `playback.seek`: has the host go to a position, playing or paused as it was.
///
/// Source: Protocol/spec/playback.md, "playback.seek".
public struct PlaybackSeek: WireRequest {
    public typealias Response = PlaybackResult
    public static let type = "playback.seek"

    public var room: RoomReference?
    /// Microseconds from the beginning of the track, 0 to 2^53 − 1.
    public var positionMicroseconds: Int64

    public init(room: RoomReference? = nil, positionMicroseconds: Int64) {
        self.room = room
        self.positionMicroseconds = positionMicroseconds
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        positionMicroseconds = try fields.integer("position_us", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("position_us", positionMicroseconds)
        }
    }
}

/// A room's playback: the answer to `playback.*` and `host.pause`.
///
/// Source: Protocol/spec/playback.md, "Playback in answers".
public struct PlaybackResult: WireObject, Equatable {
    /// In force now.
    public var playback: Playback
    /// Those with an anchor in the future, soonest first. Mostly empty.
    public var upcoming: [Playback]
    /// Server time of the answer; only `playback.get` carries it.
    public var serverMicroseconds: Int64?

    public init(playback: Playback, upcoming: [Playback] = [], serverMicroseconds: Int64? = nil) {
        self.playback = playback
        self.upcoming = upcoming
        self.serverMicroseconds = serverMicroseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        playback = try fields.object("playback", as: Playback.self)
        upcoming = try fields.array("upcoming", of: Playback.self)
        serverMicroseconds = try fields.integerIfPresent("server_us", in: -Limits.integerMax...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("playback", playback)
            writer.member("upcoming", upcoming)
            writer.member("server_us", ifPresent: serverMicroseconds)
        }
    }
}
