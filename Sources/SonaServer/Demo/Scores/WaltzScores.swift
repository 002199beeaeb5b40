/// "Waltzes for a Small Room": a trio and who comes by.
enum WaltzScores {
    static func clockmaker(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 301)
        let beat = 60.0 / 138
        let chords = Chord.list(
            """
            G G D D | D7 D7 G G | C C G Em | Am D7 G G
            Em Em B7 B7 | Am Am Em Em | C G Am Em | Am D7 G G
            """)
        accompany(&mix, chords, beat, SoundMix.Part(instrument: Ensemble.harp, level: 0.55, pan: -0.25, hall: 0.3))
        let first = Phrase(
            """
            d5/1 b4 g4 | b4/2 d5/1 | a4 f#4 d4 | f#4/2 a4/1 | c5 a4 f#4 | a4/2 c5/1 | b4 d5 g5 | g5/3
            e5/1 g5 e5 | c5/2 e5/1 | d5 b4 g4 | b4/2 g4/1 | c5 b4 a4 | f#5/2 e5/1 | g5/3 | r/3
            """)
        let second = Phrase(
            """
            e5/2 f#5/1 | g5/2 e5/1 | d#5/2 e5/1 | f#5/3 | c5/2 d5/1 | e5/2 c5/1 | b4/2 c5/1 | b4/3
            g5/1 f#5 e5 | d5/2 b4/1 | c5 d5 e5 | g5/2 e5/1 | c5 e5 a5 | f#5/2 d5/1 | g5/5
            """)
        mix.play(
            first.notes(beat: beat, transposed: 12, held: 0.9),
            SoundMix.Part(instrument: Ensemble.flute, level: 0.34, pan: 0.2, hall: 0.35))
        mix.play(
            second.notes(beat: beat, at: 48),
            SoundMix.Part(instrument: Ensemble.clarinet, level: 0.32, pan: 0.05, hall: 0.3))
        let above = Phrase("r/24 | e6/1 d6 c6 | b5/2 d6/1 | e6/3 | b5/3 | a5/2 c6/1 | d6/2 f#6/1 | g6/5")
        mix.play(
            above.notes(beat: beat, at: 48, strength: 0.6),
            SoundMix.Part(instrument: Ensemble.flute, level: 0.26, pan: 0.25, hall: 0.4))
        lowStrings(&mix, chords, beat, bars: 8..<32, level: 0.2)
        // The clocks.
        let ticks = (0..<94).map {
            ScoreNote(start: Double($0) * beat, seconds: 0.1, pitch: 60, strength: $0.isMultiple(of: 2) ? 0.8 : 0.5)
        }
        mix.play(ticks, SoundMix.Part(instrument: Drum.rim, level: 0.05, pan: 0.6, hall: 0.3, looseness: 0))
        return mix.mixDown(hall: Hall(seconds: 1.7, level: 0.6))
    }

    static func cat(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 302)
        let beat = 60.0 / 164
        let names = "Dm Dm A7 A7 | A7 A7 Dm Dm | Gm Gm Dm Dm | E7 A7 Dm Dm"
        let chords = Chord.list("\(names) F F C C Bb F C7 F \(names)")
        accompany(&mix, chords, beat, SoundMix.Part(instrument: Ensemble.pizzicato, level: 0.75, pan: -0.2, hall: 0.28))
        let sneaking = Phrase(
            """
            d5/1 c#5 d5 | f5/2 d5/1 | c#5 b4 c#5 | e5/2 c#5/1 | g5 f5 e5 | c#5 e5 g5 | f5 e5 d5 | a4/3
            bb4/1 d5 g5 | bb5/2 g5/1 | a5 f5 d5 | f5/2 a4/1 | g#4 b4 e5 | c#5 a4 e5 | d5/3 | r/3
            """)
        let purring = Phrase(
            "a5/2 g5/1 | f5/2 c5/1 | e5 f5 g5 | c5/3 | d5/1 f5 bb5 | a5/2 f5/1 | g5 e5 bb4 | a4/3")
        mix.play(
            sneaking.notes(beat: beat, transposed: -12, held: 0.55),
            SoundMix.Part(instrument: Ensemble.clarinet, level: 0.36, pan: 0.2, hall: 0.25))
        mix.play(
            purring.notes(beat: beat, at: 48, held: 0.97),
            SoundMix.Part(instrument: Ensemble.flute, level: 0.34, pan: 0.1, hall: 0.35))
        mix.play(
            sneaking.notes(beat: beat, at: 72, held: 0.55),
            SoundMix.Part(instrument: Ensemble.clarinet, level: 0.3, pan: 0.25, hall: 0.25))
        mix.play(
            sneaking.notes(beat: beat, at: 72, held: 0.5, strength: 0.6),
            SoundMix.Part(instrument: Ensemble.pizzicato, level: 0.45, pan: -0.35, hall: 0.3))
        mix.play(
            Rhythm("----x---o---").notesInThree(beat: beat, bars: 8..<38),
            SoundMix.Part(instrument: Drum.brush, level: 0.1, pan: 0.35, hall: 0.2))
        let end = Phrase("r/2 a3+c#4+g4/1 | d3+a3+d4+f4/2")
        mix.play(
            end.notes(beat: beat, at: 114, held: 0.6),
            SoundMix.Part(instrument: Ensemble.pizzicato, level: 0.6, hall: 0.35))
        return mix.mixDown(hall: Hall(seconds: 1.3, level: 0.55, size: 0.8))
    }

    static func snow(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 303)
        let beat = 60.0 / 88
        let chords = Chord.list("Am F C G | Am F Dm E | Am F C E | F G Em Am | Dm E7 Am Am")
        let piano = SoundMix.Part(instrument: Ensemble.piano, level: 0.5, width: 0.3, hall: 0.35, looseness: 0.015)
        // The left hand: root, fifth and tenth.
        for (bar, chord) in chords.enumerated() {
            let root = chord.bass(from: 40)
            let steps = [0, 7, 12 + Double(chord.steps[1])]
            mix.play(
                steps.enumerated().map { index, step in
                    ScoreNote(
                        start: Double(bar * 3 + index) * beat, seconds: Double(3 - index) * beat, pitch: root + step,
                        strength: index == 0 ? 0.62 : 0.45)
                }, piano)
        }
        let melody = Phrase(
            """
            e5/3 | a5/2 g5/1 | e5/3 | d5/2 c5/1 | c5/2 b4/1 | a4/3 | f5/2 e5/1 | e5/2 b4/1
            c5/2 e5/1 | a5/2 c6/1 | g5/2 e5/1 | g#5/3 | a5/2 f5/1 | d5/2 b4/1 | g4/2 b4/1 | c5/3
            d5/2 f5/1 | e5/2 g#4/1 | a4/3 | a4+e5/4
            """)
        mix.play(melody.notes(beat: beat, held: 1, strength: 0.8), piano)
        let bow = Phrase(
            """
            r/24 | a3/3 | c4/2 a3/1 | g3/3 | b3/2 e3/1 | a3/2 c4/1 | b3/2 d4/1 | b3/2 g3/1 | e3/3
            f3/3 | g#3/2 b3/1 | c4/3 | a3/4
            """)
        mix.play(
            bow.notes(beat: beat, held: 0.98, strength: 0.75),
            SoundMix.Part(instrument: Ensemble.cello, level: 0.34, pan: -0.3, hall: 0.45, looseness: 0.02))
        return mix.mixDown(hall: Hall(seconds: 2.6, level: 0.7, damping: 0.45, size: 1.2))
    }

    /// A round over eight bars of bass: every eight bars another player begins.
    static func home(_ frames: Int) -> [Float] {
        var mix = SoundMix(frames: frames, seed: 304)
        let beat = 60.0 / 126
        let ground = Chord.list("C G Am Em F C Dm G")
        let chords = (0..<4).flatMap { _ in ground } + Chord.list("C")
        let themes = [
            """
            e5/2 g5/1 | d5/2 g5/1 | c5/2 e5/1 | b4/2 e5/1 | a4/2 c5/1 | g4/2 c5/1 | f4/2 a4/1 | b4/2 d5/1
            """,
            """
            g5/1 e5 c5 | b4 d5 g5 | e5 c5 a4 | g4 b4 e5 | f5 c5 a4 | g4 c5 e5 | f5 d5 a4 | g4 b4 d5
            """,
            """
            c5/0.5 d5 e5 f5 g5 e5 | d5 e5 d5 c5 b4 d5 | c5 b4 a4 b4 c5 e5 | b4 c5 b4 a4 g4 b4
            a4 g4 f4 g4 a4 c5 | e5 d5 c5 d5 e5 g5 | f5 e5 d5 e5 f5 a5 | g5 f5 d5 c5 b4 d5
            """,
        ].map { Phrase($0) }
        let players: [(part: SoundMix.Part, transposed: Double)] = [
            (SoundMix.Part(instrument: Ensemble.flute, level: 0.3, pan: 0.3, hall: 0.35), 0),
            (SoundMix.Part(instrument: Ensemble.clarinet, level: 0.27, pan: 0, hall: 0.3), -12),
            (SoundMix.Part(instrument: Ensemble.cello, level: 0.34, pan: -0.35, hall: 0.35), -24),
        ]
        for (entry, player) in players.enumerated() {
            for pass in entry..<4 {
                let theme = themes[min(pass - entry, 2)]
                mix.play(theme.notes(beat: beat, at: Double(pass * 24), transposed: player.transposed), player.part)
            }
        }
        accompany(
            &mix, Array(chords.prefix(32)), beat,
            SoundMix.Part(instrument: Ensemble.pizzicato, level: 0.5, pan: 0.1, hall: 0.28))
        mix.play(
            chords.enumerated().dropFirst(16).flatMap { bar, chord in
                chord.close(from: 60).enumerated().map { index, pitch in
                    ScoreNote(
                        start: (Double(bar * 3) + Double(index) * 0.25) * beat, seconds: 2.5 * beat, pitch: pitch,
                        strength: 0.6)
                }
            }, SoundMix.Part(instrument: Ensemble.harp, level: 0.35, pan: -0.15, width: 0.3, hall: 0.4))
        let last = Phrase("c2+g3+e4+c5+c6/4")
        mix.play(
            last.notes(beat: beat, at: 96, strength: 0.7),
            SoundMix.Part(instrument: Ensemble.flute, level: 0.18, width: 0.3, hall: 0.5))
        mix.play(last.notes(beat: beat, at: 96), SoundMix.Part(instrument: Ensemble.harp, level: 0.5, hall: 0.4))
        return mix.mixDown(hall: Hall(seconds: 1.9, level: 0.62, size: 1.1))
    }

    /// Bass on one, chord on two and three.
    private static func accompany(_ mix: inout SoundMix, _ chords: [Chord], _ beat: Double, _ part: SoundMix.Part) {
        for (bar, chord) in chords.enumerated() {
            // The bass goes to the fifth where the chord stays.
            let stays = bar > 0 && chords[bar - 1].root == chord.root && !bar.isMultiple(of: 2)
            let bass = chord.bass(from: 40) + (stays ? 7 : 0)
            var notes = [ScoreNote(start: Double(bar * 3) * beat, seconds: 1.6 * beat, pitch: bass, strength: 0.85)]
            for step in [1, 2] {
                notes += chord.close(from: 55).map {
                    ScoreNote(start: Double(bar * 3 + step) * beat, seconds: 0.7 * beat, pitch: $0, strength: 0.5)
                }
            }
            mix.play(notes, part)
        }
    }

    private static func lowStrings(
        _ mix: inout SoundMix, _ chords: [Chord], _ beat: Double, bars: Range<Int>, level: Double
    ) {
        let notes = bars.map { bar in
            ScoreNote(
                start: Double(bar * 3) * beat, seconds: 2.9 * beat, pitch: chords[bar].bass(from: 43), strength: 0.7)
        }
        mix.play(notes, SoundMix.Part(instrument: Ensemble.cello, level: level, pan: -0.4, hall: 0.35))
    }
}

extension Rhythm {
    /// The same in bars of three beats.
    fileprivate func notesInThree(beat: Double, bars: Range<Int>) -> [ScoreNote] {
        notes(beat: beat, bars: 0..<1).filter { $0.start < 3 * beat }.flatMap { note in
            bars.map { bar in
                var note = note
                note.start += Double(bar * 3) * beat
                return note
            }
        }
    }
}
