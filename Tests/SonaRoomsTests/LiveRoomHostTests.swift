import SonaRooms
import SonaWire
import Testing

@Suite struct LiveRoomHostTests {
    private var studio: Studio

    init() throws { studio = try Studio() }

    private mutating func pause(position: Int64? = nil) throws -> [RoomEffect] {
        try studio.room.pauseHost(Studio.host, position: position, now: studio.now)
    }

    private mutating func stop() throws -> [RoomEffect] { try studio.room.stopHost(Studio.host, now: studio.now) }

    // MARK: The seat

    @Test mutating func `the first start takes the seat and begins a lead from now`() throws {
        let track = Track(title: "A")
        let (result, effects) = try studio.start(position: 3_000_000, track: track)
        let start = studio.now + Studio.lead
        #expect(result.epoch == 1)
        #expect(result.startMicroseconds == start)
        #expect(result.leadMicroseconds == Studio.lead)
        #expect(result.playback.state == .stopped)
        #expect(result.upcoming == effects.positions)
        #expect(result.upcoming.map(\.anchorMicroseconds) == [start])
        #expect(result.upcoming.map(\.positionMicroseconds) == [3_000_000])
        #expect(effects.events(HostChanged.self) == [HostChanged(host: .owner, state: .here, followsQueue: false)])
        let stream = StreamInfo(epoch: 1, channels: 2, preSkip: 312, startMicroseconds: start, continues: false)
        #expect(effects.events(StreamStarted.self) == [StreamStarted(stream: stream, track: track)])
        #expect(effects.isPersisted)
        #expect(effects.goesLive)
        #expect(studio.room.description().hostState == .here)
        #expect(studio.room.description().isLive)
        #expect(studio.room.description().track == track)
    }

