import SonaRooms
import Testing

@Suite struct TimelineTests {
    @Test func `the first audible sample sounds at the start, the first decoded one a pre-skip earlier`() {
        let timeline = Timeline(start: 1_000_000, preSkip: 312, position: 0)
        #expect(timeline.time(ofSample: 312) == 1_000_000)
        #expect(timeline.time(ofSample: 0) == 1_000_000 - 6_500)
    }

    @Test func `times are rounded down on both sides of the start`() {
        // 125/6 µs a sample: what is exact for whole packets is not for a pre-skip such as a seek makes.
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

    @Test func `the edge is where the next sample goes, and never before the start`() {
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

    @Test func `what precedes the start is due at the start`() {
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
}
