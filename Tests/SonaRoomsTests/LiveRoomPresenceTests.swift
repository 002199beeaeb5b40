import SonaRooms
import SonaWire
import Testing

@Suite struct LiveRoomPresenceTests {
    // MARK: Coming and going

    @Test func `a private room does not exist for others`() throws {
        var studio = try Studio(visibility: .private)
        #expect(!studio.room.isVisible(to: nil))
        #expect(!studio.room.isVisible(to: .guest))
        #expect(studio.room.isVisible(to: .owner))
        #expect(
            refusal { _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now) }
                == .roomNotFound)
        #expect(studio.room.members.count == 1)
        #expect(
            try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now).snapshot.you.role == .owner)
    }

    @Test func `a public room lets everybody in as a listener`() throws {
        var studio = try Studio()
        #expect(studio.room.isVisible(to: nil))
        let (snapshot, effects) = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        #expect(snapshot.you.role == .listener)
        #expect(snapshot.stream == nil)
        #expect(snapshot.playback.state == .stopped)
        #expect(snapshot.upcoming.isEmpty)
        #expect(effects.changesListeners)
        #expect(effects.events(HostChanged.self).isEmpty)
    }

    @Test func `members are counted, the host is not`() throws {
        var studio = try Studio()
        #expect(studio.room.listenerCount == 1)
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: false, now: studio.now)
        #expect(studio.room.listenerCount == 3)
        try studio.start()
        #expect(studio.room.listenerCount == 2)
        #expect(studio.room.description().listenerCount == 2)
        #expect(studio.room.leave(Studio.guest, isLost: true, now: studio.now).changesListeners)
        #expect(studio.room.listenerCount == 1)
        #expect(studio.room.leave(Studio.guest, isLost: true, now: studio.now).isEmpty)
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        #expect(studio.room.listenerCount == 1)
    }

    @Test func `a full room admits only connections already inside`() throws {
        var studio = try Studio()
        for member in 2...UInt64(Limits.listenersPerRoomMax) {
            _ = try studio.room.join(member, .guest, wantsAudio: true, now: studio.now)
        }
        #expect(studio.room.members.count == Limits.listenersPerRoomMax)
        let one = UInt64(Limits.listenersPerRoomMax) + 1
        #expect(refusal { _ = try studio.room.join(one, .guest, wantsAudio: true, now: studio.now) } == .roomFull)
        #expect(refusal { _ = try studio.room.join(7, .guest, wantsAudio: true, now: studio.now) } == nil)
        _ = studio.room.leave(7, isLost: false, now: studio.now)
        #expect(refusal { _ = try studio.room.join(one, .guest, wantsAudio: true, now: studio.now) } == nil)
    }

    @Test func `a snapshot names the last event and the present state`() throws {
        var studio = try Studio()
        try studio.start()
        #expect(studio.room.nextSequence() == 1)
        #expect(studio.room.nextSequence() == 2)
        studio.now += Studio.lead
        let (snapshot, _) = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        #expect(snapshot.seq == 2)
        #expect(snapshot.playback.state == .playing)
        #expect(snapshot.upcoming.isEmpty)
    }

    @Test func `a room is idle when nobody is there and nothing plays`() throws {
        var studio = try Studio()
        #expect(!studio.room.isIdle)
        try studio.start()
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        #expect(!studio.room.isIdle)
        studio.wait(60_000_000)
        #expect(studio.room.isIdle)
        #expect(studio.room.deadline == nil)
    }

    // MARK: The host

    @Test func `a host that leaves on purpose ends the broadcast at once`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0)
        try studio.play(packets: 50)
        let edge = try #require(studio.edge)
        let effects = studio.room.leave(Studio.host, isLost: false, now: studio.now)
        #expect(effects.events(StreamEnded.self) == [StreamEnded(epoch: 1, atMicroseconds: edge, reason: .finished)])
        #expect(effects.events(HostChanged.self) == [HostChanged(host: nil, state: .none)])
        #expect(effects.positions.map(\.state) == [.stopped])
        #expect(effects.positions.map(\.anchorMicroseconds) == [edge])
        #expect(effects.changesListeners)
        #expect(studio.room.seat == .vacant)
    }

    @Test func `a host that is lost keeps the seat for a minute, and the room waits where the sound ends`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0)
        try studio.play(packets: 50)
        let edge = try #require(studio.edge)
        let lostAt = studio.now
        let lost = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        #expect(lost.events(HostChanged.self) == [HostChanged(host: .owner, state: .away, followsQueue: false)])
        #expect(lost.events(StreamEnded.self).isEmpty)
        #expect(lost.positions.map(\.state) == [.buffering], "where the sound will end is known at once")
        #expect(lost.positions.map(\.anchorMicroseconds) == [edge])
        #expect(lost.positions.map(\.positionMicroseconds) == [1_000_000])
        #expect(studio.room.description().hostState == .away)
        #expect(studio.room.description().host == .owner)
        #expect(studio.room.isLive)

        // The packets already sent sound to the end.
        #expect(try studio.snapshot().playback.state == .playing)
        #expect(try studio.snapshot().upcoming.last?.state == .buffering)

        #expect(studio.room.deadline == lostAt + 60_000_000)
        #expect(studio.wait(lostAt + 59_999_999 - studio.now).isEmpty)
        let gone = studio.wait(1)
        #expect(gone.events(StreamEnded.self) == [StreamEnded(epoch: 1, atMicroseconds: edge, reason: .hostLost)])
        #expect(gone.events(HostChanged.self) == [HostChanged(host: nil, state: .none)])
        #expect(gone.positions.map(\.state) == [.stopped])
        #expect(gone.positions.map(\.positionMicroseconds) == [1_000_000])
        #expect(!studio.room.isLive)
        #expect(studio.room.seat == .vacant)
    }

    @Test func `a listener gets a lost host's events in the order of the specification`() throws {
        var studio = try Studio()
        try studio.start()
        let lost = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        #expect(lost.positions.map(\.state) == [.buffering])
        let types = studio.wait(70_000_000).compactMap { effect -> String? in
            switch effect {
            case .event(let event): type(of: event).type
            case .position(let playback): "\(playback.state)"
            default: nil
            }
        }
        #expect(types == ["stream.ended", "host.changed", "stopped"])
    }

    @Test func `a joiner between two files is told of both, a later joiner of the second only`() throws {
        var studio = try Studio(leadMilliseconds: 2000)
        try studio.start()
        try studio.play(packets: 100)
        try studio.start(preSkip: 400)
        try studio.play(packets: 10)
        let between = try studio.snapshot()
        #expect(between.streams.map(\.epoch) == [1, 2])
        #expect(between.streams.last == between.stream)
        #expect(between.streams.map(\.preSkip) == [312, 400])
        try studio.play(packets: 100)
        #expect(try studio.snapshot().streams.map(\.epoch) == [2], "of the first nothing is left to hear")
        // After a pause and a resume, packets from before it still prepare a joiner's decoder.
        _ = try studio.room.pauseHost(Studio.host, now: studio.now)
        _ = studio.wait(5_000_000)
        try studio.start(preSkip: 0, position: 1_000_000, continues: true)
        try studio.play(packets: 1)
        #expect(try studio.snapshot().streams.map(\.epoch) == [2, 3])
        _ = try studio.room.stopHost(Studio.host, now: studio.now)
        #expect(try studio.snapshot().streams.isEmpty)
    }

    @Test func `an outage shorter than the lead is not heard`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0)
        try studio.play(packets: 50)
        let edge = try #require(studio.edge)
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        studio.wait(250_000)
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: false, now: studio.now)
        let (result, effects) = try studio.start(Studio.second, preSkip: 0, position: 1_000_000, continues: true)
        #expect(result.startMicroseconds == edge)
        #expect(effects.events(HostChanged.self) == [HostChanged(host: .owner, state: .here, followsQueue: false)])
        #expect(effects.positions.map(\.state) == [.playing])
        #expect(studio.room.playback.position(at: edge - 1) == 999_999)
        #expect(studio.room.playback.position(at: edge + 1) == 1_000_001)
        let chunk = try #require(try studio.send(from: Studio.second).effects.chunks.first)
        #expect(chunk.header.playAtMicroseconds == edge)
        #expect(chunk.header.flags == [])
    }

    @Test func `a host that returns within the minute goes on a lead from then`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0)
        try studio.play(packets: 50)
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        studio.wait(59_000_000)
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: false, now: studio.now)
        #expect(studio.room.seat.member == nil)
        let (result, effects) = try studio.start(Studio.second, preSkip: 0, position: 1_000_000, continues: true)
        #expect(result.startMicroseconds == studio.now + Studio.lead)
        #expect(result.playback.state == .buffering)
        #expect(effects.positions.map(\.state) == [.playing])
        try studio.send(from: Studio.second)
        // The minute no longer counts.
        #expect(studio.wait(30_000_000).events(StreamEnded.self).isEmpty)
        #expect(studio.room.seat.member == Studio.second)
    }

    @Test func `joining alone does not bring a lost host back`() throws {
        var studio = try Studio()
        try studio.start()
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: false, now: studio.now)
        #expect(studio.room.seat.state == .away)
        #expect(refusal { try studio.send(from: Studio.second) } == .hostNotHost)
        #expect(studio.wait(60_000_000).events(StreamEnded.self).map(\.reason) == [.hostLost])
    }

    @Test func `a lost host of a paused room leaves it paused until the minute is over`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0)
        try studio.play(packets: 50)
        _ = try studio.room.pauseHost(Studio.host, now: studio.now)
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        #expect(studio.wait(59_999_999).positions.isEmpty)
        #expect(studio.room.playback.current.state == .paused)
        let gone = studio.wait(1)
        #expect(gone.events(StreamEnded.self).map(\.reason) == [.hostLost])
        #expect(gone.positions.map(\.positionMicroseconds) == [1_000_000])
    }

    @Test func `a lost host that is followed by position leaves without a stream`() throws {
        var studio = try Studio()
        try studio.startSilently()
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        let gone = studio.wait(60_000_000)
        #expect(gone.events(StreamEnded.self).isEmpty)
        #expect(gone.events(HostChanged.self).map(\.state) == [.none])
        #expect(gone.positions.map(\.state) == [.stopped])
    }

    @Test func `both at once, a late look finds the minute over and the sound at an end`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0)
        try studio.play(packets: 50)
        let edge = try #require(studio.edge)
        _ = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        let effects = studio.room.tick(now: studio.now + 100_000_000)
        #expect(effects.events(StreamEnded.self).map(\.atMicroseconds) == [edge])
        #expect(effects.positions.map(\.state) == [.stopped])
        #expect(effects.positions.map(\.positionMicroseconds) == [1_000_000])
    }
}
