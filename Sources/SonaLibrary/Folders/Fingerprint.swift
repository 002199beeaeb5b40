internal import Glibc
internal import SonaCrypto
internal import SonaTranscode

/// Recognises a file that was moved or renamed, also if its tags were changed on the way: the length of its sound, and a
/// hash of the first and last 64 KiB of it.
///
/// Tags are left out where they stand apart from the sound: those of MP3 and FLAC. Hashing whole files would take the
/// time of reading them.
enum Fingerprint {
    private static let partBytes = 65_536
    static let bytes = 16

    /// - Returns: `nil` if the file can't be read.
    static func of(_ file: Int32, size: Int64, _ kind: SoundKind) -> [UInt8]? {
        let sound = soundRange(file, size, kind)
        let head = read(file, at: sound.lowerBound, Int(min(Int64(partBytes), sound.upperBound - sound.lowerBound)))
        guard var content = head else { return nil }
        let rest = sound.upperBound - sound.lowerBound - Int64(content.count)
        if rest > 0 {
            let count = min(Int64(partBytes), rest)
            guard let tail = read(file, at: sound.upperBound - count, Int(count)) else { return nil }
            content += tail
        }
        withUnsafeBytes(of: (sound.upperBound - sound.lowerBound).bigEndian) { content += $0 }
        return Array(Digest.sha256(content).prefix(bytes))
    }

    private static func soundRange(_ file: Int32, _ size: Int64, _ kind: SoundKind) -> Range<Int64> {
        switch kind {
        case .mp3:
            var (start, end) = (Int64(0), size)
            if let head = read(file, at: 0, 10), head.starts(with: Array("ID3".utf8)) {
                // id3.org, "ID3v2.4.0 Main Structure", 3.1: the length without the head, seven bits a byte.
                start = 10 + head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) } + (head[5] & 0x10 != 0 ? 10 : 0)
            }
            if size >= 128, let tail = read(file, at: size - 128, 3), tail == Array("TAG".utf8) { end -= 128 }
            return start < end ? start..<end : 0..<size
        case .flac:
            // RFC 9639, section 8: blocks of metadata, the last of which is marked.
            var start: Int64 = 4
            for _ in 0..<128 {
                guard let head = read(file, at: start, 4), head.count == 4 else { return 0..<size }
                start += 4 + Int64(head[1]) << 16 + Int64(head[2]) << 8 + Int64(head[3])
                if head[0] & 0x80 != 0 { return start < size ? start..<size : 0..<size }
            }
            return 0..<size
        default: return 0..<size
        }
    }

    private static func read(_ file: Int32, at place: Int64, _ count: Int) -> [UInt8]? {
        guard count > 0 else { return [] }
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var done = 0
            while done < count {
                let step = pread(file, buffer.baseAddress! + done, count - done, off_t(place) + off_t(done))
                if step < 0, errno == EINTR { continue }
                failed = step < 0
                if step <= 0 { break }
                done += step
            }
            filled = done
        }
        return failed ? nil : bytes
    }
}
