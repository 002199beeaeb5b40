import COgg

/// Reads a file page by page and checks each page's checksum.
///
/// One buffer of 256 KiB; no allocation per page. Only the checksum is libogg's: its reader silently skips data that it
/// does not understand, and here every byte must be accounted for.
final class OggPageReader {
    private let file: ReadableFile
    private let buffer: UnsafeMutableRawBufferPointer
    /// The part of `buffer` that is filled and not yet handed out.
    private var window = 0..<0
    /// Offset of `window` in the file, bytes.
    private var offset: UInt64 = 0

    /// Whether the file ended inside a page. Set once `next()` has returned nil.
    private(set) var isTruncated = false

    init(file: ReadableFile) {
        self.file = file
        buffer = .allocate(byteCount: 256 * 1024, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// The next page, valid until the next call; nil at the end of the file or where it was cut off.
    ///
    /// - Throws: `.empty` or `.notOgg` at the start of the file; later `.badHeader` for bytes that are no page,
    ///   `.badChecksum` for a page whose bytes changed, `.io` if reading fails.
    func next() throws(AudioError) -> OggPage? {
        let header = try peek(OggPage.headerBytes)
        if header.isEmpty {
            guard offset > 0 else { throw AudioError(.empty, "\(file.path) is empty.") }
            return nil
        }
        guard isCapture(header) else {
            try refuseUnlessTail()
            return nil
        }
        guard header.count == OggPage.headerBytes else { return cutOff() }
        guard header[4] == 0 else {
            throw .badHeader("\(file.path): the page at byte \(offset) has version \(header[4]); 0 is known.")
        }
        let headerBytes = OggPage.headerBytes + Int(header[26])
        let withLacing = try peek(headerBytes)
        guard withLacing.count == headerBytes else { return cutOff() }
        let bodyBytes = withLacing[OggPage.headerBytes...].reduce(0) { $0 + Int($1) }
        let whole = try peek(headerBytes + bodyBytes)
        guard whole.count == headerBytes + bodyBytes else { return cutOff() }
        guard hasRightChecksum(whole, headerBytes: headerBytes) else {
            throw AudioError(
                .badChecksum, "\(file.path): the page at byte \(offset) is damaged (its checksum does not match).")
        }
        let bytes = UnsafeRawBufferPointer(whole)
        let page = OggPage(
            offset: offset,
            lacing: UnsafeRawBufferPointer(rebasing: bytes[OggPage.headerBytes..<headerBytes]),
            body: UnsafeRawBufferPointer(rebasing: bytes[headerBytes...]),
            flags: bytes[5],
            granule: bytes.littleEndian(at: 6, as: Int64.self),
            serial: bytes.littleEndian(at: 14, as: UInt32.self),
            sequence: bytes.littleEndian(at: 18, as: UInt32.self))
        consume(whole.count)
        return page
    }

    // MARK: Pages that are none

    /// Whether the bytes are "OggS", or as much of it as there is before the end of the file.
    private func isCapture(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        bytes.prefix(4).elementsEqual("OggS".utf8.prefix(bytes.count))
    }

    private func cutOff() -> OggPage? {
        isTruncated = true
        return nil
    }

    /// Decides about bytes that are not a page: two kinds of tail are harmless, everything else is rejected.
    ///
    /// An ID3v1 tag is 128 bytes long and begins with "TAG"; some taggers append it to any file. Zeros up to the end
    /// come from a download or a recording that was cut off after its space had been reserved.
    private func refuseUnlessTail() throws(AudioError) {
        guard offset > 0 else { throw try notOgg() }
        let start = offset
        let tail = try peek(129)
        if tail.count == 128, tail.starts(with: "TAG".utf8) { return }
        while true {
            let bytes = try peek(buffer.count)
            if bytes.isEmpty {
                isTruncated = true
                return
            }
            guard bytes.allSatisfy({ $0 == 0 }) else {
                throw .badHeader("\(file.path): the bytes at \(start) are not an Ogg page; the file is damaged there.")
            }
            consume(bytes.count)
        }
    }

    private func notOgg() throws(AudioError) -> AudioError {
        let bytes = UnsafeRawBufferPointer(try peek(16))
        let known: [([UInt8], Int, String)] = [
            ([0xFF, 0xD8, 0xFF], 0, "a JPEG picture"), ([0x89] + "PNG".utf8, 0, "a PNG picture"),
            (Array("ID3".utf8), 0, "an MP3"), ([0xFF, 0xFB], 0, "an MP3"), ([0xFF, 0xF3], 0, "an MP3"),
            (Array("fLaC".utf8), 0, "a FLAC file"), (Array("WAVE".utf8), 8, "a WAV file"),
            (Array("ftyp".utf8), 4, "an MP4 or M4A file"), ([0x1A, 0x45, 0xDF, 0xA3], 0, "a WebM or Matroska file"),
        ]
        let guess = known.first { bytes.dropFirst($0.1).starts(with: $0.0) }
        let hint = guess.map { "; it looks like \($0.2)" } ?? ""
        return AudioError(.notOgg, "\(file.path) is not an Ogg file\(hint).")
    }

    // MARK: Bytes

    private func hasRightChecksum(_ bytes: UnsafeMutableRawBufferPointer, headerBytes: Int) -> Bool {
        guard let header = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        let told = UnsafeRawBufferPointer(bytes).littleEndian(at: 22, as: UInt32.self)
        var page = ogg_page(
            header: header, header_len: headerBytes,
            body: header + headerBytes, body_len: bytes.count - headerBytes)
        // Writes the right checksum in place of the one told; nobody reads that field again.
        ogg_page_checksum_set(&page)
        return UnsafeRawBufferPointer(bytes).littleEndian(at: 22, as: UInt32.self) == told
    }

    /// The next `count` bytes without taking them; fewer only at the end of the file.
    private func peek(_ count: Int) throws(AudioError) -> UnsafeMutableRawBufferPointer {
        if window.count < count {
            let kept = window.count
            if kept > 0 { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[window])) }
            window = 0..<kept
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])
            window = 0..<kept + (try file.read(into: room, at: offset + UInt64(kept)))
        }
        let end = min(window.upperBound, window.lowerBound + count)
        return UnsafeMutableRawBufferPointer(rebasing: buffer[window.lowerBound..<end])
    }

    private func consume(_ count: Int) {
        window = window.lowerBound + count..<window.upperBound
        offset += UInt64(count)
    }
}
