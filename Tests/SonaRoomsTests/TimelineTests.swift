import SonaRooms
import Testing

@Suite struct TimelineTests {
    @Test func `the first audible sample sounds at the start, the first decoded one a pre-skip earlier`() {
        let timeline = Timeline(start: 1_000_000, preSkip: 312, position: 0)
        #expect(timeline.time(ofSample: 312) == 1_000_000)
        #expect(timeline.time(ofSample: 0) == 1_000_000 - 6_500)
    }

    @Test func `times are rounded down on both sides of the start`() {
        // 125/6 µs a sample: this is exact for whole packets, but not for a pre-skip such as a seek makes.
        let timeline = Timeline(start: 1_000_000, preSkip: 313, position: 0)
        #expect(timeline.time(ofSample: 0) == 1_000_000 - 6_521)
        #expect(timeline.time(ofSample: 312) == 1_000_000 - 21)
        #expect(timeline.time(ofSample: 313) == 1_000_000)
        #expect(timeline.time(ofSample: 314) == 1_000_020)
        #expect(timeline.time(ofSample: 319) == 1_000_125)
    }

    @Test func `durations are rounded down, whatever their sign`() {
        #expect(Timeline.microseconds(0) == 0)
        #expect(Timeline.microseconds(1) == 20)
        #expect(Timeline.microseconds(-1) == -21)
        #expect(Timeline.microseconds(-6) == -125)
        #expect(Timeline.microseconds(120) == 2_500)
        #expect(Timeline.microseconds(48_000) == 1_000_000)
    }

    @Test func `the largest sample count of the protocol does not overflow`() {
        #expect(Timeline.microseconds(9_007_199_254_740_991) == 187_649_984_473_770_645)
    }

    @Test func `nothing accumulates over a year of packets of 2_5 ms`() {
        let timeline = Timeline(start: 7, preSkip: 312, position: 0)
        let packets: Int64 = 365 * 86_400 * 400
        #expect(timeline.time(ofSample: 312 + packets * 120) == 7 + packets * 2_500)
    }

    @Test func `the edge is the place of the next sample, and never before the start`() {
        var timeline = Timeline(start: 1_000_000, preSkip: 960, position: 30_000_000)
        #expect(timeline.edge == 1_000_000)
        timeline.advance(to: 480)
        #expect(timeline.edge == 1_000_000)
        #expect(timeline.edgePosition == 30_000_000)
        timeline.advance(to: 960 + 4800)
        #expect(timeline.edge == 1_100_000)
        #expect(timeline.edgePosition == 30_100_000)
        timeline.advance(to: 960)
        #expect(timeline.samples == 960 + 4800)
    }

    @Test func `packets before the start are due at the start`() {
        let timeline = Timeline(start: 1_000_000, preSkip: 48_000, position: 0)
        #expect(timeline.time(ofSample: 0) == 0)
        #expect(timeline.due(ofSample: 0) == 1_000_000)
        #expect(timeline.due(ofSample: 48_000) == 1_000_000)
        #expect(timeline.due(ofSample: 48_006) == 1_000_125)
    }

    @Test(arguments: [(Int64.min, 0), (-1, 0), (0, 0), (.max, 9_007_199_254_740_991)] as [(Int64, Int64)])
    func `a place in the track is held within the protocol's range`(position: Int64, held: Int64) {
        var timeline = Timeline(start: 1_000_000, preSkip: 0, position: position)
        timeline.advance(to: 48_000)
        #expect(timeline.startPosition == held)
        #expect(timeline.edgePosition == held + 1_000_000)
    }

    // MARK: Bends

    @Test func `a bend moves later samples and none that were sent`() {
        var timeline = Timeline(start: 1_000_000, preSkip: 312, position: 0)
        timeline.advance(to: 312 + 48_000)
        #expect(timeline.edge == 2_000_000)
        timeline.bend(ppm: 200)
        #expect(timeline.edge == 2_000_000)
        #expect(timeline.time(ofSample: 312 + 96_000) == 3_000_200)
        timeline.advance(to: 312 + 96_000)
        timeline.bend(ppm: -100)
        #expect(timeline.edge == 3_000_200)
        #expect(timeline.time(ofSample: 312 + 144_000) == 4_000_100)
        timeline.advance(to: 312 + 144_000)
        timeline.bend(ppm: 0)
        #expect(timeline.time(ofSample: 312 + 192_000) == 5_000_100)
        #expect(timeline.stretchPPM == 0)
    }

    @Test(
        arguments: [(1_000, 200), (-1_000, -200), (200.000_6, 200), (.infinity, 0), (.nan, 0), (-0.000_4, 0)]
            as [(Double, Double)])
    func `a bend is limited to 200 millionths`(asked: Double, taken: Double) {
        var timeline = Timeline(start: 0, preSkip: 0, position: 0)
        timeline.bend(ppm: asked)
        #expect(timeline.stretchPPM == taken)
    }

    @Test func `nothing bends before the first audible sample`() {
        var timeline = Timeline(start: 1_000_000, preSkip: 3_840, position: 0)
        timeline.advance(to: 3_839)
        let before = timeline
        timeline.bend(ppm: 200)
        #expect(timeline == before)
        timeline.advance(to: 3_840)
        timeline.bend(ppm: 200)
        #expect(timeline.stretchPPM == 200 && timeline.edge == 1_000_000)
    }

    @Test func `a year of bends is exact to the microsecond, and rises`() {
        // Goal: rounding loses nothing over time. Each hour bends by its own amount; the sum is known exactly.
        var timeline = Timeline(start: -5, preSkip: 0, position: 0)
        var (tenths, last): (Int64, Int64) = (0, -5)
        for hour in Int64(0)..<8_760 {
            let ppb = (hour * 7_919) % 400_001 - 200_000
            timeline.bend(ppm: Double(ppb) / 1_000)
            timeline.advance(to: (hour + 1) * 172_800_000)
            // An hour of 3.6 × 10⁹ µs, so many thousand-millionths longer, in tenths of a microsecond.
            tenths += 36 * ppb
            #expect(timeline.edge > last)
            last = timeline.edge
        }
        let exact = -5 + 8_760 * 3_600_000_000 + (tenths >= 0 ? tenths / 10 : (tenths - 9) / 10)
        #expect(abs(timeline.edge - exact) <= 1, "\(timeline.edge) \(exact)")
    }
}
