import SonaRooms
import SonaWire
import Testing

/// The server in the host seat.
@Suite struct LiveRoomServerTests {
    private var studio: Studio
    private let offer = StreamOffer(channels: 2, preSkip: 312)

    init() throws { studio = try Studio(isHostInside: false) }

    private mutating func begin(_ title: String, position: Int64 = 0) throws -> (HostStarted, [RoomEffect]) {
        try studio.room.startServer(
            HostStart(
                stream: offer, pacing: .server, track: Track(title: title), positionMicroseconds: position,
                followsQueue: true), now: studio.now)
    }

    /// Sends packets of 20 ms until the sound reaches so far, µs.
    private mutating func send(_ epoch: UInt16, from first: Int64 = 0, until end: Int64) throws {
        var sample = first
        while let edge = studio.room.soundEdge, edge < end {
            // It sends a little more than a lead ahead.
            studio.now = max(studio.now, edge - studio.room.leadMicroseconds - 500_000)
            let header = AudioUp(epoch: epoch, sequence: 0, samplePosition: sample, samples: 960)
            _ = try Packet.one().withUnsafeBytes {
                try studio.room.ingest(HostSeat.serverMember, header, $0, now: studio.now)
            }
            sample += 960
        }
    }

    @Test mutating func `it sits down in a vacant seat only, and nobody is the host then`() throws {
        let effects = studio.room.admitServer()
        #expect(effects.events(HostChanged.self) == [HostChanged(host: nil, state: .server, followsQueue: true)])
        #expect(studio.room.admitServer().isEmpty)
        let room = studio.room.description()
        #expect(room.host == nil && room.hostState == .server && room.hostFollowsQueue == true && !room.isLive)
        #expect(studio.room.isIdle)
    }

    @Test mutating func `its tracks follow each other without a gap, and it counts as no listener`() throws {
        _ = studio.room.admitServer()
        let (first, _) = try begin("A")
        try send(first.epoch, until: studio.now + 2_000_000)
        let edge = try #require(studio.room.soundEdge)
        let (second, effects) = try begin("B")
        #expect(second.startMicroseconds == edge)
        #expect(effects.events(StreamStarted.self).map(\.track?.title) == ["B"])
        #expect(studio.room.listenerCount == 0 && !studio.room.isIdle)
    }

    @Test mutating func `who may host takes the seat without an offer, and their sound begins where its ends`() throws {
        _ = studio.room.admitServer()
        let (begun, _) = try begin("A")
        try send(begun.epoch, until: studio.now + 1_500_000)
        let edge = try #require(studio.room.soundEdge)
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        let start = HostStart(stream: offer, pacing: .server, track: Track(title: "Mine"))
        #expect(
            refusal { _ = try studio.room.startHost(Studio.guest, start, mayTakeOver: false, now: studio.now) }
                == .roomForbidden)
        _ = try studio.room.join(Studio.host, .owner, wantsAudio: false, now: studio.now)
        let taken = try studio.room.startHost(Studio.host, start, mayTakeOver: false, now: studio.now)
        #expect(taken.former == nil && taken.result.startMicroseconds == edge)
        #expect(studio.room.description().host == .owner)
        #expect(refusal { _ = try begin("B") } == .hostNotHost)
        #expect(studio.room.admitServer().isEmpty && taken.effects.events(StreamEnded.self).isEmpty)
        // It goes back without an end of the broadcast.
        let back = try studio.room.stopHost(Studio.host, now: studio.now)
        #expect(back.events(HostChanged.self).map(\.state) == [.server] && back.events(StreamEnded.self).isEmpty)
        #expect(try begin("B").0.startMicroseconds == taken.result.startMicroseconds)
    }

    @Test mutating func `from one person to the next the broadcast goes on, too`() throws {
        _ = studio.room.admitServer()
        let start = HostStart(stream: offer, pacing: .server, track: Track(title: "Mine"))
        for member in [Studio.host, Studio.second] {
            _ = try studio.room.join(member, .owner, wantsAudio: false, now: studio.now)
            let taken = try studio.room.startHost(member, start, mayTakeOver: true, now: studio.now)
            #expect(taken.effects.events(StreamEnded.self).isEmpty)
            #expect(taken.effects.events(HostChanged.self).map(\.state) == [.here])
        }
    }

    @Test mutating func `it rests where the sound ends, and goes on from there`() throws {
        _ = studio.room.admitServer()
        let (begun, _) = try begin("A", position: 7_000_000)
        try send(begun.epoch, until: begun.startMicroseconds + 2_000_000)
        studio.now = begun.startMicroseconds + 1_990_000
        let effects = studio.room.quietServer(.buffering, now: studio.now)
        let held = try #require(effects.positions.last)
        // Packets of 20 ms, of which the first has a pre-skip of 6.5 ms.
        #expect(held.state == .buffering && (9_000_000..<9_020_000).contains(held.positionMicroseconds))
        #expect(effects.isPersisted && effects.events(StreamEnded.self).count == 1)
        #expect(studio.room.isIdle && studio.room.description().hostState == .server)
        #expect(studio.room.quietServer(.buffering, now: studio.now).isEmpty)
    }

    @Test mutating func `it leaves the seat as a host does`() throws {
        _ = studio.room.admitServer()
        _ = try begin("A")
        let effects = studio.room.dismissServer(now: studio.now)
        #expect(effects.events(HostChanged.self).map(\.state) == [HostState.none])
        #expect(effects.events(StreamEnded.self).count == 1)
        #expect(studio.room.dismissServer(now: studio.now).isEmpty)
    }

    @Test func `what it asks of the queue does not count as the owner's coming back`() throws {
        var queue = PartyQueue()
        let owner = PartyMember(uid: User.owner.uid, isGuest: false, rights: .host, joinedMilliseconds: 0)
        let one = try TrackReference(Track(title: "One"), source: "01JDQ6Z3M8R5V2K7X4N9T1B0CF")
        _ = try queue.apply(.add([one], at: .last), by: owner, now: 1_000)
        _ = queue.setPresence(of: owner.uid, isHere: false, now: 2_000)
        let before = queue
        _ = try queue.apply(.next(from: nil), by: .server(for: owner.uid), now: 3_000)
        #expect(queue.voters == before.voters)
        #expect(queue.tracksPlayed(since: 3_000) == ["01JDQ6Z3M8R5V2K7X4N9T1B0CF"])
        #expect(queue.tracksPlayed(since: 3_001).isEmpty)
    }
}
