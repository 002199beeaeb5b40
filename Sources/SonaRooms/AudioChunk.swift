package import SonaWire

/// One packet on a room's timeline: what every listener gets.
package struct AudioChunk: Sendable, Equatable {
    package var header: AudioDown
    /// One Opus packet, as the host sent it.
    package var packet: [UInt8]

    /// Server time by which it must have arrived, µs: its play time, or the epoch's start for what comes before that and
    /// is only decoded.
    package var due: Int64

    package init(header: AudioDown, packet: [UInt8], due: Int64) {
        self.header = header
        self.due = due
        self.packet = packet
    }

    /// Server time at which it has been heard to its end, µs.
    package var end: Int64 { header.playAtMicroseconds + Timeline.microseconds(Int64(header.samples)) }
}
