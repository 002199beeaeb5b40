/// Reads a whole file once and says what streams and packets are in it.
///
/// A file is a chain of groups. States of a group, and what moves between them:
///
///     headers ──(first page without the BOS flag)──▶ data ──(next BOS page)──▶ headers of the next group
///
/// In `headers` the first Opus stream is chosen; pages of all other streams are checked and passed over. The chosen
/// stream then goes its own way: tags → audio → ended (EOS page, or the group is over).
///
/// Source: RFC 3533 §4 (grouping and chaining), RFC 7845 §3 (packet organisation), §4 (granule positions).
struct OggOpusScanner {
    private let path: String
    private var index = OggPacketIndex()
    private var streams: [OggOpusFile.StreamRange] = []
    private var current: CurrentStream?
    private var isInHeaders = false
    private var isTruncated = false
    /// Codecs met that are not Opus, for the error when there is nothing else.
    private var otherCodecs: [String] = []

    /// Most streams in a chain. Far above any album; keeps a file made of headers alone from filling memory.
    static let streamsMax = 4096

    struct Result {
        var streams: [OggOpusFile.StreamRange]
        var index: OggPacketIndex
        var isTruncated: Bool
    }

    /// Scans a file.
    ///
    /// - Throws: Everything `OggOpusFile.init` documents.
    static func scan(_ file: ReadableFile) throws(AudioError) -> Result {
        var scanner = OggOpusScanner(path: file.path)
        let reader = OggPageReader(file: file)
        do throws(AudioError) {
            while let page = try reader.next() { try scanner.take(page) }
        } catch {
            // The absence of any Opus is more useful to report than a damaged page of another codec.
            if case .io = error.code { throw error }
            if scanner.hasSeenOpus || scanner.otherCodecs.isEmpty { throw error }
        }
        return try scanner.finish(isCutOff: reader.isTruncated)
    }

    private init(path: String) {
        self.path = path
    }

    private var hasSeenOpus: Bool { !streams.isEmpty || current != nil }

    // MARK: Groups

    private mutating func take(_ page: OggPage) throws(AudioError) {
        if page.isFirst {
            try takeFirst(page)
        } else {
            isInHeaders = false
            guard current?.serial == page.serial else { return }
            try takeNext(page)
        }
    }

    private mutating func takeFirst(_ page: OggPage) throws(AudioError) {
        if !isInHeaders {
            try closeStream()
            isInHeaders = true
        }
        switch OggCodec(magicOf: page.body) {
        case .opus:
            // A stream broken off after its first page, and begun again: the later one counts.
            if current == nil || current?.serial == page.serial {
                current = CurrentStream(page, head: try head(of: page), firstPacket: index.packetCount)
            }
        case .other(let name):
            if !otherCodecs.contains(name) { otherCodecs.append(name) }
        case .skeleton:
            break
        }
    }

    private func head(of page: OggPage) throws(AudioError) -> OpusHead {
        // The first page holds the head and nothing else (RFC 7845 §3).
        guard let last = page.lacing.last, last < 255, page.lacing.dropLast().allSatisfy({ $0 == 255 }) else {
            throw .badHeader("\(path): the OpusHead at byte \(page.offset) is not alone on its page.")
        }
        do throws(AudioError) {
            return try OpusHead(parsing: page.body)
        } catch {
            throw at(page.bodyOffset, error)
        }
    }

    private mutating func closeStream() throws(AudioError) {
        guard let stream = current else { return }
        current = nil
        if !stream.pending.isEmpty || stream.isTagsBegun { isTruncated = true }
        guard let tags = stream.tags, index.packetCount > stream.firstPacket else { return }
        guard streams.count < Self.streamsMax else {
            throw .unsupported("\(path) chains more than \(Self.streamsMax) streams.")
        }
        let packets = stream.firstPacket..<index.packetCount
        let samples = Int(index.ends[packets.upperBound - 1])
        streams.append(
            OggOpusFile.StreamRange(
                packets: packets,
                stream: OggOpusFile.Stream(
                    head: stream.head, tags: tags, packetCount: packets.count, samples: samples,
                    missingPages: stream.missingPages)))
    }

    private consuming func finish(isCutOff: Bool) throws(AudioError) -> Result {
        let hadOpus = hasSeenOpus
        try closeStream()
        guard !streams.isEmpty else {
            if isCutOff, hadOpus || otherCodecs.isEmpty {
                throw AudioError(.empty, "\(path) was cut off before its first sound.")
            }
            if hadOpus { throw AudioError(.empty, "\(path) holds an Opus stream without any sound.") }
            if !otherCodecs.isEmpty {
                let found = otherCodecs.joined(separator: " and ")
                throw AudioError(.notOpus(found: found), "\(path) holds \(found), not Opus; convert it first.")
            }
            throw .badHeader("\(path) does not begin with the header of a stream; its start is missing.")
        }
        return Result(streams: streams, index: index, isTruncated: isTruncated || isCutOff)
    }

    // MARK: Packets

    private mutating func takeNext(_ page: OggPage) throws(AudioError) {
        guard current?.hasEnded == false else { return }
        let endBefore = current?.end ?? 0
        current?.startPage(page)
        var position = 0
        var segment = 0
        while segment < page.lacing.count {
            // One run of segments: 255s up to and including the one that ends the packet, or to the end of the page.
            let start = position
            var isWhole = false
            while segment < page.lacing.count, !isWhole {
                position += Int(page.lacing[segment])
                isWhole = page.lacing[segment] < 255
                segment += 1
            }
            try takePart(of: page, start..<position, isWhole: isWhole)
        }
        if page.isLast {
            endStream(at: page, endBefore: endBefore)
        } else if let end = current?.end, end > endBefore, page.granule >= 0 {
            current?.anchorGranule = page.granule
            current?.anchorEnd = end
        }
    }

