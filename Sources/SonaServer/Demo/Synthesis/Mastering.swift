internal import Glibc

/// The last step of a piece: fades, the same loudness for all, and no sample too loud.
enum Mastering {
    /// Loudness of every track, LUFS.
    static let loudness = -16.0
    /// Highest sample, of full scale. Two decibels are left to what lies between samples and to the encoder.
    static let ceiling: Float = 0.794

    static func finish(_ sound: inout [Float], fadeIn: Double, fadeOut: Double) {
        removeRumble(&sound)
        fade(&sound, fadeIn, fadeOut)
        guard let measured = Loudness.integrated(sound) else { return }
        let gain = Float(pow(10, (loudness - measured) / 20))
        for index in sound.indices { sound[index] *= gain }
        limit(&sound)
    }

    /// Takes away what lies below 25 Hz.
    private static func removeRumble(_ sound: inout [Float]) {
        let keep = Float(exp(-2 * .pi * 25 / Sampling.rate))
        for channel in 0..<2 {
            var (before, out): (Float, Float) = (0, 0)
            for index in stride(from: channel, to: sound.count, by: 2) {
                out = keep * (out + sound[index] - before)
                before = sound[index]
                sound[index] = out
            }
        }
    }

    private static func fade(_ sound: inout [Float], _ fadeIn: Double, _ fadeOut: Double) {
        let frames = sound.count / 2
        // A piece that was cut short has no room for both.
        let (first, last) = (
            min(Int(fadeIn * Sampling.rate), frames / 3), min(Int(fadeOut * Sampling.rate), frames / 2)
        )
        func scale(_ frame: Int, _ part: Double) {
            let level = Float(part * part * (3 - 2 * part))
            sound[2 * frame] *= level
            sound[2 * frame + 1] *= level
        }
        for frame in 0..<first { scale(frame, Double(frame) / Double(first)) }
        for frame in 0..<last { scale(frames - 1 - frame, Double(frame) / Double(last)) }
    }

    /// Turns loud moments down: the gain is smooth, and low enough a few milliseconds before each peak.
    private static func limit(_ sound: inout [Float]) {
        let block = 64
        let frames = sound.count / 2
        let needed = stride(from: 0, to: frames, by: block).map { first in
            var peak: Float = 0
            for index in 2 * first..<min(2 * (first + block), sound.count) { peak = max(peak, abs(sound[index])) }
            return min(1, ceiling / max(peak, 1e-9))
        }
        let reach = 4
        // The lowest of the neighbours, then their mean: it lies nowhere above what is needed.
        let lowest = needed.indices.map { needed[max(0, $0 - reach)...min(needed.count - 1, $0 + reach)].min() ?? 1 }
        let gains = lowest.indices.map { index in
            let near = lowest[max(0, index - reach + 1)...min(lowest.count - 1, index + reach - 1)]
            return near.reduce(0, +) / Float(near.count)
        }
        guard gains.contains(where: { $0 < 1 }) else { return }
        for frame in 0..<frames {
            let place = Float(frame) / Float(block) - 0.5
            let index = max(0, min(gains.count - 1, Int(place)))
            let next = min(gains.count - 1, index + 1)
            let gain = gains[index] + max(0, place - Float(index)) * (gains[next] - gains[index])
            sound[2 * frame] *= gain
            sound[2 * frame + 1] *= gain
        }
    }
}

/// Loudness as people hear it.
///
/// Source: ITU-R BS.1770-4 (K-weighting, annex 1; gating, annex 1 §3).
enum Loudness {
    /// - Parameter sound: Interleaved stereo at 48 kHz.
    /// - Returns: LUFS; nil for silence, and for less than 400 ms.
    static func integrated(_ sound: [Float]) -> Double? {
        // Blocks of 400 ms that overlap by three quarters, out of quarters.
        let quarter = 4800
        var powers = [Double](repeating: 0, count: sound.count / 2 / quarter)
        for channel in 0..<2 {
            var (shelf, highPass) = (Biquad.shelf, Biquad.highPass)
            for part in powers.indices {
                var sum = 0.0
                for frame in part * quarter..<(part + 1) * quarter {
                    let value = highPass.take(shelf.take(Double(sound[2 * frame + channel])))
                    sum += value * value
                }
                powers[part] += sum / Double(quarter)
            }
        }
        guard powers.count >= 4 else { return nil }
        let blocks = (3..<powers.count).map { powers[$0 - 3...$0].reduce(0, +) / 4 }.filter { level($0) > -70 }
        guard !blocks.isEmpty else { return nil }
        let gate = level(blocks.reduce(0, +) / Double(blocks.count)) - 10
        let loud = blocks.filter { level($0) > gate }
        return level(loud.reduce(0, +) / Double(loud.count))
    }

    private static func level(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

    private struct Biquad {
        let (b0, b1, b2, a1, a2): (Double, Double, Double, Double, Double)
        private var (first, second) = (0.0, 0.0)

        private init(_ b0: Double, _ b1: Double, _ b2: Double, _ a1: Double, _ a2: Double) {
            (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
        }

        /// The head, tables 1 and 2 of annex 1, for 48 kHz.
        static let shelf = Biquad(
            1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585)
        static let highPass = Biquad(1, -2, 1, -1.99004745483398, 0.99007225036621)

        mutating func take(_ value: Double) -> Double {
            let out = b0 * value + first
            first = b1 * value - a1 * out + second
            second = b2 * value - a2 * out
            return out
        }
    }
}
