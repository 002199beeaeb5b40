internal import Glibc

/// Whether an Ogg file can be played as it is by everything that plays Ogg Opus.
///
/// The pages are walked by their lengths; checksums and packets are left to the player.
///
/// Source: RFC 3533, section 6 (pages); RFC 7845, section 5.1 (the head of Opus).
enum OpusPages {
    /// Bytes of a packet that fit a frame of our own sound.
    private static let packetBytesMax = 7_650

    /// One chain of Ogg Opus with one or two channels, whose pages follow each other to the end of the file. Blocks.
    static func isPlain(_ file: Int32) -> Bool {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size > 0 else { return false }
        var pages = Pages(file: file, size: Int(status.st_size))
        guard let first = pages.next(), first.isFirst, isHead(pages.bytes(first.body, 19)) else { return false }
        var (packets, packetBytes, isLast) = (1, 0, first.isLast)
        while let page = pages.next() {
            // Another chain, or another stream beside this one.
            guard page.serial == first.serial, !page.isFirst, !isLast else { return false }
            isLast = page.isLast
            for length in page.segments {
                packetBytes += Int(length)
                // The second packet holds the tags, with pictures at times.
                if packets > 1, packetBytes > packetBytesMax { return false }
                if length < 255 { (packets, packetBytes) = (packets + 1, 0) }
            }
        }
        return pages.isAtEnd && packets > 2
    }

    private static func isHead(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 19, bytes.starts(with: Array("OpusHead".utf8)), bytes[8] & 0xF0 == 0 else { return false }
        // Family 0 is mono and stereo only.
        return (1...2).contains(bytes[9]) && bytes[18] == 0
    }

    private struct Page {
        var serial: UInt32
        var isFirst: Bool
        var isLast: Bool
        var segments: [UInt8]
        /// The place of the first byte after the head.
        var body: Int
    }

    /// The pages of a file, read in blocks.
    private struct Pages {
        private let file: Int32
        private let size: Int
        private var place = 0
        private var block: [UInt8] = []
        private var blockStart = 0

        init(file: Int32, size: Int) {
            self.file = file
            self.size = size
        }

        var isAtEnd: Bool { place == size }

        mutating func next() -> Page? {
            let head = bytes(place, 27)
            guard head.count == 27, head.starts(with: Array("OggS".utf8)), head[4] == 0 else { return nil }
            let segments = bytes(place + 27, Int(head[26]))
            guard segments.count == Int(head[26]) else { return nil }
            let body = place + 27 + segments.count
            let end = body + segments.reduce(0) { $0 + Int($1) }
            guard end <= size else { return nil }
            place = end
            let serial = head[14...17].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Page(
                serial: serial, isFirst: head[5] & 2 != 0, isLast: head[5] & 4 != 0, segments: segments, body: body)
        }

        mutating func bytes(_ start: Int, _ count: Int) -> [UInt8] {
            if start < blockStart || start + count > blockStart + block.count {
                block = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, filled in
                    filled = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(start)))
                }
                blockStart = start
            }
            let from = start - blockStart
            return Array(block[min(from, block.count)..<min(from + count, block.count)])
        }
    }
}
