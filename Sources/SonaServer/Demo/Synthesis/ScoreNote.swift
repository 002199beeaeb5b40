internal import Glibc

/// A note at its place in a piece.
struct ScoreNote {
    /// Seconds from the start of the piece.
    var start: Double
    /// Seconds that the key is held.
    var seconds: Double
    /// As in MIDI: 60 is the middle C, 69 the A of 440 Hz.
    var pitch: Double
    /// 0…1.
    var strength: Double

    var hertz: Double { 440 * pow(2, (pitch - 69) / 12) }
}

/// Music in letters: `e5/2 d5 r/1 | c4+e4+g4/4 bb3`.
///
/// A word is a note with its octave, with `#` or `b` behind its letter; several joined by `+` sound together; `r` is a
/// rest. Behind `/` stand the beats, which hold until others are named (1 at the beginning). `|` is for the eye alone.
struct Phrase {
    struct Step {
        var pitches: [Double]
        var start: Double
        var beats: Double
    }

    private(set) var steps: [Step] = []
    /// Beats in all, rests included.
    private(set) var beats = 0.0

    /// - Parameter text: Written by us: a word that is no note is our bug.
    init(_ text: String) {
        var length = 1.0
        for word in text.split(whereSeparator: \.isWhitespace) where word != "|" {
            let halves = word.split(separator: "/")
            if halves.count == 2 {
                guard let told = Double(halves[1]), told > 0 else { preconditionFailure("\(word) has no length.") }
                length = told
            }
            if halves[0] != "r" {
                let pitches = halves[0].split(separator: "+").map { name in
                    guard let pitch = Self.pitch(name) else { preconditionFailure("\(name) is no note.") }
                    return pitch
                }
                steps.append(Step(pitches: pitches, start: beats, beats: length))
            }
            beats += length
        }
    }

    /// The notes of the phrase.
    ///
    /// - Parameters:
    ///   - beat: Seconds of one beat.
    ///   - offset: The beat of the piece on which the phrase begins.
    ///   - held: Part of its time that each note is held: 0.5 is short, 1 is bound to the next.
    func notes(
        beat: Double, at offset: Double = 0, transposed semitones: Double = 0, held: Double = 0.95,
        strength: Double = 0.8
    ) -> [ScoreNote] {
        steps.flatMap { step in
            step.pitches.map { pitch in
                ScoreNote(
                    start: (offset + step.start) * beat, seconds: step.beats * beat * held, pitch: pitch + semitones,
                    strength: strength)
            }
        }
    }

    /// 60 for `c4`.
    private static func pitch(_ name: Substring) -> Double? {
        guard let letter = name.first, let step = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11][letter]
        else { return nil }
        var rest = name.dropFirst()
        var sign = 0
        if rest.first == "#" { sign = 1 } else if rest.first == "b" { sign = -1 }
        if sign != 0 { rest = rest.dropFirst() }
        guard let octave = Int(rest), (0...8).contains(octave) else { return nil }
        return Double(12 * (octave + 1) + step + sign)
    }
}
