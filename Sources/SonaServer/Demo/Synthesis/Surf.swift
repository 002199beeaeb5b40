internal import Glibc
internal import SonaBase

/// Waves on a shore: noise that swells, and is brighter when it is louder. The note's length is the wave's.
struct Surf: Instrument {
    /// Cut-off of the noise at the top of the wave, Hz.
    var brightness = 2200.0

    func sound(of note: ScoreNote, _ dice: inout SeededGenerator) -> [Float] {
        let count = Int(note.seconds * Sampling.rate)
        var (first, second, low): (Float, Float, Float) = (0, 0, 0)
        var cutoff: Float = 0
        var level: Float = 0
        return (0..<count).map { sample in
            if sample.isMultiple(of: 64) {
                // The wave comes up faster than it runs off.
                let part = pow(Double(sample) / Double(count), 0.7)
                let swell = sin(.pi * part)
                cutoff = Float(1 - exp(-2 * .pi * (250 + brightness * swell * swell) / Sampling.rate))
                level = Float(swell * swell * note.strength)
            }
            first += cutoff * (Sampling.noise(&dice) - first)
            second += cutoff * (first - second)
            low += 0.008 * (second - low)
            return (second - low) * level
        }
    }
}
