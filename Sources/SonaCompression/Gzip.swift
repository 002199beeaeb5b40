internal import CZlib

/// Compression of bytes that are in memory as a whole.
public enum Gzip {
    /// The bytes as one gzip member: without a name and a time, so that equal bytes give equal members.
    ///
    /// Any thread. Uses the highest level: some 50 ms for a megabyte. Meant for data that is compressed once and sent
    /// often.
    ///
    /// Source: RFC 1952; zlib.h, "deflateInit2" (windowBits 15 + 16 writes gzip).
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        precondition(
            sona_deflate_init(&stream, Z_BEST_COMPRESSION, 15 + 16) == Z_OK, "zlib has no memory for one compression.")
        defer { deflateEnd(&stream) }
        var input = bytes
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                // All of the input and room for the worst case are there, so that one call is the whole of it.
                let result = deflate(&stream, Z_FINISH)
                precondition(result == Z_STREAM_END, "zlib did not finish: \(result).")
                count = output.count - Int(stream.avail_out)
            }
        }
    }
}
