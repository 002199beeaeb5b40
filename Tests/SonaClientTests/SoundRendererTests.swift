import Glibc
import SonaBase
import SonaClient
import SonaTestSupport
import Testing

/// A room whose sound at server time `t` µs is known, and a device that hears it.
private struct Stage {
    var renderer = SoundRenderer()
    /// Server time per device time.
    var drift = 0.0
    /// What the device is told of it.
    var knownDrift = 0.0
    /// Server time at the device's frame 0, and what the device's estimate of the server's clock is off by.
    var origin: Int64 = 5_000_000
    var estimateError = 0.0
    var frame = 0
    var output: [Float] = []
    var lastBlock: SoundRenderer.Block?
    var isSettling = false

    /// The sound: two tones, at the frame of the room that sounds at a server time.
    static func sound(_ roomFrame: Double) -> Float {
        Float(0.3 * sin(roomFrame * 0.0513) + 0.2 * sin(roomFrame * 0.2117))
    }

    static func time(_ roomFrame: Int) -> Int64 { Int64(roomFrame) * 125 / 6 }

    /// Packets of 20 ms from a frame of the room on, which counts from server time 0.
    mutating func insert(from first: Int, packets: Int, isBeginning: Bool = false, endsByItself: Bool = false) {
        for index in 0..<packets {
            let start = first + index * 960
            renderer.insert(
                SoundPiece(
                    time: Self.time(start),
                    samples: (start..<start + 960).flatMap { [Self.sound(Double($0)), Self.sound(Double($0))] },
                    isBeginning: isBeginning && index == 0, isEnd: endsByItself && index == packets - 1))
        }
    }

    /// True server time of a frame of the device, µs.
    func serverTime(_ deviceFrame: Int) -> Double {
        Double(origin) + Double(deviceFrame) / 0.048 * (1 + drift)
    }

    mutating func play(blocks: Int) {
        for _ in 0..<blocks {
            let server = Int64((serverTime(frame) + estimateError).rounded())
            let block = renderer.render(480, at: server, drift: knownDrift, isSettling: isSettling)
            output += block.samples
            lastBlock = block
            frame += 480
        }
    }

    /// How far off the output is at a frame, in frames of the room: the slope of the tones tells.
    func error(at deviceFrame: Int, over count: Int = 480) -> Double {
        // The error is the shift that fits best: least squares on the derivative.
        var product = 0.0
        var power = 0.0
        for frame in deviceFrame..<deviceFrame + count {
            let place = serverTime(frame) * 0.048
            let slope = Double(Self.sound(place + 0.5)) - Double(Self.sound(place - 0.5))
            product += (Double(output[2 * frame]) - Double(Self.sound(place))) * slope
            power += slope * slope
        }
        return product / power
    }

    var roomFrame: Int { Int(Double(origin) * 0.048) }
}

