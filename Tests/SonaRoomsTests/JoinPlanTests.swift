import SonaRooms
import SonaWire
import Testing

/// The room's chunks are put into a ring as a relay does it, and a listener joins.
@Suite struct JoinPlanTests {
    private var studio: Studio
    private let ring: ChunkRing

    init() throws {
        studio = try Studio()
        ring = ChunkRing(microsecondsMax: studio.room.ringMicroseconds)
    }

    private mutating func keep(_ effects: [RoomEffect]) {
        for chunk in effects.chunks { ring.append(chunk) }
    }

    private func join() throws -> (plan: JoinPlan, burst: Burst) {
        let plan = JoinPlan(ring, now: studio.now)
        return (plan, try Burst(plan.messages(ring)))
    }

    @Test func `a joiner of a room without packets gets nothing`() throws {
        let (plan, burst) = try join()
        #expect(plan.preroll.isEmpty)
        #expect(plan.audible.isEmpty)
        #expect(burst.messages == 0)
    }

    @Test mutating func `a joiner of a playing room gets eight packets to decode and all that can be heard`() throws {
        try studio.start()
        keep(try studio.play(packets: 200))
        let (plan, burst) = try join()
        #expect(burst.preroll.count == 8)
        #expect(burst.messages == 2)
        // The pre-skip takes 6.5 ms of a lead of 600 ms, and the first 60 ms would come too late.
        #expect(burst.audible.count == 26)
        let first = try #require(burst.audible.first)
        #expect(first.playAtMicroseconds >= studio.now + 60_000)
        #expect(first.playAtMicroseconds < studio.now + 80_000)
        #expect(plan.audible.upperBound == ring.end)
        #expect(burst.packets.map(\.header.sequence) == Array(166..<200))
        for (number, packet) in zip(plan.preroll.lowerBound..<ring.end, burst.packets) {
            #expect(packet.packet == ring[number].packet)
            #expect(packet.header.playAtMicroseconds == ring[number].header.playAtMicroseconds)
        }
    }

    @Test mutating func `a packet due in exactly 60 ms is heard, one a microsecond earlier only decoded`() throws {
        try studio.start(preSkip: 0)
        keep(try studio.send(packets: 20))
        let fifth = ring[5].header.playAtMicroseconds
        studio.now = fifth - 60_000
        #expect(try join().plan.audible == 5..<20)
        studio.now += 1
        let (plan, _) = try join()
        #expect(plan.preroll == 0..<6)
        #expect(plan.audible == 6..<20)
    }

    @Test mutating func `before the start everything is sent, including the pre-skip`() throws {
        try studio.start(preSkip: 48_000)
        keep(try studio.send(packets: 60))
        #expect(ring[0].header.playAtMicroseconds < studio.now)
        let (plan, burst) = try join()
        #expect(plan.preroll.isEmpty)
        #expect(plan.audible == 0..<60)
        #expect(burst.preroll.isEmpty)
    }

    @Test mutating func `an epoch shorter than eight packets gives all it has`() throws {
        try studio.start(preSkip: 0)
        keep(try studio.send(packets: 3))
        studio.now += Studio.lead
        let (plan, burst) = try join()
        #expect(plan.preroll == 0..<3)
        #expect(plan.audible.isEmpty)
        #expect(burst.preroll.map(\.sequence) == [0, 1, 2])
    }

    @Test mutating func `the decoder is prepared from a reset on, not from before it`() throws {
        try studio.start(preSkip: 0)
        keep(try studio.play(packets: 60))
        studio.samplePosition += 9_600
        let broken = ring.end
        keep(try studio.play(packets: 40))
        studio.now = ring[broken + 3].header.playAtMicroseconds - 60_000
        #expect(try join().plan.preroll == broken..<broken + 3)
        // If the first audible packet is the reset itself, nothing needs preparing.
        studio.now = ring[broken].header.playAtMicroseconds - 60_000
        let (plan, burst) = try join()
        #expect(plan.preroll.isEmpty)
        #expect(plan.audible.lowerBound == broken)
        #expect(burst.audible.first?.flags.contains(.discontinuity) == true)
    }

