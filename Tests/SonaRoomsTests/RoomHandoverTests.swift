import FoundationEssentials
import SonaRooms
import SonaWire
import Testing

/// A live room that goes from one process to another, as JSON.
@Suite struct RoomHandoverTests {
    /// The room of a successor, which read nothing but the settings from its disk.
    private func successor(of room: LiveRoom) throws -> LiveRoom {
        let bytes = try JSONEncoder().encode(room.handover)
        let handed = try JSONDecoder().decode(RoomHandover.self, from: bytes)
        var next = LiveRoom(
            room.id, of: .owner, room.settings, playback: PlaybackHistory(PlaybackHistory.stopped))
        next.takeOver(handed)
        return next
    }

    @Test func `a room that plays gives the next packets the places that the room before would have`() throws {
        var studio = try Studio()
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, isGhost: true, now: studio.now)
        try studio.start(track: Track(title: "Song", artist: "Ada"))
        _ = try studio.play(packets: 40)
        var after = studio
        after.room = try successor(of: studio.room)
        #expect(after.room.members == studio.room.members)
        #expect(after.room.presence == studio.room.presence)
        #expect(after.room.seat == studio.room.seat)
        #expect(after.room.sequence == studio.room.sequence)
        #expect(after.room.playback == studio.room.playback)
        #expect(after.room.description() == studio.room.description())
        for _ in 0..<3 {
            let (here, there) = (try studio.play(packets: 10).chunks, try after.play(packets: 10).chunks)
            #expect(here.count == 10 && here == there)
            after.room = try successor(of: after.room)
        }
        #expect(after.room.tracks == studio.room.tracks)
        #expect(after.room.deadline == studio.room.deadline)
    }

    @Test func `a host that comes back to the next process goes on with the next sample`() throws {
        var studio = try Studio()
        try studio.start()
        _ = try studio.play(packets: 25)
        let place = studio.room.hostPlace(of: Studio.host)
        var next = try successor(of: studio.room)
        #expect(next.hostPlace(of: Studio.host) == place)
        // It was never away: nobody is told anything.
        let told = next.regain(Studio.host)
        #expect(told.isEmpty)
        // One that does not come is away for as long as ever.
        let missed = next.lose(Studio.host, now: studio.now).events(HostChanged.self)
        #expect(missed.map(\.state) == [.away])
    }

    @Test func `a timeline that is bent goes on to the microsecond`() throws {
        var studio = try Studio()
        try studio.start(pacing: .live)
        _ = try studio.play(packets: 30)
        var line = Timeline(start: Studio.epoch0, preSkip: 312, position: 7)
        line.advance(to: 48_000)
        line.bend(ppm: 123.456)
        line.advance(to: 96_000)
        line.bend(ppm: -77)
        let read = try JSONDecoder().decode(Timeline.self, from: try JSONEncoder().encode(line))
        #expect(read == line)
        #expect(read.time(ofSample: 4_800_000_000) == line.time(ofSample: 4_800_000_000))
        let next = try successor(of: studio.room)
        #expect(next.soundEdge == studio.room.soundEdge)
    }

    @Test func `an offer of the seat and a pause are handed over`() throws {
        var studio = try Studio()
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        try studio.start()
        _ = try studio.play(packets: 25)
        _ = try studio.room.offerSeat(to: User.guest.uid, by: Studio.host, now: studio.now)
        _ = try studio.room.pauseHost(Studio.host, now: studio.now)
        var next = try successor(of: studio.room)
        #expect(next.playback.latest.state == .paused)
        let taken = try next.startHost(
            Studio.guest, HostStart(stream: StreamOffer(channels: 2, preSkip: 312), pacing: .server),
            mayTakeOver: false, now: studio.now)
        #expect(taken.former?.member == Studio.host)
    }
}
