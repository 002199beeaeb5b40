internal import Glibc
internal import SonaBase

/// A struck tone by frequency modulation: glass, bells and electric pianos.
///
/// Source: Chowning, "The Synthesis of Complex Audio Spectra by Means of Frequency Modulation", JAES 21 (7), 1973.
struct Bell: Instrument {
    /// Frequency of the modulator in those of the note. Whole numbers sound like strings, others like metal.
    var ratio = 3.5
    /// Depth of the modulation at the beginning, radians, and seconds of its decay.
    var depth = 1.6
    var depthDecay = 0.5
    /// Seconds in which the tone falls to a third.
    var decay = 1.6
    var attack = 0.004
    /// Seconds after the key is let go; nil lets it ring.
    var release: Double?

    func sound(of note: ScoreNote, _ dice: inout SeededGenerator) -> [Float] {
        // To −60 dB.
        let ringing = attack + 6.9 * decay
        let end = release.map { min(ringing, note.seconds + $0) } ?? ringing
        let count = Int(end * Sampling.rate)
        // High notes would fold back. 2³² are a whole turn.
        let bend = depth * note.strength * min(1, 1500 / note.hertz) / (2 * .pi) * 0x1p32
        let fades = (tone: Float(exp(-1 / decay / Sampling.rate)), bend: Float(exp(-1 / depthDecay / Sampling.rate)))
        let held = release == nil ? count : Int(note.seconds * Sampling.rate)
        let steps = (Sampling.phaseStep(note.hertz), Sampling.phaseStep(note.hertz * ratio))
        var (level, bending) = (Float(note.strength * 0.6), Float(bend))
        var (phase, other): (UInt32, UInt32) = (0, 0)
        let attackSamples = max(1, Int(attack * Sampling.rate))
        var samples = [Float](repeating: 0, count: count)
        Sine.table.withUnsafeBufferPointer { table in
            samples.withUnsafeMutableBufferPointer { samples in
                for sample in 0..<count {
                    let turn = Int64(bending * Sine.at(other, table))
                    samples[sample] = Sine.at(phase &+ UInt32(truncatingIfNeeded: turn), table) * level
                    level *= fades.tone
                    bending *= fades.bend
                    phase &+= steps.0
                    other &+= steps.1
                }
            }
        }
        for sample in 0..<min(attackSamples, count) { samples[sample] *= Float(sample) / Float(attackSamples) }
        for sample in min(held, count)..<count {
            let left = Float(count - sample) / Float(count - held)
            samples[sample] *= left * left
        }
        return samples
    }
}

/// The sine from a table.
private enum Sine {
    /// 4096 samples of a turn, and the first again.
    static let table = (0...4096).map { Float(sin(2 * .pi * Double($0) / 4096)) }

    /// - Parameter phase: 2³² are a whole turn.
    @inline(__always) static func at(_ phase: UInt32, _ table: UnsafeBufferPointer<Float>) -> Float {
        let whole = Int(phase >> 20)
        return table[whole] + Float(phase & 0xF_FFFF) * 0x1p-20 * (table[whole &+ 1] - table[whole])
    }
}
