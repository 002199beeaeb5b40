internal import Glibc
internal import SonaBase

/// A string that is plucked: a burst of noise goes round a delay line of one period and loses its highs on the way.
///
/// Source: Karplus and Strong, "Digital Synthesis of Plucked-String and Drum Timbres"; Jaffe and Smith, "Extensions of
/// the Karplus-Strong Plucked-String Algorithm", Computer Music Journal 7 (2), 1983.
struct PluckedString: Instrument {
    /// 0 (nylon, thumb) … 1 (steel, nail).
    var brightness = 0.5
    /// Seconds in which a string that nobody stops fades by 60 dB, at middle C.
    var ringing = 3.0
    /// Seconds of the same once the note is over.
    var damped = 0.35
    /// Where the string is plucked, as a part of its length: harmonics with a node there are missing.
    var place = 0.19

    func sound(of note: ScoreNote, _ dice: inout SeededGenerator) -> [Float] {
        // The filter in the loop averages two samples, which takes `blur` of a sample; the all-pass takes the rest.
        let blur = 0.5 - 0.35 * brightness
        let period = Sampling.rate / note.hertz - blur
        let length = max(2, Int(period - 0.2))
        let rest = period - Double(length)
        let coefficient = Float((1 - rest) / (1 + rest))
        let open = ringing * pow(2, (60 - note.pitch) / 24)
        let count = Int((note.seconds + min(damped, open)) * Sampling.rate)
        let held = Int(note.seconds * Sampling.rate)
        let keeps = (open: loss(period, open), damped: loss(period, min(damped, open)))
        var line = burst(length, note.strength, &dice)
        var samples = [Float](repeating: 0, count: count)
        var (before, passIn, passOut): (Float, Float, Float) = (0, 0, 0)
        var index = 0
        let soft = Float(blur)
        line.withUnsafeMutableBufferPointer { line in
            samples.withUnsafeMutableBufferPointer { samples in
                for sample in 0..<count {
                    let value = line[index]
                    let filtered = (value + soft * (before - value)) * (sample < held ? keeps.open : keeps.damped)
                    before = value
                    passOut = coefficient * (filtered - passOut) + passIn
                    passIn = filtered
                    line[index] = passOut
                    index = index &+ 1 == length ? 0 : index &+ 1
                    samples[sample] = value
                }
            }
        }
        // The tail ends without a click.
        for sample in 0..<min(480, count) { samples[count - 1 - sample] *= Float(sample) / 480 }
        return samples
    }

    /// What a round trip leaves of the sound, for it to fade by 60 dB in `seconds`.
    private func loss(_ period: Double, _ seconds: Double) -> Float {
        Float(pow(10, -3 * period / Sampling.rate / seconds))
    }

    /// The string as the finger leaves it: filtered noise without a constant part, of equal power at each pitch.
    private func burst(_ length: Int, _ strength: Double, _ dice: inout SeededGenerator) -> [Float] {
        let cutoff = Float(0.12 + 0.6 * brightness * strength)
        var (first, second): (Float, Float) = (0, 0)
        let noise = (0..<length).map { _ in
            first += cutoff * (Sampling.noise(&dice) - first)
            second += cutoff * (first - second)
            return second
        }
        let shift = max(1, Int(Double(length) * place))
        let plucked = noise.indices.map { noise[$0] - 0.9 * noise[($0 + length - shift) % length] }
        let mean = plucked.reduce(0, +) / Float(length)
        let power = (plucked.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(length)).squareRoot()
        return plucked.map { ($0 - mean) / max(power, 1e-6) * 0.3 * Float(strength) }
    }
}
