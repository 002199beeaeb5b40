internal import Glibc
internal import SonaBase

/// A drum machine. The pitch of a note is not heard.
enum Drum: Instrument {
    case kick
    case clap
    case closedHat
    case openHat
    case shaker
    case rim
    /// A brush on a snare, for a quiet room.
    case brush

    func sound(of note: ScoreNote, _ dice: inout SeededGenerator) -> [Float] {
        let strength = Float(note.strength)
        let sound =
            switch self {
            case .kick: kick()
            case .clap: clap(&dice)
            case .closedHat: noise(&dice, decay: 0.022, low: 7000, high: 16_000, attack: 0.0005)
            case .openHat: noise(&dice, decay: 0.11, low: 6500, high: 16_000, attack: 0.0005)
            case .shaker: noise(&dice, decay: 0.03, low: 4500, high: 12_000, attack: 0.016)
            case .rim: noise(&dice, decay: 0.012, low: 1500, high: 2600, attack: 0.0004).map { $0 * 2.5 }
            case .brush: noise(&dice, decay: 0.075, low: 1800, high: 8000, attack: 0.02)
            }
        return sound.map { $0 * strength }
    }

    /// A sine that falls from a click to 46 Hz.
    private func kick() -> [Float] {
        var phase = 0.0
        return (0..<Int(0.42 * Sampling.rate)).map { sample in
            let time = Double(sample) / Sampling.rate
            phase += (46 + 190 * exp(-time * 34) + 900 * exp(-time * 420)) / Sampling.rate
            let level = min(1, time / 0.001) * exp(-time * 6.5) * min(1, (0.42 - time) / 0.05)
            return Float(level * sin(2 * .pi * phase))
        }
    }

    /// Three hands, and the room behind them.
    private func clap(_ dice: inout SeededGenerator) -> [Float] {
        let room = noise(&dice, decay: 0.075, low: 900, high: 3200, attack: 0.001)
        var sound = [Float](repeating: 0, count: room.count + 1500)
        for (delay, level) in [(0, Float(0.7)), (480, 0.6), (1060, 1)] {
            let hand = noise(&dice, decay: delay == 1060 ? 0.06 : 0.006, low: 900, high: 4200, attack: 0.0004)
            for (index, value) in hand.enumerated() where delay + index < sound.count {
                sound[delay + index] += level * value
            }
        }
        for (index, value) in room.enumerated() { sound[1060 + index] += 0.35 * value }
        return sound
    }

    /// Noise between two frequencies, that dies away.
    private func noise(
        _ dice: inout SeededGenerator, decay: Double, low: Double, high: Double, attack: Double
    ) -> [Float] {
        let (lowPass, highPass) = (
            Float(1 - exp(-2 * .pi * high / Sampling.rate)), Float(exp(-2 * .pi * low / Sampling.rate))
        )
        let fade = Float(exp(-1 / decay / Sampling.rate))
        var (smooth, before, out, outBefore, twice, level): (Float, Float, Float, Float, Float, Float) = (
            0, 0, 0, 0, 0, 1
        )
        return (0..<Int(decay * 7 * Sampling.rate) + Int(attack * Sampling.rate)).map { sample in
            smooth += lowPass * (Sampling.noise(&dice) - smooth)
            out = highPass * (out + smooth - before)
            before = smooth
            twice = highPass * (twice + out - outBefore)
            outBefore = out
            let rise = Double(sample) / Sampling.rate / attack
            if rise < 1 { return twice * Float(rise * rise) }
            level *= fade
            return twice * level
        }
    }
}
