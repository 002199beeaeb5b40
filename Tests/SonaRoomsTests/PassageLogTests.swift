import SonaRooms
import SonaWire
import Testing

/// What was heard in a room, as passages.
struct PassageLogTests {
    private struct Heard: Equatable {
        var at: Int64
        var sounds: Bool
        var position: Int64

        init(_ at: Int64, _ sounds: Bool, _ position: Int64) {
            (self.at, self.sounds, self.position) = (at, sounds, position)
        }
    }

    private static let second: Int64 = 1_000_000

    private func playback(_ state: PlaybackState, _ at: Int64, _ position: Int64, epoch: UInt16 = 1) -> Playback {
        Playback(
            state: state, anchorMicroseconds: at * Self.second, positionMicroseconds: position * Self.second,
            revision: 0, epoch: epoch)
    }

    private func track(_ title: String, at: Int64) -> HeardTrack {
        HeardTrack(
            track: Track(title: title), atMicroseconds: at * Self.second, host: nil, beginsBroadcast: false)
    }

    /// All that has begun by a time in seconds, in seconds.
    private func take(_ log: inout PassageLog, to now: Int64) -> [Heard] {
        var heard: [Heard] = []
        while let passage = log.take(now: now * Self.second) {
            heard.append(
                Heard(
                    passage.atMicroseconds / Self.second, passage.isSounding,
                    passage.positionMicroseconds / Self.second))
        }
        return heard
    }

    private func log() -> PassageLog { PassageLog(playback(.stopped, 0, 0, epoch: 0), at: 0) }

    @Test func `a passage is told when its moment comes, and not when it is announced`() {
        var log = log()
        log.announce(playback(.playing, 10, 0))
        #expect(take(&log, to: 9).isEmpty)
        #expect(log.next == 10 * Self.second)
        #expect(take(&log, to: 10) == [Heard(10, true, 0)])
        #expect(take(&log, to: 100).isEmpty)
    }

    @Test func `pauses and seeks begin passages, and what was undone is not heard`() {
        var log = log()
        log.announce(playback(.playing, 10, 0))
        log.announce(playback(.paused, 20, 10))
        // Somebody seeks before the pause has come.
        log.announce(playback(.playing, 15, 60, epoch: 2))
        log.announce(playback(.paused, 18, 63, epoch: 2))
        #expect(take(&log, to: 30) == [Heard(10, true, 0), Heard(15, true, 60), Heard(18, false, 63)])
    }

    @Test func `a position that only confirms begins none`() {
        var log = log()
        log.announce(playback(.playing, 10, 0))
        log.announce(playback(.playing, 25, 15))
        log.announce(playback(.playing, 40, 31))
        #expect(take(&log, to: 60) == [Heard(10, true, 0), Heard(40, true, 31)])
    }

    @Test func `a track that the host names in mid-epoch counts from its own beginning`() {
        var log = log()
        log.announce(playback(.playing, 10, 0))
        log.hear(track("A", at: 10), position: 0)
        log.hear(track("B", at: 40), position: 30 * Self.second)
        log.announce(playback(.paused, 50, 40))
        #expect(take(&log, to: 50) == [Heard(10, true, 0), Heard(40, true, 0), Heard(50, false, 10)])
        // The next epoch says its place in the track itself.
        log.announce(playback(.playing, 60, 10, epoch: 2))
        #expect(take(&log, to: 60) == [Heard(60, true, 10)])
    }

    @Test func `the same track begun anew is a passage, although its place is what was expected`() {
        var log = log()
        log.announce(playback(.playing, 10, 0))
        log.hear(track("A", at: 10), position: 0)
        log.announce(playback(.playing, 20, 10, epoch: 2))
        #expect(take(&log, to: 20) == [Heard(10, true, 0), Heard(20, true, 10)])
    }

    @Test func `a room that plays already is heard from the moment at which it begins to keep`() {
        var log = PassageLog(playback(.playing, 10, 5), base: 2 * Self.second, at: 20 * Self.second)
        #expect(take(&log, to: 20) == [Heard(20, true, 13)])
        var paused = PassageLog(playback(.paused, 10, 5), at: 20 * Self.second)
        #expect(take(&paused, to: 20).isEmpty)
    }

    // MARK: In a room

    @Test func `a room says when its history has all that is heard, and whether a track is named`() throws {
        var studio = try Studio()
        let start = try studio.start(preSkip: 0, track: Track(title: "A")).result.startMicroseconds
        #expect(studio.room.isHistoryWritten(to: start - 1) && !studio.room.isHistoryWritten(to: start))
        try studio.send(packets: 50)
        studio.wait(Studio.lead)
        #expect(studio.room.isHistoryWritten(to: start) && studio.room.namesTrack(at: start))
        #expect(studio.room.trackBase(at: start) == 0)
    }
}
