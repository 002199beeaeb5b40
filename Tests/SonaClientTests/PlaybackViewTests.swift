import SonaClient
import SonaWire
import Testing

@Suite struct PlaybackViewTests {
    private func playing(_ revision: UInt32, from anchor: Int64, at position: Int64 = 0) -> Playback {
        Playback(
            state: .playing, anchorMicroseconds: anchor, positionMicroseconds: position, revision: revision, epoch: 1)
    }

    private func paused(_ revision: UInt32, from anchor: Int64, at position: Int64) -> Playback {
        Playback(
            state: .paused, anchorMicroseconds: anchor, positionMicroseconds: position, revision: revision, epoch: 1)
    }

    @Test func `a playback of the future takes force then and not before`() {
        var view = PlaybackView(playing(1, from: 0))
        view.apply(paused(2, from: 1_000, at: 1_000), now: 400)
        #expect(view.position(at: 400) == 400)
        #expect(view.playback(at: 999).state == .playing)
        #expect(view.playback(at: 1_000).state == .paused)
        #expect(view.position(at: 5_000) == 1_000)
        #expect(view.upcoming(after: 400).map(\.revision) == [2])
        #expect(view.upcoming(after: 1_000).isEmpty)
        #expect(view.final.state == .paused)
    }

    @Test func `a newer playback sets aside those announced for no earlier`() {
        var view = PlaybackView(playing(1, from: 0))
        view.apply(paused(2, from: 1_000, at: 1_000), now: 100)
        view.apply(playing(3, from: 900, at: 50), now: 200)
        #expect(view.upcoming(after: 200).map(\.revision) == [3])
        #expect(view.position(at: 1_100) == 250)
    }

    @Test func `a newer playback that comes later leaves an earlier one in place`() {
        var view = PlaybackView(playing(1, from: 0))
        view.apply(paused(2, from: 1_000, at: 1_000), now: 100)
        view.apply(playing(3, from: 2_000, at: 1_000), now: 200)
        #expect(view.position(at: 1_500) == 1_000)
        #expect(view.position(at: 2_500) == 1_500)
        #expect(view.upcoming(after: 200).map(\.revision) == [2, 3])
    }

    @Test func `duplicates and echoes of the past change nothing`() {
        var view = PlaybackView(playing(5, from: 0))
        view.apply(paused(6, from: 1_000, at: 1_000), now: 100)
        let before = view
        view.apply(paused(6, from: 1_000, at: 1_000), now: 150)
        view.apply(playing(5, from: 0), now: 160)
        view.apply(paused(4, from: 120, at: 7), now: 170)
        #expect(view == before)
    }

    @Test func `revisions wrap`() {
        var view = PlaybackView(playing(.max, from: 0))
        view.apply(paused(0, from: 10, at: 10), now: 20)
        #expect(view.playback(at: 20).state == .paused)
        view.apply(playing(.max, from: 15), now: 21)
        #expect(view.playback(at: 21).state == .paused)
    }

    @Test func `a snapshot contains the announced playback`() {
        let view = PlaybackView(
            paused(7, from: 0, at: 3), upcoming: [playing(8, from: 100, at: 3), paused(9, from: 200, at: 103)])
        #expect(view.position(at: 150) == 53)
        #expect(view.final.revision == 9)
    }

    @Test func `before the only anchor the position stands`() {
        let view = PlaybackView(playing(1, from: 1_000, at: 70))
        #expect(view.position(at: 0) == 70)
    }
}
