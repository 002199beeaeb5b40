internal import SonaAudio

/// Renders the room's sound for a device, block by block. Pure: packets' sound in, the device's frames out.
///
/// States of the reading head:
/// - *silent*: no head. Left when the time of some sound has come, at exactly that frame.
/// - *reading*: a place in a run, moving on by what `RateController` says. Left at the end of the run.
///
/// Edges that are not the music's own are rounded off over 2 ms, jumps are crossfaded over 10 ms.
///
/// Source: Protocol/spec/audio.md, "Rendering".
package struct SoundRenderer: Sendable {
    /// The result of rendering.
    package struct Block: Sendable {
        /// Interleaved stereo.
        package var samples: [Float]
        /// The first frame in which sound was read; nil if all is silence.
        package var firstAudible: Int?
        /// How much too late in the sound the head stood when the block began, µs; nil if it was silent then.
        package var error: Double?
        /// How long the sound that is there lasts from the block's beginning on, µs; nil as above.
        package var aheadMicroseconds: Int64?
    }

    private struct Head {
        var run: Int
        /// The frame of the run to be read next, with its fraction.
        var frame: Double
    }

    private struct Fading {
        var head: Head
        var rate: Double
        var framesLeft: Int
        var gain: Float
    }

    package private(set) var timeline = SoundTimeline()
    /// Number of times that sound stopped because the next piece was not there yet.
    package private(set) var starvations = 0
    /// Jumps of the head to where it should be.
    package private(set) var jumps = 0
    /// Pieces that were not taken: too much waits, or their time is nonsense.
    package private(set) var refusals = 0
    /// Server time of the first frame that has not been rendered, µs.
    package private(set) var renderedUntil: Int64?

    private var controller = RateController()
    private var head: Head?
    private var fading: Fading?
    /// How far the run that ended last was read: a head that was early must not read its end twice.
    private var readUntil: (run: Int, frame: Double)?
    private var gain: Float = 0
    private var gainStep = Self.edgeStep
    /// The time at which a run ended without being marked as an end, µs.
    private var ranOutAt: Int64?
    private var scratch: [Float] = []

    private static let edgeFrames = 96
    private static let edgeStep = 1 / Float(edgeFrames)
    private static let crossfadeFrames = 480
    /// µs per frame of the device.
    private static let frameMicroseconds = 1e6 / 48_000

    package init() {}

    /// Takes in a piece of sound to render.
    package mutating func insert(_ piece: SoundPiece) {
        guard SoundTimeline.times ~= piece.time else {
            refusals += 1
            return
        }
        if let ranOutAt, let renderedUntil, piece.time < renderedUntil,
            abs(piece.time - ranOutAt) <= SoundTimeline.toleranceMicroseconds
        {
            starvations += 1
        }
        ranOutAt = nil
        if !timeline.insert(piece, now: renderedUntil) { refusals += 1 }
    }

    /// Called when the device has played something else meanwhile, or nothing: the next sound begins anew, at its time.
    package mutating func interrupt() {
        head = nil
        fading = nil
        gain = 0
    }

    /// Renders the next frames of the device.
    ///
    /// - Parameters:
    ///   - server: Server time at which the first of them sounds, µs.
    ///   - drift: How much faster the server's clock runs than the device's, as a fraction.
    ///   - isSettling: See `RateController.decide`.
    package mutating func render(_ frames: Int, at server: Int64, drift: Double, isSettling: Bool) -> Block {
        // A clock that was never right may say anything, and no quartz is off by two in a hundred.
        let drift = drift.isFinite ? min(max(drift, -0.02), 0.02) : 0
        let server = min(max(server, SoundTimeline.times.lowerBound), SoundTimeline.times.upperBound)
        var block = Block(samples: [Float](repeating: 0, count: 2 * frames))
        let rate = steer(&block, server, drift, isSettling)
        var frame = 0
        while frame < frames {
            if head == nil {
                guard let start = begin(after: frame, of: frames, server, drift) else { break }
                frame = start
            }
            if block.firstAudible == nil { block.firstAudible = frame }
            frame += read(into: &block.samples, from: frame, rate)
        }
        fadeOut(into: &block.samples)
        let until = server + Int64((Double(frames) * Self.frameMicroseconds * (1 + drift)).rounded())
        renderedUntil = until
        timeline.prune(before: until)
        return block
    }

    /// Measures the head's error and decides on the pace; lets go of the head if it has to jump.
    private mutating func steer(_ block: inout Block, _ server: Int64, _ drift: Double, _ isSettling: Bool) -> Double {
        guard let head, let run = timeline.run(head.run) else {
            self.head = nil
            return 1 + drift
        }
        let error = (head.frame - run.frame(at: server)) / SoundTimeline.framesPerMicrosecond
        block.error = error
        block.aheadMicroseconds = max(0, run.endTime - server)
        switch controller.decide(error: error, drift: drift, isSettling: isSettling) {
        case .read(let rate): return rate
        case .jump:
            jumps += 1
            fading = Fading(head: head, rate: 1 + drift, framesLeft: Self.crossfadeFrames, gain: gain)
            self.head = nil
            readUntil = nil
            return 1 + drift
        }
    }

    /// Puts the head where the next sound begins, if that is within the block.
    ///
    /// - Returns: The block's frame in which it begins.
    private mutating func begin(after frame: Int, of frames: Int, _ server: Int64, _ drift: Double) -> Int? {
        let perFrame = Self.frameMicroseconds * (1 + drift)
        // The fraction of a microsecond counts: at a run's beginning the head must not lie before it.
        let since = Double(frame) * perFrame
        let whole = Int64(since.rounded(.down))
        guard let run = timeline.run(at: server + whole, past: readUntil) else { return nil }
        var place = run.frame(at: server + whole) + (since - Double(whole)) * SoundTimeline.framesPerMicrosecond
        var start = frame
        let earliest = max(Double(run.first), readUntil.map { $0.run == run.number ? $0.frame : 0 } ?? 0)
        if place < earliest {
            // Not yet: so many frames later it has begun.
            let perPlace = perFrame * SoundTimeline.framesPerMicrosecond
            let wait = (earliest - place) / perPlace
            guard wait < Double(frames - frame) else { return nil }
            let waited = wait.rounded(.up)
            start += Int(waited)
            place += waited * perPlace
            guard start < frames else { return nil }
        }
        guard place < Double(run.end) else { return nil }
        head = Head(run: run.number, frame: place)
        controller = RateController()
        gainStep = fading == nil ? Self.edgeStep : 1 / Float(Self.crossfadeFrames)
        gain = run.isBeginning && place < 1 ? 1 : 0
        return start
    }

    /// Reads on until the block is full or the run is over. Returns the number of frames.
    private mutating func read(into output: inout [Float], from frame: Int, _ rate: Double) -> Int {
        guard let head, let run = timeline.run(head.run) else {
            self.head = nil
            return 0
        }
        // A late piece may have replaced the frames that the head was about to read.
        guard head.frame < Double(run.end) else {
            self.head = nil
            readUntil = (run.number, head.frame)
            return 0
        }
        let left = max(1, Int(((Double(run.end) - head.frame) / rate).rounded(.up)))
        let count = min(output.count / 2 - frame, left)
        interpolate(run, head.frame, rate, into: &output, from: frame, count)
        shape(&output, from: frame, count, run, head.frame, rate)
        let next = head.frame + Double(count) * rate
        if next < Double(run.end) {
            self.head?.frame = next
        } else {
            self.head = nil
            readUntil = (run.number, next)
            if !run.isEnd { ranOutAt = run.endTime }
        }
        return count
    }

    /// Adds the frames read from a run. Beyond its ends there is silence.
    private mutating func interpolate(
        _ run: SoundTimeline.Run, _ place: Double, _ rate: Double, into output: inout [Float], from frame: Int,
        _ count: Int
    ) {
        let first = Int(place) - SincInterpolator.framesBefore
        let last = Int(place + Double(count - 1) * rate) + SincInterpolator.framesAfter + 1
        scratch.removeAll(keepingCapacity: true)
        for _ in first..<max(first, min(last + 1, run.first)) { scratch += [0, 0] }
        let held = max(first, run.first)..<max(max(first, run.first), min(last + 1, run.end))
        scratch += run.samples[2 * (held.lowerBound - run.first)..<2 * (held.upperBound - run.first)]
        while scratch.count < 2 * (last + 1 - first) { scratch.append(0) }
        scratch.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                SincInterpolator.read(
                    input, channels: 2, from: place - Double(first), step: rate,
                    into: UnsafeMutableBufferPointer(rebasing: output[2 * frame..<2 * (frame + count)]))
            }
        }
    }

    /// Rounds off the edges: the gain moves towards 1, and towards 0 where the run stops in the middle of something.
    private mutating func shape(
        _ output: inout [Float], from frame: Int, _ count: Int, _ run: SoundTimeline.Run, _ place: Double,
        _ rate: Double
    ) {
        let fadesFrom = run.isEnd ? Double.infinity : Double(run.end - Self.edgeFrames)
        if gain == 1, place + Double(count) * rate < fadesFrom { return }
        for index in 0..<count {
            if place + Double(index) * rate < fadesFrom {
                gain = min(1, gain + gainStep)
            } else {
                gain = max(0, gain - Self.edgeStep)
            }
            output[2 * (frame + index)] *= gain
            output[2 * (frame + index) + 1] *= gain
        }
    }

    /// Adds the sound that the head read before it jumped.
    private mutating func fadeOut(into output: inout [Float]) {
        guard var fading, let run = timeline.run(fading.head.run) else {
            self.fading = nil
            return
        }
        let count = min(fading.framesLeft, output.count / 2)
        guard fading.head.frame < Double(run.end), fading.head.frame >= Double(run.first), count > 0 else {
            self.fading = nil
            return
        }
        var old = [Float](repeating: 0, count: 2 * count)
        interpolate(run, fading.head.frame, fading.rate, into: &old, from: 0, count)
        for index in 0..<count {
            let gain = fading.gain * Float(fading.framesLeft - index) / Float(Self.crossfadeFrames)
            output[2 * index] += old[2 * index] * gain
            output[2 * index + 1] += old[2 * index + 1] * gain
        }
        fading.framesLeft -= count
        fading.head.frame += Double(count) * fading.rate
        self.fading = fading.framesLeft > 0 ? fading : nil
    }
}
