import Glibc
import SonaBase
import SonaTestSupport
import Testing

@testable import SonaAudio

/// One Ogg page taken apart or made up by a test, with a checksum computed here and not by libogg.
struct TestPage: Equatable {
    var flags: UInt8 = 0
    var granule: Int64 = 0
    var serial: UInt32 = 1
    var sequence: UInt32 = 0
    var lacing: [UInt8] = []
    var body: [UInt8] = []

    init(flags: UInt8 = 0, granule: Int64, serial: UInt32 = 1, sequence: UInt32, packets: [[UInt8]]) {
        self.flags = flags
        self.granule = granule
        self.serial = serial
        self.sequence = sequence
        for packet in packets {
            lacing += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
            body += packet
        }
    }

    init(flags: UInt8 = 0, granule: Int64, serial: UInt32 = 1, sequence: UInt32, lacing: [UInt8], body: [UInt8]) {
        self.flags = flags
        self.granule = granule
        self.serial = serial
        self.sequence = sequence
        self.lacing = lacing
        self.body = body
    }

    var bytes: [UInt8] {
        var bytes = Array("OggS".utf8) + [0, flags]
        bytes += little(UInt64(bitPattern: granule), 8) + little(UInt64(serial), 4) + little(UInt64(sequence), 4)
        bytes += [0, 0, 0, 0, UInt8(lacing.count)] + lacing + body
        bytes.replaceSubrange(22..<26, with: little(UInt64(oggChecksum(bytes)), 4))
        return bytes
    }

    /// Takes a well-formed file apart.
    static func pages(of bytes: [UInt8]) -> [TestPage] {
        var pages: [TestPage] = []
        var at = 0
        while at + 27 <= bytes.count {
            let lacing = Array(bytes[at + 27..<at + 27 + Int(bytes[at + 26])])
            let body = at + 27 + lacing.count
            let size = lacing.reduce(0) { $0 + Int($1) }
            pages.append(
                TestPage(
                    flags: bytes[at + 5], granule: Int64(bitPattern: number(bytes[at + 6..<at + 14])),
                    serial: UInt32(number(bytes[at + 14..<at + 18])),
                    sequence: UInt32(number(bytes[at + 18..<at + 22])),
                    lacing: lacing, body: Array(bytes[body..<body + size])))
            at = body + size
        }
        return pages
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

/// RFC 3533 §6: polynomial 0x04c11db7, no reflection, initial value 0.
private let checksumTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
}

func oggChecksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { bytes in
        checksumTable.withUnsafeBufferPointer { table in
            var value: UInt32 = 0
            for byte in bytes { value = value << 8 ^ table[Int(UInt8(truncatingIfNeeded: value >> 24) ^ byte)] }
            return value
        }
    }
}

/// A stereo CELT packet of 20 ms with `size` bytes, which says where it came from.
func packet(_ number: Int, size: Int = 40, toc: UInt8 = 0xFC) -> [UInt8] {
    [toc] + (1..<max(2, size)).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
}

/// The two header pages of a stream.
func headerPages(serial: UInt32 = 1, preSkip: Int = 312, comments: [String] = ["TITLE=Test"]) -> [TestPage] {
    [
        TestPage(
            flags: 2, granule: 0, serial: serial, sequence: 0,
            packets: [OpusHead(channels: 2, preSkip: preSkip).encoded()]),
        TestPage(
            granule: 0, serial: serial, sequence: 1, packets: [OpusTags(vendor: "test", comments: comments).encoded()]),
    ]
}

/// A small stream: `pages` pages of `perPage` packets of 20 ms.
func smallStream(serial: UInt32 = 1, pages: Int = 3, perPage: Int = 4, trim: Int64 = 0, start: Int64 = 0) -> [TestPage]
{
    headerPages(serial: serial)
        + (0..<pages).map { page in
            let isLast = page == pages - 1
            return TestPage(
                flags: isLast ? 4 : 0, granule: start + Int64((page + 1) * perPage * 960) - (isLast ? trim : 0),
                serial: serial, sequence: UInt32(page + 2),
                packets: (0..<perPage).map { packet(page * perPage + $0) })
        }
}

extension [TestPage] {
    var bytes: [UInt8] { flatMap(\.bytes) }
}

extension TemporaryFolder {
    /// Writes pages to a file and opens it.
    func open(_ pages: [TestPage]) throws -> OggOpusFile {
        try open(pages.bytes)
    }

    func open(_ bytes: [UInt8]) throws -> OggOpusFile {
        try OggOpusFile(path: write(bytes, to: "made-\(UInt64.random(in: .min ... .max)).opus"))
    }

    /// The error with which a file is refused.
    func refusal(of bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) -> AudioError? {
        #expect(throws: AudioError.self, sourceLocation: location) { try self.open(bytes) }
    }

    /// Writes a WAV file of 16 bits at 48 kHz: a chord over some noise.
    func writeWave(_ name: String, channels: Int, samples: Int, seed: UInt64 = 1) throws -> String {
        var generator = SeededGenerator(seed: seed)
        var pcm: [UInt8] = []
        pcm.reserveCapacity(samples * channels * 2)
        for sample in 0..<samples {
            for channel in 0..<channels {
                let time = Double(sample) / 48_000
                let tone = sin(time * 2765 * Double(channel + 1)) + sin(time * 6912)
                let value = Int16(tone * 8000) &+ Int16(truncatingIfNeeded: generator.next() & 0x3FF)
                pcm += little(UInt64(UInt16(bitPattern: value)), 2)
            }
        }
        let rate: UInt64 = 48_000
        let block = UInt64(channels * 2)
        var bytes = Array("RIFF".utf8) + little(UInt64(36 + pcm.count), 4) + "WAVEfmt ".utf8 + little(16, 4)
        bytes += little(1, 2) + little(UInt64(channels), 2) + little(rate, 4) + little(rate * block, 4)
        bytes += little(block, 2) + little(16, 2) + "data".utf8 + little(UInt64(pcm.count), 4) + pcm
        return try write(bytes, to: name)
    }

    /// Encodes with opusenc and gives the path.
    func encodeOpus(
        _ name: String, channels: Int = 2, samples: Int = 100_000, options: [String] = []
    ) throws -> String {
        let wave = try writeWave(name + ".wav", channels: channels, samples: samples)
        let (status, output) = try run("opusenc", ["--quiet"] + options + [wave, file(name)])
        try #require(status == 0, "opusenc: \(output)")
        return file(name)
    }

    func encodeVorbis(_ name: String) throws -> [UInt8] {
        let wave = try writeWave(name + ".wav", channels: 2, samples: 60_000)
        let (status, output) = try run("oggenc", ["--quiet", "-o", file(name), wave])
        try #require(status == 0, "oggenc: \(output)")
        return try read(name)
    }
}

extension OggOpusFile {
    func packets(stream: Int = 0) throws -> [Packet] {
        try (0..<streams[stream].packetCount).map { try packet(stream: stream, at: $0) }
    }
}
