internal import SonaWire

/// Packets on their way into one BUNDLE_DN.
package struct OpenBundle {
    private var first: BundleDown?
    private var packets: [(samples: UInt32, packet: [UInt8])] = []
    /// Samples of the packets so far.
    private var samples: Int64 = 0
    private var bytes = 0
    private var isEnded = false

    /// Flags that belong to a bundle's first or last packet only. All other flags must be the same for all packets.
    private static let placed: AudioFlags = [.discontinuity, .last]
    private static let bytesMax = 60_000

    func takes(_ header: AudioDown, bytes count: Int) -> Bool {
        guard let first else { return true }
        return !isEnded && !header.flags.contains(.discontinuity) && header.epoch == first.epoch
            && header.flags.subtracting(Self.placed) == first.flags.subtracting(Self.placed)
            && isInTime(header, first) && packets.count < BundleDown.packetsMax && bytes + count <= Self.bytesMax
    }

    /// Whether a packet sounds at the time that its place in the bundle implies. Packets of a file do so to the
    /// microsecond, packets of a live host nearly.
    private func isInTime(_ header: AudioDown, _ first: BundleDown) -> Bool {
        let computed = first.playAtMicroseconds + Timeline.microseconds(samples)
        return abs(header.playAtMicroseconds - computed) <= Limits.bundleToleranceMicroseconds
    }

    mutating func add(_ header: AudioDown, _ chunk: AudioChunk) {
        if first == nil {
            first = BundleDown(
                flags: header.flags, epoch: header.epoch, firstSequence: header.sequence,
                playAtMicroseconds: header.playAtMicroseconds)
        }
        if header.flags.contains(.last) {
            first?.flags.insert(.last)
            isEnded = true
        }
        packets.append((samples: header.samples, packet: chunk.packet))
        bytes += chunk.packet.count + BundleDown.entryHeaderBytes
        samples += Int64(header.samples)
    }

    /// Packets as they are, in as few bundles as resets, kinds and gaps in time allow.
    package static func messages(_ chunks: [AudioChunk]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var bundle = OpenBundle()
        for chunk in chunks {
            if !bundle.takes(chunk.header, bytes: chunk.packet.count), let message = bundle.close() {
                messages.append(message)
            }
            bundle.add(chunk.header, chunk)
        }
        if let message = bundle.close() { messages.append(message) }
        return messages
    }

    mutating func close() -> [UInt8]? {
        defer { self = OpenBundle() }
        return first.map { BundleDown.encode($0, packets: packets) }
    }
}
