import Glibc
import SonaAudio
import Testing

@Suite struct PCMFormatTests {
    @Test func `full scale is one, whatever the samples are`() throws {
        func floats(_ sample: PCMFormat.Sample, _ bytes: [UInt8]) throws -> [Float] {
            try PCMFormat(sample: sample, rate: 48_000, channels: 1).floats(bytes)
        }
        #expect(try floats(.s16le, [0, 0x80, 0, 0, 0, 0x40, 0xFF, 0xFF]) == [-1, 0, 0.5, -1 / 32_768])
        #expect(try floats(.s24le, [0, 0, 0x80, 0, 0, 0x40, 0xFF, 0xFF, 0xFF]) == [-1, 0.5, -1 / 8_388_608])
        #expect(try floats(.s32le, [0, 0, 0, 0x80, 0, 0, 0, 0x40]) == [-1, 0.5])
        #expect(try floats(.f32le, [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF]) == [1, -0.5])
        // Half a sample is not read.
        #expect(try floats(.s16le, [0, 0x40, 1]) == [0.5])
        #expect(try floats(.s24le, []) == [])
    }

    @Test func `rates and channels have their limits`() throws {
        for (rate, channels) in [(8_000, 1), (192_000, 8)] {
            #expect(try PCMFormat(sample: .s24le, rate: rate, channels: channels).frameBytes == 3 * channels)
        }
        for (rate, channels) in [(7_999, 1), (192_001, 1), (48_000, 0), (48_000, 9), (.max, .max), (.min, .min)] {
            #expect(throws: AudioError.self) { try PCMFormat(sample: .s16le, rate: rate, channels: channels) }
        }
    }
}

@Suite struct ChannelMixTests {
    @Test func `one and two channels pass as they are`() {
        #expect(ChannelMix(channels: 1).mix([0.1, -3]) == [0.1, -3])
        #expect(ChannelMix(channels: 2).mix([0.1, -3, 5, 6]) == [0.1, -3, 5, 6])
        #expect(ChannelMix(channels: 1).mixedChannels == 1)
        #expect(ChannelMix(channels: 2).mixedChannels == 2)
    }

    @Test(arguments: 3...8) func `more become two, none of them louder than full scale`(channels: Int) {
        let mix = ChannelMix(channels: channels)
        #expect(mix.mixedChannels == 2)
        let loud = mix.mix([Float](repeating: 1, count: channels * 3))
        #expect(loud.count == 6)
        #expect(loud.allSatisfy { $0 > 0.99 && $0 < 1.000_1 }, "\(loud)")
        // Left stays left and right right.
        var frame = [Float](repeating: 0, count: channels)
        frame[0] = 1
        let left = mix.mix(frame)
        #expect(left[0] > 0.3 && left[1] == 0)
        frame[0] = 0
        frame[1] = 1
        #expect(mix.mix(frame) == [0, left[0]])
        frame[1] = 0
        frame[2] = 1
        if channels != 4 { #expect(mix.mix(frame)[0] == mix.mix(frame)[1], "the middle is in the middle") }
    }

    @Test func `half a frame is left out`() {
        #expect(ChannelMix(channels: 6).mix([Float](repeating: 1, count: 11)).count == 2)
    }
}

@Suite struct ResamplerTests {
    @Test func `sound at 48 kHz passes as it is`() throws {
        let resampler = try Resampler(rate: 48_000, channels: 2)
        #expect(try resampler.resample([0.25, -0.5]) == [0.25, -0.5])
        #expect(try resampler.finish() == [])
    }

    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 96_000, 192_000], [1, 2])
    func `a tone stays the same tone at the same time`(rate: Int, channels: Int) throws {
        let resampler = try Resampler(rate: rate, channels: channels)
        let seconds = 2
        var output: [Float] = []
        var input: [Float] = []
        for frame in 0..<rate * seconds {
            let value = Float(0.5 * sin(2 * .pi * 997 * Double(frame) / Double(rate)))
            for channel in 0..<channels { input.append(channel == 0 ? value : -value) }
        }
        // In pieces of any size, as a pipe has them.
        var place = 0
        var piece = 1
        while place < input.count {
            let end = min(input.count, place + piece * channels)
            output += try resampler.resample(Array(input[place..<end]))
            place = end
            piece = piece * 7 % 4_001 + 1
        }
        output += try resampler.finish()
        let frames = output.count / channels
        #expect(abs(frames - 48_000 * seconds) <= 1, "\(frames)")
        var worst = 0.0
        // The ends have nothing beyond them to go by.
        for frame in 2_400..<frames - 2_400 {
            let wanted = 0.5 * sin(2 * .pi * 997 * Double(frame) / 48_000)
            worst = max(worst, abs(Double(output[frame * channels]) - wanted))
            if channels == 2 { #expect(output[frame * 2] == -output[frame * 2 + 1]) }
        }
        #expect(worst < 0.000_02, "\(worst): 88 dB below the tone at most")
    }

    @Test func `frequencies above half the rate do not alias`() throws {
        let resampler = try Resampler(rate: 192_000, channels: 1)
        let input = (0..<192_000).map { Float(0.5 * sin(2 * .pi * 40_000 * Double($0) / 192_000)) }
        let output = try resampler.resample(input) + resampler.finish()
        let loudest = output[2_400..<output.count - 2_400].map(abs).max() ?? 1
        #expect(loudest < 0.000_01, "\(loudest)")
    }
}
