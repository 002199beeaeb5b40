/// BUNDLE_DN, server to listener: several packets that follow one another without a gap, for joins and resumes.
///
/// ```
/// offset size type  field
///      0    1 u8    0x11
///      1    1 u8    flags of every packet, but DISCONTINUITY of the first alone and LAST of the last alone
///      2    2 u16   epoch
///      4    4 u32   sequence number of the first packet
///      8    8 i64   server time of the first packet's first decoded sample, µs
///     16    1 u8    number of packets, 1 to 255; then for each
///                   u32 samples, u16 bytes of the packet, the packet
/// ```
///
/// Source: Protocol/spec/audio.md, "BUNDLE_DN".
public struct BundleDown: Hashable, Sendable {
    /// Bytes before the first entry.
    public static let headerBytes = 17
    /// Bytes before each packet of an entry: its samples and its length.
    public static let entryHeaderBytes = 6
    /// Packets of one bundle: their number is a byte.
    public static let packetsMax = 255

    /// One packet of a bundle: the samples it adds, and where it lies in the message.
    public struct Entry: Hashable, Sendable {
        /// Samples the packet adds to the timeline, at 48 kHz.
        public var samples: UInt32
        /// Where the packet lies in the message, as offsets in bytes.
        public var packet: Range<Int>

        public init(samples: UInt32, packet: Range<Int>) {
            self.samples = samples
            self.packet = packet
        }
    }

    /// Flags of every packet. DISCONTINUITY is meant for the first alone, LAST for the last alone.
    public var flags: AudioFlags
    /// The epoch all packets belong to. Wraps after 65 535.
    public var epoch: UInt16
    /// Number of the first packet; each further one is one more. Wraps after 2^32 − 1.
    public var firstSequence: UInt32
    /// Server time of the first packet's first decoded sample, µs.
    public var playAtMicroseconds: Int64
    /// The packets in the order in which they sound, 1 to 255 in a parsed bundle.
    public private(set) var entries: [Entry]

    /// A header without packets, for `encode(_:packets:)`.
    public init(flags: AudioFlags = [], epoch: UInt16, firstSequence: UInt32, playAtMicroseconds: Int64) {
        self.flags = flags
        self.epoch = epoch
        self.firstSequence = firstSequence
        self.playAtMicroseconds = playAtMicroseconds
        entries = []
    }

    /// - Throws: `frame.unknown` for another type, `frame.malformed` for a wrong length, `audio.malformed` for an
    ///   impossible number of samples.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.count >= Self.headerBytes else {
            throw WireError(.frameMalformed, "The frame has \(bytes.count) bytes, fewer than its header.")
        }
        guard bytes[0] == FrameType.bundleDown else { throw WireError(.frameUnknown) }
        self.init(
            flags: AudioFlags(rawValue: bytes[1]), epoch: bytes.bigEndian(at: 2), firstSequence: bytes.bigEndian(at: 4),
            playAtMicroseconds: bytes.bigEndian(at: 8))
        try FrameType.check(playAtMicroseconds, in: FrameType.anyTime, "play_at_us")
        let count = Int(bytes[16])
        guard count > 0 else { throw WireError(.frameMalformed, "The bundle is empty.") }
        entries.reserveCapacity(count)
        var offset = Self.headerBytes
        for _ in 0..<count {
            guard bytes.count - offset >= Self.entryHeaderBytes else {
                throw WireError(.frameMalformed, "The bundle ends before its last packet.")
            }
            let samples: UInt32 = bytes.bigEndian(at: offset)
            let length = Int(bytes.bigEndian(at: offset + 4, as: UInt16.self))
            offset += Self.entryHeaderBytes
            guard 1...Limits.packetBytesMax ~= length, length <= bytes.count - offset else {
                throw WireError(.frameMalformed, "A packet of \(length) bytes does not fit.")
            }
            try FrameType.checkSamples(samples)
            entries.append(Entry(samples: samples, packet: offset..<offset + length))
            offset += length
        }
        guard offset == bytes.count else { throw WireError(.frameMalformed, "Bytes follow the last packet.") }
    }

    /// The packets one by one, as if each had come in an AUDIO_DN.
    ///
    /// A packet sounds where the one before ends; the microsecond is rounded down from the bundle's beginning, so
    /// that nothing adds up.
    public var packets: [(header: AudioDown, packet: Range<Int>)] {
        var samplesBefore: Int64 = 0
        return entries.enumerated().map { index, entry in
            var flags = flags
            if index > 0 { flags.remove(.discontinuity) }
            if index < entries.count - 1 { flags.remove(.last) }
            let header = AudioDown(
                flags: flags, epoch: epoch, sequence: firstSequence &+ UInt32(index),
                playAtMicroseconds: playAtMicroseconds + samplesBefore * 1_000_000 / Limits.sampleRate,
                samples: entry.samples)
            samplesBefore += Int64(entry.samples)
            return (header, entry.packet)
        }
    }

    /// - Parameter packets: 1 to 255 packets with the samples each adds; together at most
    ///   `Limits.binaryDownBytesMax` bytes with their headers.
    public static func encode(
        _ header: BundleDown, packets: [(samples: UInt32, packet: some Collection<UInt8>)]
    ) -> [UInt8] {
        precondition(1...packetsMax ~= packets.count, "A bundle holds 1 to 255 packets.")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(packets.reduce(headerBytes) { $0 + entryHeaderBytes + $1.packet.count })
        bytes.append(FrameType.bundleDown)
        bytes.append(header.flags.rawValue)
        bytes.appendBigEndian(header.epoch)
        bytes.appendBigEndian(header.firstSequence)
        bytes.appendBigEndian(header.playAtMicroseconds)
        bytes.append(UInt8(packets.count))
        for (samples, packet) in packets {
            precondition(1...Limits.packetBytesMax ~= packet.count, "A packet has 1 to 7650 bytes.")
            bytes.appendBigEndian(samples)
            bytes.appendBigEndian(UInt16(packet.count))
            bytes.append(contentsOf: packet)
        }
        return bytes
    }
}
