internal import Glibc
internal import SonaBase

/// A piece while it is put together: notes are played into it, then it is mixed down.
///
/// Stereo, 48 kHz, interleaved. Confined to its owner; ten seconds take 15 MB while it is there.
struct SoundMix {
    /// An instrument and its place on the stage.
    struct Part {
        var instrument: any Instrument
        /// Level, 1 is that of the instrument.
        var level = 1.0
        /// −1 (left) … 1 (right).
        var pan = 0.0
        /// Notes are played twice, as far apart as this, 0…1.
        var width = 0.0
        /// How much goes to the hall and to the echo, 0…1.
        var hall = 0.2
        var echo = 0.0
        /// Makes room for the beat of the kick drum, where there is one.
        var ducks = false
        /// Seconds by which a player is early or late at most.
        var looseness = 0.005
    }

    let frames: Int
    private var dry: [Float]
    private var ducked: [Float]
    private var hallSend: [Float]
    private var echoSend: [Float]
    private var dice: SeededGenerator

    init(frames: Int, seed: UInt64) {
        self.frames = frames
        dry = [Float](repeating: 0, count: frames * 2)
        ducked = dry
        hallSend = dry
        echoSend = dry
        dice = SeededGenerator(seed: seed)
    }

    /// Plays notes. Those that begin after the end of the piece are left out.
    mutating func play(_ notes: [ScoreNote], _ part: Part) {
        for note in notes {
            var note = note
            note.start = max(0, note.start + part.looseness * (2 * dice.fraction() - 1))
            note.strength *= 0.9 + 0.2 * dice.fraction()
            guard Int(note.start * Sampling.rate) < frames else { continue }
            if part.width == 0 {
                add(part.instrument.sound(of: note, &dice), at: note.start, pan: part.pan, part, 1)
            } else {
                for side in [-part.width, part.width] {
                    let sound = part.instrument.sound(of: note, &dice)
                    add(sound, at: note.start, pan: max(-1, min(1, part.pan + side)), part, 0.7)
                }
            }
        }
    }

    private mutating func add(_ sound: [Float], at start: Double, pan: Double, _ part: Part, _ level: Double) {
        let first = Int(start * Sampling.rate)
        let count = min(sound.count, frames - first)
        let angle = (pan + 1) * .pi / 4
        let level = level * part.level * 2.0.squareRoot()
        let (left, right) = (Float(cos(angle) * level), Float(sin(angle) * level))
        let frames = first..<first + count
        if part.ducks {
            Self.add(sound, to: &ducked, frames, left, right)
        } else {
            Self.add(sound, to: &dry, frames, left, right)
        }
        let (hall, echo) = (Float(part.hall), Float(part.echo))
        if hall > 0 { Self.add(sound, to: &hallSend, frames, left * hall, right * hall) }
        if echo > 0 { Self.add(sound, to: &echoSend, frames, left * echo, right * echo) }
    }

    private static func add(
        _ sound: [Float], to bus: inout [Float], _ frames: Range<Int>, _ left: Float, _ right: Float
    ) {
        bus.withUnsafeMutableBufferPointer { bus in
            sound.withUnsafeBufferPointer { sound in
                var place = frames.lowerBound * 2
                for index in 0..<frames.count {
                    bus[place] += left * sound[index]
                    bus[place &+ 1] += right * sound[index]
                    place = place &+ 2
                }
            }
        }
    }

    /// Sound and effects together, not yet at any certain level.
    ///
    /// - Parameters:
    ///   - echo: Seconds between two echoes; nil if no part uses it.
    ///   - ducking: Makes the effects quieter, too, and all parts that duck.
    consuming func mixDown(hall: Hall, echo: Double? = nil, ducking: Ducking? = nil) -> [Float] {
        var (sound, wet, send) = (dry, ducked, hallSend)
        if let echo { Echo(seconds: echo).add(echoSend, to: &wet, hall: &send) }
        hall.add(send, to: &wet)
        ducking?.apply(to: &wet)
        for index in sound.indices { sound[index] += wet[index] }
        return sound
    }
}

/// Room for the kick drum: the rest is quieter while it sounds.
struct Ducking {
    /// Seconds at which the drum is struck, in their order.
    var strokes: [Double]
    /// Part of the level that is taken away, 0…1.
    var depth: Double

    func apply(to bus: inout [Float]) {
        for (index, stroke) in strokes.enumerated() {
            let first = Int(stroke * Sampling.rate)
            let end = index + 1 < strokes.count ? strokes[index + 1] : stroke + 0.5
            let last = min(bus.count / 2, min(Int(end * Sampling.rate), first + Int(0.3 * Sampling.rate)))
            guard first < last else { continue }
            for frame in first..<last {
                let part = Double(frame - first) / (0.3 * Sampling.rate)
                // Down within 4 ms, and up again until the next eighth.
                let taken = part < 0.013 ? part / 0.013 : (1 - part) * (1 - part)
                let level = Float(1 - depth * taken)
                bus[2 * frame] *= level
                bus[2 * frame + 1] *= level
            }
        }
    }
}

/// Echoes that go from side to side and grow dull.
struct Echo {
    var seconds: Double
    var feedback: Float = 0.46

    /// - Parameters:
    ///   - bus: Gets the echoes.
    ///   - hall: Gets a third of them.
    func add(_ send: [Float], to bus: inout [Float], hall: inout [Float]) {
        let length = max(1, Int(seconds * Sampling.rate))
        var (left, right) = ([Float](repeating: 0, count: length), [Float](repeating: 0, count: length))
        var (dullLeft, dullRight): (Float, Float) = (0, 0)
        var place = 0
        for frame in 0..<send.count / 2 {
            dullLeft += 0.35 * (left[place] - dullLeft)
            dullRight += 0.35 * (right[place] - dullRight)
            bus[2 * frame] += dullLeft
            bus[2 * frame + 1] += dullRight
            hall[2 * frame] += 0.3 * dullLeft
            hall[2 * frame + 1] += 0.3 * dullRight
            // What comes in begins on the left.
            left[place] = 0.5 * (send[2 * frame] + send[2 * frame + 1]) + feedback * dullRight
            right[place] = feedback * dullLeft / 0.7
            place = place + 1 == length ? 0 : place + 1
        }
    }
}
