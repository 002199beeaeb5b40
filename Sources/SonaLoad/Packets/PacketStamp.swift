/// The stamp that each packet of a load test carries in the last 24 bytes of its Opus padding.
///
/// ```
/// offset size type  field                                      (byte order of the machine: only the sender reads it)
///      0    4 u32   mark, "SonL"
///      4    2 u16   run: another run's packets are none of ours
///      6    2 u16   room, so that a packet in the wrong room is noticed
///      8    8 u64   number within the room, from 0
///     16    8 u64   when it was due by the plan, ns of CLOCK_MONOTONIC
/// ```
///
/// **Why in the packet.** The server hands packets on unchanged, but numbers them anew, sets their times, and decides
/// which to leave out or repeat. A separate table, by room and the server's number, would trust the very numbering that
/// it is meant to check: a packet repeated under a new number, or one of another room, would count as delivered. A
/// stamp inside the packet cannot be mistaken. Each packet that arrives is exactly one of those sent, and a packet that
/// this run did not send is recognised as foreign.
///
/// **Why in padding.** Every packet can be turned into one of code 3 with padding (RFC 6716, section 3.2.5), and "the
/// decoder MUST accept any value for the padding bytes": it plays as before. To the server it is an Opus packet like any.
///
/// **Why when it was due.** A sender that is held up sends late, and its samples lack the measurements of that time
/// (coordinated omission). Delay from the planned time includes the wait.
package struct PacketStamp: Equatable, Sendable {
    package static let bytes = 24
    private static let mark: UInt32 = 0x4C6E_6F53

    package var run: UInt16
    package var room: UInt16
    package var number: UInt64
    /// Nanoseconds of `LoadClock`.
    package var due: UInt64

    package init(run: UInt16, room: UInt16, number: UInt64, due: UInt64) {
        self.run = run
        self.room = room
        self.number = number
        self.due = due
    }

    @inline(__always)
    package func write(endingAt end: UnsafeMutableRawPointer) {
        let start = end - Self.bytes
        start.storeBytes(of: Self.mark, as: UInt32.self)
        start.storeBytes(of: run, toByteOffset: 4, as: UInt16.self)
        start.storeBytes(of: room, toByteOffset: 6, as: UInt16.self)
        start.storeBytes(of: number, toByteOffset: 8, as: UInt64.self)
        start.storeBytes(of: due, toByteOffset: 16, as: UInt64.self)
    }

    /// Nil if the packet has no stamp.
    /// - Parameter count: Bytes of the packet, which ends at `end`.
    @inline(__always)
    package init?(endingAt end: UnsafeRawPointer, count: Int) {
        guard count > Self.bytes else { return nil }
        let start = end - Self.bytes
        guard start.loadUnaligned(as: UInt32.self) == Self.mark else { return nil }
        run = start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        room = start.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
        number = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        due = start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    }
}

/// Room for a stamp in an Opus packet.
package enum StampRoom {
    /// The same packet with code 3 and `PacketStamp.bytes` of padding at its end.
    ///
    /// ```
    /// code 0   TOC | frame                     →  TOC+3 | 0x41 | 24 | frame          | padding
    /// code 1   TOC | frame | frame             →  TOC+3 | 0x42 | 24 | frame | frame  | padding
    /// code 2   TOC | length | frame | frame    →  TOC+3 | 0xC2 | 24 | length | frame | frame | padding
    /// code 3   TOC | count | …                 →  TOC   | count with padding | 24 | … | padding
    /// ```
    ///
    /// - Parameter packet: Well formed, and without padding, as libopus makes it.
    /// - Returns: Nil if it is padded already.
    ///
    /// Source: RFC 6716, sections 3.2.2 to 3.2.5.
    package static func make(in packet: [UInt8]) -> [UInt8]? {
        guard let toc = packet.first else { return nil }
        let hasPadding: UInt8 = 0x40
        let isVariable: UInt8 = 0x80
        let count: UInt8
        var rest = packet.dropFirst()
        switch toc & 3 {
        case 0: count = hasPadding | 1
        case 1: count = hasPadding | 2
        case 2: count = hasPadding | isVariable | 2
        default:
            guard let own = rest.popFirst(), own & hasPadding == 0 else { return nil }
            count = own | hasPadding
        }
        return [toc | 3, count, UInt8(PacketStamp.bytes)] + rest + [UInt8](repeating: 0, count: PacketStamp.bytes)
    }
}
