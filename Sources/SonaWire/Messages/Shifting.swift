extension Catalogue {
    /// Hearing a room later than others do.
    ///
    /// Source: Protocol/spec/shifting.md.
    static let shifting = Area("shifting", requests: [RoomShift.self])
}

extension Limits {
    /// The feature that announces time-shift.
    public static let shiftingFeature = "shifting"
    /// How much later than the room somebody may hear it, milliseconds: a day at most.
    public static let shiftMilliseconds: ClosedRange<Int64> = 0...86_400_000
    /// The longest span of sound that one request asks for, µs.
    public static let shiftSpanMicroseconds: Int64 = 10_000_000
    /// Spans that a connection may ask for in a second.
    public static let shiftSpansPerSecond = 2
    /// Playbacks, tracks and epochs that one answer tells of each.
    public static let shiftTellingMax = 64
}

/// `room.shift`: hears the joined room later than others do, and asks for packets that have gone by.
///
/// Source: Protocol/spec/shifting.md, "room.shift".
public struct RoomShift: DeclaredRequest {
    public typealias Response = ShiftedSound
    public static let type = "room.shift"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// How much later than the room the client hears it, milliseconds; 0: at its live place.
    public var byMilliseconds: Int64
    /// Server time, µs: packets are wanted that sound in the room after it. `nil`: none are.
    public var fromMicroseconds: Int64?
    /// Server time, µs: packets are wanted that begin before it. At most `Limits.shiftSpanMicroseconds` later.
    public var toMicroseconds: Int64?

    public init(byMilliseconds: Int64, fromMicroseconds: Int64? = nil, toMicroseconds: Int64? = nil) {
        self.byMilliseconds = byMilliseconds
        self.fromMicroseconds = fromMicroseconds
        self.toMicroseconds = toMicroseconds
    }

    public static let declaration = Declaration(
        Member("by_ms", \Self.byMilliseconds, .integer(Limits.shiftMilliseconds)),
        Member(optional: "from_us", \Self.fromMicroseconds, .serverTime),
        Member(optional: "to_us", \Self.toMicroseconds, .serverTime),
        make: Self.init
    ).checked(
        Schema([
            "description": "With `from_us` there is `to_us`, later than it, and by ten seconds at most.",
            "anyOf": [
                ["properties": ["from_us": ["type": "null"], "to_us": ["type": "null"]]],
                [
                    "required": ["from_us", "to_us"],
                    "properties": ["from_us": ["type": "integer"], "to_us": ["type": "integer"]],
                ],
            ],
        ])
    ) { request, fields throws(WireError) in
        guard let from = request.fromMicroseconds else {
            guard request.toMicroseconds == nil else { throw fields.invalid("from_us", "must be there with to_us") }
            return
        }
        guard let to = request.toMicroseconds else { throw fields.invalid("to_us", "must be there with from_us") }
        guard to > from, to - from <= Limits.shiftSpanMicroseconds else {
            throw fields.invalid("to_us", "must be later than from_us, by ten seconds at most")
        }
    }
}

/// The answer to `room.shift`: what the packets that were sent before it belong to.
///
/// Source: Protocol/spec/shifting.md, "room.shift".
public struct ShiftedSound: DeclaredObject, Equatable {
    /// As asked for.
    public var byMilliseconds: Int64
    /// Server time, µs, from which on the server has sound of the room. `nil`: it has none.
    public var heldFromMicroseconds: Int64?
    /// Packets that were sent before this answer.
    public var packetCount: Int64
    /// Their epochs, oldest first.
    public var streams: [StreamInfo]
    /// Playbacks in force within the span, oldest first.
    public var playbacks: [Playback]
    /// Tracks heard within the span, oldest first. The track is `nil` where the room fell silent.
    public var tracks: [TimedTrack]

    public init(
        byMilliseconds: Int64, heldFromMicroseconds: Int64? = nil, packetCount: Int64 = 0, streams: [StreamInfo] = [],
        playbacks: [Playback] = [], tracks: [TimedTrack] = []
    ) {
        self.byMilliseconds = byMilliseconds
        self.heldFromMicroseconds = heldFromMicroseconds
        self.packetCount = packetCount
        self.streams = streams
        self.playbacks = playbacks
        self.tracks = tracks
    }

    public static let declaration = Declaration(
        Member("by_ms", \Self.byMilliseconds, .integer(Limits.shiftMilliseconds)),
        Member(nullable: "held_from_us", \Self.heldFromMicroseconds, .serverTime),
        Member("packets", \Self.packetCount, .integer(0...Limits.integerMax)),
        Member("streams", \Self.streams, .objects(count: 0...Limits.shiftTellingMax)),
        Member("playbacks", \Self.playbacks, .objects(count: 0...Limits.shiftTellingMax)),
        Member("tracks", \Self.tracks, .objects(count: 0...Limits.shiftTellingMax)),
        make: Self.init)
}
