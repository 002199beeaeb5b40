/// Properties of a packet beyond its place in time. Bits without a name are ignored.
///
/// Source: Protocol/spec/audio.md, "Flags".
public struct AudioFlags: OptionSet, Hashable, Sendable {
    /// The byte at offset 1 of an audio frame.
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reset the decoder before this packet.
    public static let discontinuity = AudioFlags(rawValue: 1)
    /// Decode, but do not render.
    public static let preroll = AudioFlags(rawValue: 2)
    /// Nothing to hear in it.
    public static let silence = AudioFlags(rawValue: 4)
    /// The last packet of its epoch.
    public static let last = AudioFlags(rawValue: 8)
    /// Sent again after a resume.
    public static let replay = AudioFlags(rawValue: 16)
    /// Asked for by one who hears the room later than others do.
    public static let shifted = AudioFlags(rawValue: 32)
}

/// AUDIO_DN, server to listener: the header of one Opus packet.
///
/// ```
/// offset size type  field
///      0    1 u8    0x10
///      1    1 u8    flags
///      2    2 u16   epoch
///      4    4 u32   sequence number, +1 per packet of the room, wraps
///      8    8 i64   server time of the packet's first decoded sample, µs
///     16    4 u32   samples it adds to the timeline, at 48 kHz
///     20    …       packet, 1 to 7650 bytes
/// ```
///
/// Source: Protocol/spec/audio.md, "AUDIO_DN".
public struct AudioDown: Hashable, Sendable {
    /// Bytes before the Opus packet.
    public static let headerBytes = 20

    /// Properties of this packet: decoder reset, pre-roll, silence, last, replay, shifted.
    public var flags: AudioFlags
    /// The epoch the packet belongs to. Wraps after 65 535.
    public var epoch: UInt16
    /// The packet's number in its room, one more than the packet's before. Wraps after 2^32 − 1.
    public var sequence: UInt32
    /// Server time of the packet's first decoded sample, µs.
    public var playAtMicroseconds: Int64
    /// Samples the packet adds to the timeline, at 48 kHz. At most 5760.
    public var samples: UInt32

    public init(flags: AudioFlags = [], epoch: UInt16, sequence: UInt32, playAtMicroseconds: Int64, samples: UInt32) {
        self.flags = flags
        self.epoch = epoch
        self.sequence = sequence
        self.playAtMicroseconds = playAtMicroseconds
        self.samples = samples
    }

    /// Appends the header alone; the packet is to follow.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(FrameType.audioDown)
        bytes.append(flags.rawValue)
        bytes.appendBigEndian(epoch)
        bytes.appendBigEndian(sequence)
        bytes.appendBigEndian(playAtMicroseconds)
        bytes.appendBigEndian(samples)
    }

    @inlinable
    /// The whole frame: header, then one Opus packet of 1 to 7650 bytes.
    public static func encode(_ header: AudioDown, packet: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerBytes + packet.count)
        header.append(to: &bytes)
        bytes.append(contentsOf: packet)
        return bytes
    }

    /// - Returns: The header, and where in `bytes` the packet lies.
    /// - Throws: `frame.malformed`, `audio.malformed`.
    public static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(WireError) -> (header: AudioDown, packet: Range<Int>) {
        let packet = try FrameType.packet(in: bytes, after: headerBytes)
        guard bytes[0] == FrameType.audioDown else { throw WireError(.frameUnknown) }
        let header = AudioDown(
            flags: AudioFlags(rawValue: bytes[1]), epoch: bytes.bigEndian(at: 2), sequence: bytes.bigEndian(at: 4),
            playAtMicroseconds: bytes.bigEndian(at: 8), samples: bytes.bigEndian(at: 16))
        try FrameType.check(header.playAtMicroseconds, in: FrameType.anyTime, "play_at_us")
        try FrameType.checkSamples(header.samples)
        return (header, packet)
    }
}

/// AUDIO_UP, host to server: the header of one Opus packet.
///
/// ```
/// offset size type  field
///      0    1 u8    0x20
///      1    1 u8    flags
///      2    2 u16   epoch
///      4    4 u32   sequence number, +1 per packet of the epoch
///      8    8 i64   place of the first sample, at 48 kHz from the epoch's first decoded one
///     16    4 u32   samples it adds to the timeline, at 48 kHz
///     20    …       packet, 1 to 7650 bytes
/// ```
///
/// Source: Protocol/spec/hosting.md, "AUDIO_UP".
public struct AudioUp: Hashable, Sendable {
    /// Bytes before the Opus packet.
    public static let headerBytes = 20

    /// Properties of this packet, as the host says.
    public var flags: AudioFlags
    /// The epoch that `host.start` was answered with.
    public var epoch: UInt16
    /// The packet's number, one more than the packet's before. Wraps after 2^32 − 1.
    public var sequence: UInt32
    /// Place of the first sample, counted at 48 kHz from the epoch's first decoded sample.
    public var samplePosition: Int64
    /// Samples the packet adds to the timeline, at 48 kHz. At most 5760.
    public var samples: UInt32

    public init(flags: AudioFlags = [], epoch: UInt16, sequence: UInt32, samplePosition: Int64, samples: UInt32) {
        self.flags = flags
        self.epoch = epoch
        self.sequence = sequence
        self.samplePosition = samplePosition
        self.samples = samples
    }

    /// Appends the header alone; the packet is to follow.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(FrameType.audioUp)
        bytes.append(flags.rawValue)
        bytes.appendBigEndian(epoch)
        bytes.appendBigEndian(sequence)
        bytes.appendBigEndian(samplePosition)
        bytes.appendBigEndian(samples)
    }

    @inlinable
    /// The whole frame: header, then one Opus packet of 1 to 7650 bytes.
    public static func encode(_ header: AudioUp, packet: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerBytes + packet.count)
        header.append(to: &bytes)
        bytes.append(contentsOf: packet)
        return bytes
    }

    /// - Returns: The header, and where in `bytes` the packet lies.
    /// - Throws: `frame.malformed`, `audio.malformed`.
    public static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(WireError) -> (header: AudioUp, packet: Range<Int>) {
        let packet = try FrameType.packet(in: bytes, after: headerBytes)
        guard bytes[0] == FrameType.audioUp else { throw WireError(.frameUnknown) }
        let header = AudioUp(
            flags: AudioFlags(rawValue: bytes[1]), epoch: bytes.bigEndian(at: 2), sequence: bytes.bigEndian(at: 4),
            samplePosition: bytes.bigEndian(at: 8), samples: bytes.bigEndian(at: 16))
        try FrameType.check(header.samplePosition, in: FrameType.notNegative, "sample_pos")
        try FrameType.checkSamples(header.samples)
        return (header, packet)
    }
}
