import SonaRooms
import SonaWire
import Testing

/// What members say to have heard, and what of it is believed.
@Suite struct HeardTallyTests {
    private static let music = MusicID("01JDHV6Z3Q8R5W7XK2M4N9P0TA")
    private static let second: Int64 = 1_000_000

    private func track(_ since: Int64, seconds: Int64? = 60, _ music: MusicID? = music) -> TimedTrack {
        TimedTrack(
            track: Track(durationMicroseconds: seconds.map { $0 * Self.second }, music: music), atMicroseconds: since)
    }

    @Test func `half of a track is handed on once, and the rest when it ends`() {
        var tally = HeardTally(start: 0)
        let song = track(0)
        for report in 1...5 {
            let now = Int64(report) * 10 * Self.second
            let due = tally.take(heard: 10_000, current: song, edge: .max, now: now)
            #expect(due.map(\.heardMilliseconds) == (report == 3 ? [30_000] : []), "report \(report)")
        }
        #expect(tally.end()?.heardMilliseconds == 50_000)
        #expect(tally.end() == nil)
    }

    @Test func `not more is believed than the time that has passed, or than sound was sent`() {
        var tally = HeardTally(start: 5 * Self.second)
        #expect(tally.take(heard: 600_000, current: track(0), edge: .max, now: 10 * Self.second).isEmpty)
        #expect(tally.take(heard: 600_000, current: track(0), edge: 12 * Self.second, now: 20 * Self.second).isEmpty)
        #expect(tally.take(heard: 600_000, current: track(0), edge: nil, now: 30 * Self.second).isEmpty)
        // 5 s, 2 s and nothing.
        #expect(tally.take(heard: 2_999, current: track(0), edge: .max, now: 40 * Self.second).isEmpty)
        #expect(tally.end() == nil, "9.999 s are a snatch")
        #expect(
            tally.take(heard: 10_000, current: track(0), edge: .max, now: 40 * Self.second).isEmpty,
            "no time has passed")
    }

    @Test func `what was heard before a track began belongs to the one before it`() {
        var tally = HeardTally(start: 0)
        #expect(tally.take(heard: 20_000, current: track(0, seconds: nil), edge: .max, now: 20 * Self.second).isEmpty)
        let next = track(25 * Self.second)
        let due = tally.take(heard: 10_000, current: next, edge: .max, now: 30 * Self.second)
        #expect(due.map(\.heardMilliseconds) == [25_000], "20 s and half of 10 s; the library knows how long it is")
        #expect(due.map(\.sinceMicroseconds) == [0])
        #expect(tally.take(heard: 10_000, current: next, edge: .max, now: 40 * Self.second).isEmpty)
        let half = tally.take(heard: 15_000, current: next, edge: .max, now: 55 * Self.second)
        #expect(half.map(\.heardMilliseconds) == [30_000])
    }

    @Test func `a muted or detached member says nothing, and a track that is none of the library is none here`() {
        var tally = HeardTally(start: 0)
        #expect(tally.take(heard: 0, current: track(0), edge: .max, now: 100 * Self.second).isEmpty)
        #expect(tally.end() == nil)
        var other = HeardTally(start: 0)
        let due = other.take(heard: 100_000, current: track(0, nil), edge: .max, now: 100 * Self.second)
        #expect(due.map(\.music) == [nil])
        #expect(other.end() == nil)
        var silent = HeardTally(start: 0)
        #expect(silent.take(heard: 100_000, current: nil, edge: .max, now: 100 * Self.second).isEmpty)
        #expect(silent.end() == nil)
    }

    @Test func `what is heard begins once, and what is none of the library is handed on at its half`() {
        var tally = HeardTally(start: 0)
        let hosted = TimedTrack(
            track: Track(title: "Tide", artist: "Ada", durationMicroseconds: 60 * Self.second), atMicroseconds: 0)
        #expect(tally.takeBegun() == nil)
        #expect(tally.take(heard: 0, current: hosted, edge: .max, now: 10 * Self.second).isEmpty)
        #expect(tally.takeBegun() == nil, "nothing was heard")
        #expect(tally.take(heard: 10_000, current: hosted, edge: .max, now: 20 * Self.second).isEmpty)
        #expect(tally.takeBegun()?.track?.title == "Tide")
        #expect(tally.takeBegun() == nil)
        let due = tally.take(heard: 20_000, current: hosted, edge: .max, now: 40 * Self.second)
        #expect(due.map(\.music) == [nil] && due.map(\.track?.title) == ["Tide"])
        #expect(tally.take(heard: 20_000, current: hosted, edge: .max, now: 60 * Self.second).isEmpty)
        #expect(tally.end() == nil, "nothing more of it is written")
        let next = track(60 * Self.second)
        #expect(tally.take(heard: 5_000, current: next, edge: .max, now: 70 * Self.second).isEmpty)
        #expect(tally.takeBegun()?.music == Self.music)
    }
}
