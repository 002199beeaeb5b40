/// `stream.started`: an epoch begins. Comes before its first packet.
///
/// Source: Protocol/spec/audio.md, "stream.started".
public struct StreamStarted: WireEvent {
    public static let type = "stream.started"

    public var stream: StreamInfo
    public var track: Track?

    public init(stream: StreamInfo, track: Track?) {
        self.stream = stream
        self.track = track
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        stream = try fields.object("stream", as: StreamInfo.self)
        track = try fields.objectIfPresent("track", as: Track.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("stream", stream)
            writer.member("track", orNull: track)
        }
    }
}

/// `stream.ended`: the broadcast is over; what was sent still sounds until `atMicroseconds`.
///
/// Source: Protocol/spec/audio.md, "stream.ended".
public struct StreamEnded: WireEvent {
    public static let type = "stream.ended"

    public enum Reason: String, CaseIterable, Sendable {
        /// The host stopped.
        case finished
        /// The host was lost and did not come back.
        case hostLost = "host_lost"
        /// The room was closed.
        case closed
    }

    public var epoch: UInt16
    /// Server time of the first sample that will not come.
    public var atMicroseconds: Int64
    public var reason: Reason

    public init(epoch: UInt16, atMicroseconds: Int64, reason: Reason) {
        self.epoch = epoch
        self.atMicroseconds = atMicroseconds
        self.reason = reason
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        epoch = try fields.integer("epoch", as: UInt16.self)
        atMicroseconds = try fields.integer("at_us", in: -Limits.integerMax...Limits.integerMax)
        reason = try fields.word("reason", as: Reason.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("at_us", atMicroseconds)
            writer.member("reason", reason.rawValue)
        }
    }
}

/// `track.changed`: from `atMicroseconds` on something else is playing.
///
/// Source: Protocol/spec/rooms.md, "track.changed".
public struct TrackChanged: WireEvent {
    public static let type = "track.changed"

    public var track: Track
    /// Server time, possibly in the future.
    public var atMicroseconds: Int64

    public init(track: Track, atMicroseconds: Int64) {
        self.track = track
        self.atMicroseconds = atMicroseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        track = try fields.object("track", as: Track.self)
        atMicroseconds = try fields.integer("at_us", in: -Limits.integerMax...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("track", track)
            writer.member("at_us", atMicroseconds)
        }
    }
}
