extension Catalogue {
    /// Streams of audio.
    ///
    /// Source: Protocol/spec/audio.md.
    static let audio = Area(
        "audio",
        events: [StreamStarted.self, StreamEnded.self])
}

extension Limits {
    /// Samples per second of every sample count in the protocol, whatever the source was sampled at.
    public static let sampleRate: Int64 = 48_000
    /// Bytes of one Opus packet: six frames of 1275 bytes are the most that 120 ms can hold (RFC 6716, section 3.4).
    public static let packetBytesMax = 7_650
    /// Samples of one Opus packet: 120 ms.
    public static let packetSamplesMax: UInt32 = 5_760
    /// Packets a late joiner decodes without rendering, so that the decoder has settled when sound begins.
    public static let prerollPackets = 8
    /// A joiner gets no audio that sounds earlier than this after the join.
    public static let joinMarginMicroseconds: Int64 = 60_000
    /// The gain of an epoch or of a track, hundredths of dB.
    public static let gains: ClosedRange<Int64> = -6_000...2_400

    /// The gain nearest to a wanted one that the protocol can express, hundredths of dB.
    package static func gain(_ wanted: Int) -> Int { Int(min(max(Int64(wanted), gains.lowerBound), gains.upperBound)) }

    /// A bundle ends where the computed time of a packet would be further than this from its own.
    public static let bundleToleranceMicroseconds: Int64 = 100
}

// MARK: - Objects

/// How packets are coded. There is one way so far.
public enum Codec: String, CaseIterable, Sendable {
    /// Opus packets. Source: RFC 6716.
    case opus
}

/// The epoch that is sounding or about to: what a decoder must know.
///
/// Source: Protocol/spec/audio.md, "Stream".
public struct StreamInfo: DeclaredObject, Hashable {
    /// Counts the room's epochs and wraps; binary frames name it.
    public var epoch: UInt16
    /// How the packets are encoded.
    public var codec: Codec
    /// 1 or 2.
    public var channels: Int
    /// Samples at 48 kHz that the decoder emits before the first audible one, 0 to 65 535.
    public var preSkip: Int
    /// Server time at which the first audible sample sounds, µs. Samples decoded for an earlier time are not rendered.
    public var startMicroseconds: Int64
    /// Whether the decoder goes on from the epoch before; else the first packet carries DISCONTINUITY.
    public var continues: Bool
    /// By how much the sound is made louder or softer so that all tracks are about as loud, hundredths of dB. Players apply
    /// it, if the listener wants that; the packets are as they were made. `nil`: not at all.
    public var gain: Int?

    public init(
        epoch: UInt16, codec: Codec = .opus, channels: Int, preSkip: Int, startMicroseconds: Int64, continues: Bool,
        gain: Int? = nil
    ) {
        self.epoch = epoch
        self.codec = codec
        self.channels = channels
        self.preSkip = preSkip
        self.startMicroseconds = startMicroseconds
        self.continues = continues
        self.gain = gain
    }

    /// How many of a packet's first samples come before the first audible one: they are decoded and not rendered.
    ///
    /// As many as went into the times, which are rounded down. At most the packet's `samples`.
    public func unheardSamples(of packet: AudioDown) -> UInt32 {
        let early = Int128(startMicroseconds) - Int128(packet.playAtMicroseconds)
        guard early > 0 else { return 0 }
        return UInt32(min(Int128(packet.samples), early * Int128(Limits.sampleRate) / 1_000_000))
    }

    public static let declaration = Declaration(
        Member("epoch", \Self.epoch, .epoch),
        Member("codec", \Self.codec, .word),
        Member("channels", \Self.channels, .channels),
        Member("pre_skip", \Self.preSkip, .integer(0...65_535)),
        Member("start_us", \Self.startMicroseconds, .serverTime),
        Member("continues", \Self.continues, .flag),
        Member(optional: "gain", \Self.gain, .gain),
        make: Self.init)
}

// MARK: - Events

/// `stream.started`: an epoch begins. Comes before its first packet.
///
/// Source: Protocol/spec/audio.md, "stream.started".
public struct StreamStarted: DeclaredEvent {
    public static let type = "stream.started"

    /// What a decoder must know of the new epoch.
    public var stream: StreamInfo
    /// What plays, as the host says. `nil` if the host named nothing.
    public var track: Track?

    public init(stream: StreamInfo, track: Track?) {
        self.stream = stream
        self.track = track
    }

    public static let declaration = Declaration(
        Member("stream", \Self.stream, .object),
        Member(nullable: "track", \Self.track, .object),
        make: Self.init)
}

/// `stream.ended`: the broadcast is over; what was sent still sounds until `atMicroseconds`.
///
/// Source: Protocol/spec/audio.md, "stream.ended".
public struct StreamEnded: DeclaredEvent {
    public static let type = "stream.ended"

    /// Why the broadcast ended.
    public enum Reason: String, CaseIterable, Sendable {
        /// The host stopped.
        case finished
        /// The host was lost and did not come back.
        case hostLost = "host_lost"
        /// The room was closed.
        case closed
    }

    /// The epoch that ended.
    public var epoch: UInt16
    /// Server time of the first sample that will not come.
    public var atMicroseconds: Int64
    /// Why the broadcast ended.
    public var reason: Reason

    public init(epoch: UInt16, atMicroseconds: Int64, reason: Reason) {
        self.epoch = epoch
        self.atMicroseconds = atMicroseconds
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member("epoch", \Self.epoch, .epoch),
        Member("at_us", \Self.atMicroseconds, .serverTime),
        Member("reason", \Self.reason, .word),
        make: Self.init)
}