    @Test mutating func `a gap in time begins a new bundle, whose first packet resets`() throws {
        try studio.start(preSkip: 0)
        keep(try studio.send(packets: 5))
        studio.samplePosition += 960
        keep(try studio.send(packets: 5))
        let (_, burst) = try join()
        #expect(burst.messages == 2)
        #expect(
            burst.packets.map(\.header.playAtMicroseconds)
                == ring.numbers.map { ring[$0].header.playAtMicroseconds })
        #expect(burst.packets[5].header.flags == .discontinuity)
    }

    @Test mutating func `a joiner of a paused room gets the last packets, for the decoder only`() throws {
        try studio.start()
        keep(try studio.play(packets: 50))
        _ = try studio.room.pauseHost(Studio.host, now: studio.now)
        studio.wait(10_000_000)
        let (plan, burst) = try join()
        #expect(plan.audible.isEmpty)
        #expect(burst.preroll.count == 8)
        #expect(try studio.snapshot().stream != nil)

        // The host goes on in the same coding: the joiner's decoder is in the same state as everybody's.
        try studio.start(preSkip: 0, position: 1_000_000, continues: true)
        keep(try studio.send(packets: 1))
        #expect(ring[ring.end - 1].header.flags == [])
        #expect(ring[ring.end - 1].header.sequence == (burst.preroll.last?.sequence ?? 0) + 1)
    }

    @Test mutating func `a joiner between two files hears the end of one and the beginning of the next`() throws {
        try studio.start()
        keep(try studio.play(packets: 100))
        let edge = try #require(studio.edge)
        try studio.start()
        keep(try studio.send(packets: 5))
        let (_, burst) = try join()
        #expect(Set(burst.audible.map(\.epoch)) == [1, 2])
        let next = try #require(burst.audible.first { $0.epoch == 2 })
        #expect(next.flags.contains(.discontinuity))
        #expect(next.playAtMicroseconds == edge - 6_500)
    }

    @Test mutating func `a joiner during a wait gets the old end to decode and the new beginning to hear`()
        throws
    {
        try studio.start()
        keep(try studio.play(packets: 100))
        studio.wait(2_000_000)
        keep(try studio.send(packets: 1))
        let (plan, burst) = try join()
        #expect(plan.audible == 100..<101)
        #expect(burst.preroll.count == 8)
        #expect(burst.audible.first?.playAtMicroseconds == studio.now + Studio.lead)
        let snapshot = try studio.snapshot()
        #expect(snapshot.stream?.epoch == burst.audible.first?.epoch)
        #expect(snapshot.playback.state == .buffering)
        #expect(snapshot.upcoming.map(\.state) == [.playing])
    }

    @Test mutating func `the last packet of an epoch ends its bundle`() throws {
        try studio.start(preSkip: 0)
        keep(try studio.send(packets: 5))
        keep(try studio.send(samples: 500, flags: .last).effects)
        try studio.start(preSkip: 0, continues: true)
        keep(try studio.send(packets: 2))
        let (_, burst) = try join()
        #expect(burst.messages == 2)
        #expect(
            burst.packets.map { $0.header.flags.contains(.last) } == [
                false, false, false, false, false, true, false, false,
            ])
    }

    @Test mutating func `silence is marked packet by packet`() throws {
        try studio.start(preSkip: 0)
        for index in 0..<6 { keep(try studio.send(flags: index < 3 ? [] : .silence).effects) }
        let (_, burst) = try join()
        #expect(burst.messages == 2)
        #expect(burst.packets.map { $0.header.flags.contains(.silence) } == [false, false, false, true, true, true])
    }

    @Test mutating func `bundles stay below 64 KiB and 256 packets`() throws {
        var studio = try Studio(leadMilliseconds: 10_000)
        try studio.start(preSkip: 0)
        for index in 0..<600 { keep(try studio.send(Packet.one(28, bytes: index % 900), samples: 120).effects) }
        for _ in 0..<20 { keep(try studio.send(Packet.several(6, 31, bytes: 7_644), samples: 5_760).effects) }
        let messages = JoinPlan(ring, now: studio.now).messages(ring)
        #expect(messages.allSatisfy { $0.count <= Limits.binaryDownBytesMax })
        let burst = try Burst(messages)
        #expect(burst.packets.count == 620)
        #expect(burst.packets.map(\.header.sequence) == Array(0..<620))
        for (number, packet) in zip(ring.numbers, burst.packets) {
            #expect(packet.header.playAtMicroseconds == ring[number].header.playAtMicroseconds)
        }
    }
}
