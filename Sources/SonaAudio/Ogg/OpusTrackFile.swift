/// An Ogg Opus file with one track, open for a room that plays it: packets are read in blocks, at any place.
///
/// Opening reads the file once and checks it as `OggOpusFile` does; what stays in memory is about 2 bytes for a packet,
/// 24 kB for four minutes. Reading blocks: it belongs off the event loop. Any thread.
///
/// Time is counted in samples at 48 kHz from the first sample a decoder gives, the pre-skip included.
///
/// Source: RFC 3533, RFC 7845 §3 to §5.
public final class OpusTrackFile: Sendable {
    public let head: OpusHead
    /// Samples a decoder gives, the pre-skip included, the end already trimmed.
    public let samples: Int64
    public let packetCount: Int
    private let file: ReadableFile
    private let index: CompactPacketIndex

    /// Packets in a row, in one array of bytes.
    public struct Block: Sendable {
        public struct Packet: Sendable, Equatable {
            /// Where the packet lies in `bytes`.
            public var bytes: Range<Int>
            /// Samples at 48 kHz that it adds to the timeline; the last packet of a trimmed track adds fewer than it has.
            public var samples: Int
        }

        public var bytes: [UInt8]
        public var packets: [Packet]
        /// Number of the first packet, and its place on the timeline, samples.
        public var first: Int
        public var start: Int64
    }

    /// Takes over an open file, which is closed when this is released. Blocks while it reads all of it.
    ///
    /// - Parameter name: What errors call the file.
    /// - Throws: As `OggOpusFile`. Of a chain only the first stream with sound is taken.
    public init(descriptor: Int32, name: String) throws(AudioError) {
        file = ReadableFile(descriptor: descriptor, path: name)
        let found = try OggOpusScanner.scan(file)
        let first = found.streams[0]
        head = first.stream.head
        samples = Int64(first.stream.samples)
        packetCount = first.packets.count
        index = CompactPacketIndex(found.index, first.packets)
    }

    /// Samples to be heard, 0 or more.
    public var durationSamples: Int64 { max(0, samples - Int64(head.preSkip)) }
    /// Bytes that the index takes.
    public var indexBytes: Int { index.bytes }

    /// The packet during which a sample sounds. Before the start it is the first one, past the end the last. O(log packets).
    public func packet(containing sample: Int64) -> Int { index.packet(containing: sample) }

    /// The place of a packet on the timeline, samples.
    public func start(of packet: Int) -> Int64 { index.start(of: packet) }

    /// Reads packets that follow each other. Blocks.
    ///
    /// - Parameters:
    ///   - first: 0 to `packetCount` − 1.
    ///   - samples: How long they last at least, unless the track ends before.
    /// - Throws: `.badPacket` if the file was changed since it was opened; `.io`.
    public func read(from first: Int, samples: Int64) throws(AudioError) -> Block {
        precondition(0..<packetCount ~= first, "A packet was asked for that the track does not have.")
        let start = index.start(of: first)
        let last = index.packet(containing: start + max(1, samples) - 1)
        var block = Block(bytes: [], packets: [], first: first, start: start)
        block.packets.reserveCapacity(last - first + 1)
        var end = start
        for packet in first...last {
            let from = block.bytes.count
            for piece in index.pieces(of: packet) { try append(piece, to: &block.bytes) }
            let next = index.end(of: packet)
            block.packets.append(Block.Packet(bytes: from..<block.bytes.count, samples: Int(next - end)))
            end = next
        }
        return block
    }

    private func append(_ piece: OggPacketIndex.Extent, to bytes: inout [UInt8]) throws(AudioError) {
        let count = Int(piece.length)
        let from = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(AudioError) -> Int in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[from...]), at: piece.offset)
            }
        }
        guard try result.get() == count else { throw .badPacket("\(file.path) became shorter while it was open.") }
    }
}
