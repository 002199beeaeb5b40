import SonaRooms
import SonaWire
import Testing

@Suite struct PlaybackHistoryTests {
    private var history = PlaybackHistory(PlaybackHistory.stopped)

    @discardableResult
    private mutating func announce(
        _ state: PlaybackState, anchor: Int64, position: Int64 = 0, now: Int64
    ) -> Playback {
        history.announce(state, anchor: anchor, position: position, epoch: 1, now: now)
    }

    @Test mutating func `an announcement takes effect at its anchor and not before`() {
        announce(.playing, anchor: 1000, position: 50, now: 400)
        #expect(history.current.state == .stopped)
        #expect(history.upcoming.count == 1)
        #expect(history.latest.state == .playing)
        history.advance(to: 999)
        #expect(history.current.state == .stopped)
        history.advance(to: 1000)
        #expect(history.current.state == .playing)
        #expect(history.upcoming.isEmpty)
    }

    @Test mutating func `the position follows the playback in force at the given time`() {
        announce(.playing, anchor: 1_000, position: 50, now: 0)
        announce(.paused, anchor: 5_000, position: 4_050, now: 0)
        #expect(history.position(at: 999) == 0)
        #expect(history.position(at: 1_000) == 50)
        #expect(history.position(at: 4_999) == 4_049)
        #expect(history.position(at: 5_000) == 4_050)
        #expect(history.position(at: 9_000) == 4_050)
    }

    @Test mutating func `an announcement undoes those that are not earlier`() {
        announce(.playing, anchor: 1_000, now: 0)
        announce(.paused, anchor: 5_000, now: 0)
        announce(.stopped, anchor: 5_000, now: 0)
        #expect(history.upcoming.map(\.state) == [.playing, .stopped])
        announce(.buffering, anchor: 800, now: 0)
        #expect(history.upcoming.map(\.state) == [.buffering])
    }

    @Test mutating func `an announcement with a past anchor holds at once and undoes all announced ones`() {
        announce(.playing, anchor: 1_000, now: 0)
        announce(.paused, anchor: 9_000, now: 2_000)
        announce(.buffering, anchor: 1_500, position: 500, now: 2_000)
        #expect(history.current.state == .buffering)
        #expect(history.upcoming.isEmpty)
        #expect(history.position(at: 20_000) == 500)
    }

    @Test mutating func `each announcement has the next revision, including those that never took effect`() {
        let revisions = [7_000, 6_000, 5_000, 4_000].map { announce(.paused, anchor: $0, now: 0).revision }
        #expect(revisions == [1, 2, 3, 4])
    }

    @Test func `revisions wrap`() {
        let last = Playback(
            state: .paused, anchorMicroseconds: 0, positionMicroseconds: 0, revision: .max, epoch: 1)
        var history = PlaybackHistory(last)
        #expect(history.announce(.playing, anchor: 0, position: 0, epoch: 1, now: 0).revision == 0)
    }

    @Test(
        arguments: [
            (Int64.min, 0), (-1, 0), (9_007_199_254_740_992, 9_007_199_254_740_991), (.max, 9_007_199_254_740_991),
        ]
            as [(Int64, Int64)])
    func `positions are held within the protocol's range`(position: Int64, held: Int64) {
        var history = PlaybackHistory(PlaybackHistory.stopped)
        let announced = history.announce(.playing, anchor: 0, position: position, epoch: 1, now: 0)
        #expect(announced.positionMicroseconds == held)
    }

    @Test mutating func `anchors at the ends of time cause no harm`() {
        announce(.playing, anchor: .max, now: 0)
        #expect(history.position(at: .max) == 0)
        announce(.playing, anchor: .min, now: 0)
        #expect(history.current.anchorMicroseconds == .min)
        #expect(history.position(at: .max) == Limits.integerMax)
    }

    @Test mutating func `announcements without end do not fill the memory`() {
        for anchor in 1...1_000 {
            announce(anchor.isMultiple(of: 2) ? .playing : .paused, anchor: Int64(anchor), now: 0)
        }
        #expect(history.upcoming.count == 15)
        #expect(history.latest.anchorMicroseconds == 1_000)
        #expect(history.latest.revision == 1_000)
    }
}
