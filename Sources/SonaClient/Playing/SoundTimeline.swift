internal import SonaWire

/// The sound to be heard, by server time: runs of frames that follow each other without a gap.
///
/// Runs do not overlap and stand in the order of their times. A piece that begins where a run ends, give or take
/// `toleranceMicroseconds`, lengthens it, whatever epoch it is of: that is how one track follows another without a
/// seam. Any other begins a run of its own; what an older run has from there on is cut off.
///
/// A run's frames are counted from its first one. Each piece pins its first frame to its server time: times are rounded
/// to microseconds, and a live host's timeline is stretched a little, so between two pins they are interpolated.
///
/// Source: Protocol/spec/audio.md, "The timeline", "Rendering".
package struct SoundTimeline: Sendable {
    package struct Run: Sendable {
        let number: Int
        /// Interleaved stereo, from frame `first` on; earlier ones have been played and forgotten.
        fileprivate(set) var samples: [Float]
        fileprivate(set) var first = 0
        fileprivate var pins: [Pin]
        /// Whether the run must not be faded in.
        let isBeginning: Bool
        /// Whether the run must not be faded out.
        fileprivate(set) var isEnd: Bool

        /// The frame after the last one.
        var end: Int { first + samples.count / 2 }
        var startTime: Int64 { pins[0].time }
        var endTime: Int64 { time(ofFrame: Double(end)) }

        /// The frame that sounds at a server time, with its fraction; beyond the ends as if the run went on there.
        func frame(at time: Int64) -> Double {
            let pin = pins[pins.lastPlace { $0.time <= time }]
            return Double(pin.frame) + Double(time - pin.time) * SoundTimeline.framesPerMicrosecond
        }

        func time(ofFrame frame: Double) -> Int64 {
            let pin = pins[pins.lastPlace { Double($0.frame) <= frame }]
            return pin.time + Int64(((frame - Double(pin.frame)) / SoundTimeline.framesPerMicrosecond).rounded())
        }
    }

    /// The place of a frame in server time.
    fileprivate struct Pin: Sendable {
        var frame: Int
        var time: Int64
    }

    /// The runs, ordered by time.
    package private(set) var runs: [Run] = []
    private var nextNumber = 0
    /// Frames held.
    package var frames: Int { runs.reduce(0) { $0 + $1.samples.count / 2 } }

    /// The times that the wire can express.
    static let times = -Limits.integerMax...Limits.integerMax
    static let framesPerMicrosecond = 0.048
    /// How far a piece may begin from where the one before ends and still belong to it, µs. A live
    /// host's timeline is stretched by 24 µs in the longest packet; what is missing between two is 2500 µs or more.
    static let toleranceMicroseconds: Int64 = 100
    /// Most frames held: the longest lead, and the sound that may be sent ahead of it. Any more are refused.
    static let framesMax = 20 * 48_000
    static let runsMax = 512
    /// The furthest time ahead for which a server would send a piece, µs.
    static let aheadMicrosecondsMax: Int64 = 60_000_000
    /// Played frames that are kept for the interpolation at the next frame.
    private static let framesKept = 64

    package init() {}

    /// Takes a piece in.
    ///
    /// - Parameter now: Server time up to which everything has been rendered, µs; nil before there was anything.
    /// - Returns: False if it is not taken, because too much is waiting or because its time makes no sense.
    package mutating func insert(_ piece: SoundPiece, now: Int64?) -> Bool {
        guard piece.frames > 0, Self.times ~= piece.time else { return false }
        if let now {
            guard piece.time < now + Self.aheadMicrosecondsMax else { return false }
        }
        guard frames + piece.frames <= Self.framesMax, runs.count < Self.runsMax else { return false }
        if let last = runs.indices.last, abs(runs[last].endTime - piece.time) <= Self.toleranceMicroseconds {
            runs[last].pins.append(Pin(frame: runs[last].end, time: piece.time))
            runs[last].samples += piece.samples
            runs[last].isEnd = piece.isEnd
            return true
        }
        // Too late to be heard, and nothing follows from it.
        if let now, piece.time + Int64(Double(piece.frames) / Self.framesPerMicrosecond) <= now { return true }
        cut(from: piece.time)
        runs.append(
            Run(
                number: nextNumber, samples: piece.samples, pins: [Pin(frame: 0, time: piece.time)],
                isBeginning: piece.isBeginning, isEnd: piece.isEnd))
        nextNumber += 1
        return true
    }

    /// Forgets what sounds at or after a time.
    private mutating func cut(from time: Int64) {
        while let last = runs.indices.last, runs[last].endTime > time {
            let keep = Int(max(0, runs[last].frame(at: time).rounded())) - runs[last].first
            guard keep > 0, runs[last].startTime < time else {
                runs.removeLast()
                continue
            }
            runs[last].samples.removeLast(max(0, runs[last].samples.count - 2 * keep))
            let end = runs[last].end
            // One pin is left in any case: the first lies at or before the first frame held.
            while runs[last].pins.count > 1, let pin = runs[last].pins.last, pin.frame >= end {
                runs[last].pins.removeLast()
            }
            runs[last].isEnd = false
            return
        }
    }

    func run(_ number: Int) -> Run? { runs.last { $0.number == number } }

    /// The run that sounds at a server time, or the first one after it. A run that has been read to its end does not
    /// count.
    ///
    /// - Parameter read: A run, and the frame up to which it has been read.
    func run(at time: Int64, past read: (run: Int, frame: Double)?) -> Run? {
        runs.first { run in
            let from = max(run.frame(at: time), read.map { $0.run == run.number ? $0.frame : 0 } ?? 0)
            return from < Double(run.end)
        }
    }

    /// Forgets frames that have been played.
    ///
    /// - Parameter time: Server time up to which everything has been rendered, µs.
    mutating func prune(before time: Int64) {
        while runs.count > 1, runs[0].frame(at: time) - Double(runs[0].end) > 0 { runs.removeFirst() }
        guard !runs.isEmpty else { return }
        // The last run stays even when it is over: the next piece may begin where it ends.
        let played = min(runs[0].end, Int(max(0, runs[0].frame(at: time)))) - Self.framesKept
        // Moving the rest costs its length, so it is done once per half second.
        guard played - runs[0].first >= 24_000 else { return }
        runs[0].samples.removeFirst(2 * (played - runs[0].first))
        runs[0].first = played
        let past = runs[0].pins.lastPlace { $0.frame <= played }
        runs[0].pins.removeFirst(past)
    }
}

extension [SoundTimeline.Pin] {
    /// The last index whose element satisfies `isBefore`, or the first index; by halving, since those that do come first.
    fileprivate func lastPlace(_ isBefore: (SoundTimeline.Pin) -> Bool) -> Int {
        var low = 0
        var high = count
        while high - low > 1 {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