    private mutating func takePart(of page: OggPage, _ part: Range<Int>, isWhole: Bool) throws(AudioError) {
        guard current != nil else { return }
        if current?.isSkippingRest == true {
            // The rest of a packet whose beginning is missing.
            current?.isSkippingRest = !isWhole
            return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: page.body[part])
        let offset = page.bodyOffset + UInt64(part.lowerBound)
        if current?.tags == nil {
            try takeTags(bytes, at: offset, isWhole: isWhole)
        } else {
            try takeAudio(bytes, at: offset, isWhole: isWhole)
        }
    }

    private mutating func takeTags(
        _ bytes: UnsafeRawBufferPointer, at offset: UInt64, isWhole: Bool
    ) throws(AudioError) {
        current?.tagsParser.feed(bytes)
        current?.isTagsBegun = !isWhole
        guard isWhole, let parser = current?.tagsParser else { return }
        do throws(AudioError) {
            current?.tags = try parser.finish()
        } catch {
            throw at(offset, error)
        }
        current?.tagsParser = OpusTagsParser()
    }

    private mutating func takeAudio(
        _ bytes: UnsafeRawBufferPointer, at offset: UInt64, isWhole: Bool
    ) throws(AudioError) {
        // Taken out and put back, so that its arrays are not copied.
        guard var stream = current.take() else { return }
        defer { current = stream }
        guard stream.pending.count + bytes.count <= OpusPacket.bytesMax else {
            throw .badPacket("\(path), at byte \(offset): A packet is longer than \(OpusPacket.bytesMax) bytes.")
        }
        if !bytes.isEmpty {
            stream.extents.append(OggPacketIndex.Extent(offset: offset, length: UInt16(bytes.count)))
        }
        guard isWhole else {
            stream.pending.append(contentsOf: bytes)
            return
        }
        defer { stream.dropPending() }
        let samples: Int
        do throws(AudioError) {
            if stream.pending.isEmpty {
                // An empty packet stands for nothing at all; some muxers end a stream with one.
                if bytes.isEmpty { return }
                samples = try OpusPacket.samples(inspecting: bytes)
            } else {
                stream.pending.append(contentsOf: bytes)
                samples = try OpusPacket(inspecting: stream.pending).samples
            }
        } catch {
            throw at(stream.extents.first?.offset ?? offset, error)
        }
        guard index.packetCount < OggPacketIndex.packetsMax else {
            throw .unsupported("\(path) has more than \(OggPacketIndex.packetsMax) packets.")
        }
        stream.end += Int64(samples)
        index.append(extents: stream.extents, end: stream.end)
    }

    /// Ends the stream at its EOS page, shortening the last packets if the page's granule says so (RFC 7845 §4.4).
    ///
    /// A granule cannot be trusted further than that: it counts only if it cuts into the page's own packets.
    private mutating func endStream(at page: OggPage, endBefore: Int64) {
        guard let stream = current else { return }
        current?.hasEnded = true
        let (granuleExpected, overflow) = stream.anchorGranule.addingReportingOverflow(stream.end - stream.anchorEnd)
        guard page.granule >= 0, !overflow else { return }
        let (excess, isBeyond) = granuleExpected.subtractingReportingOverflow(page.granule)
        guard !isBeyond, excess > 0, excess < stream.end - endBefore else { return }
        index.trim(to: stream.end - excess, keeping: stream.firstPacket)
        current?.end = stream.end - excess
    }

    private func at(_ offset: UInt64, _ error: AudioError) -> AudioError {
        AudioError(error.code, "\(path), at byte \(offset): \(error.detail)")
    }
}

/// The chosen stream of the current group.
private struct CurrentStream {
    let serial: UInt32
    let head: OpusHead
    let firstPacket: Int
    var tags: OpusTags?
    var tagsParser = OpusTagsParser()
    /// Whether the tags began on an earlier page and go on.
    var isTagsBegun = false
    /// End of the timeline so far, samples at 48 kHz: the sum of the packets' own durations.
    var end: Int64 = 0
    var hasEnded = false
    var missingPages = 0

    /// The begun packet: its bytes and where they lie.
    var pending: [UInt8] = []
    var extents: [OggPacketIndex.Extent] = []
    /// Whether the next data belongs to a packet whose beginning is missing.
    var isSkippingRest = false

    /// The last granule position met and the timeline's end at that page. What the EOS page's granule is measured
    /// from, so that live captures, which start anywhere, and gaps need no special case.
    var anchorGranule: Int64 = 0
    var anchorEnd: Int64 = 0

    private var nextSequence: UInt32

    init(_ page: OggPage, head: OpusHead, firstPacket: Int) {
        serial = page.serial
        self.head = head
        self.firstPacket = firstPacket
        nextSequence = page.sequence &+ 1
    }

    /// Compares a page with the expected one, and drops a begun packet that does not continue on it.
    mutating func startPage(_ page: OggPage) {
        let gap = page.sequence &- nextSequence
        nextSequence = page.sequence &+ 1
        if gap != 0 {
            // Going backwards is a gap too, of unknown size.
            missingPages += gap < 1 << 31 ? Int(gap) : 1
        }
        let isBegun = isTagsBegun || !extents.isEmpty
        isSkippingRest = page.isContinued && (gap != 0 || !isBegun)
        guard gap != 0 || !page.isContinued else { return }
        dropPending()
        if tags == nil, isTagsBegun || isSkippingRest {
            // Broken tags are no reason to refuse the sound.
            tags = OpusTags(vendor: "", comments: [])
            isTagsBegun = false
        }
    }

    mutating func dropPending() {
        pending.removeAll(keepingCapacity: true)
        extents.removeAll(keepingCapacity: true)
    }
}
