import Glibc
import Testing

@testable import SonaAudio

@Suite struct OggOpusEncoderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func encode(_ pcm: [Float], pieces: Int) throws -> [UInt8] {
        let encoder = try OggOpusEncoder(
            channels: 2, bitrate: 96_000, tags: OpusTags(vendor: "v", comments: ["TITLE=T"]), serial: 3)
        var bytes = encoder.headerPages()
        for start in stride(from: 0, to: pcm.count, by: pieces * 2) {
            bytes += try encoder.encode(Array(pcm[start..<min(pcm.count, start + pieces * 2)]))
        }
        bytes += try encoder.finish()
        #expect(try encoder.finish().isEmpty)
        return bytes
    }

    // Around one packet of 960, and around where the delay of 312 samples needs a packet more.
    @Test(arguments: [1, 647, 648, 649, 959, 960, 961, 1608, 1609, 48_000, 96_017])
    func `a file is as long as the sound that went in`(samples: Int) throws {
        let pcm = (0..<samples * 2).map { sin(Float($0 / 2) * 0.05) * 0.5 }
        for pieces in [samples, 700] {
            let file = try folder.open(encode(pcm, pieces: pieces))
            #expect(file.streams.count == 1 && !file.isTruncated)
            #expect(file.streams[0].durationSamples == samples)
            #expect(file.streams[0].head.preSkip == 312 && file.streams[0].tags.title == "T")
        }
    }

    @Test func `sound is heard when it went in`() throws {
        // Silence, then a tone from sample 10 000 to the end.
        let (samples, begin) = (20_000, 10_000)
        let pcm = (0..<samples).flatMap { index -> [Float] in
            let value = index < begin ? 0 : sin(Float(index - begin) * 0.1) * 0.6
            return [value, value]
        }
        let file = try folder.open(encode(pcm, pieces: 960))
        let decoder = try OpusDecoder(channels: 2)
        var decoded: [Float] = []
        for index in 0..<file.streams[0].packetCount {
            let packet = try file.packet(stream: 0, at: index)
            decoded += try decoder.decode(packet.bytes).prefix(packet.samples * 2)
        }
        decoded.removeFirst(file.streams[0].head.preSkip * 2)
        #expect(decoded.count == samples * 2)
        func power(_ frames: Range<Int>) -> Float {
            frames.reduce(0) { $0 + decoded[$1 * 2] * decoded[$1 * 2] } / Float(frames.count)
        }
        #expect(power(0..<begin - 600) < 0.0001)
        #expect(power(begin..<begin + 400) > 0.12)
        #expect(power(samples - 400..<samples) > 0.12)
        // In step with what went in: the difference is small.
        let error = (begin + 500..<samples - 500).reduce(Float(0)) { $0 + abs(decoded[$1 * 2] - pcm[$1 * 2]) }
        #expect(error / 9_000 < 0.05, "\(error / 9_000)")
    }

    @Test func `half a frame is refused, and no sound makes no packet`() throws {
        let encoder = try OggOpusEncoder(
            channels: 2, bitrate: 96_000, tags: OpusTags(vendor: "v", comments: []), serial: 3)
        #expect(throws: AudioError.self) { try encoder.encode([0, 0, 0]) }
        let bytes = try encoder.headerPages() + encoder.finish()
        #expect(throws: AudioError.self) { try folder.open(bytes) }
    }

    @Test func `a picture's block has its fields in order`() {
        let picture = OpusPicture(frontCover: [1, 2, 3], mediaType: "image/png", width: 640, height: 258)
        let expected: [UInt8] =
            [0, 0, 0, 3, 0, 0, 0, 9] + Array("image/png".utf8) + [0, 0, 0, 0, 0, 0, 2, 128, 0, 0, 1, 2]
            + [0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]
        #expect(picture.block == expected)
    }
}