    @Test mutating func `a host says whether it follows the queue, and everybody is told when that changes`() throws {
        #expect(studio.room.description().hostFollowsQueue == nil)
        let first = try studio.start()
        #expect(first.effects.events(HostChanged.self).map(\.followsQueue) == [false])
        #expect(studio.room.description().hostFollowsQueue == false)
        let follows = try studio.start(followsQueue: true)
        #expect(
            follows.effects.events(HostChanged.self)
                == [HostChanged(host: .owner, state: .here, followsQueue: true)])
        #expect(try studio.start(followsQueue: true).effects.events(HostChanged.self).isEmpty)
        #expect(studio.room.description().hostFollowsQueue == true)
        let lost = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        #expect(lost.events(HostChanged.self) == [HostChanged(host: .owner, state: .away, followsQueue: true)])
        studio.now += 61_000_000
        #expect(
            studio.room.tick(now: studio.now).events(HostChanged.self) == [HostChanged(host: nil, state: .none)])
        #expect(studio.room.description().hostFollowsQueue == nil)
    }

    @Test func `epochs go on from the stored one, and wrap`() throws {
        let stored = Playback(
            state: .paused, anchorMicroseconds: 0, positionMicroseconds: 5, revision: 9, epoch: 65_534)
        var studio = try Studio(playback: stored)
        #expect(try studio.start().result.epoch == 65_535)
        try studio.send(packets: 2)
        let (result, effects) = try studio.start()
        #expect(result.epoch == 0)
        #expect(effects.positions.map(\.revision) == [11])
        #expect(try studio.send().effects.chunks.map(\.header.epoch) == [0])
    }

    @Test mutating func `only an owner inside the room may take the seat, and only if it is free`() throws {
        #expect(refusal { try studio.start(Studio.second) } == .roomNotJoined)
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now)
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        #expect(refusal { try studio.start(Studio.guest, mayTakeOver: true) } == .roomForbidden)
        #expect(studio.room.seat == .vacant)
        try studio.start()
        let before = studio.room
        #expect(refusal { try studio.start(Studio.second) } == .hostSeatTaken)
        #expect(studio.room.seat == before.seat)
        #expect(studio.room.stream == before.stream)
        #expect(studio.room.playback == before.playback)
    }

    @Test mutating func `a silent host gives way to another connection of the same user`() throws {
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now)
        try studio.start()
        try studio.play(packets: 10)
        let (result, effects) = try studio.start(Studio.second, mayTakeOver: true)
        #expect(effects.events(HostChanged.self) == [HostChanged(host: .owner, state: .here, followsQueue: false)])
        #expect(studio.room.seat.member == Studio.second)
        #expect(result.epoch == 2)
        #expect(refusal { try studio.send(epoch: 1) } == .hostNotHost)
        #expect(refusal { _ = try studio.room.pauseHost(Studio.host, now: studio.now) } == .hostNotHost)
        // The end of the old connection no longer ends the broadcast.
        #expect(studio.room.leave(Studio.host, isLost: true, now: studio.now).events(HostChanged.self).isEmpty)
        #expect(try studio.send(from: Studio.second).effects.chunks.count == 1)
    }

    @Test mutating func `actions of the host are refused to others`() throws {
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now)
        try studio.start()
        let report = studio.room.playback.latest
        for member in [Studio.second, 77] {
            #expect(refusal { _ = try studio.room.pauseHost(member, now: studio.now) } == .hostNotHost)
            #expect(refusal { _ = try studio.room.stopHost(member, now: studio.now) } == .hostNotHost)
            #expect(refusal { _ = try studio.room.setTrack(member, Track(), now: studio.now) } == .hostNotHost)
            #expect(refusal { _ = try studio.room.reportPosition(member, report, now: studio.now) } == .hostNotHost)
        }
    }

    // MARK: One epoch after another

    @Test mutating func `the next file begins where the last one ends`() throws {
        try studio.start(preSkip: 312)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        let (result, effects) = try studio.start(preSkip: 312)
        #expect(result.startMicroseconds == edge)
        #expect(effects.events(HostChanged.self).isEmpty)
        #expect(effects.positions.map(\.state) == [.playing])
        #expect(effects.positions.map(\.anchorMicroseconds) == [edge])
        #expect(effects.positions.map(\.positionMicroseconds) == [0])
        #expect(result.playback.state == .playing)
        #expect(result.playback.epoch == 1)
        #expect(studio.room.playback.position(at: edge - 1) == 2_000_000 - 6_500 - 1)
        #expect(studio.room.playback.position(at: edge) == 0)
        #expect(try studio.send().effects.chunks.map(\.header.playAtMicroseconds) == [edge - 6_500])
    }

    @Test mutating func `an end half a lead away is continued, one a microsecond nearer is not`() throws {
        try studio.start(preSkip: 0)
        try studio.send(packets: 10)
        let edge = try #require(studio.edge)
        studio.wait(edge - Studio.lead / 2 - studio.now)
        var late = studio
        #expect(try studio.start().result.startMicroseconds == edge)
        late.now += 1
        #expect(try late.start().result.startMicroseconds == late.now + Studio.lead)
    }

    @Test mutating func `the position waits between an end that is too near and the next beginning`() throws {
        // Otherwise the position would run on past the sound and jump back.
        try studio.start(preSkip: 0)
        try studio.send(packets: 50)
        let edge = try #require(studio.edge)
        studio.wait(edge - 100_000 - studio.now)
        let (result, effects) = try studio.start(preSkip: 0, position: 1_000_000, continues: true)
        #expect(effects.positions.map(\.state) == [.buffering, .playing])
        #expect(effects.positions.map(\.anchorMicroseconds) == [edge, result.startMicroseconds])
        #expect(effects.positions.map(\.positionMicroseconds) == [1_000_000, 1_000_000])
        #expect(effects.positions.map(\.epoch) == [1, 2])
        #expect(result.upcoming == effects.positions)
        var last = studio.room.playback.position(at: studio.now)
        for time in stride(from: studio.now, to: result.startMicroseconds + 100_000, by: 1_000) {
            let position = studio.room.playback.position(at: time)
            #expect(position - last == 0 || position - last == 1_000)
            last = position
        }
        #expect(last == 1_099_000)
        // The wait is announced once.
        #expect(studio.wait(200_000).positions.isEmpty)
    }

    @Test mutating func `a seek takes effect when the packets sent have sounded`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        let (result, _) = try studio.start(preSkip: 7_680 + 11, position: 90_000_000)
        #expect(result.startMicroseconds == edge)
        #expect(studio.room.playback.position(at: edge - 1) == 1_999_999)
        #expect(studio.room.playback.position(at: edge) == 90_000_000)
        let chunks = try studio.send(packets: 9).chunks
        #expect(chunks.first?.header.flags == .discontinuity)
        #expect(chunks.dropLast().allSatisfy { $0.due == edge })
        let last = try #require(chunks.last)
        #expect(last.header.playAtMicroseconds == edge - 230)
    }

    @Test mutating func `an epoch that sent nothing passes its reset on to the next`() throws {
        try studio.start()
        let (_, effects) = try studio.start(continues: true)
        #expect(effects.events(StreamStarted.self).first?.stream.continues == false)
        #expect(try studio.send(packets: 2).chunks.map(\.header.flags) == [.discontinuity, []])
    }

    @Test mutating func `nothing continues without an earlier epoch`() throws {
        let (_, effects) = try studio.start(continues: true)
        #expect(effects.events(StreamStarted.self).first?.stream.continues == false)
        #expect(try studio.send().effects.chunks.map(\.header.flags) == [.discontinuity])
        try studio.play(packets: 10)
        _ = try stop()
        #expect(try studio.start(continues: true).effects.events(StreamStarted.self).first?.stream.continues == false)
    }

    @Test(arguments: [(Int64.min, 0), (-1, 0), (.max, 9_007_199_254_740_991)] as [(Int64, Int64)])
    mutating func `no position does harm`(position: Int64, held: Int64) throws {
        let (_, effects) = try studio.start(preSkip: 0, position: position)
        #expect(effects.positions.map(\.positionMicroseconds) == [held])
        try studio.play(packets: 10)
        #expect(studio.wait(2_000_000).positions.first.map { 0...Limits.integerMax ~= $0.positionMicroseconds } == true)
        #expect(
            try studio.send().effects.positions.first.map { 0...Limits.integerMax ~= $0.positionMicroseconds } == true)
        #expect(try pause(position: position).positions.map(\.positionMicroseconds) == [held])
        #expect(try stop().positions.map(\.positionMicroseconds) == [held])
    }

    // MARK: Pause and resume

    @Test mutating func `a pause takes effect when the packets sent have sounded`() throws {
        try studio.start(preSkip: 0, position: 10_000_000)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        let effects = try pause()
        let paused = try #require(effects.positions.first)
        #expect(paused.state == .paused)
        #expect(paused.anchorMicroseconds == edge)
        #expect(paused.positionMicroseconds == 12_000_000)
        #expect(effects.isPersisted)
        #expect(studio.room.playback.position(at: edge - 1) == 11_999_999)
        #expect(studio.room.playback.position(at: edge + 1_000_000) == 12_000_000)
        #expect(studio.room.isLive)
        // The silence is intended: nobody is told that the host is missing.
        #expect(studio.wait(100_000_000).isEmpty)
        let snapshot = try studio.snapshot()
        #expect(snapshot.playback == paused)
        #expect(snapshot.upcoming.isEmpty)
    }

    @Test mutating func `a pause ends the epoch`() throws {
        try studio.start()
        try studio.play(packets: 10)
        _ = try pause()
        #expect(refusal { try studio.send() } == .audioWrongEpoch)
        studio.wait(5_000_000)
        #expect(refusal { try studio.send() } == .audioWrongEpoch)
        #expect(studio.room.playback.latest.state == .paused)
    }

    @Test mutating func `pausing a paused room changes nothing`() throws {
        try studio.start()
        try studio.play(packets: 100)
        _ = try pause()
        let history = studio.room.playback
        #expect(try pause().isEmpty)
        #expect(studio.room.playback == history)
        studio.wait(5_000_000)
        #expect(try pause().isEmpty)
    }

    @Test mutating func `a seek while paused moves the position, but not before the sound has ended`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        _ = try pause()
        let early = try #require(try pause(position: 90_000_000).positions.first)
        #expect(early.anchorMicroseconds == edge)
        #expect(studio.room.playback.position(at: edge - 1) == 1_999_999)
        #expect(studio.room.playback.position(at: edge) == 90_000_000)
        studio.wait(5_000_000)
        let later = try #require(try pause(position: 30_000_000).positions.first)
        #expect(later.anchorMicroseconds == studio.now)
        #expect(studio.room.playback.position(at: studio.now) == 30_000_000)
    }

    @Test mutating func `a pause before the first packet stands at the start`() throws {
        let start = try studio.start(position: 42).result.startMicroseconds
        let paused = try #require(try pause().positions.first)
        #expect(paused.anchorMicroseconds == start)
        #expect(paused.positionMicroseconds == 42)
        studio.wait(5_000_000)
        #expect(studio.room.playback.current.state == .paused)
    }

    @Test mutating func `a pause while everybody waits stands where the sound ended`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 100)
        studio.wait(5_000_000)
        #expect(studio.room.playback.current.state == .buffering)
        let paused = try #require(try pause().positions.first)
        #expect(paused.positionMicroseconds == 2_000_000)
        #expect(studio.room.playback.current == paused)
    }

    @Test mutating func `a resume at once goes on without a gap`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        _ = try pause()
        let (result, effects) = try studio.start(preSkip: 0, position: 2_000_000, continues: true)
        #expect(result.startMicroseconds == edge)
        #expect(effects.events(StreamStarted.self).first?.stream.continues == true)
        #expect(studio.room.playback.position(at: edge + 5) == 2_000_005)
        #expect(try studio.send().effects.chunks.map(\.header.flags) == [[]])
    }

    @Test mutating func `a resume later begins a lead from now, paused until then`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 100)
        _ = try pause()
        studio.wait(30_000_000)
        let (result, effects) = try studio.start(preSkip: 0, position: 2_000_000, continues: true)
        #expect(result.startMicroseconds == studio.now + Studio.lead)
        #expect(effects.positions.map(\.state) == [.playing])
        let snapshot = try studio.snapshot()
        #expect(snapshot.playback.state == .paused)
        #expect(snapshot.upcoming == effects.positions)
        #expect(snapshot.stream?.epoch == 2)
    }

    // MARK: Stop

    @Test mutating func `a stop lets all packets sent sound and frees the seat`() throws {
        try studio.start(preSkip: 0, track: Track(title: "A"))
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        let effects = try stop()
        #expect(effects.events(StreamEnded.self) == [StreamEnded(epoch: 1, atMicroseconds: edge, reason: .finished)])
        #expect(effects.events(HostChanged.self) == [HostChanged(host: nil, state: .none)])
        let stopped = try #require(effects.positions.first)
        #expect(stopped.state == .stopped)
        #expect(stopped.anchorMicroseconds == edge)
        #expect(stopped.positionMicroseconds == 2_000_000)
        #expect(effects.isPersisted)
        #expect(studio.room.playback.position(at: edge - 1) == 1_999_999)
        let room = studio.room.description()
        #expect(!room.isLive && room.host == nil && room.track == nil)
        #expect(try studio.snapshot().stream == nil)
        #expect(refusal { try studio.send() } == .hostNotHost)
        #expect(studio.wait(100_000_000).isEmpty)
        #expect(studio.room.playback.current == stopped)
    }

    @Test mutating func `a broadcast after a stop does not begin while the one before still sounds`() throws {
        try studio.start(preSkip: 0)
        try studio.send(packets: 100)
        let edge = try #require(studio.edge)
        _ = try stop()
        studio.wait(100_000)
        let (result, _) = try studio.start(preSkip: 0, position: 0)
        #expect(result.startMicroseconds == edge)
        #expect(studio.room.playback.position(at: edge - 1) == 1_999_999)
        #expect(try studio.send().effects.chunks.first?.header.playAtMicroseconds == edge)
    }

    @Test mutating func `a stop of a paused room leaves the position where it stood`() throws {
        try studio.start()
        try studio.play(packets: 100)
        _ = try pause(position: 90_000_000)
        studio.wait(5_000_000)
        let stopped = try #require(try stop().positions.first)
        #expect(stopped.positionMicroseconds == 90_000_000)
        #expect(studio.room.playback.current == stopped)
    }

    @Test mutating func `a stop before the first packet ends the stream where it would have begun`() throws {
        let start = try studio.start().result.startMicroseconds
        #expect(try stop().events(StreamEnded.self).map(\.atMicroseconds) == [start])
        studio.wait(5_000_000)
        #expect(studio.room.playback.current.state == .stopped)
        #expect(studio.room.playback.current.positionMicroseconds == 0)
    }

    @Test mutating func `a title changes with the sound`() throws {
        let track = Track(title: "B", artist: "C")
        try studio.start()
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        let effects = try studio.room.setTrack(Studio.host, track, now: studio.now)
        #expect(effects.events(TrackChanged.self) == [TrackChanged(track: track, atMicroseconds: edge)])
        #expect(studio.room.description().track == track)
        studio.wait(5_000_000)
        let later = try studio.room.setTrack(Studio.host, track, now: studio.now)
        #expect(later.events(TrackChanged.self).map(\.atMicroseconds) == [studio.now])
    }
}
