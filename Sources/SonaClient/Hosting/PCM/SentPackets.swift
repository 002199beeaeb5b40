/// The last packets of an epoch, for a server that has not got all of them.
///
/// Bounded: `seconds` of them, longer than it takes to notice that a connection is dead.
struct SentPackets: Sendable {
    struct Packet: Sendable, Equatable {
        /// The sample position, as in AUDIO_UP.
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

    /// The packets that begin at `place`, where the server's data ends, or later.
    ///
    /// - Parameter inTimeFrom: Packets before this position are too late to be of use.
    /// - Returns: nil if useful packets are no longer held.
    func packets(from place: Int64, inTimeFrom: Int64) -> ArraySlice<Packet>? {
        let kept = packets[head...]
        let first = max(place, inTimeFrom)
        guard let last = kept.last else { return place == 0 ? [] : nil }
        guard place <= last.samplePosition + Int64(last.samples) else { return nil }
        let found = kept.drop { $0.samplePosition < first }
        // The beginning of the epoch may have been dropped, too.
        if found.startIndex == kept.startIndex, kept[kept.startIndex].samplePosition > first { return nil }
        return found
    }
}
