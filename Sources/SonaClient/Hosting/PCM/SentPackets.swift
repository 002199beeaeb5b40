/// The last packets of an epoch, for a server that has not got all of them.
///
/// Bounded: `seconds` of them, longer than it takes to notice that a connection is dead.
struct SentPackets: Sendable {
    struct Packet: Sendable, Equatable {
        /// As in AUDIO_UP.
        var samplePosition: Int64
        var samples: UInt32
        /// The whole AUDIO_UP frame.
        var frame: [UInt8]
    }

    private var packets: [Packet] = []
    /// Those before it have been let go.
    private var head = 0

    static let seconds: Int64 = 30

    mutating func append(_ packet: Packet) {
        packets.append(packet)
        while packet.samplePosition - packets[head].samplePosition > Self.seconds * 48_000 { head += 1 }
        if head > 4_096 {
            packets.removeFirst(head)
            head = 0
        }
    }

    /// Those that begin at `place`, the end of what the server has, or later.
    ///
    /// - Parameter inTimeFrom: What lies before it is of no use to anybody any more.
    /// - Returns: nil if some are not here any more that are of use.
    func packets(from place: Int64, inTimeFrom: Int64) -> ArraySlice<Packet>? {
        let kept = packets[head...]
        let first = max(place, inTimeFrom)
        guard let last = kept.last else { return place == 0 ? [] : nil }
        guard place <= last.samplePosition + Int64(last.samples) else { return nil }
        let found = kept.drop { $0.samplePosition < first }
        // What begins the epoch may have been let go, too.
        if found.startIndex == kept.startIndex, kept[kept.startIndex].samplePosition > first { return nil }
        return found
    }
}
