import SonaWire
import Testing

@Suite struct PlaybackTests {
    @Test func `a playing position moves at its rate and is rounded down`() {
        let playback = Playback(
            state: .playing, anchorMicroseconds: 1_000, positionMicroseconds: 500, ratePPM: 1_500_000, revision: 1,
            epoch: 1)
        #expect(playback.position(at: 1_000) == 500)
        #expect(playback.position(at: 1_001) == 501)
        #expect(playback.position(at: 1_002) == 503)
        #expect(playback.position(at: 999) == 500)
    }

    @Test(arguments: [PlaybackState.stopped, .paused, .buffering])
    func `a position stands unless the room is playing`(state: PlaybackState) {
        let playback = Playback(
            state: state, anchorMicroseconds: 0, positionMicroseconds: 77, revision: 1, epoch: 1)
        for time in [Int64.min, -1, 0, 1, .max] { #expect(playback.position(at: time) == 77) }
    }

    /// Every combination of the ends of the types, on both sides of the clamps: none may trap.
    @Test func `computing a position never overflows`() {
        let ends: [Int64] = [.min, .min + 1, -Limits.integerMax, -1, 0, 1, Limits.integerMax, .max - 1, .max]
        for anchor in ends {
            for position in ends {
                for rate in [Int32.min, -1, 0, 1, 1_000_000, 4_000_000, .max] {
                    let playback = Playback(
                        state: .playing, anchorMicroseconds: anchor, positionMicroseconds: position, ratePPM: rate,
                        revision: .max, epoch: .max)
                    for time in ends { #expect(0...Limits.integerMax ~= playback.position(at: time)) }
                }
            }
        }
    }

    @Test func `positions clamp exactly at the ends of their range`() {
        var playback = Playback(
            state: .playing, anchorMicroseconds: 0, positionMicroseconds: Limits.integerMax - 1, revision: 1, epoch: 1)
        #expect(playback.position(at: 1) == Limits.integerMax)
        #expect(playback.position(at: 2) == Limits.integerMax)
        playback.positionMicroseconds = -5
        #expect(playback.position(at: 4) == 0)
        #expect(playback.position(at: 6) == 1)
    }
}
