/// Harmonies by their names, such as `Am7`, and what players make of them.
struct Chord {
    /// 0 (C) … 11 (B).
    let root: Int
    /// Semitones above the root.
    let steps: [Int]

    private static let kinds: [String: [Int]] = [
        "": [0, 4, 7], "m": [0, 3, 7], "7": [0, 4, 7, 10], "m7": [0, 3, 7, 10], "maj7": [0, 4, 7, 11],
        "m9": [0, 3, 7, 10, 14], "maj9": [0, 4, 7, 11, 14], "6/9": [0, 4, 7, 9, 14], "7sus": [0, 5, 7, 10, 14],
        "add9": [0, 4, 7, 14],
    ]

    /// - Parameter name: Written by us: one that is not known is our bug.
    init(_ name: Substring) {
        let letters = Array("CxDxEFxGxAxB")
        guard let letter = name.first, var root = letters.firstIndex(of: letter) else {
            preconditionFailure("\(name) is no chord.")
        }
        var rest = name.dropFirst()
        if let sign = rest.first, sign == "#" || sign == "b" {
            root += sign == "#" ? 1 : 11
            rest = rest.dropFirst()
        }
        guard let steps = Self.kinds[String(rest)] else { preconditionFailure("\(name) is no chord.") }
        self.root = root % 12
        self.steps = steps
    }

    /// Chords one after the other.
    static func list(_ names: String) -> [Chord] {
        names.split(whereSeparator: \.isWhitespace).filter { $0 != "|" }.map(Chord.init)
    }

    /// The root, at `lowest` or less than an octave above.
    func bass(from lowest: Int) -> Double { Double(lowest + (root - lowest % 12 + 12) % 12) }

    /// All tones of the chord, at `lowest` or less than an octave above, in their order there: chords that follow each
    /// other then move little.
    func close(from lowest: Int) -> [Double] {
        steps.map { Double(lowest + (root + $0 - lowest % 12 + 24) % 12) }.sorted()
    }
}

/// A rhythm of sixteenths: `x` is a stroke, `o` a soft one, and `-` is none.
struct Rhythm {
    private let strengths: [Double]

    init(_ text: String) { strengths = text.filter { $0 != " " }.map { $0 == "x" ? 0.9 : $0 == "o" ? 0.5 : 0 } }

    /// A note on each stroke, in each bar.
    ///
    /// - Parameters:
    ///   - beat: Seconds of one beat.
    ///   - bars: Of four beats.
    ///   - beats: Beats that a note is held.
    ///   - swing: Part of a sixteenth by which each second one is late.
    ///   - pitches: Of the stroke with this number in this bar.
    func notes(
        beat: Double, bars: Range<Int>, beats: Double = 0.25, swing: Double = 0,
        _ pitches: (_ bar: Int, _ stroke: Int) -> [Double] = { _, _ in [60] }
    ) -> [ScoreNote] {
        bars.flatMap { bar -> [ScoreNote] in
            var stroke = 0
            var notes: [ScoreNote] = []
            for index in 0..<16 {
                let strength = strengths[index % strengths.count]
                guard strength > 0 else { continue }
                let late = index.isMultiple(of: 2) ? 0 : swing * 0.25
                let start = (Double(bar * 4) + Double(index) * 0.25 + late) * beat
                for pitch in pitches(bar, stroke) {
                    notes.append(ScoreNote(start: start, seconds: beats * beat, pitch: pitch, strength: strength))
                }
                stroke += 1
            }
            return notes
        }
    }
}
