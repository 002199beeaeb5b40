internal import SonaBase

/// "Tidal Rooms": slow harmonies, glass and the sea.
enum AmbientScores {
    static func harbour(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 101)
        let chords = Phrase(
            """
            d3+a3+f#4+c#5/8 | b2+f#3+d4+a4 | g2+d3+b3+f#4 | e3+b3+g4+d5 | a2+e3+c#4+b4 | d3+a3+e4+f#4
            """)
        mix.play(chords.notes(beat: 1, held: 1), pad())
        let roots = Phrase("d2/8 b1 g1 e2 a1 d2")
        mix.play(roots.notes(beat: 1), SoundMix.Part(instrument: Ensemble.deep, level: 0.5, hall: 0.05))
        let scale = Phrase("a4 b4 d5 e5 f#5 a5 b5 d6").steps.flatMap(\.pitches)
        mix.play(
            wander(over: scale, beats: 4..<48, step: 0.5, density: 0.34, seed: 7).notes(beat: 1),
            SoundMix.Part(instrument: Ensemble.glass, level: 0.3, pan: 0.15, width: 0.5, hall: 0.55, echo: 0.35))
        for (start, seconds) in [(0.0, 13.0), (9, 12), (20, 14), (31, 12), (40, 14)] {
            let wave = ScoreNote(start: start, seconds: seconds, pitch: 60, strength: 0.75)
            mix.play([wave], SoundMix.Part(instrument: Surf(), level: 0.5, width: 0.8, hall: 0.15))
        }
        return mix.mixDown(hall: Hall(seconds: 4.5, level: 0.9, size: 1.5), echo: 0.75)
    }

    static func lantern(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 102)
        let beat = 60.0 / 72
        let chords = [
            "a2+e3+b3+c4+g4", "f#2+d3+a3+c4+e4", "f2+c3+a3+e4+g4", "c3+g3+b3+d4+e4", "e2+b2+g3+d4+a4", "a2+e3+b3+c4+e4",
        ].map { Phrase($0 + "/8") }
        // Up and down the chord in eighths, with a hole now and then.
        let pattern = [0, 2, 3, 4, 3, 2, 1, 3, 4, 3, 2, 3, 1, 2, 4, 2]
        let holes: Set = [7, 13]
        for (index, chord) in chords.enumerated() {
            let pitches = chord.steps[0].pitches
            let first = Double(index * 8)
            mix.play(chord.notes(beat: beat, at: first, held: 1), pad(level: 0.13))
            let root = ScoreNote(start: first * beat, seconds: 7.5 * beat, pitch: pitches[0] - 12, strength: 0.8)
            mix.play([root], SoundMix.Part(instrument: Ensemble.deep, level: 0.45, hall: 0.05))
            let drops = pattern.indices.filter { !holes.contains($0) }.map { step in
                ScoreNote(
                    start: (first + Double(step) * 0.5) * beat, seconds: 0.4, pitch: pitches[pattern[step]] + 12,
                    strength: step.isMultiple(of: 4) ? 0.85 : 0.6)
            }
            mix.play(
                drops, SoundMix.Part(instrument: Ensemble.drops, level: 0.5, pan: -0.2, hall: 0.35, echo: 0.4))
        }
        let answer = Phrase(
            """
            r/24 | e5/2 d5/1 b4/1 c5/3 r/1 | g5/2 e5/2 b4/3 r/1 | c5/2 b4/1 g4/1 e4/4
            """)
        mix.play(
            answer.notes(beat: beat, held: 1),
            SoundMix.Part(instrument: Ensemble.glass, level: 0.42, pan: 0.25, width: 0.3, hall: 0.6, echo: 0.2))
        return mix.mixDown(hall: Hall(seconds: 3.6, level: 0.8, size: 1.3), echo: beat * 0.75)
    }

    static func weather(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 103)
        let beat = 60.0 / 63
        let chords = Phrase(
            """
            f#2+c#3+a3+e4/4 | f#2+c#3+a3+e4 | d2+a2+f#3+c#4 | a2+e3+c#4+e4 | e2+b2+g#3+e4 | d2+a2+f#3+c#4
            a2+e3+c#4+b4 | e2+b2+g#3+d4 | f#2+c#3+a3+e4 | d2+a2+f#3+e4 | e2+b2+g#3+d4 | a2+e3+b3+c#4/6
            """)
        mix.play(chords.notes(beat: beat, held: 1.05), pad(level: 0.2))
        let song = Phrase(
            """
            r/4 | c#5/2 e5/1 c#5 | f#5/3 e5/1 | c#5/4 | b4/2 c#5/1 e5 | a4/3 b4/1 |
            c#5/2 a4 | b4/4 | c#5/2 e5 | a5/3 f#5/1 | e5/2 d5/1 b4 | c#5/5
            """)
        mix.play(
            song.notes(beat: beat, held: 0.97),
            SoundMix.Part(instrument: Ensemble.voice, level: 0.36, width: 0.12, hall: 0.5, echo: 0.16))
        // A second voice below, from the middle on.
        let second = Phrase("r/32 | a4/2 c#5 | f#5/3 d5/1 | b4/2 g#4 | a4/5")
        mix.play(
            second.notes(beat: beat, held: 0.97, strength: 0.6),
            SoundMix.Part(instrument: Ensemble.voice, level: 0.3, pan: -0.4, hall: 0.6))
        let rain = wander(
            over: Phrase("a5 b5 c#6 e6 f#6").steps.flatMap(\.pitches), beats: 2..<46, step: 0.25, density: 0.2, seed: 11
        )
        mix.play(
            rain.notes(beat: beat),
            SoundMix.Part(instrument: Ensemble.drops, level: 0.16, width: 0.8, hall: 0.5, echo: 0.3, looseness: 0.05))
        return mix.mixDown(hall: Hall(seconds: 3.8, level: 0.85, size: 1.4), echo: beat * 0.75)
    }

    static func lamp(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 104)
        let beat = 60.0 / 66
        let chords = Phrase(
            """
            eb3+bb3+d4+f4+g4/4 | c3+bb3+d4+eb4+g4 | ab2+g3+bb3+c4+eb4 | bb2+ab3+c4+eb4+f4
            g2+f3+bb3+d4 | c3+bb3+eb4+g4 | f2+ab3+c4+eb4+g4 | bb2+ab3+d4+f4
            eb3+g3+bb3+d4+f4 | ab2+g3+c4+eb4 | bb2+ab3+c4+d4 | eb3+g3+bb3+f4/6
            """)
        for (instrument, level) in [(Ensemble.electricPiano, 0.3), (Ensemble.tine, 0.08)] {
            mix.play(
                chords.notes(beat: beat, held: 0.98, strength: 0.6),
                SoundMix.Part(instrument: instrument, level: level, width: 0.25, hall: 0.3, looseness: 0.02))
        }
        let lullaby = Phrase(
            """
            r/2 g4/1 bb4 | d5/3 c5/1 | bb4/2 c5/1 eb5 | f5/3 d5/1 | bb4/2 d5/1 f5 | eb5/3 d5/1 |
            c5/2 ab4/1 c5 | bb4/4 | g4/1 bb4 d5/2 | c5/2 ab4 | f4/2 bb4 | eb5/5
            """)
        mix.play(
            lullaby.notes(beat: beat),
            SoundMix.Part(instrument: Ensemble.glass, level: 0.38, pan: 0.2, hall: 0.4, echo: 0.15, looseness: 0.015))
        mix.play(
            chords.notes(beat: beat, held: 1.05).filter { $0.pitch > 54 },
            pad(level: 0.06))
        return mix.mixDown(hall: Hall(seconds: 2.8, level: 0.75), echo: beat)
    }

    private static func pad(level: Double = 0.2) -> SoundMix.Part {
        SoundMix.Part(instrument: Ensemble.pad, level: level, width: 0.75, hall: 0.4, looseness: 0.05)
    }

    /// A melody that walks up and down a scale and rests where it likes.
    private static func wander(
        over scale: [Double], beats: Range<Double>, step: Double, density: Double, seed: UInt64
    ) -> Walk {
        var dice = SeededGenerator(seed: seed)
        var place = scale.count / 2
        var walk = Walk()
        for beat in stride(from: beats.lowerBound, to: beats.upperBound, by: step) {
            guard dice.fraction() < density else { continue }
            place = max(0, min(scale.count - 1, place + dice.index(5) - 2))
            walk.steps.append((beat, scale[place], 0.45 + 0.4 * dice.fraction()))
        }
        return walk
    }

    private struct Walk {
        var steps: [(beat: Double, pitch: Double, strength: Double)] = []

        func notes(beat: Double) -> [ScoreNote] {
            steps.map { ScoreNote(start: $0.beat * beat, seconds: beat, pitch: $0.pitch, strength: $0.strength) }
        }
    }
}
