/// How packets are coded. There is one way so far.
public enum Codec: String, CaseIterable, Sendable {
    case opus
}

/// The epoch that is sounding or about to: what a decoder must know.
///
/// Source: Protocol/spec/audio.md, "Stream".
public struct StreamInfo: WireObject, Hashable {
    /// Counts the room's epochs and wraps; binary frames name it.
    public var epoch: UInt16
    public var codec: Codec
    /// 1 or 2.
    public var channels: Int
    /// Samples at 48 kHz that the decoder emits before the first audible one, 0 to 65 535.
    public var preSkip: Int
    /// Server time at which the first audible sample sounds. What is decoded for an earlier time is not rendered.
    public var startMicroseconds: Int64
    /// Whether the decoder goes on from the epoch before; else the first packet carries DISCONTINUITY.
    public var continues: Bool

    public init(
        epoch: UInt16, codec: Codec = .opus, channels: Int, preSkip: Int, startMicroseconds: Int64, continues: Bool
    ) {
        self.epoch = epoch
        self.codec = codec
        self.channels = channels
        self.preSkip = preSkip
        self.startMicroseconds = startMicroseconds
        self.continues = continues
    }

    /// How many of a packet's first samples come before the first audible one: they are decoded and not rendered.
    ///
    /// As many as went into the times, which are rounded down. At most the packet's `samples`.
    public func unheardSamples(of packet: AudioDown) -> UInt32 {
        let early = Int128(startMicroseconds) - Int128(packet.playAtMicroseconds)
        guard early > 0 else { return 0 }
        return UInt32(min(Int128(packet.samples), early * Int128(Limits.sampleRate) / 1_000_000))
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        epoch = try fields.integer("epoch", as: UInt16.self)
        codec = try fields.word("codec", as: Codec.self)
        channels = Int(try fields.integer("channels", in: 1...2))
        preSkip = Int(try fields.integer("pre_skip", in: 0...65_535))
        startMicroseconds = try fields.integer("start_us", in: -Limits.integerMax...Limits.integerMax)
        continues = try fields.bool("continues")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("codec", codec.rawValue)
            writer.member("channels", channels)
            writer.member("pre_skip", preSkip)
            writer.member("start_us", startMicroseconds)
            writer.member("continues", continues)
        }
    }
}

/// What a host is going to send: the stream without what the server decides.
///
/// Source: Protocol/spec/hosting.md, "host.start".
public struct StreamOffer: WireObject, Hashable {
    public var codec: Codec
    /// 1 or 2.
    public var channels: Int
    /// Samples at 48 kHz, 0 to 65 535, as in the head of an Ogg Opus file (RFC 7845, section 5.1).
    public var preSkip: Int

    public init(codec: Codec = .opus, channels: Int, preSkip: Int) {
        self.codec = codec
        self.channels = channels
        self.preSkip = preSkip
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        codec = try fields.word("codec", as: Codec.self)
        channels = Int(try fields.integer("channels", in: 1...2))
        preSkip = Int(try fields.integer("pre_skip", in: 0...65_535))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("codec", codec.rawValue)
            writer.member("channels", channels)
            writer.member("pre_skip", preSkip)
        }
    }
}
