internal import Glibc

/// A quiet endless tune, computed sample by sample: four chords, a bass and plucked notes above them.
///
/// The samples are the same every time, so that a recording can be recognised.
struct Melody {
    static let sampleRate = 48_000
    /// One chord, in samples: two seconds.
    private static let chordSamples = 96_000
    /// One plucked note, in samples: a quarter of a second.
    private static let noteSamples = 12_000

    /// Semitones from A3 (220 Hz): A minor, F, C, G.
    private static let chords: [[Double]] = [[0, 3, 7, 12], [-4, 0, 3, 8], [3, 7, 10, 15], [-2, 2, 5, 10]]
    private static let pattern = [0, 2, 1, 3, 2, 1, 3, 2]

    private var position = 0

    /// The next samples, left and right interleaved, within ±1.
    mutating func render(frames: Int) -> [Float] {
        var pcm: [Float] = []
        pcm.reserveCapacity(frames * 2)
        for _ in 0..<frames {
            let (left, right) = sample(at: position)
            pcm.append(left)
            pcm.append(right)
            position += 1
        }
        return pcm
    }

    private func sample(at index: Int) -> (Float, Float) {
        let chord = Self.chords[(index / Self.chordSamples) % Self.chords.count]
        let inChord = Double(index % Self.chordSamples) / Double(Self.sampleRate)
        let time = Double(index) / Double(Self.sampleRate)
        // The pad swells in and out with its chord, so that chords change without a click.
        let swell = sin(.pi * inChord / 2)
        var pad = 0.0
        for tone in chord { pad += sin(2 * .pi * Self.frequency(tone) * time) }
        let bass = sin(2 * .pi * Self.frequency(chord[0] - 12) * time) * swell

        let note = index / Self.noteSamples
        let inNote = Double(index % Self.noteSamples) / Double(Self.sampleRate)
        let tone = chord[Self.pattern[note % Self.pattern.count]] + 12
        let pluck = Self.pluck(Self.frequency(tone), inNote)
        let pan = 0.5 + 0.35 * sin(Double(note) * 1.3)
        let common = 0.045 * pad * swell + 0.16 * bass
        return (Float(common + 0.3 * pluck * (1 - pan)), Float(common + 0.3 * pluck * pan))
    }

    /// A string: three partials that die away, the higher the faster, after a soft attack.
    private static func pluck(_ frequency: Double, _ time: Double) -> Double {
        let attack = min(1, time / 0.004)
        var value = 0.0
        for partial in 1...3 {
            let weight = exp(-time * 9 * Double(partial)) / Double(partial)
            value += sin(2 * .pi * frequency * Double(partial) * time) * weight
        }
        return value * attack
    }

    private static func frequency(_ semitones: Double) -> Double { 220 * pow(2, semitones / 12) }
}
