import Testing

@testable import SonaAudio

struct MP3EncoderTests {
    @Test func `every frame has the same length and stands for itself`() throws {
        let encoder = try MP3Encoder(bitrate: 128)
        #expect(encoder.frameBytes == 384)
        var bytes: [UInt8] = []
        for part in 0..<100 {
            let pcm = (0..<960).flatMap { index -> [Float] in
                let phase = Float((part * 960 + index) % 96) / 96
                return [phase - 0.5, 0.5 - phase]
            }
            bytes += try encoder.encode(pcm)
        }
        #expect(bytes.count % 384 == 0)
        #expect(bytes.count / 384 >= 100 * 960 / 1_152 - 2)
        for frame in stride(from: 0, to: bytes.count, by: 384) {
            // MPEG 1, layer III, 128 kb/s, 48 kHz, no padding.
            #expect(bytes[frame] == 0xFF && bytes[frame + 1] & 0xFE == 0xFA && bytes[frame + 2] & 0xFE == 0x94)
            // The first nine bits of the side information say how far back the frame reaches.
            let side = frame + (bytes[frame + 1] & 1 == 1 ? 4 : 6)
            #expect(bytes[side] == 0 && bytes[side + 1] & 0x80 == 0)
        }
    }

    @Test func `another bitrate is refused`() {
        #expect(throws: AudioError.self) { try MP3Encoder(bitrate: 100) }
    }
}
