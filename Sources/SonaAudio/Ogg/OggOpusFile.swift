/// A whole Ogg Opus file open for hosting.
///
/// Opening reads the file once: every page's checksum and every packet's form are checked, and an index is kept
/// (22 bytes per packet, 4 MB for an hour). After that packets are read on demand, from any thread; each costs one
/// small read. Opening 5 MB takes some tens of milliseconds, so it belongs off the event loop.
///
/// Time is counted in samples at 48 kHz from the first sample a decoder gives, and comes from the packets alone:
/// granule positions are often wrong and serve only to shorten the end.
///
///     let file = try OggOpusFile(path: "song.opus")
///     let first = file.packetIndex(stream: 0, containing: 90 * 48_000)
///     let packet = try file.packet(stream: 0, at: first)
///
/// Source: RFC 3533, RFC 7845 §3–§5.
public final class OggOpusFile: Sendable {
    /// The streams that have sound, in the order of the file: at least one, each with at least one packet.
    ///
    /// Chained streams follow each other. Of streams that run side by side (multiplexed) the first Opus stream is
    /// taken.
    public let streams: [Stream]
    /// Whether the file was cut off in the middle of a page or packet. What is whole is here; the rest is dropped.
    public let isTruncated: Bool

    private let file: ReadableFile
    private let ranges: [Range<Int>]
    private let index: OggPacketIndex

    /// One logical stream: one track, as a rule.
    public struct Stream: Sendable {
        /// The identification header: channels, pre-skip, gain.
        public var head: OpusHead
        /// The comment header: title, artist and the like.
        public var tags: OpusTags
        /// Audio packets, without the two headers.
        public var packetCount: Int
        /// Samples a decoder gives, the pre-skip included, the end already trimmed: the sum of `Packet.samples`.
        public var samples: Int
        /// Pages that are not there although their numbers are left free, at least. Sound is missing there.
        public var missingPages: Int
        /// Samples to be heard: `samples` without the pre-skip, 0 or more.
        public var durationSamples: Int { max(0, samples - head.preSkip) }
    }

    /// One packet and its place on the timeline.
    public struct Packet: Sendable, Equatable {
        /// The Opus packet as it lies in the file (RFC 6716 §3).
        public var bytes: [UInt8]
        /// Samples at 48 kHz that the packet adds to the timeline: 1…5760. This is the packet's duration, except for
        /// the last packet of a trimmed stream: only its first `samples` are to be heard.
        public var samples: Int
        /// Samples at 48 kHz from the stream's first decoded sample.
        public var start: Int
    }

    struct StreamRange {
        var packets: Range<Int>
        var stream: Stream
    }

    /// Opens and checks a file. Blocks while it reads all of it.
    ///
    /// - Throws: `.io` if it cannot be read or is a folder; `.empty` without bytes or without a packet; `.notOgg`;
    ///   `.notOpus` naming the codec instead; `.badChecksum`, `.badHeader` or `.badPacket` naming the byte where it
    ///   is damaged; `.unsupported` for surround sound, pipes, and more than 16 million packets or 4096 streams.
    public init(path: String) throws(AudioError) {
        file = try ReadableFile(path: path)
        let result = try OggOpusScanner.scan(file)
        streams = result.streams.map(\.stream)
        ranges = result.streams.map(\.packets)
        index = result.index
        isTruncated = result.isTruncated
    }

    /// Reads one packet.
    ///
    /// - Parameters:
    ///   - stream: Index into `streams`.
    ///   - index: 0…`packetCount` − 1.
    /// - Throws: `.badPacket` if there is no such packet, or if the file was changed since it was opened; `.io` if
    ///   reading fails.
    public func packet(stream: Int, at index: Int) throws(AudioError) -> Packet {
        guard ranges.indices.contains(stream), index >= 0, index < ranges[stream].count else {
            throw .badPacket("\(file.path) has no packet \(index) in stream \(stream).")
        }
        let first = ranges[stream].lowerBound
        let number = first + index
        let bytes = try read(self.index.extents(of: number))
        let start = self.index.start(of: number, first: first)
        let samples = Int(self.index.ends[number] - start)
        guard let told = try? OpusPacket(inspecting: bytes).samples, told >= samples else {
            throw .badPacket("\(file.path) was changed while it was open.")
        }
        return Packet(bytes: bytes, samples: samples, start: Int(start))
    }

    /// The packet during which a sample sounds. O(log packets).
    ///
    /// - Parameters:
    ///   - stream: Index into `streams`; another one is our bug.
    ///   - sample: Counted like `Packet.start`. Before the start gives the first packet, past the end the last.
    public func packetIndex(stream: Int, containing sample: Int) -> Int {
        precondition(ranges.indices.contains(stream), "A packet was looked up in a stream the file does not have.")
        let range = ranges[stream]
        var low = range.lowerBound
        var high = range.upperBound - 1
        while low < high {
            let middle = low + (high - low) / 2
            if index.ends[middle] > sample { high = middle } else { low = middle + 1 }
        }
        return low - range.lowerBound
    }

    private func read(_ extents: some Collection<OggPacketIndex.Extent>) throws(AudioError) -> [UInt8] {
        let length = extents.reduce(0) { $0 + Int($1.length) }
        var failure: AudioError?
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            do throws(AudioError) {
                for extent in extents {
                    let part = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<filled + Int(extent.length)])
                    let count = try file.read(into: part, at: extent.offset)
                    filled += count
                    if count < part.count { return }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard bytes.count == length else { throw .badPacket("\(file.path) became shorter while it was open.") }
        return bytes
    }
}
