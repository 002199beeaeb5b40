import Glibc
import SonaBase
import SonaTestSupport
import Testing

@testable import SonaAudio

@Suite struct OpusCodecTests {
    /// A sine of 997 Hz at −6 dB, interleaved; the second channel has twice the frequency.
    private func sine(samples: Int, channels: Int) -> [Float] {
        (0..<samples * channels).map { at in
            let phase = 2 * Double.pi * 997 * Double(at / channels) / 48_000 * Double(at % channels + 1)
            return Float(sin(phase) / 2)
        }
    }

    /// Signal over noise in dB between what went in and what came out, the delay taken off and the ends left out.
    private func signalToNoise(_ input: [Float], _ output: [Float], delay: Int, channels: Int) -> Double {
        var signal = 0.0
        var noise = 0.0
        for at in 9600 * channels..<input.count - 9600 * channels {
            let difference = Double(output[at + delay * channels]) - Double(input[at])
            signal += Double(input[at]) * Double(input[at])
            noise += difference * difference
        }
        return 10 * log10(signal / noise)
    }

    @Test(arguments: OpusEncoder.frameSamplesAllowed, [1, 2])
    func `a sine comes back in each frame size`(frameSamples: Int, channels: Int) throws {
        let encoder = try OpusEncoder(channels: channels, bitrate: 128_000 * channels, frameSamples: frameSamples)
        let decoder = try OpusDecoder(channels: channels)
        let input = sine(samples: 57_600, channels: channels)
        var output: [Float] = []
        for start in stride(from: 0, to: input.count, by: frameSamples * channels) {
            let packet = try encoder.encode(Array(input[start..<start + frameSamples * channels]))
            let told = try OpusPacket(inspecting: packet)
            #expect(told.samples == frameSamples)
            let pcm = try decoder.decode(packet)
            #expect(pcm.count == frameSamples * channels)
            output += pcm
        }
        let ratio = signalToNoise(input, output, delay: encoder.lookahead, channels: channels)
        #expect(ratio > 20, "\(ratio) dB")
    }

    @Test func `the lookahead is 312 samples, and 120 with low delay`() throws {
        #expect(try OpusEncoder(channels: 2, bitrate: 96_000).lookahead == 312)
        #expect(try OpusEncoder(channels: 1, application: .voip, bitrate: 32_000).lookahead == 312)
        #expect(
            try OpusEncoder(channels: 2, application: .lowDelay, bitrate: 96_000, frameSamples: 240).lookahead == 120)
    }

    @Test func `the bitrate is kept roughly`() throws {
        let encoder = try OpusEncoder(channels: 2, bitrate: 96_000, complexity: 5)
        var generator = SeededGenerator(seed: 5)
        var bytes = 0
        for _ in 0..<100 {
            bytes += try encoder.encode((0..<1920).map { _ in Float.random(in: -0.3...0.3, using: &generator) }).count
        }
        #expect((18_000...32_000).contains(bytes), "\(bytes) bytes in two seconds")
    }

    @Test func `settings out of range are refused`() {
        func code(_ make: () throws -> OpusEncoder) -> AudioError.Code? {
            #expect(throws: AudioError.self) { try make() }?.code
        }
        #expect(code { try OpusEncoder(channels: 0, bitrate: 96_000) } == .unsupported)
        #expect(code { try OpusEncoder(channels: 3, bitrate: 96_000) } == .unsupported)
        #expect(code { try OpusEncoder(channels: 2, bitrate: 499) } == .unsupported)
        #expect(code { try OpusEncoder(channels: 2, bitrate: .max) } == .unsupported)
        #expect(code { try OpusEncoder(channels: 2, bitrate: 96_000, frameSamples: 961) } == .unsupported)
        #expect(code { try OpusEncoder(channels: 2, bitrate: 96_000, complexity: 11) } == .unsupported)
        #expect(throws: AudioError.self) { try OpusDecoder(channels: 3) }
        #expect(throws: AudioError.self) { try OpusDecoder(channels: 2, outputGain: 32_768) }
    }

    @Test func `input of the wrong length is refused`() throws {
        let encoder = try OpusEncoder(channels: 2, bitrate: 96_000)
        for count in [0, 960, 1919, 1921] {
            #expect(throws: AudioError.self) { try encoder.encode([Float](repeating: 0, count: count)) }
        }
    }

    @Test func `infinite and undefined samples are survived`() throws {
        let encoder = try OpusEncoder(channels: 1, bitrate: 64_000)
        let decoder = try OpusDecoder(channels: 1)
        for value in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            let pcm = try decoder.decode(encoder.encode([Float](repeating: value, count: 960)))
            #expect(pcm.allSatisfy { $0.isFinite })
        }
        var recovered: [Float] = []
        for _ in 0..<100 { recovered = try decoder.decode(encoder.encode([Float](repeating: 0, count: 960))) }
        #expect(recovered.allSatisfy { abs($0) < 0.01 })
    }

    @Test func `a lost packet is concealed for as long as the last one lasted`() throws {
        let encoder = try OpusEncoder(channels: 2, bitrate: 96_000, frameSamples: 1920)
        let decoder = try OpusDecoder(channels: 2)
        #expect(try decoder.decode(nil).count == 960 * 2)
        let input = sine(samples: 1920, channels: 2)
        for _ in 0..<3 { _ = try decoder.decode(encoder.encode(input)) }
        let concealed = try decoder.decode(nil)
        #expect(concealed.count == 1920 * 2)
        #expect(concealed.contains { abs($0) > 0.05 })
        decoder.reset()
        #expect(try decoder.decode(nil).count == 960 * 2)
        #expect(try decoder.decode(nil).allSatisfy { $0 == 0 })
    }

    @Test func `a reset decoder and encoder begin anew`() throws {
        let encoder = try OpusEncoder(channels: 1, bitrate: 64_000)
        let decoder = try OpusDecoder(channels: 1)
        let input = sine(samples: 960, channels: 1)
        let first = try encoder.encode(input)
        let heard = try decoder.decode(first)
        for _ in 0..<5 { _ = try decoder.decode(encoder.encode(input.reversed())) }
        encoder.reset()
        decoder.reset()
        #expect(try encoder.encode(input) == first)
        #expect(try decoder.decode(first) == heard)
    }

    @Test func `a bad packet leaves the decoder as it was`() throws {
        let decoder = try OpusDecoder(channels: 2)
        for bad in [[], [0xFD, 1], [0xFB, 0], [UInt8](repeating: 0xFC, count: 1277)] as [[UInt8]] {
            let error = #expect(throws: AudioError.self) { try decoder.decode(bad) }
            #expect(error?.code == .badPacket)
        }
        #expect(try decoder.decode([0xFC, 0xFF, 0xFE]).count == 1920)
    }

    @Test func `the output gain is applied`() throws {
        let encoder = try OpusEncoder(channels: 1, bitrate: 64_000)
        let plain = try OpusDecoder(channels: 1)
        let quiet = try OpusDecoder(channels: 1, outputGain: -6 * 256)
        let input = sine(samples: 960, channels: 1)
        for _ in 0..<5 {
            let packet = try encoder.encode(input)
            let (loud, soft) = try (plain.decode(packet), quiet.decode(packet))
            #expect(zip(loud, soft).allSatisfy { abs($0 * 0.5012 - $1) < 0.001 })
        }
    }
}
