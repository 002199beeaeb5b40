import SonaRooms
import SonaWire
import Testing

/// The packets for a member who was away: the room's chunks are put into a ring, and the member comes back.
@Suite struct ResumePlanTests {
    private var studio: Studio
    private let ring: ChunkRing

    init() throws {
        studio = try Studio()
        ring = ChunkRing(microsecondsMax: studio.room.ringMicroseconds)
        try studio.start(preSkip: 0)
        for chunk in try studio.play(packets: 200).chunks { ring.append(chunk) }
    }

    private func comeBack(after sequence: UInt32) throws -> (plan: JoinPlan, burst: Burst) {
        let plan = JoinPlan(ring, after: sequence, now: studio.now)
        return (plan, try Burst(plan.messages(ring)))
    }

    /// The first packet that is not past.
    private var firstInTime: UInt32 {
        UInt32((0..<200).first { ring[$0].header.playAtMicroseconds >= studio.now } ?? 200)
    }

    @Test func `a member who has everything gets nothing`() throws {
        let (plan, burst) = try comeBack(after: 199)
        #expect(plan.preroll.isEmpty && plan.audible.isEmpty && burst.messages == 0)
    }

    @Test func `missed packets in time come unchanged, with REPLAY and without a reset`() throws {
        let (_, burst) = try comeBack(after: 189)
        #expect(burst.packets.map(\.header.sequence) == Array(190..<200))
        #expect(burst.packets.allSatisfy { $0.header.flags == .replay })
    }

    @Test func `up to eight late packets are decoded only, and the decoder goes on`() throws {
        let first = firstInTime
        for late in 1...8 as ClosedRange<UInt32> {
            let (plan, burst) = try comeBack(after: first - late - 1)
            #expect(plan.preroll.count == Int(late))
            #expect(burst.packets.map(\.header.sequence) == Array(first - late..<200))
            #expect(burst.packets.prefix(Int(late)).allSatisfy { $0.header.flags == [.replay, .preroll] })
            #expect(burst.packets.dropFirst(Int(late)).allSatisfy { $0.header.flags == .replay })
        }
    }

    @Test func `nine late packets are a new beginning without any packet sent before`() throws {
        let first = firstInTime
        let (plan, burst) = try comeBack(after: first - 10)
        #expect(plan.audible == JoinPlan(ring, now: studio.now).audible)
        #expect(plan.preroll.count == 8)
        #expect(burst.packets[0].header.flags == [.replay, .preroll, .discontinuity])
        #expect(burst.packets.dropFirst().allSatisfy { !$0.header.flags.contains(.discontinuity) })
        let sequences = burst.packets.map(\.header.sequence)
        #expect(sequences == Array(sequences[0]..<200) && sequences[0] > first - 10)
    }

    @Test func `a long or endless absence gives the same packets as joining`() throws {
        let joining = JoinPlan(ring, now: studio.now)
        for sequence in [0, 20, 4_000_000_000, 200, 5000] as [UInt32] {
            let plan = JoinPlan(ring, after: sequence, now: studio.now)
            #expect(plan.preroll == joining.preroll && plan.audible == joining.audible, "after \(sequence)")
        }
        let (_, burst) = try comeBack(after: 20)
        #expect(burst.packets.allSatisfy { $0.header.flags.contains(.replay) })
    }

    @Test func `numbers wrap at 2^32`() throws {
        let wrapped = ChunkRing(microsecondsMax: studio.room.ringMicroseconds)
        for number in 0..<ring.end {
            var chunk = ring[number]
            chunk.header.sequence &-= 195
            wrapped.append(chunk)
        }
        let plan = JoinPlan(wrapped, after: .max - 2, now: studio.now)
        let burst = try Burst(plan.messages(wrapped))
        #expect(burst.packets.map(\.header.sequence) == [.max - 1, .max, 0, 1, 2, 3, 4])
    }

    @Test func `a reset among the missed packets stays a reset`() throws {
        let broken = ChunkRing(microsecondsMax: studio.room.ringMicroseconds)
        for number in 0..<ring.end {
            var chunk = ring[number]
            if number == 195 { chunk.header.flags.insert(.discontinuity) }
            broken.append(chunk)
        }
        let burst = try Burst(JoinPlan(broken, after: 189, now: studio.now).messages(broken))
        let resets = burst.packets.filter { $0.header.flags.contains(.discontinuity) }.map(\.header.sequence)
        #expect(resets == [195])
    }
}

