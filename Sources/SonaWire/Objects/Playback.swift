/// Whether a room's position moves, and if not, why.
public enum PlaybackState: UInt8, CaseIterable, Sendable {
    case stopped = 0
    case playing = 1
    case paused = 2
    /// Meant to play, but nothing arrives: the host is away or behind.
    case buffering = 3
}

/// A room's place in its track, as a function of server time rather than a value that would go stale.
///
/// A playback whose anchor lies in the future takes force then; until then the one before it holds.
///
/// Source: Protocol/spec/playback.md.
public struct Playback: WireObject, Hashable {
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        let number = try fields.integer("state", as: UInt8.self)
        guard let state = PlaybackState(rawValue: number) else { throw fields.invalid("state", "must be 0 to 3") }
        self.state = state
        anchorMicroseconds = try fields.integer("anchor_us", in: -Limits.integerMax...Limits.integerMax)
        positionMicroseconds = try fields.integer("position_us", in: 0...Limits.integerMax)
        ratePPM = Int32(try fields.integer("rate_ppm", in: Limits.ratePPM))
        revision = try fields.integer("revision", as: UInt32.self)
        epoch = try fields.integer("epoch", as: UInt16.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("state", state.rawValue)
            writer.member("anchor_us", anchorMicroseconds)
            writer.member("position_us", positionMicroseconds)
            writer.member("rate_ppm", ratePPM)
            writer.member("revision", revision)
            writer.member("epoch", epoch)
        }
    }
}
