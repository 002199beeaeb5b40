/// Position and time of every packet of a file, in flat arrays: 22 bytes for a packet on one page.
///
/// A packet is one or more extents, one on each page it touches. The arrays run through all streams of the file; a
/// stream is a range of packets.
struct OggPacketIndex: Sendable {
    /// File offset of each extent, bytes.
    private(set) var extentOffsets: [UInt64] = []
    /// Length of each extent, bytes: at most the 65025 of a page's body.
    private(set) var extentLengths: [UInt16] = []
    /// First extent of each packet; its last lies before the next packet's first.
    private(set) var firstExtents: [UInt32] = []
    /// End of each packet on its stream's timeline, samples at 48 kHz. Its start is the end of the one before.
    private(set) var ends: [Int64] = []

    /// Most packets of a file: 93 hours of 20 ms. The index then takes 370 MB; a file that would pass it is refused.
    static let packetsMax = 1 << 24

    var packetCount: Int { ends.count }

    mutating func append(extents: [Extent], end: Int64) {
        firstExtents.append(UInt32(extentOffsets.count))
        for extent in extents {
            extentOffsets.append(extent.offset)
            extentLengths.append(extent.length)
        }
        ends.append(end)
    }

    /// Moves the end of a stream to `end`: packets that begin there or later are dropped, the one across it shortened.
    mutating func trim(to end: Int64, keeping first: Int) {
        while ends.count > first, start(of: ends.count - 1, first: first) >= end {
            ends.removeLast()
            let extents = Int(firstExtents.removeLast())
            extentOffsets.removeSubrange(extents...)
            extentLengths.removeSubrange(extents...)
        }
        if ends.count > first, ends[ends.count - 1] > end { ends[ends.count - 1] = end }
    }

    /// Start of a packet on its stream's timeline, samples at 48 kHz; `first` is the stream's first packet.
    func start(of packet: Int, first: Int) -> Int64 {
        packet > first ? ends[packet - 1] : 0
    }

    func extents(of packet: Int) -> some Collection<Extent> {
        let end = packet + 1 < firstExtents.count ? Int(firstExtents[packet + 1]) : extentOffsets.count
        return (Int(firstExtents[packet])..<end).lazy.map { [extentOffsets, extentLengths] in
            Extent(offset: extentOffsets[$0], length: extentLengths[$0])
        }
    }

    struct Extent: Sendable, Equatable {
        var offset: UInt64
        var length: UInt16
    }
}
