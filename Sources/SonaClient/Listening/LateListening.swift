package import SonaWire

/// Packets of a room that is heard later than others hear it: they wait until they are due, in the order of their numbers.
///
/// Times of streams and packets that come out are those at which they are to be heard.
///
/// Source: Protocol/spec/shifting.md.
package struct LateListening: Sendable {
    /// How much later, µs.
    package let by: Int64
    /// Sorted by number.
    private var waiting: [AudioPacket] = []

    /// How long before it is heard a packet comes out, µs.
    private static let ahead: Int64 = 3_000_000

    /// - Parameter by: 0 or more, µs. With 0 nothing waits.
    package init(by: Int64) { self.by = by }

    /// The spans that are to be asked for at the beginning, as server times in µs.
    ///
    /// - Parameters:
    ///   - now: Server time.
    ///   - edge: Server time from which on packets come by themselves.
    package func spans(now: Int64, edge: Int64) -> [Range<Int64>] {
        guard by > 0 else { return [] }
        return stride(from: now - by, to: edge, by: Int(Limits.shiftSpanMicroseconds)).map {
            $0..<min($0 + Limits.shiftSpanMicroseconds, edge)
        }
    }

    package func moved(_ stream: StreamInfo) -> StreamInfo {
        var stream = stream
        stream.startMicroseconds += by
        return stream
    }

    /// Takes a packet in. One that only prepares a decoder gives way to the same that is to be heard.
    package mutating func take(_ packet: AudioPacket) {
        let number = packet.header.sequence
        let place = waiting.lastIndex { Int32(bitPattern: $0.header.sequence &- number) <= 0 }
        guard let place, waiting[place].header.sequence == number else {
            return waiting.insert(packet, at: place.map { $0 + 1 } ?? 0)
        }
        if waiting[place].header.flags.contains(.preroll) { waiting[place] = packet }
    }

    /// The packets that are due, with the times at which they are to be heard.
    ///
    /// - Parameter now: Server time, µs; `nil`: all of them.
    package mutating func due(at now: Int64?) -> [AudioPacket] {
        let count =
            now.map { now in
                waiting.prefix { $0.header.playAtMicroseconds + by - Self.ahead < now }.count
            } ?? waiting.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map { packet in
            var packet = packet
            packet.header.playAtMicroseconds += by
            return packet
        }
    }
}
