internal import SonaWire

/// The packets of the ring that are sent to somebody who comes in now.
///
/// First comes the pre-roll: up to eight packets that are decoded and not heard. They bring the decoder into the state
/// it would have had. A decoder started in mid-stream is off by 3 dB after one packet and by 40 dB after eight. Then
/// comes everything that can still be heard on time, up to the live edge.
///
/// Somebody who comes back already has some of the packets and is sent the others: see `init(_:after:now:)`.
///
/// Source: Protocol/spec/audio.md, "Joining"; Protocol/spec/resuming.md, "Audio".
package struct JoinPlan: Sendable, Equatable {
    /// Numbers of the chunks that are only decoded; empty if the decoder starts anew with the first audible chunk.
    package var preroll: Range<Int>
    /// Numbers of the chunks to hear, up to the ring's end; empty if none is on its way.
    package var audible: Range<Int>
    /// Whether the plan is for somebody who was away.
    package private(set) var isReplay = false
    /// Whether the decoder starts anew with the first packet.
    private var resets = true

    /// O(packets in the lead): the search runs backwards from the live edge.
    package init(_ ring: ChunkRing, now: Int64) {
        var first = ring.end
        while first > ring.first,
            ring.due(first - 1) >= now + Limits.joinMarginMicroseconds
        { first -= 1 }
        audible = first..<ring.end
        var start = first
        let startsAnew = first < ring.end && ring.header(first).flags.contains(.discontinuity)
        while !startsAnew, start > ring.first, first - start < Limits.prerollPackets {
            start -= 1
            if ring.header(start).flags.contains(.discontinuity) { break }
        }
        preroll = start..<first
    }

    /// The packets for somebody who comes back with everything up to a packet.
    ///
    /// If no more packets have become too late than a decoder needs to settle, all missed packets are sent, the late
    /// ones to be decoded only. The decoder then goes on as if nothing had happened. Otherwise it starts anew, as for
    /// joining. Nothing that the client has is sent again.
    /// - Parameter sequence: Number of that packet. If it is neither in the ring nor just before it, the client was
    ///   away too long.
    package init(_ ring: ChunkRing, after sequence: UInt32, now: Int64) {
        self.init(ring, now: now)
        isReplay = true
        guard !ring.isEmpty else { return }
        let next = ring.first + Int(Int32(bitPattern: sequence &+ 1 &- ring.header(ring.first).sequence))
        guard ring.first...ring.end ~= next else { return }
        var heard = next
        while heard < ring.end, ring.due(heard) < now { heard += 1 }
        if heard - next <= Limits.prerollPackets {
            // Packets that may still be in time are sent to be heard; the decoder needs them in any case.
            (preroll, audible) = (next..<heard, heard..<ring.end)
            resets = false
        } else {
            let first = max(next, audible.lowerBound)
            (preroll, audible) = (min(max(preroll.lowerBound, next), first)..<first, first..<ring.end)
        }
    }

    /// The burst as binary messages, in as few bundles as resets, kinds and gaps in time allow.
    ///
    /// The very first packet resets the decoder, with or without DISCONTINUITY when it was live, unless the decoder
    /// goes on.
    package func messages(_ ring: ChunkRing) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var bundle = OpenBundle()
        for number in preroll.lowerBound..<audible.upperBound {
            let chunk = ring[number]
            var header = chunk.header
            if number < audible.lowerBound { header.flags.insert(.preroll) }
            if number == preroll.lowerBound, resets { header.flags.insert(.discontinuity) }
            if isReplay { header.flags.insert(.replay) }
            if !bundle.takes(header, bytes: chunk.packet.count), let message = bundle.close() {
                messages.append(message)
            }
            bundle.add(header, chunk)
        }
        if let message = bundle.close() { messages.append(message) }
        return messages
    }
}
