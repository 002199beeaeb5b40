internal import Glibc
internal import SonaBase

/// A tone of harmonics: strings, flutes, pianos and pads, by what is in it and how that changes.
///
/// Each note blends a bright cycle into a mellow one, as strings lose their overtones first. The cycles hold no harmonic
/// above 16 kHz, so nothing folds back.
struct WaveInstrument: Instrument {
    /// Levels of the harmonics, the fundamental first.
    var harmonics: [Double]
    /// Each harmonic of the mellow cycle has this much less of it than the one below, 0…1.
    var mellowness = 0.5
    /// How bright the note is at its beginning and in the end, 0…1, and seconds of the way between them.
    var brightness = (from: 1.0, to: 0.3, seconds: 0.4)
    var envelope = Envelope()
    /// Cents by which oscillators beside each other are out of tune.
    var detune = [0.0]
    var vibratoCents = 0.0
    var vibratoHertz = 5.2
    /// Level of breath or bow noise.
    var breath = 0.0

    /// Envelopes are computed once for as many samples, and lie on a line between.
    private static let block = 32

    func sound(of note: ScoreNote, _ dice: inout SeededGenerator) -> [Float] {
        let count = Int((note.seconds + envelope.release) * Sampling.rate)
        let most = max(1, min(harmonics.count, Int(16_000 / note.hertz)))
        let bright = Waveform(harmonics.prefix(most))
        let mellow = Waveform(harmonics.prefix(most).enumerated().map { $1 * pow(mellowness, Double($0)) })
        var phases = detune.map { _ in UInt32(truncatingIfNeeded: dice.next()) }
        let ratios = detune.map { pow(2, $0 / 1200) }
        let scale = 1 / Double(detune.count).squareRoot()
        var samples = [Float](repeating: 0, count: count)
        var level: Float = 0
        var blend = Float(brightness.from)
        var air: Float = 0
        samples.withUnsafeMutableBufferPointer { samples in
            for start in stride(from: 0, to: count, by: Self.block) {
                let end = min(start + Self.block, count)
                let time = Double(end) / Sampling.rate
                let nextLevel = Float(envelope.level(at: time, held: note.seconds) * scale * note.strength)
                let nextBlend = Float(
                    (brightness.to + (brightness.from - brightness.to) * exp(-time / brightness.seconds))
                        * (0.5 + 0.5 * note.strength))
                let (levelStep, blendStep) = ((nextLevel - level) / 32, (nextBlend - blend) / 32)
                // Vibrato comes once the tone has settled.
                let sway = vibratoCents * min(1, max(0, time - 0.25) / 0.5) * sin(2 * .pi * vibratoHertz * time)
                let hertz = note.hertz * pow(2, sway / 1200)
                for voice in phases.indices {
                    phases[voice] = Waveform.add(
                        bright, mellow, from: phases[voice], step: Sampling.phaseStep(hertz * ratios[voice]),
                        level: (level, levelStep), blend: (blend, blendStep),
                        to: UnsafeMutableBufferPointer(rebasing: samples[start..<end]))
                }
                if breath > 0 {
                    let loudness = Float(breath) * nextLevel
                    for index in start..<end {
                        air += 0.25 * (Sampling.noise(&dice) - air)
                        samples[index] += air * loudness
                    }
                }
                level = nextLevel
                blend = nextBlend
            }
        }
        return samples
    }
}

/// One cycle of a tone, with its first sample again at the end.
struct Waveform {
    private static let size = 1024
    private static let sines = (0..<size).map { sin(2 * .pi * Double($0) / Double(size)) }

    private let cycle: [Float]

    /// - Parameter harmonics: Levels, the fundamental first. Their sum of squares becomes one.
    init(_ harmonics: some Collection<Double>) {
        let power = harmonics.reduce(0) { $0 + $1 * $1 }.squareRoot()
        var cycle = [Float](repeating: 0, count: Self.size + 1)
        for (index, level) in harmonics.enumerated() where abs(level) > 1e-4 * power {
            let weight = 0.5 * level / power
            var place = 0
            for sample in 0..<Self.size {
                cycle[sample] += Float(weight * Self.sines[place])
                place = (place + index + 1) % Self.size
            }
        }
        cycle[Self.size] = cycle[0]
        self.cycle = cycle
    }

    /// Adds a stretch of a tone between two cycles, which is `blend` of the first.
    ///
    /// - Parameter phase: 2³² are one cycle.
    /// - Returns: The phase after it.
    static func add(
        _ bright: Self, _ mellow: Self, from phase: UInt32, step: UInt32, level: (Float, Float),
        blend: (Float, Float), to output: UnsafeMutableBufferPointer<Float>
    ) -> UInt32 {
        bright.cycle.withUnsafeBufferPointer { bright in
            mellow.cycle.withUnsafeBufferPointer { mellow in
                var phase = phase
                var (level, levelStep) = level
                var (blend, blendStep) = blend
                for index in output.indices {
                    // Ten bits choose the sample, the others lie between it and the next.
                    let whole = Int(phase >> 22)
                    let rest = Float(phase & 0x3F_FFFF) * 0x1p-22
                    let one = bright[whole] + rest * (bright[whole &+ 1] - bright[whole])
                    let other = mellow[whole] + rest * (mellow[whole &+ 1] - mellow[whole])
                    output[index] += level * (other + blend * (one - other))
                    level += levelStep
                    blend += blendStep
                    phase &+= step
                }
                return phase
            }
        }
    }
}
