import COgg

/// Writes an Ogg Opus stream: packets in, bytes to append out. Pure; the caller does the writing.
///
/// The page under construction is held back until the next packet needs a new one, because the last page has to carry
/// the end-of-stream mark. So the bytes returned lag by one page: at most one second of sound, or with `flush` one
/// packet.
///
///     var writer = OggOpusWriter(head: head, tags: tags, serial: 1)
///     var bytes = writer.headerPages()
///     bytes += try writer.write(packet: packet, samples: 960, flush: false)
///     bytes += writer.finish()
///
/// Source: RFC 3533 §6, RFC 7845 §3 (packet organisation), §4 (granule positions).
public struct OggOpusWriter: Sendable {
    private let serial: UInt32
    private let header: [UInt8]
    private var nextSequence: UInt32
    private var isFinished = false

    /// The page under construction.
    private var lacing: [UInt8] = []
    private var body: [UInt8] = []
    private var pageSamples = 0
    /// Whether the page is to go out before anything is added to it.
    private var isFlushed = false

    /// End of the last packet by the packets' own durations, samples at 48 kHz.
    private var granule: Int64 = 0
    /// Samples by which the last packet was shortened. Counts only while it is the last.
    private var trim: Int64 = 0

    /// Longest page, samples: one second, as opusenc makes them.
    private static let pageSamplesMax = 48_000
    private static let segmentsMax = 255

    /// - Parameter serial: Identifies the stream in its file. Streams chained in one file need different ones.
    public init(head: OpusHead, tags: OpusTags, serial: UInt32) {
        self.serial = serial
        var pages: [UInt8] = []
        var sequence: UInt32 = 0
        for (packet, flags) in [(head.encoded(), Self.beginFlag), (tags.encoded(), 0)] {
            Self.appendPages(of: packet, firstFlags: flags, serial: serial, sequence: &sequence, to: &pages)
        }
        header = pages
        nextSequence = sequence
    }

    /// The pages of OpusHead and OpusTags. They come first in the file.
    public mutating func headerPages() -> [UInt8] { header }

    /// Adds one packet.
    ///
    /// - Parameters:
    ///   - packet: One well-formed Opus packet, at most 61440 bytes.
    ///   - samples: Samples at 48 kHz that it adds to the timeline: its own duration, or less to trim the end. A
    ///     trimmed packet that another one follows counts in full, as a decoder will.
    ///   - flush: Whether to end the page after this packet, for low latency.
    /// - Returns: The pages that became complete; often none.
    /// - Throws: `.badPacket` if the packet is malformed, or `samples` is not in 1…its duration. Nothing was added.
    public mutating func write(packet: [UInt8], samples: Int, flush: Bool) throws(AudioError) -> [UInt8] {
        precondition(!isFinished, "A packet was written after the stream was finished.")
        let duration = try OpusPacket(inspecting: packet).samples
        guard samples > 0, samples <= duration else {
            throw .badPacket("A packet of \(duration) samples cannot count as \(samples).")
        }
        var pages: [UInt8] = []
        // Every packet begins on a page where it has room to end, so none is ever continued.
        let segments = packet.count / 255 + 1
        let isFull = lacing.count + segments > Self.segmentsMax || pageSamples + duration > Self.pageSamplesMax
        if isFlushed || isFull { appendPage(to: &pages, flags: 0, granule: granule) }

        lacing.append(contentsOf: repeatElement(255, count: segments - 1))
        lacing.append(UInt8(packet.count % 255))
        body.append(contentsOf: packet)
        pageSamples += duration
        granule += Int64(duration)
        trim = Int64(duration - samples)
        isFlushed = flush
        return pages
    }

    /// Ends the stream. Returns the page held back, marked as the last one, its granule position shortened by the trim.
    ///
    /// Without any packet the mark goes on an empty page. A second call returns nothing.
    public mutating func finish() -> [UInt8] {
        guard !isFinished else { return [] }
        isFinished = true
        var pages: [UInt8] = []
        appendPage(to: &pages, flags: Self.endFlag, granule: granule - trim)
        return pages
    }

    // MARK: Pages

    private static let continuedFlag: UInt8 = 1
    private static let beginFlag: UInt8 = 2
    private static let endFlag: UInt8 = 4

    private mutating func appendPage(to pages: inout [UInt8], flags: UInt8, granule: Int64) {
        Self.appendPage(
            lacing: lacing[...], body: body[...], flags: flags, granule: granule, serial: serial,
            sequence: nextSequence, to: &pages)
        nextSequence &+= 1
        lacing.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
        pageSamples = 0
        isFlushed = false
    }

    /// Appends a header packet on pages of its own. Tags may be larger than one page.
    private static func appendPages(
        of packet: [UInt8], firstFlags: UInt8, serial: UInt32, sequence: inout UInt32, to pages: inout [UInt8]
    ) {
        let lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        for first in stride(from: 0, to: lacing.count, by: segmentsMax) {
            let segments = lacing[first..<min(first + segmentsMax, lacing.count)]
            let bytes = packet[first * 255..<min((first + segments.count) * 255, packet.count)]
            let isEnd = segments.endIndex == lacing.count
            // Header pages have granule position 0; a page on which no packet ends has −1.
            appendPage(
                lacing: segments, body: bytes, flags: first == 0 ? firstFlags : continuedFlag,
                granule: isEnd ? 0 : -1, serial: serial, sequence: sequence, to: &pages)
            sequence &+= 1
        }
    }

    private static func appendPage(
        lacing: ArraySlice<UInt8>, body: ArraySlice<UInt8>, flags: UInt8, granule: Int64, serial: UInt32,
        sequence: UInt32, to pages: inout [UInt8]
    ) {
        let start = pages.count
        pages.reserveCapacity(start + OggPage.headerBytes + lacing.count + body.count)
        pages.append(OggPage.capture)
        pages.append(0)
        pages.append(flags)
        pages.append(littleEndian: granule)
        pages.append(littleEndian: serial)
        pages.append(littleEndian: sequence)
        pages.append(littleEndian: UInt32(0))
        pages.append(UInt8(lacing.count))
        pages.append(contentsOf: lacing)
        let bodyStart = pages.count
        pages.append(contentsOf: body)
        pages.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var page = ogg_page(
                header: base + start, header_len: bodyStart - start,
                body: base + bodyStart, body_len: bytes.count - bodyStart)
            ogg_page_checksum_set(&page)
        }
    }
}