/// Members whose connections are lost and who come back.
@Suite struct LostMemberTests {
    @Test func `a host who is back has its former seat and epoch and the next sample`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 312)
        _ = try studio.play(packets: 50)
        let before = studio.room.seat
        let lost = studio.room.lose(Studio.host, now: studio.now)
        #expect(lost.events(HostChanged.self).map(\.state) == [.away])
        #expect(lost.positions.map(\.state) == [.buffering])
        #expect(studio.room.hostPlace(of: Studio.host) == nil)
        #expect(studio.room.listenerCount == 0, "a host who is away does not count as a listener")
        studio.now += 300_000
        let back = studio.room.regain(Studio.host)
        #expect(back.events(HostChanged.self).map(\.state) == [.here])
        #expect(studio.room.seat == before)
        let place = try #require(studio.room.hostPlace(of: Studio.host))
        #expect(place.epoch == studio.epoch && place.samplePosition == studio.samplePosition)
        // Nobody has heard the pause: it is taken back before its time.
        let effects = try studio.send(packets: 15)
        #expect(effects.chunks.count == 15 && effects.events(StreamStarted.self).isEmpty)
        #expect(effects.chunks.allSatisfy { !$0.header.flags.contains(.discontinuity) })
        #expect(studio.room.playback.latest.state == .playing)
    }

    @Test func `a host who is back too late delays all listeners and loses no audio`() throws {
        var studio = try Studio()
        try studio.start(preSkip: 0)
        _ = try studio.play(packets: 50)
        _ = studio.room.lose(Studio.host, now: studio.now)
        studio.now += 3_000_000
        _ = studio.room.tick(now: studio.now)
        _ = studio.room.regain(Studio.host)
        #expect(studio.room.hostPlace(of: Studio.host)?.epoch == studio.epoch)
        let effects = try studio.send(packets: 5)
        #expect(effects.events(StreamStarted.self).map(\.stream.continues) == [true])
        #expect(effects.chunks.count == 5)
        #expect(studio.room.hostPlace(of: Studio.host)?.epoch == studio.epoch, "the epoch changed")
    }

    @Test func `the seat is not given to another connection of the user, nor taken from a new host`() throws {
        var studio = try Studio()
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now)
        try studio.start()
        _ = studio.room.lose(Studio.host, now: studio.now)
        #expect(studio.room.regain(Studio.second).isEmpty)
        #expect(studio.room.seat.state == .away)
        _ = try studio.room.startHost(
            Studio.second, HostStart(stream: nil, pacing: .live), mayTakeOver: false, now: studio.now)
        #expect(studio.room.regain(Studio.host).isEmpty)
        #expect(studio.room.hostPlace(of: Studio.host) == nil)
        #expect(studio.room.hostPlace(of: Studio.second)?.samplePosition == nil)
    }

    @Test func `a host whose session ends while away keeps the seat for the rest of the minute`() throws {
        var studio = try Studio()
        try studio.start()
        _ = studio.room.lose(Studio.host, now: studio.now)
        studio.now += 10_000_000
        _ = studio.room.tick(now: studio.now)
        let effects = studio.room.leave(Studio.host, isLost: true, now: studio.now)
        #expect(effects.events(HostChanged.self).isEmpty && effects.events(StreamEnded.self).isEmpty)
        #expect(studio.room.seat.state == .away && studio.room.isLive)
        let left = Int64(Limits.hostSeatSeconds) * 1_000_000 - 10_000_000
        #expect(studio.wait(left - 1).events(StreamEnded.self).isEmpty)
        #expect(studio.wait(1).events(StreamEnded.self).map(\.reason) == [.hostLost])
        #expect(studio.room.seat == .vacant && !studio.room.isLive)
    }

    @Test func `a host who is away and leaves on purpose leaves the seat vacant`() throws {
        var studio = try Studio()
        try studio.start()
        _ = studio.room.lose(Studio.host, now: studio.now)
        let effects = studio.room.leave(Studio.host, isLost: false, now: studio.now)
        #expect(effects.events(HostChanged.self).map(\.state) == [.none])
        #expect(studio.room.seat == .vacant)
    }

    @Test func `an expired seat is not given back`() throws {
        var studio = try Studio()
        try studio.start()
        _ = studio.room.lose(Studio.host, now: studio.now)
        studio.now += Int64(Limits.hostSeatSeconds) * 1_000_000
        #expect(studio.room.tick(now: studio.now).events(HostChanged.self).map(\.state) == [.none])
        #expect(studio.room.regain(Studio.host).isEmpty)
        #expect(studio.room.members[Studio.host] != nil)
    }

    @Test func `a listener who is lost and comes back causes no events`() throws {
        var studio = try Studio()
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        try studio.start()
        let before = (studio.room.sequence, studio.room.listenerCount)
        #expect(studio.room.lose(Studio.guest, now: studio.now).isEmpty)
        #expect(studio.room.presence.isSeen(User.guest.uid))
        #expect(studio.room.regain(Studio.guest).isEmpty)
        #expect(before == (studio.room.sequence, studio.room.listenerCount))
        #expect(studio.room.lose(99, now: studio.now).isEmpty && studio.room.regain(99).isEmpty)
    }

    @Test func `an offer of the seat outlives the owner's lost connection, and the former host is to be told`() throws {
        var studio = try Studio()
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        try studio.start()
        _ = try studio.room.offerSeat(to: User.guest.uid, by: Studio.host, now: studio.now)
        _ = studio.room.lose(Studio.host, now: studio.now)
        // The owner still counts as here and may still make the offer.
        let start = HostStart(stream: nil, pacing: .live)
        let taken = try studio.room.startHost(Studio.guest, start, mayTakeOver: false, now: studio.now)
        #expect(taken.former == LiveRoom.FormerHost(Studio.host, HostLostSeat.handedOver))
        #expect(studio.room.seat.member == Studio.guest)
    }

    @Test func `a user who sits down elsewhere takes the seat from their silent connection, and it is told`() throws {
        var studio = try Studio()
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now)
        try studio.start()
        let start = HostStart(stream: nil, pacing: .live)
        #expect(refusal { try studio.start(Studio.second) } == .hostSeatTaken)
        let taken = try studio.room.startHost(Studio.second, start, mayTakeOver: true, now: studio.now)
        #expect(taken.former == LiveRoom.FormerHost(Studio.host, HostLostSeat.elsewhere))
        #expect(studio.room.seat.member == Studio.second)
        // Going on in the same seat takes it from nobody.
        #expect(try studio.room.startHost(Studio.second, start, mayTakeOver: true, now: studio.now).former == nil)
    }

    @Test func `the owner takes the seat from a host who is away, whose broadcast ends`() throws {
        var studio = try Studio()
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        _ = try studio.room.offerSeat(to: User.guest.uid, by: Studio.host, now: studio.now)
        try studio.start(Studio.guest)
        #expect(refusal { try studio.start() } == .hostSeatTaken)
        _ = studio.room.lose(Studio.guest, now: studio.now)
        let start = HostStart(stream: nil, pacing: .live)
        let taken = try studio.room.startHost(Studio.host, start, mayTakeOver: false, now: studio.now)
        #expect(taken.former == LiveRoom.FormerHost(Studio.guest, HostLostSeat.takenBack))
        #expect(taken.effects.events(StreamEnded.self).map(\.reason) == [.finished])
        #expect(studio.room.hostPlace(of: Studio.guest) == nil)
    }

    @Test func `a host by offer comes back to the seat like any host, and for a minute after a restart`() throws {
        var studio = try Studio()
        let fourth: MemberID = 4
        for member in [Studio.guest, fourth] {
            _ = try studio.room.join(member, .guest, wantsAudio: true, now: studio.now)
        }
        _ = try studio.room.offerSeat(to: User.guest.uid, by: Studio.host, now: studio.now)
        try studio.start(Studio.guest)
        _ = studio.room.leave(Studio.guest, isLost: true, now: studio.now)
        try studio.start(fourth)
        _ = studio.room.leave(fourth, isLost: false, now: studio.now)
        _ = try studio.room.join(fourth, .guest, wantsAudio: true, now: studio.now)
        #expect(refusal { try studio.start(fourth) } == .roomForbidden, "it was left on purpose")
        // The server was restarted.
        studio.room.recallHost(User.guest.uid, until: studio.now + 60_000_000)
        studio.now += 60_000_001
        #expect(refusal { try studio.start(fourth) } == .roomForbidden, "too late")
        studio.now -= 1
        try studio.start(fourth)
        #expect(studio.room.seat.member == fourth)
        _ = studio.room.leave(fourth, isLost: false, now: studio.now)
        _ = try studio.room.join(fourth, .guest, wantsAudio: true, now: studio.now)
        #expect(refusal { try studio.start(fourth) } == .roomForbidden, "once")
    }
}
