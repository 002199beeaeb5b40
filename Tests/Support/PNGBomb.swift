internal import CZlib

/// PNGs whose compressed parts unpack to much more than their pixels need.
package enum PNGBomb {
    /// 2 × 2 pixels of colour, with `mebibytes` MiB of zeros compressed to about a thousandth; sound in all else.
    package static func png(mebibytes: Int) -> [UInt8] {
        file(chunk("IDAT", zeros(mebibytes: mebibytes)))
    }

    /// The same picture with at most `extraBytes` after its pixels, and the chunks `before` in front of them.
    package static func harmless(before: [UInt8] = [], extraBytes: Int = 0) -> [UInt8] {
        file(before + chunk("IDAT", compressed([UInt8](repeating: 0, count: 14 + extraBytes))))
    }

    /// A compressed text, profile or international text of so many zeros.
    package static func chunk(_ name: String, mebibytes: Int) -> [UInt8] {
        let head = ["zTXt": "Comment\0\0", "iTXt": "Comment\0\u{1}\0\0\0", "iCCP": "Profile\0\0"][name] ?? ""
        return chunk(name, Array(head.utf8) + zeros(mebibytes: mebibytes))
    }

    package static func file(_ middle: [UInt8], width: Int = 2, height: Int = 2) -> [UInt8] {
        let header = number(width) + number(height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + middle + chunk("IEND", [])
    }

    package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        return number(content.count) + checked + number(Int(crc32(0, checked, UInt32(checked.count))))
    }

    package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(count))
        compress2(&result, &count, bytes, UInt(bytes.count), 9)
        return Array(result.prefix(Int(count)))
    }

    /// One MiB compressed on its own and repeated: packing 5 GiB would take longer than the test.
    private static func zeros(mebibytes: Int) -> [UInt8] {
        var stream = z_stream()
        // Without the two bytes of a zlib stream's head and the checksum behind it.
        precondition(sona_deflate_init(&stream, 9, -15) == Z_OK, "zlib has no memory.")
        defer { deflateEnd(&stream) }
        var input = [UInt8](repeating: 0, count: 1 << 20)
        var output = [UInt8](repeating: 0, count: 8192)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FULL_FLUSH)
                return output.count - Int(stream.avail_out)
            }
        }
        let piece = output.prefix(count)
        var result: [UInt8] = [0x78, 0xDA]
        result.reserveCapacity(count * mebibytes + 20)
        for _ in 0..<mebibytes { result += piece }
        // An empty last block, and Adler-32 of zeros: the second sum is their count.
        return result + [0x03, 0x00] + number((mebibytes << 20) % 65_521 << 16 | 1)
    }

    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
}
