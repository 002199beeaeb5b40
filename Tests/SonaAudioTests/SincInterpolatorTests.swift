import Glibc
import SonaAudio
import Testing

@Suite struct SincInterpolatorTests {
    /// Reads `count` frames of what `sound` gives at whole frames.
    private func read(
        _ count: Int, channels: Int, from place: Double, step: Double, _ sound: (Int, Int) -> Float
    ) -> [Float] {
        let frames = SincInterpolator.framesBefore + SincInterpolator.framesAfter + Int(Double(count) * step) + 4
        let input = (0..<frames).flatMap { frame in (0..<channels).map { sound(frame, $0) } }
        var output = [Float](repeating: .nan, count: count * channels)
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                SincInterpolator.read(input, channels: channels, from: place, step: step, into: output)
            }
        }
        return output
    }

    /// Goal: what the documentation promises. Way: a tone whose value between the samples is known, read at a pace
    /// that is a little off, and the power of the difference against that of the tone.
    @Test(arguments: [
        (100.0, -80.0), (1_000, -80), (5_000, -80), (12_000, -78), (16_000, -78), (18_000, -75), (20_000, -55),
    ])
    func `a tone is read between its samples`(tone: (hertz: Double, decibels: Double)) {
        for step in [1.0, 1 + 500e-6, 1 - 500e-6, 1 + 37e-6] {
            let place = 15.318
            let phaseStep = 2 * Double.pi * tone.hertz / 48_000
            let output = read(9_600, channels: 1, from: place, step: step) { frame, _ in
                Float(0.5 * sin(phaseStep * Double(frame)))
            }
            var error = 0.0
            for (frame, value) in output.enumerated() {
                let wanted = 0.5 * sin(phaseStep * (place + Double(frame) * step))
                error += (Double(value) - wanted) * (Double(value) - wanted)
            }
            let decibels = 10 * log10(error / Double(output.count) / 0.125)
            #expect(decibels < tone.decibels, "\(tone.hertz) Hz at \(step): \(decibels) dB")
        }
    }

    @Test func `whole places at a pace of one are the samples themselves`() {
        let output = read(480, channels: 2, from: 15, step: 1) { frame, channel in
            Float((frame * 7919 + channel * 31) % 1000) / 1000 - 0.5
        }
        for frame in 0..<480 {
            for channel in 0..<2 {
                #expect(output[2 * frame + channel] == Float(((frame + 15) * 7919 + channel * 31) % 1000) / 1000 - 0.5)
            }
        }
    }

    @Test func `a constant sound stays constant, in every channel`() {
        for channels in 1...3 {
            let output = read(500, channels: channels, from: 15.2, step: 1.0003) { _, channel in Float(channel + 1) / 4
            }
            for (index, value) in output.enumerated() { #expect(abs(value - Float(index % channels + 1) / 4) < 1e-5) }
        }
    }
}
