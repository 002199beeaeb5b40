package import SonaWire

/// Counts what came of a room's packets, what is missing, and what came twice, by their sequence numbers.
///
/// Numbers go up by one per packet of the room and wrap (RFC 1982). The first packet seen is where counting begins.
package struct SequenceTally: Sendable, Equatable {
    /// Packets that came, without duplicates; those to be decoded only are not counted.
    package private(set) var packets = 0
    /// Packets that came to be decoded only.
    package private(set) var preroll = 0
    /// Numbers passed over.
    package private(set) var lost = 0
    /// Packets that had come before.
    package private(set) var duplicates = 0

    private var next: UInt32?

    package init() {}

    /// Makes counting begin anew with the next packet: the room was entered anew, and nothing is known of the packets
    /// in between.
    package mutating func restart() { next = nil }

    /// Counts a packet. False for one that has come before and must be dropped.
    package mutating func take(_ header: AudioDown) -> Bool {
        if let next {
            let ahead = Int32(bitPattern: header.sequence &- next)
            guard ahead >= 0 else {
                duplicates += 1
                return false
            }
            lost += Int(ahead)
        }
        next = header.sequence &+ 1
        if header.flags.contains(.preroll) { preroll += 1 } else { packets += 1 }
        return true
    }
}
