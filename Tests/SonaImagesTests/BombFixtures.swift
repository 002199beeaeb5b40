import Glibc

/// Small files that declare much.
enum BombFixtures {
    /// The most memory this process has had at once, bytes: VmHWM. `getrusage` would count what was there before exec.
    static func peakMemory() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return .max }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 200)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
                .split { " \t".contains($0) }
            if words.first == "VmHWM:", let kibibytes = Int(words[1]) { return kibibytes * 1024 }
        }
        return .max
    }

    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        PNGFixture(width: width, height: height, depth: 8, colorType: 6, rows: [[0]]).file()
    }

    /// A small JPEG with another size in its header.
    static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        var bytes = TestPicture(8, 8) { _, _ in TestPicture.red }.jpeg()
        guard let frame = bytes.indices.first(where: { bytes[$0...].starts(with: [0xFF, 0xC0]) }) else { return [] }
        let size = [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) }
        bytes.replaceSubrange(frame + 5..<frame + 9, with: size)
        return bytes
    }

    /// A small lossy WebP with another size in its frame header, at most 16 383 to a side.
    static func webP(_ width: Int, _ height: Int) -> [UInt8] {
        var bytes = TestPicture(8, 8) { _, _ in TestPicture.red }.webP()
        let size = MetadataFixtures.littleEndian(width, 2) + MetadataFixtures.littleEndian(height, 2)
        bytes.replaceSubrange(26..<30, with: size)
        return bytes
    }

    /// The same for a lossless one, at most 16 384 to a side: 14 bits each, less 1.
    static func losslessWebP(_ width: Int, _ height: Int) -> [UInt8] {
        var bytes = TestPicture(8, 8) { _, _ in TestPicture.red }.webP(isLossless: true)
        let size = (width - 1) | (height - 1) << 14
        bytes.replaceSubrange(21..<25, with: MetadataFixtures.littleEndian(size, 4))
        return bytes
    }

    /// A canvas of this size, and a small frame on it.
    static func animation(_ width: Int, _ height: Int) -> [UInt8] {
        let frame = TestPicture(8, 8) { _, _ in TestPicture.red }.webP()
        let head: [UInt8] = [0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0, 100, 0, 0, 0]
        return MetadataFixtures.webP(
            width, height, flags: 0x02,
            MetadataFixtures.webPChunk("ANIM", [0, 0, 0, 0, 0, 0])
                + MetadataFixtures.webPChunk("ANMF", head + frame.dropFirst(12)))
    }
}
