/// Position and time of every packet of one track, in about 2 bytes for a packet.
///
/// Packets of a page lie side by side, and most last equally long: what is kept of each is its length, and of pages and
/// durations where they change.
struct CompactPacketIndex: Sendable {
    /// A row of pieces that lie side by side.
    private struct Run: Sendable {
        /// Number of the first piece of it.
        var piece: Int32
        var offset: UInt64
    }

    /// Packets in a row that last equally long.
    private struct Pace: Sendable {
        var packet: Int32
        var start: Int64
        var samples: Int32
    }

    /// Length of each piece, bytes. A packet is one piece, or more where it goes on on the next page.
    private var lengths: [UInt16] = []
    private var runs: [Run] = []
    private var paces: [Pace] = []
    /// Numbers of the pieces that continue the packet of the piece before, rising.
    private var continued: [Int32] = []
    private var end: Int64 = 0
    private let packetCount: Int

    /// - Parameter packets: The packets of one stream; at least one.
    init(_ index: OggPacketIndex, _ packets: Range<Int>) {
        packetCount = packets.count
        var next: UInt64?
        for packet in packets {
            for (number, extent) in index.extents(of: packet).enumerated() {
                if number > 0 { continued.append(Int32(lengths.count)) }
                if extent.offset != next { runs.append(Run(piece: Int32(lengths.count), offset: extent.offset)) }
                lengths.append(extent.length)
                next = extent.offset + UInt64(extent.length)
            }
            let samples = Int32(index.ends[packet] - end)
            if paces.last?.samples != samples {
                paces.append(Pace(packet: Int32(packet - packets.lowerBound), start: end, samples: samples))
            }
            end = index.ends[packet]
        }
    }

    var bytes: Int { lengths.count * 2 + runs.count * 16 + paces.count * 24 + continued.count * 4 }

    // MARK: Time

    func start(of packet: Int) -> Int64 {
        let pace = paces[last(of: paces) { $0.packet <= packet }]
        return pace.start + Int64(packet - Int(pace.packet)) * Int64(pace.samples)
    }

    func end(of packet: Int) -> Int64 { packet + 1 < packetCount ? start(of: packet + 1) : end }

    func packet(containing sample: Int64) -> Int {
        guard sample > 0 else { return 0 }
        let pace = paces[last(of: paces) { $0.start <= sample }]
        return min(packetCount - 1, Int(pace.packet) + Int((sample - pace.start) / Int64(max(1, pace.samples))))
    }

    // MARK: Place

    /// The pieces of a packet, in their order. O(log pages + packets of a page).
    func pieces(of packet: Int) -> [OggPacketIndex.Extent] {
        // Before the packet stand as many pieces more as there are continued ones.
        var first = packet
        if !continued.isEmpty {
            var (low, high) = (0, continued.count)
            while low < high {
                let middle = (low + high) / 2
                if Int(continued[middle]) - middle <= packet { low = middle + 1 } else { high = middle }
            }
            first += low
        }
        var pieces = [extent(first)]
        var next = first + 1
        while next < lengths.count, isContinued(next) {
            pieces.append(extent(next))
            next += 1
        }
        return pieces
    }

    private func isContinued(_ piece: Int) -> Bool {
        guard let first = continued.first, first <= piece else { return false }
        let place = last(of: continued) { $0 <= piece }
        return continued[place] == piece
    }

    private func extent(_ piece: Int) -> OggPacketIndex.Extent {
        let run = runs[last(of: runs) { $0.piece <= piece }]
        let before = lengths[Int(run.piece)..<piece].reduce(UInt64(0)) { $0 + UInt64($1) }
        return OggPacketIndex.Extent(offset: run.offset + before, length: lengths[piece])
    }

    /// The last element of a sorted array for which a condition holds; it holds for the first.
    private func last<Element>(of array: [Element], where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, array.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if holds(array[middle]) { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
