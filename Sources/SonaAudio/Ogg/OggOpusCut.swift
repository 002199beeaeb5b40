internal import COgg

/// Takes a track out of the middle of an Ogg Opus stream, page by page: what was encoded before it is decoded and not heard,
/// what was encoded after it is left out.
///
/// An encoder that hears what comes before and after a track makes packets that fit those of its neighbours: where tracks
/// run into each other, the cut is not heard. The head's pre-skip grows by what comes before, and the last page ends where
/// the track does.
///
/// Source: RFC 7845 §4.2 (pre-skip), §4.4 (end trimming), §5.1 (head); RFC 3533 §6 (pages).
public struct OggOpusCut: Sendable {
    private let before: Int
    private let after: Int
    /// Bytes of a page that is not whole yet.
    private var rest: [UInt8] = []
    /// Pages that may be the last one of the track.
    private var held: [Page] = []
    private var isBegun = false
    /// Where the last page ends that was handed out, samples.
    private var end: Int64 = 0
    private var preSkip = 0

    private struct Page {
        var bytes: [UInt8]
        var granule: Int64 { bytes.withUnsafeBytes { $0.littleEndian(at: 6, as: Int64.self) } }
        /// The segments' sizes.
        var lacing: ArraySlice<UInt8> { bytes[OggPage.headerBytes..<OggPage.headerBytes + Int(bytes[26])] }
        var bodyStart: Int { OggPage.headerBytes + Int(bytes[26]) }
    }

    /// - Parameters:
    ///   - before: Samples at 48 kHz that were encoded before the track.
    ///   - after: And after it.
    public init(before: Int, after: Int) {
        self.before = before
        self.after = after
    }

    /// Takes the next bytes of the stream.
    ///
    /// - Returns: Bytes of the track's stream that are certain. They lag by at least `after` samples.
    /// - Throws: `.notOgg`, `.badHeader`.
    public mutating func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> [UInt8] {
        rest.append(contentsOf: bytes)
        var done: [UInt8] = []
        while let page = try nextPage() {
            guard isBegun else {
                done += try begin(page)
                isBegun = true
                continue
            }
            held.append(page)
            // Pages of the tags, and those that can't reach the end.
            while let first = held.first, first.granule < held[held.count - 1].granule - Int64(after),
                first.granule >= 0
            {
                end = first.granule
                done += held.removeFirst().bytes
            }
        }
        return done
    }

    /// Ends the track.
    ///
    /// - Throws: `.empty` if there is nothing between what comes before and after; `.badPacket`.
    public mutating func finish() throws(AudioError) -> [UInt8] {
        let last = (held.last?.granule ?? end) - Int64(after)
        guard isBegun, rest.isEmpty, last > Int64(preSkip) else {
            throw AudioError(.empty, "There is no sound between the edges.")
        }
        var done: [UInt8] = []
        for page in held {
            guard page.granule >= last else {
                done += page.bytes
                if page.granule > 0 { end = page.granule }
                continue
            }
            held = []
            return done + (try cut(page, at: last))
        }
        throw AudioError(.empty, "The stream ends before the track does.")
    }

    private mutating func nextPage() throws(AudioError) -> Page? {
        guard rest.count >= OggPage.headerBytes else { return nil }
        guard rest.starts(with: "OggS".utf8) else { throw .badHeader("The encoder wrote something else than pages.") }
        let body = OggPage.headerBytes + Int(rest[26])
        guard rest.count >= body else { return nil }
        let count = body + rest[OggPage.headerBytes..<body].reduce(0) { $0 + Int($1) }
        guard rest.count >= count else { return nil }
        defer { rest.removeFirst(count) }
        return Page(bytes: Array(rest[..<count]))
    }

    /// The page of the head, with the longer pre-skip.
    private mutating func begin(_ page: Page) throws(AudioError) -> [UInt8] {
        var bytes = page.bytes
        let place = page.bodyStart + 10
        guard bytes.count >= place + 2, bytes[page.bodyStart...].starts(with: "OpusHead".utf8) else {
            throw AudioError(.notOgg, "The encoder wrote no head of Opus.")
        }
        preSkip = Int(bytes[place]) + Int(bytes[place + 1]) << 8 + before
        guard preSkip <= 65_535 else { throw .badHeader("A pre-skip of \(preSkip) samples does not fit the head.") }
        (bytes[place], bytes[place + 1]) = (UInt8(preSkip & 0xFF), UInt8(preSkip >> 8))
        Self.sign(&bytes, body: page.bodyStart)
        return bytes
    }

    /// The part of a page that a track needs which ends in it.
    private func cut(_ page: Page, at last: Int64) throws(AudioError) -> [UInt8] {
        let body = page.bytes[page.bodyStart...]
        var (place, kept, segments, packet) = (body.startIndex, body.startIndex, 0, body.startIndex)
        var time = end
        for (number, length) in page.lacing.enumerated() {
            place += Int(length)
            guard length < 255 else { continue }
            let bytes = Array(body[packet..<place])
            let inspected = bytes.withUnsafeBytes { buffer in
                Result { () throws(AudioError) in try OpusPacket(inspecting: buffer) }
            }
            time += Int64(try inspected.get().samples)
            (kept, segments, packet) = (place, number + 1, place)
            if time >= last { break }
        }
        var bytes = Array(page.bytes[..<OggPage.headerBytes])
        bytes[5] |= 4
        for at in 0..<8 { bytes[6 + at] = UInt8(truncatingIfNeeded: last >> (8 * Int64(at))) }
        bytes[26] = UInt8(segments)
        bytes += page.lacing.prefix(segments)
        let start = bytes.count
        bytes += body[..<kept]
        Self.sign(&bytes, body: start)
        return bytes
    }

    /// Puts the checksum of a page in.
    private static func sign(_ bytes: inout [UInt8], body: Int) {
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let header = buffer.baseAddress else { return }
            var page = ogg_page(
                header: header, header_len: body, body: header + body, body_len: buffer.count - body)
            ogg_page_checksum_set(&page)
        }
    }
}
