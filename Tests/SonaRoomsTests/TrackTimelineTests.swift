import SonaWire
import Testing

@testable import SonaRooms

/// The track heard in a room, the tracks to come, and the ones that enter the history.
struct TrackTimelineTests {
    private let a = Track(title: "A", artist: "X")
    private let b = Track(title: "B", artist: "X")

    /// Titles of the tracks that become audible within a time.
    private func heard(_ studio: inout Studio, _ microseconds: Int64) -> [String?] {
        studio.wait(microseconds).heard.map(\.track.title)
    }

    @Test func `a track is heard when its epoch sounds, and not when it is announced`() throws {
        var studio = try Studio()
        let started = try studio.start(preSkip: 0, track: a)
        #expect(started.effects.heard.isEmpty)
        let start = started.result.startMicroseconds
        #expect(try studio.snapshot().nowPlaying == nil)
        #expect(try studio.snapshot().upcomingTracks == [TimedTrack(track: a, atMicroseconds: start)])
        #expect(try studio.snapshot().room.track == a)
        try studio.send(packets: 50)
        #expect(heard(&studio, Studio.lead - 1).isEmpty)
        let effects = studio.wait(1)
        #expect(
            effects.heard == [
                HeardTrack(track: a, atMicroseconds: start, host: User.owner.uid, beginsBroadcast: true)
            ])
        #expect(try studio.snapshot().nowPlaying == TimedTrack(track: a, atMicroseconds: start))
        #expect(try studio.snapshot().upcomingTracks.isEmpty)
        try studio.play(packets: 10)
        #expect(heard(&studio, 5_000_000).isEmpty, "once")
    }

    @Test func `a jingle is heard and not written, and the track after it begins the broadcast`() throws {
        var timeline = TrackTimeline()
        let jingle = Track(title: "A", artist: "X", jingle: true)
        timeline.announce(jingle, at: 0, host: nil, position: 0)
        #expect(timeline.advance(to: 10, edge: 100).isEmpty)
        #expect(timeline.view(at: 10).current == TimedTrack(track: jingle, atMicroseconds: 0))
        // Of the same name, and yet another play.
        timeline.announce(a, at: 100, host: nil, position: 0)
        #expect(
            timeline.advance(to: 110, edge: 200) == [
                HeardTrack(track: a, atMicroseconds: 100, host: nil, beginsBroadcast: true)
            ])
        timeline.announce(jingle, at: 200, host: nil, position: 0)
        #expect(timeline.advance(to: 210, edge: 300).isEmpty)
        timeline.announce(a, at: 300, host: nil, position: 0)
        #expect(timeline.advance(to: 310, edge: 400).map(\.beginsBroadcast) == [false])
    }

    @Test func `a host makes no jingle of a track`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0, track: Track(title: "A", jingle: true))
        try studio.send(packets: 50)
        #expect(studio.wait(Studio.lead).heard.map(\.track) == [Track(title: "A")])
    }

    @Test func `a track without a packet is not heard`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0, track: a)
        #expect(heard(&studio, 5_000_000).isEmpty)
        try studio.start(preSkip: 0, track: b)
        try studio.send(packets: 50)
        #expect(heard(&studio, 5_000_000) == ["B"])
    }

    @Test func `a late host's track begins when everybody hears it`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0, track: a)
        studio.wait(3_000_000)
        let ingest = try studio.send()
        let start = try #require(ingest.effects.events(StreamStarted.self).first?.stream.startMicroseconds)
        #expect(ingest.effects.heard.isEmpty)
        #expect(try studio.snapshot().nowPlaying == TimedTrack(track: a, atMicroseconds: start))
        try studio.send(packets: 50)
        #expect(studio.wait(Studio.lead).heard.map(\.atMicroseconds) == [start])
    }

    @Test func `titles change with the sound, and one replaced before it is heard is not written`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0, track: a)
        try studio.send(packets: 100)
        studio.wait(1_000_000)
        let edge = try #require(studio.edge)
        _ = try studio.room.setTrack(Studio.host, Track(title: "never"), now: studio.now)
        #expect(try studio.snapshot().upcomingTracks.map(\.atMicroseconds) == [edge])
        _ = try studio.room.setTrack(Studio.host, b, now: studio.now)
        #expect(try studio.snapshot().nowPlaying?.track == a)
        #expect(try studio.snapshot().upcomingTracks == [TimedTrack(track: b, atMicroseconds: edge)])
        #expect(try studio.snapshot().room.track == b)
        try studio.send(packets: 100)
        #expect(heard(&studio, edge - studio.now - 1).isEmpty)
        #expect(heard(&studio, 1) == ["B"])
        #expect(try studio.snapshot().nowPlaying == TimedTrack(track: b, atMicroseconds: edge))
    }

    @Test func `more detail, a pause and a return all belong to one play of a track`() throws {
        var studio = try Studio()
        let start = try studio.start(preSkip: 0, track: Track(title: "A")).result.startMicroseconds
        try studio.send(packets: 50)
        let full = Track(title: "A", artist: "X", artwork: "/a")
        _ = try studio.room.setTrack(Studio.host, full, now: studio.now)
        // The history has the details announced until then.
        #expect(studio.wait(Studio.lead).heard.map(\.track) == [full])
        try studio.play(packets: 10)
        _ = try studio.room.pauseHost(Studio.host, now: studio.now)
        studio.wait(60_000_000)
        try studio.start(preSkip: 0, position: 1_200_000, track: full)
        try studio.play(packets: 50)
        #expect(
            try studio.snapshot().nowPlaying == TimedTrack(track: full, atMicroseconds: start), "since its beginning")
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        studio.wait(10_000_000)
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: false, now: studio.now)
        try studio.start(Studio.second, preSkip: 0, position: 2_000_000, track: full)
        for _ in 0..<50 { try studio.send(from: Studio.second) }
        #expect(heard(&studio, 5_000_000).isEmpty)
        // Starting at the beginning is another play.
        try studio.start(Studio.second, preSkip: 0, track: full)
        for _ in 0..<50 { try studio.send(from: Studio.second) }
        let again = studio.wait(5_000_000).heard
        #expect(again.map(\.track) == [full] && again.map(\.beginsBroadcast) == [false])
    }

    @Test func `a false start within ten seconds is not a play of its own`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0, track: a)
        try studio.play(packets: 100)
        try studio.start(preSkip: 0, track: a)
        try studio.play(packets: 100)
        #expect(heard(&studio, 5_000_000).isEmpty)
    }

    @Test func `packets sent before the end are heard, and then nothing`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0, track: a)
        try studio.send(packets: 50)
        let edge = try #require(studio.edge)
        _ = try studio.room.setTrack(Studio.host, b, now: studio.now)
        _ = try studio.room.stopHost(Studio.host, now: studio.now)
        #expect(try studio.snapshot().room.track == nil)
        #expect(try studio.snapshot().upcomingTracks.last == TimedTrack(track: nil, atMicroseconds: edge))
        #expect(heard(&studio, edge - studio.now) == ["A"])
        #expect(try studio.snapshot().nowPlaying == nil && studio.snapshot().upcomingTracks.isEmpty)
    }

    @Test func `a broadcast goes on with another host`() throws {
        var studio = try Studio()
        func play(_ track: Track, _ member: MemberID = Studio.host) throws -> [HeardTrack] {
            try studio.start(member, preSkip: 0, track: track)
            for _ in 0..<50 { try studio.send(from: member) }
            return studio.wait(2_000_000).heard
        }
        #expect(try play(a).map(\.beginsBroadcast) == [true])
        #expect(try play(b).map(\.beginsBroadcast) == [false])
        _ = try studio.room.stopHost(Studio.host, now: studio.now)
        // The same again, but in another broadcast.
        #expect(try play(b).map(\.beginsBroadcast) == [true])
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: false, now: studio.now)
        _ = try studio.room.offerSeat(to: User.guest.uid, by: Studio.host, now: studio.now)
        let handed = try play(a, Studio.guest)
        #expect(handed.map(\.beginsBroadcast) == [false] && handed.map(\.host) == [User.guest.uid])
    }

    @Test func `without audio a track is heard when it is announced`() throws {
        var studio = try Studio()
        let request = HostStart(stream: nil, pacing: .server, track: a)
        let effects = try studio.room.startHost(Studio.host, request, mayTakeOver: false, now: studio.now).effects
        #expect(effects.heard.map(\.atMicroseconds) == [studio.now])
        let more = try studio.room.setTrack(Studio.host, b, now: studio.now + 1)
        #expect(more.heard.map(\.track) == [b] && more.heard.map(\.beginsBroadcast) == [false])
    }

    @Test func `after a kill the host goes on with the play and its broadcast`() throws {
        for (position, title, isHeard) in [(5_000_000, "A", false), (0, "A", true), (5_000_000, "B", true)] {
            var studio = try Studio()
            studio.room.tracks.recall(a, until: studio.now + 600_000_000)
            try studio.start(preSkip: 0, position: Int64(position), track: Track(title: title, artist: "X"))
            try studio.send(packets: 50)
            let heard = studio.wait(2_000_000).heard
            #expect(heard.map(\.beginsBroadcast) == (isHeard ? [false] : []), "\(title) from \(position)")
        }
        var late = try Studio()
        late.room.tracks.recall(a, until: late.now)
        try late.start(preSkip: 0, position: 5_000_000, track: a)
        try late.send(packets: 50)
        #expect(late.wait(2_000_000).heard.map(\.beginsBroadcast) == [true])
    }

    @Test func `announcements ahead of their time are bounded`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0, track: a)
        for number in 0..<100 {
            try studio.send()
            _ = try studio.room.setTrack(Studio.host, Track(title: "\(number)"), now: studio.now)
        }
        let snapshot = try studio.snapshot()
        #expect(snapshot.upcomingTracks.count == 15 && snapshot.upcomingTracks.last?.track?.title == "99")
        #expect(snapshot.upcomingTracks.map(\.atMicroseconds) == snapshot.upcomingTracks.map(\.atMicroseconds).sorted())
    }
}