@Suite struct SoundRendererTests {
    @Test func `sound begins at its very moment and is the sound itself`() {
        var stage = Stage()
        // Begins 12.5 frames into the device's third block.
        let first = stage.roomFrame + 972
        stage.insert(from: first, packets: 50, isBeginning: true)
        stage.play(blocks: 60)
        let begin = (0..<stage.frame).first { stage.output[2 * $0] != 0 }
        #expect(begin == 972 || begin == 973)
        for frame in stride(from: 1_440, to: 24_000, by: 480) { #expect(abs(stage.error(at: frame)) < 0.06) }
        #expect(stage.renderer.jumps == 0 && stage.renderer.starvations == 0)
    }

    /// The error of a device whose drift is known, and of one whose drift has to be found by its effect alone.
    @Test(arguments: [100e-6, -100e-6, 37e-6, 0], [true, false])
    func `a drifting device stays in step`(drift: Double, isKnown: Bool) {
        var stage = Stage()
        stage.drift = drift
        stage.knownDrift = isKnown ? drift : 0
        for second in 0..<30 {
            stage.insert(from: stage.roomFrame / 960 * 960 + second * 48_000, packets: 50)
            stage.play(blocks: second == 0 ? 50 : 100)
        }
        // 0.1 ms are 4.8 frames; without knowing the drift the error swings through the dead band.
        let bound = isKnown ? 0.1 : 5.2
        for frame in stride(from: 96_000, to: stage.frame - 480, by: 4_800) {
            let error = stage.error(at: frame)
            #expect(abs(error) < bound, "\(error) frames at \(frame)")
        }
        #expect(stage.renderer.jumps == 0)
    }

    @Test func `a small error is stretched away at no more than 500 ppm, and a large one is jumped over`() {
        var stage = Stage()
        for second in 0..<8 { stage.insert(from: stage.roomFrame / 960 * 960 + second * 48_000, packets: 50) }
        stage.play(blocks: 100)
        stage.estimateError = 1_000
        stage.play(blocks: 1)
        #expect(abs((stage.lastBlock?.error ?? 0) + 1_000) < 5)
        stage.play(blocks: 100)
        #expect(abs((stage.lastBlock?.error ?? 0) + 500) < 10, "after a second half of it is left")
        stage.play(blocks: 300)
        #expect(abs(stage.lastBlock?.error ?? 99) < 25)
        #expect(stage.renderer.jumps == 0)
        stage.estimateError = 1_000 + 29_000
        stage.play(blocks: 2)
        #expect(stage.renderer.jumps == 0)
        stage.estimateError = 1_000 + 31_000
        stage.play(blocks: 2)
        #expect(stage.renderer.jumps == 1)
        #expect(abs(stage.lastBlock?.error ?? 99) < 25)
    }

    @Test func `a jump does not click`() {
        var stage = Stage()
        for second in 0..<4 { stage.insert(from: stage.roomFrame / 960 * 960 + second * 48_000, packets: 50) }
        stage.play(blocks: 100)
        stage.estimateError = 50_000
        stage.play(blocks: 5)
        stage.estimateError = -20_000
        stage.play(blocks: 5)
        #expect(stage.renderer.jumps == 2)
        // The steepest step of the sound itself is about 0.06.
        for frame in 40_000..<stage.frame - 1 {
            #expect(abs(stage.output[2 * frame + 2] - stage.output[2 * frame]) < 0.08, "at \(frame)")
        }
    }

    @Test func `while the clock is being learnt, two milliseconds are jumped over too`() {
        var stage = Stage()
        stage.insert(from: stage.roomFrame / 960 * 960, packets: 100)
        stage.isSettling = true
        stage.play(blocks: 20)
        stage.estimateError = 2_500
        stage.play(blocks: 2)
        #expect(stage.renderer.jumps == 1)
    }

    @Test func `missing sound is silence, and later sound keeps its place`() {
        var stage = Stage()
        let first = stage.roomFrame / 960 * 960 + 960
        stage.insert(from: first, packets: 20)
        stage.insert(from: first + 23 * 960, packets: 20)
        stage.play(blocks: 90)
        let gap = first + 20 * 960 - stage.roomFrame
        #expect(stage.output[2 * (gap + 10)..<2 * (gap + 2_860)].allSatisfy { $0 == 0 })
        #expect(abs(stage.error(at: gap + 3_400)) < 0.1)
        for frame in gap - 200..<gap + 20 {
            #expect(abs(stage.output[2 * frame + 2] - stage.output[2 * frame]) < 0.08, "rounded off at \(frame)")
        }
        #expect(stage.renderer.starvations == 0, "nothing of it came later")
    }

    @Test func `sound that comes too late is not played late, and counts as one underrun`() {
        var stage = Stage()
        let first = stage.roomFrame / 960 * 960
        stage.insert(from: first, packets: 10)
        stage.play(blocks: 40)
        #expect(stage.renderer.starvations == 0)
        // 200 ms of sound, 400 ms played: the next 300 ms come now, the first 200 of them too late.
        stage.insert(from: first + 10 * 960, packets: 15)
        stage.play(blocks: 9)
        #expect(stage.renderer.starvations == 1)
        #expect(abs(stage.error(at: 40 * 480 + 480, over: 1_000)) < 0.1)
        let silent = (first + 10 * 960 - stage.roomFrame + 10)..<40 * 480
        #expect(silent.allSatisfy { stage.output[2 * $0] == 0 })
    }

    @Test func `a pause does not count as an underrun`() {
        var stage = Stage()
        let first = stage.roomFrame / 960 * 960
        stage.insert(from: first, packets: 10)
        stage.play(blocks: 40)
        stage.insert(from: first + 50 * 960, packets: 10)
        stage.play(blocks: 80)
        #expect(stage.renderer.starvations == 0)
    }

    @Test func `one track after another has no seam, and its end is not faded`() {
        var stage = Stage()
        let first = stage.roomFrame / 960 * 960
        stage.insert(from: first, packets: 10, isBeginning: true, endsByItself: true)
        stage.insert(from: first + 10 * 960, packets: 10, isBeginning: true, endsByItself: true)
        stage.play(blocks: 50)
        let seam = first + 10 * 960 - stage.roomFrame
        for frame in seam - 200..<seam + 200 {
            #expect(abs(stage.output[2 * frame] - Stage.sound(Double(stage.roomFrame + frame))) < 0.03)
        }
        let end = first + 20 * 960 - stage.roomFrame
        #expect(abs(stage.output[2 * (end - 30)] - Stage.sound(Double(stage.roomFrame + end - 30))) < 0.03)
    }

    @Test func `after an interruption the device is in step at once`() {
        var stage = Stage()
        stage.insert(from: stage.roomFrame / 960 * 960, packets: 200)
        stage.play(blocks: 30)
        stage.renderer.interrupt()
        stage.output += [Float](repeating: 0, count: 2 * 48_000)
        stage.frame += 48_000
        stage.play(blocks: 5)
        #expect(abs(stage.error(at: stage.frame - 1_000, over: 960)) < 0.1)
        #expect(stage.renderer.jumps == 0)
    }

    /// A head that was early reaches the end of the sound before its time: it must not play the end again.
    @Test func `the end is not heard twice`() {
        var stage = Stage()
        stage.insert(from: stage.roomFrame / 960 * 960, packets: 50, endsByItself: true)
        stage.play(blocks: 50)
        stage.estimateError = -15_000
        stage.play(blocks: 60)
        let lastSound = (0..<stage.frame).last { stage.output[2 * $0] != 0 } ?? 0
        let silentBefore = (48_000 - 720..<lastSound).contains { frame in
            (frame..<frame + 48).allSatisfy { stage.output[2 * $0] == 0 }
        }
        #expect(!silentBefore)
    }

    @Test func `sound that comes late, in place of what is being read, is taken up where it can be`() {
        var stage = Stage()
        stage.insert(from: 240_000, packets: 20)
        stage.play(blocks: 11)
        // It begins 10 ms before the device's next frame, between two frames of what there is.
        let late = (stage.renderer.renderedUntil ?? 0) - 10_000 - 300
        stage.renderer.insert(SoundPiece(time: late, samples: [Float](repeating: 0.1, count: 2 * 4_800)))
        stage.play(blocks: 5)
        #expect(abs((stage.output.last ?? 0) - 0.1) < 0.02, "the sound that came last is not heard")
    }

    /// Whatever comes, nothing traps, nothing grows, and nothing but silence and sound comes out.
    @Test(arguments: 1...8) func `wild pieces and clocks do no harm`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var stage = Stage()
        var time: Int64 = 5_000_000
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: time += Int64.random(in: -3_000_000...3_000_000, using: &generator)
            case 1: stage.estimateError = Double.random(in: -1e6...1e6, using: &generator)
            case 2: stage.renderer.interrupt()
            case 3: stage.knownDrift = Double.random(in: -0.01...0.01, using: &generator)
            case 4:
                let far = [Int64.min, .max, 0, -1, 1 << 53].randomElement(using: &generator) ?? 0
                stage.renderer.insert(SoundPiece(time: far, samples: [1, 1]))
            case 5: stage.play(blocks: Int.random(in: 1...20, using: &generator))
            default:
                let frames = [1, 17, 120, 960, 5_760].randomElement(using: &generator) ?? 1
                stage.renderer.insert(
                    SoundPiece(
                        time: time, samples: [Float](repeating: 0.5, count: 2 * frames),
                        isBeginning: Bool.random(using: &generator), isEnd: Bool.random(using: &generator)))
                time += Int64(frames) * 125 / 6
            }
            #expect(stage.renderer.timeline.frames <= 20 * 48_000 && stage.renderer.timeline.runs.count <= 512)
        }
        #expect(stage.output.allSatisfy { abs($0) < 2 }, "seed \(seed)")
    }
}
