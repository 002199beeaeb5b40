/// "Late Tram": four beats on the floor.
enum HouseScores {
    static func doors(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 201)
        let beat = 60.0 / 122
        let chords = Chord.list("Am9 Fmaj9 Cmaj7 G6/9")
        let kicks = drums(&mix, beat, kick: [0..<12, 16..<24], clap: [4..<12, 16..<24], hats: [2..<12, 14..<24])
        func chord(_ bar: Int) -> Chord { chords[bar % 4] }
        mix.play(
            Rhythm("--x--x----x--x--").notes(beat: beat, bars: 0..<24, beats: 0.4, swing: 0.12) { bar, _ in
                chord(bar).close(from: 57)
            }, SoundMix.Part(instrument: Ensemble.stab, level: 0.2, width: 0.5, hall: 0.25, echo: 0.12, ducks: true))
        mix.play(
            Rhythm("x--x--x---o-x-x-").notes(beat: beat, bars: 4..<12, beats: 0.3) { bar, stroke in
                [chord(bar).bass(from: 33) + (stroke == 3 ? 12 : 0)]
            }
                + Rhythm("x--x--x---o-x-x-").notes(beat: beat, bars: 16..<24, beats: 0.3) { bar, stroke in
                    [chord(bar).bass(from: 33) + (stroke == 3 || stroke == 5 ? 12 : 0)]
                }, SoundMix.Part(instrument: Ensemble.bass, level: 0.6, hall: 0, ducks: true, looseness: 0.001))
        let riff = Phrase(
            "e5/1.5 d5/0.5 c5/1 a4 | c5/1.5 a4/0.5 g4/2 | e5/1 g5 e5/0.5 d5 c5/1 | d5/2 b4/1 r")
        for bar in [12, 16, 20] {
            mix.play(
                riff.notes(beat: beat, at: Double(bar * 4)),
                SoundMix.Part(
                    instrument: Ensemble.electricPiano, level: 0.34, pan: 0.2, width: 0.2, hall: 0.3, echo: 0.25,
                    ducks: true))
        }
        mix.play(
            pads(chords, beat, bars: 8..<24),
            SoundMix.Part(
                instrument: Ensemble.pad, level: 0.08, width: 0.8, hall: 0.35, ducks: true))
        return mix.mixDown(
            hall: Hall(seconds: 1.5, level: 0.6, size: 0.9), echo: beat * 0.75,
            ducking: Ducking(strokes: kicks, depth: 0.55))
    }

    static func neon(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 202)
        let beat = 60.0 / 118
        let chords = Chord.list("Fm9 Dbmaj9 Bbm9 C7sus")
        let kicks = drums(&mix, beat, kick: [4..<16, 18..<24], clap: [8..<16, 18..<24], hats: [6..<24])
        func chord(_ bar: Int) -> Chord { chords[bar / 2 % 4] }
        // Sixteenths over the chord, in a pattern of seven, so that it falls otherwise in each bar.
        let pattern = [0, 2, 4, 1, 3, 2, 4]
        mix.play(
            Rhythm("x-xox-xo-xx-xoxo").notes(beat: beat, bars: 0..<24, beats: 0.2) { bar, stroke in
                let tones = chord(bar).close(from: 60)
                let step = pattern[(stroke + bar * 12) % 7]
                return [tones[step % tones.count] + (step == 4 ? 12 : 0)]
            },
            SoundMix.Part(
                instrument: Ensemble.sequence, level: 0.3, pan: -0.15, width: 0.4, hall: 0.2, echo: 0.3, ducks: true))
        mix.play(
            Rhythm("x-----x-x----x--").notes(beat: beat, bars: 4..<24, beats: 0.45) { bar, stroke in
                [chord(bar).bass(from: 29) + (stroke == 3 ? 7 : 0)]
            }, SoundMix.Part(instrument: Ensemble.bass, level: 0.55, hall: 0, ducks: true, looseness: 0.001))
        mix.play(
            Rhythm("---x--------x---").notes(beat: beat, bars: 8..<24, beats: 0.8) { bar, _ in
                chord(bar).close(from: 53)
            },
            SoundMix.Part(
                instrument: Ensemble.electricPiano, level: 0.17, width: 0.3, hall: 0.3, echo: 0.15, ducks: true))
        mix.play(
            pads(chords.flatMap { [$0, $0] }, beat, bars: 0..<24),
            SoundMix.Part(
                instrument: Ensemble.pad, level: 0.1, width: 0.8, hall: 0.4, ducks: true))
        let call = Phrase("r/2 c5/1 ab4 | g4/3 r/1 | r/2 f5/1 eb5 | c5/3 r/1")
        for bar in [12, 16, 20] {
            mix.play(
                call.notes(beat: beat, at: Double(bar * 4)),
                SoundMix.Part(
                    instrument: Ensemble.whistle, level: 0.2, pan: 0.25, hall: 0.45, echo: 0.35, ducks: true))
        }
        return mix.mixDown(
            hall: Hall(seconds: 2.2, level: 0.65, size: 1.1), echo: beat * 0.75,
            ducking: Ducking(strokes: kicks, depth: 0.5))
    }

    static func kitchen(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 203)
        let beat = 60.0 / 124
        let chords = Chord.list("Cm7 Abmaj7 Ebadd9 Bb")
        let kicks = drums(&mix, beat, kick: [4..<12, 14..<24], clap: [4..<12, 14..<24], hats: [4..<24])
        func chord(_ bar: Int) -> Chord { chords[bar % 4] }
        mix.play(
            Rhythm("x--x--x--x-x--x-").notes(beat: beat, bars: 0..<24, beats: 0.5) { bar, _ in
                chord(bar).close(from: 60) + [chord(bar).bass(from: 48)]
            }, SoundMix.Part(instrument: Ensemble.piano, level: 0.26, width: 0.35, hall: 0.22, ducks: true))
        mix.play(
            Rhythm("--x---x---x---xx").notes(beat: beat, bars: 4..<24, beats: 0.35) { bar, stroke in
                [chord(bar).bass(from: 34) + (stroke == 4 ? 12 : 0)]
            }, SoundMix.Part(instrument: Ensemble.bass, level: 0.6, hall: 0, ducks: true, looseness: 0.001))
        let song = Phrase(
            "r/1 g4 bb4 c5 | eb5/1.5 d5/0.5 c5/2 | r/1 bb4 eb5 f5 | g5/1.5 f5/0.5 d5/1 bb4")
        for bar in [8, 12, 16, 20] {
            mix.play(
                song.notes(beat: beat, at: Double(bar * 4)),
                SoundMix.Part(
                    instrument: Ensemble.voice, level: bar == 12 ? 0.34 : 0.26, width: 0.15, hall: 0.35, echo: 0.2,
                    ducks: true))
        }
        let answer = Phrase("g5/0.5 r g5 eb5 r f5 r eb5 | c5/0.5 r eb5 r c5/1 r")
        for bar in [16, 18, 20, 22] {
            mix.play(
                answer.notes(beat: beat, at: Double(bar * 4), held: 0.6, strength: 0.6),
                SoundMix.Part(
                    instrument: Ensemble.sequence, level: 0.25, pan: 0.4, hall: 0.25, echo: 0.3, ducks: true))
        }
        return mix.mixDown(
            hall: Hall(seconds: 1.6, level: 0.6), echo: beat * 0.75, ducking: Ducking(strokes: kicks, depth: 0.5))
    }

    private static func pads(_ chords: [Chord], _ beat: Double, bars: Range<Int>) -> [ScoreNote] {
        bars.flatMap { bar in
            chords[bar % chords.count].close(from: 55).map {
                ScoreNote(start: Double(bar * 4) * beat, seconds: 4 * beat, pitch: $0, strength: 0.7)
            }
        }
    }

    /// - Returns: The seconds of the kicks.
    private static func drums(
        _ mix: inout SoundMix, _ beat: Double, kick: [Range<Int>], clap: [Range<Int>], hats: [Range<Int>]
    ) -> [Double] {
        var kicks: [Double] = []
        func part(_ drum: Drum, _ level: Double, pan: Double = 0, hall: Double = 0) -> SoundMix.Part {
            SoundMix.Part(instrument: drum, level: level, pan: pan, hall: hall, looseness: 0.001)
        }
        for bars in kick {
            let notes = Rhythm("x---x---x---x---").notes(beat: beat, bars: bars)
            kicks += notes.map(\.start)
            mix.play(notes, part(.kick, 0.85))
        }
        for bars in clap {
            mix.play(Rhythm("----x-------x---").notes(beat: beat, bars: bars), part(.clap, 0.5, hall: 0.25))
        }
        for bars in hats {
            mix.play(
                Rhythm("--x---x---x---x-").notes(beat: beat, bars: bars), part(.openHat, 0.2, pan: 0.15, hall: 0.05))
            mix.play(
                Rhythm("xoooxooo").notes(beat: beat, bars: bars, swing: 0.14), part(.closedHat, 0.14, pan: -0.2))
            mix.play(Rhythm("o-x-o-x-").notes(beat: beat, bars: bars), part(.shaker, 0.12, pan: 0.5, hall: 0.1))
        }
        return kicks
    }
}
