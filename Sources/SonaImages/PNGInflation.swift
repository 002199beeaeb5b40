internal import CZlib

/// Whether the compressed pixels of a PNG unpack to no more bytes than the header's size can need.
///
/// libpng inflates the whole stream, whatever the size of the picture. A file of 5 MB, 2 × 2 pixels followed by 5 GB of
/// zeros, took it 10 s. So the stream is inflated once beforehand, into a buffer that is overwritten again and again,
/// and no further than the pixels need. For a 12-megapixel PNG of 36 MB unpacked this takes some 50 ms.
///
/// Source: PNG (third edition) §7, §8.1, §10; zlib.h, "inflate".
enum PNGInflation {
    /// Encoders have been seen to end with a superfluous row or two.
    static let slackBytes = 65_536

    /// Costs what inflating the pixels once costs, and 64 KiB.
    static func isBounded(_ chunks: PNGChunks) -> Bool {
        guard let needed = bytesNeeded(chunks.essence) else { return false }
        var stream = z_stream()
        guard sona_inflate_init(&stream) == Z_OK else { return false }
        defer { inflateEnd(&stream) }
        var scratch = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        for piece in chunks.imageData {
            let isGoingOn: Bool? = chunks.essence[piece].withUnsafeBufferPointer { input in
                // zlib takes no constant pointer; it only reads.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                return scratch.withUnsafeMutableBufferPointer {
                    inflate(&stream, into: $0, &total, needed + slackBytes)
                }
            }
            guard let isGoingOn else { return false }
            guard isGoingOn else { return true }
        }
        return true
    }

    /// Inflates one piece.
    ///
    /// - Returns: True to go on with the next piece; false at the end of the stream, or where it is broken, which
    ///   libpng will find too; `nil` past the limit.
    private static func inflate(
        _ stream: inout z_stream, into scratch: UnsafeMutableBufferPointer<UInt8>, _ total: inout Int, _ limit: Int
    ) -> Bool? {
        while true {
            stream.next_out = scratch.baseAddress
            stream.avail_out = UInt32(scratch.count)
            let status = CZlib.inflate(&stream, Z_NO_FLUSH)
            total += scratch.count - Int(stream.avail_out)
            guard total <= limit else { return nil }
            // Z_BUF_ERROR: the piece was used up to its last byte before.
            if status == Z_BUF_ERROR { return true }
            guard status == Z_OK else { return false }
            if stream.avail_in == 0, stream.avail_out > 0 { return true }
        }
    }

    /// Bytes of all rows, each with its filter's number. IHDR was found at its place.
    static func bytesNeeded(_ file: [UInt8]) -> Int? {
        let fields = ByteFields(file[...], .bigEndian)
        guard let width = fields.uint32(at: 16), let height = fields.uint32(at: 20),
            let kind = fields.slice(at: 24, count: 5), let depth = kind.first, let interlace = kind.last,
            let channels = channels(ofColorType: kind[kind.startIndex + 1]), [1, 2, 4, 8, 16].contains(depth)
        else { return nil }
        func size(_ width: Int, _ height: Int) -> Int {
            width == 0 ? 0 : height * (1 + (width * channels * Int(depth) + 7) / 8)
        }
        guard interlace != 0 else { return size(width, height) }
        return passes.reduce(0) { sum, pass in
            sum
                + size(
                    (width - pass.left + pass.columns - 1) / pass.columns,
                    (height - pass.top + pass.lines - 1) / pass.lines)
        }
    }

    private static func channels(ofColorType type: UInt8) -> Int? { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type] }

    /// Adam7.
    private static let passes: [(left: Int, top: Int, columns: Int, lines: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
}
