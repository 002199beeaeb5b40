package import SonaWire

/// One packet on a room's timeline, as every listener gets it.
package struct AudioChunk: Sendable, Equatable {
    package var header: AudioDown
    /// One Opus packet, as the host sent it.
    package var packet: [UInt8]

    /// Server time by which the packet must have arrived, µs. This is its play time; for packets before the epoch's
    /// start, which are only decoded, it is the start.
    package var due: Int64

    package init(header: AudioDown, packet: [UInt8], due: Int64) {
        self.header = header
        self.due = due
        self.packet = packet
    }

    /// Server time at which the packet has sounded to its end, µs.
    package var end: Int64 { header.playAtMicroseconds + Timeline.microseconds(Int64(header.samples)) }
}
