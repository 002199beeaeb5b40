import SonaRooms
import SonaWire
import Testing

/// A host that is followed by position only.
@Suite struct LiveRoomPositionTests {
    private var studio: Studio

    init() throws { studio = try Studio() }

    private mutating func pause(position: Int64? = nil) throws -> [RoomEffect] {
        try studio.room.pauseHost(Studio.host, position: position, now: studio.now)
    }

    private mutating func stop() throws -> [RoomEffect] { try studio.room.stopHost(Studio.host, now: studio.now) }

    private mutating func report(
        _ state: PlaybackState = .playing, position: Int64, after: Int64 = 0, epoch: UInt16? = nil,
        rate: Int32 = 1_000_000
    ) throws -> [RoomEffect] {
        let report = Playback(
            state: state, anchorMicroseconds: studio.now &+ after, positionMicroseconds: position, ratePPM: rate,
            revision: 12_345, epoch: epoch ?? studio.epoch)
        return try studio.room.reportPosition(Studio.host, report, now: studio.now)
    }

    @Test mutating func `a room followed by position plays at once and has no stream`() throws {
        let (result, effects) = try studio.startSilently(position: 5_000_000)
        #expect(result.playback.state == .playing)
        #expect(result.playback.positionMicroseconds == 5_000_000)
        #expect(result.startMicroseconds == studio.now)
        #expect(result.upcoming.isEmpty)
        #expect(effects.events(StreamStarted.self).isEmpty)
        #expect(effects.isPersisted && effects.goesLive)
        #expect(!studio.room.isLive)
        #expect(try studio.snapshot().stream == nil)
        // No sound can run out, because none is sent.
        #expect(studio.wait(100_000_000).isEmpty)
    }

    @Test mutating func `a report 30 ms off confirms, one a microsecond more is news`() throws {
        try studio.startSilently()
        studio.wait(5_000_000)
        #expect(try report(position: 5_030_000).isEmpty)
        #expect(try report(position: 4_970_000).isEmpty)
        let effects = try report(position: 5_030_001)
        let told = try #require(effects.positions.first)
        #expect(effects.isPersisted)
        #expect(told.positionMicroseconds == 5_030_001)
        #expect(told.anchorMicroseconds == studio.now)
        #expect(told.revision == 2)
        #expect(try report(position: 5_000_000).positions.count == 1)
    }

    @Test mutating func `another state or rate is news, however small`() throws {
        try studio.startSilently()
        studio.wait(5_000_000)
        #expect(try report(.paused, position: 5_000_000).positions.map(\.state) == [.paused])
        #expect(try report(.paused, position: 5_000_000).isEmpty)
        #expect(try report(.playing, position: 5_000_000).positions.map(\.state) == [.playing])
        #expect(try report(.playing, position: 5_000_000, rate: 1_000_001).positions.map(\.ratePPM) == [1_000_001])
    }

    @Test mutating func `only a playing host's reports are passed on every 10 to 15 seconds`() throws {
        try studio.startSilently()
        var told: [Int64] = []
        for seconds in 1...60 {
            studio.wait(1_000_000)
            guard seconds.isMultiple(of: 5) else { continue }
            told += try report(position: Int64(seconds) * 1_000_000 + 1_000).positions.map(\.anchorMicroseconds)
        }
        #expect(told == [10, 20, 30, 40, 50, 60].map { Studio.epoch0 + $0 * 1_000_000 })
        _ = try report(.paused, position: 60_000_000)
        studio.wait(60_000_000)
        #expect(try report(.paused, position: 60_000_000).isEmpty)
    }

    @Test mutating func `an anchor ten seconds off is taken, one farther is malformed`() throws {
        try studio.startSilently()
        studio.wait(60_000_000)
        #expect(try report(position: 1_000, after: -10_000_000).positions.count == 1)
        #expect(try report(position: 9_000, after: 10_000_000).positions.count == 1)
        #expect(refusal { _ = try report(position: 0, after: -10_000_001) } == .frameMalformed)
        #expect(refusal { _ = try report(position: 0, after: 10_000_001) } == .frameMalformed)
        for anchor in [Int64.min, .max] {
            #expect(refusal { _ = try report(position: 0, after: anchor &- studio.now) } == .frameMalformed)
        }
    }

    @Test mutating func `a report of another epoch is refused`() throws {
        try studio.startSilently()
        try studio.startSilently()
        #expect(refusal { _ = try report(position: 0, epoch: 1) } == .audioWrongEpoch)
        #expect(refusal { _ = try report(position: 0, epoch: 3) } == .audioWrongEpoch)
    }

    @Test mutating func `in a room with audio reports are ignored`() throws {
        try studio.start()
        #expect(try report(.paused, position: 99_000_000).isEmpty)
        #expect(try report(.paused, position: 99_000_000, epoch: 77).isEmpty)
        #expect(studio.room.playback.latest.state == .playing)
    }

    @Test(arguments: [Int64.min, -1, .max])
    mutating func `no reported position or rate causes harm`(position: Int64) throws {
        try studio.startSilently()
        for rate in [Int32.min, 0, .max] {
            _ = try report(position: position, rate: rate)
            studio.wait(1_000_000)
            #expect(0...Limits.integerMax ~= studio.room.playback.position(at: studio.now))
            #expect(0...Limits.integerMax ~= studio.room.playback.latest.positionMicroseconds)
        }
    }

    @Test mutating func `a pause and a stop without audio hold at once`() throws {
        try studio.startSilently()
        studio.wait(5_000_000)
        let paused = try #require(try pause().positions.first)
        #expect(paused.anchorMicroseconds == studio.now)
        #expect(paused.positionMicroseconds == 5_000_000)
        let effects = try stop()
        #expect(effects.events(StreamEnded.self).isEmpty)
        #expect(effects.positions.map(\.state) == [.stopped])
        #expect(effects.positions.map(\.positionMicroseconds) == [5_000_000])
    }

    @Test(arguments: [PlaybackState.playing, .paused, .buffering])
    mutating func `a host that leaves stops the room, whatever it last reported`(state: PlaybackState) throws {
        try studio.startSilently()
        _ = try report(state, position: 5_000_000)
        #expect(studio.room.leave(Studio.host, isLost: false, now: studio.now).positions.map(\.state) == [.stopped])
        #expect(studio.room.playback.current.state == .stopped)
        #expect(studio.room.playback.current.positionMicroseconds == 5_000_000)
    }

    @Test mutating func `a pause and a stop right after audio wait until it has sounded, too`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        try studio.startSilently(position: 70_000_000)
        studio.wait(100_000)
        var stopping = studio
        for effects in [try pause(), try stopping.room.stopHost(Studio.host, now: stopping.now)] {
            #expect(effects.positions.map(\.anchorMicroseconds) == [edge])
            #expect(effects.positions.map(\.positionMicroseconds) == [70_000_000])
        }
        #expect(studio.room.playback.position(at: edge - 1) == 1_999_999)
    }

    @Test mutating func `a stay without audio lets the audio before it sound`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        let (result, effects) = try studio.startSilently(position: 70_000_000)
        #expect(effects.events(StreamEnded.self) == [StreamEnded(epoch: 1, atMicroseconds: edge, reason: .finished)])
        #expect(result.startMicroseconds == edge)
        #expect(studio.room.playback.position(at: edge - 1) == 1_999_999)
        #expect(studio.room.playback.position(at: edge) == 70_000_000)
    }
}
