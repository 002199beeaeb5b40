import SonaClient
import Testing

@Suite struct SoundTimelineTests {
    /// 20 ms whose frames hold their number, counted from `first`.
    static func piece(_ time: Int64, first: Int = 0, frames: Int = 960, isEnd: Bool = false) -> SoundPiece {
        SoundPiece(
            time: time, samples: (first..<first + frames).flatMap { [Float($0), -Float($0)] }, isEnd: isEnd)
    }

    @Test func `pieces that follow each other are one run, also across a rounded microsecond`() {
        var timeline = SoundTimeline()
        for index in 0..<60 {
            // 2.5 ms pieces of 120 frames, and one of 100 that makes the times uneven.
            _ = timeline.insert(Self.piece(Int64(index) * 2_500, first: index * 120, frames: 120), now: nil)
        }
        _ = timeline.insert(Self.piece(150_000, frames: 100), now: nil)
        _ = timeline.insert(Self.piece(152_083, frames: 120), now: nil)
        #expect(timeline.runs.count == 1)
        #expect(timeline.frames == 60 * 120 + 220)
    }

    @Test(arguments: [(Int64(100), 1), (-100, 1), (101, 2), (-101, 2), (20_000, 2)])
    func `a piece within the tolerance belongs to the run, beyond it does not`(shift: Int64, runs: Int) {
        var timeline = SoundTimeline()
        _ = timeline.insert(Self.piece(1_000_000), now: nil)
        _ = timeline.insert(Self.piece(1_020_000 + shift), now: nil)
        #expect(timeline.runs.count == runs)
    }

    @Test func `a piece that begins before the end of a run cuts the run off there`() {
        var timeline = SoundTimeline()
        _ = timeline.insert(Self.piece(0, frames: 4_800), now: nil)
        _ = timeline.insert(Self.piece(200_000, frames: 4_800), now: nil)
        #expect(timeline.runs.count == 2)
        _ = timeline.insert(Self.piece(50_000, frames: 960), now: nil)
        #expect(timeline.frames == 2_400 + 960)
        #expect(timeline.runs.count == 2)
        _ = timeline.insert(Self.piece(-10_000, frames: 960), now: nil)
        #expect(timeline.frames == 960, "all that came after it is gone")
    }

    @Test func `a piece that is over and joins no run is skipped`() {
        var timeline = SoundTimeline()
        _ = timeline.insert(Self.piece(1_000_000), now: 0)
        let isTaken = timeline.insert(Self.piece(400_000), now: 900_000)
        #expect(isTaken)
        #expect(timeline.frames == 960)
    }

    @Test func `no more is held than the limit, and nothing from far away`() {
        var timeline = SoundTimeline()
        var taken = 0
        for index in 0..<300 {
            if timeline.insert(Self.piece(Int64(index) * 100_000, frames: 4_800), now: 0) { taken += 1 }
        }
        #expect(taken == 200, "20 seconds")
        for odd in [Self.piece(.max), Self.piece(.min), SoundPiece(time: 0, samples: [])] {
            let isTaken = timeline.insert(odd, now: 0)
            #expect(!isTaken)
        }
        var sparse = SoundTimeline()
        taken = 0
        for index in 0..<1_000 {
            if sparse.insert(Self.piece(Int64(index) * 50_000, frames: 1), now: 0) { taken += 1 }
        }
        #expect(taken == 512)
    }
}
