internal import Glibc
internal import SonaBase

/// Makes the sound of a note.
protocol Instrument {
    /// Mono samples at 48 kHz within about ±1, from the start of the note to the end of its tail.
    ///
    /// - Parameters:
    ///   - dice: For phases and noise.
    func sound(of note: ScoreNote, _ dice: inout SeededGenerator) -> [Float]
}

/// The shape of a tone while it lasts.
struct Envelope {
    /// Seconds to the full level.
    var attack = 0.01
    /// Seconds in which the level falls to a third of its way to `sustain`.
    var decay = 0.5
    /// Level that a held note keeps, 0…1.
    var sustain = 0.7
    /// Seconds after the key is let go.
    var release = 0.3

    /// - Parameters:
    ///   - time: Seconds from the start of the note.
    ///   - held: Seconds that the key is held.
    func level(at time: Double, held: Double) -> Double {
        guard time > held else { return heldLevel(at: time) }
        let left = max(0, 1 - (time - held) / release)
        return heldLevel(at: held) * left * left
    }

    private func heldLevel(at time: Double) -> Double {
        if time < attack {
            let part = time / attack
            return part * part * (3 - 2 * part)
        }
        return sustain + (1 - sustain) * exp(-(time - attack) / decay)
    }
}

enum Sampling {
    static let rate = 48_000.0

    /// What a phase grows by in a sample; 2³² are one cycle.
    static func phaseStep(_ hertz: Double) -> UInt32 { UInt32(hertz / rate * 0x1p32) }

    /// White noise within ±1.
    static func noise(_ dice: inout SeededGenerator) -> Float {
        Float(Int64(bitPattern: dice.next()) >> 40) / Float(1 << 23)
    }
}
