import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

/// Goal: whatever a host, its listeners and the network do, in any order, the events are consistent, and the sound
/// agrees with the position that listeners compute.
///
/// Way: a walk of random inputs at random, rising times. Beside the room runs a listener who knows only the packets and
/// events sent (`ListenerView`). The walk plays the host, so it knows the place of every packet in the track.
@Suite struct LiveRoomRandomWalkTests {
    @Test(arguments: [(1, 600), (2, 150), (3, 1_000), (4, 600)] as [(UInt64, Int)])
    func `events and sound agree on a random walk`(seed: UInt64, leadMilliseconds: Int) throws {
        var walk = try Walk(seed: seed, leadMilliseconds: leadMilliseconds)
        for _ in 0..<20_000 { try walk.step() }
        // The walk went everywhere.
        #expect(walk.chunkCount > 4_000)
        #expect(walk.heardCount > 3_000)
        #expect(Set(walk.states) == Set(PlaybackState.allCases))
        #expect(walk.shiftCount > 20)
        #expect(walk.revivalCount > 2)
        #expect(walk.lossCount > 5)
        #expect(walk.trackCount > 20)
    }
}

private struct Walk {
    /// A packet on its way to the listener.
    private struct Expected {
        var due: Int64
        /// Place in the track of the sound at `due`.
        var position: Int64
        var sequence: UInt32
    }

    private let seed: UInt64
    private var generator: SeededGenerator
    private var studio: Studio
    private let ring: ChunkRing
    private var stepCount = 0
    private var name = ""

    // The host's knowledge of its own epoch.
    private var host: MemberID?
    private var preSkip: Int64 = 0
    private var position: Int64 = 0
    private var nextMember: MemberID = 10

    // The listener's knowledge.
    private var view: ListenerView
    private var stream: StreamInfo?
    private var hostEvent = HostChanged(host: nil, state: .none)
    private var last: AudioDown?
    private var soundEnd: Int64 = .min
    private var expected: [Expected] = []

    private(set) var chunkCount = 0
    private(set) var heardCount = 0
    private(set) var shiftCount = 0
    private(set) var revivalCount = 0
    private(set) var lossCount = 0
    private(set) var trackCount = 0
    private var heardAt: Int64 = 0
    private(set) var states: [PlaybackState] = []

    init(seed: UInt64, leadMilliseconds: Int) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        // Revisions and epochs start shortly before they wrap.
        let stored = Playback(
            state: .stopped, anchorMicroseconds: 0, positionMicroseconds: 0, revision: .max - 50, epoch: .max - 50)
        studio = try Studio(leadMilliseconds: leadMilliseconds, playback: stored, isHostInside: false)
        ring = ChunkRing(microsecondsMax: studio.room.ringMicroseconds)
        view = ListenerView(try studio.snapshot())
    }

    private func check(_ condition: Bool, _ claim: String, _ detail: String = "") throws {
        try #require(condition, "seed \(seed), step \(stepCount), \(name): \(claim) \(detail)")
    }

    private mutating func chance(_ percent: Double) -> Bool {
        Double.random(in: 0..<100, using: &generator) < percent
    }

    private mutating func hostile() -> Int64 {
        [.min, .min + 1, -1, 0, 1, Limits.integerMax, Limits.integerMax + 1, .max - 1, .max].randomElement(
            using: &generator)
            ?? 0
    }

    // MARK: Inputs

    mutating func step() throws {
        stepCount += 1
        switch Double.random(in: 0..<100, using: &generator) {
        case ..<46: try sendNext()
        case ..<86: try pass(Int64.random(in: 1...40_000, using: &generator))
        case ..<87: try pass(Int64.random(in: 40_000...3_000_000, using: &generator))
        case ..<87.1: try pass(70_000_000)
        case ..<91: try sendWrong()
        case ..<93: try startWithSound()
        case ..<93.3: try startSilently()
        case ..<94.3: try pause()
        case ..<94.8: try stop()
        case ..<96: try report()
        case ..<96.3: try setTrack()
        case ..<97: try leaveHost()
        default: try comeAndGo()
        }
        try checkRoom()
    }

    /// Time goes by. The room is ticked when it asks for it, and now and then too late.
    private mutating func pass(_ microseconds: Int64) throws {
        name = "pass \(microseconds)"
        let end = studio.now + microseconds
        while let deadline = studio.room.deadline, deadline <= end {
            try hear(until: chance(20) ? end : max(deadline, studio.now))
            try take(studio.room.tick(now: studio.now))
        }
        try hear(until: end)
    }

    /// The user who may sit or sits; now and then somebody new.
    private mutating func candidate() throws -> MemberID {
        if let host { return host }
        nextMember += 1
        let (snapshot, effects) = try studio.room.join(nextMember, .owner, wantsAudio: false, now: studio.now)
        try take(effects)
        try check(snapshot.you.role == .owner, "owners are owners")
        return nextMember
    }

    private mutating func startWithSound() throws {
        let member = try candidate()
        name = "start"
        // Now and then another connection tries, with or without the right to.
        var sitting = member
        if host != nil, chance(20) {
            nextMember += 1
            sitting = nextMember
            try take(try studio.room.join(sitting, .owner, wantsAudio: false, now: studio.now).effects)
            let before = studio.room.seat
            try check(refusal { try studio.start(sitting) } == .hostSeatTaken, "the seat is taken")
            try check(studio.room.seat == before, "a refused start changes nothing")
        }
        let skip =
            [0, 312, 313, 3_840, Int.random(in: 0...65_535, using: &generator)].randomElement(using: &generator) ?? 0
        let place = chance(15) ? hostile() : Int64.random(in: 0...600_000_000, using: &generator)
        let (result, effects) = try studio.start(
            sitting, preSkip: skip, position: place, continues: chance(50), mayTakeOver: sitting != member)
        host = sitting
        preSkip = Int64(skip)
        position = min(max(0, place), Limits.integerMax)
        try check(
            result.startMicroseconds >= studio.now + studio.room.leadMicroseconds / 2, "there is time to meet a start")
        try check(result.startMicroseconds >= soundEnd, "no epoch begins while another sounds")
        try take(effects)
        try check(
            result.playback == view.current && result.upcoming == view.upcoming, "the host is told what others are")
    }

    private mutating func startSilently() throws {
        _ = try candidate()
        guard let host else { return try startWithSound() }
        name = "start without sound"
        let request = HostStart(stream: nil, pacing: .live, positionMicroseconds: hostile())
        let (result, effects, _) = try studio.room.startHost(host, request, mayTakeOver: false, now: studio.now)
        studio.epoch = result.epoch
        try take(effects)
    }

    private mutating func sendNext() throws {
        guard let host, let live = studio.room.stream, !live.isComplete else {
            return chance(15) ? try startWithSound() : try pass(10_000)
        }
        name = "send"
        // A good host is a lead ahead, an eager one further.
        let ahead = live.timeline.due(ofSample: live.timeline.samples) - studio.now
        if ahead > studio.room.leadMicroseconds + 50_000, !chance(10) { return try pass(20_000) }
        var flags: AudioFlags = chance(5) ? .silence : []
        var (packet, samples): ([UInt8], UInt32) = (Packet.one(mark: stepCount), 960)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: (packet, samples) = (Packet.one(28), 120)
        case 1: (packet, samples) = (Packet.one(2), 1_920)
        case 2: (packet, samples) = (Packet.several(2, 3, bytes: 20), 5_760)
        default: break
        }
        if chance(1) {
            flags.insert(.last)
            samples = UInt32.random(in: 1...samples, using: &generator)
        }
        if live.isStarved, chance(30) { studio.samplePosition += (400_000 - ahead) * 6 / 125 }
        if chance(2) { studio.samplePosition += Int64.random(in: 1...60_000, using: &generator) }
        try send(host, packet, samples: samples, flags: flags)
    }

    private mutating func send(_ host: MemberID, _ packet: [UInt8], samples: UInt32, flags: AudioFlags) throws {
        let place = studio.samplePosition
        let live = studio.room.stream?.info.epoch
        do {
            let ingest = try studio.send(packet, samples: samples, flags: flags, from: host)
            try check(ingest.effects.chunks.map(\.packet) == [packet], "a packet is passed on as it came")
            if studio.room.stream?.info.epoch == live, !ingest.effects.positions.isEmpty { revivalCount += 1 }
            try check(ingest.holdBackMicroseconds >= 0, "nobody is held back for a negative time")
            try take(ingest.effects, hostPlace: place, samples: samples)
        } catch let error as WireError {
            try check(error.code == .audioTooFast, "a good packet is refused only to the too fast", "\(error)")
        }
    }

    /// An invalid packet: it must have no effect.
    private mutating func sendWrong() throws {
        name = "send wrong"
        let before = studio.room
        let epoch = studio.epoch &+ (chance(20) ? UInt16.random(in: 1 ... .max, using: &generator) : 0)
        let bytes = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let header = AudioUp(
            flags: AudioFlags(rawValue: 255), epoch: epoch, sequence: 0, samplePosition: hostile(),
            samples: [0, 1, 5_760, .max].randomElement(using: &generator) ?? 0)
        let member = chance(50) ? host ?? 5 : 5
        // Place 0 or 1 may be the host's true next one. Then the packet is an ordinary one and no case for this check.
        if let live = before.stream, header.samplePosition <= 1, header.samplePosition >= live.hostPosition { return }
        do {
            let now = studio.now
            let ingest = try bytes.withUnsafeBytes { try studio.room.ingest(member, header, $0, now: now) }
            try check(ingest.effects.isEmpty, "a packet that was there before is dropped", "\(ingest)")
        } catch let error as WireError {
            let codes: [ErrorCode] = [.hostNotHost, .audioWrongEpoch, .audioMalformed, .audioTooFast]
            try check(codes.contains(error.code), "refused with one of its codes", "\(error)")
        }
        try check(studio.room.stream == before.stream && studio.room.playback == before.playback, "no trace of it")
    }

    private mutating func pause() throws {
        name = "pause"
        guard let host else { return }
        let place = chance(30) ? hostile() : nil
        try take(try studio.room.pauseHost(host, position: place, now: studio.now))
        try check(view.latest.state == .paused, "a pause pauses")
        if studio.room.stream != nil {
            try check(refusal { try studio.send(from: host) } == .audioWrongEpoch, "a pause ends the epoch")
        }
    }

    private mutating func stop() throws {
        name = "stop"
        guard let host else { return }
        let edge = studio.edge
        let effects = try studio.room.stopHost(host, now: studio.now)
        self.host = nil
        try check(effects.events(StreamEnded.self).first?.atMicroseconds == edge, "a stream ends at its edge")
        try take(effects)
    }

    private mutating func report() throws {
        name = "report"
        guard let host else { return }
        let report = Playback(
            state: PlaybackState.allCases.randomElement(using: &generator) ?? .playing,
            anchorMicroseconds: chance(10)
                ? hostile() : studio.now + Int64.random(in: -9_000_000...9_000_000, using: &generator),
            positionMicroseconds: hostile(), ratePPM: Int32.random(in: 0...4_000_000, using: &generator), revision: 0,
            epoch: studio.epoch)
        do {
            let effects = try studio.room.reportPosition(host, report, now: studio.now)
            // From here on the host's word counts, not the remaining sound.
            if !effects.isEmpty { expected = [] }
            try take(effects)
        } catch let error as WireError {
            try check(error.code == .frameMalformed, "only a bad anchor is refused", "\(error)")
        }
    }

    private mutating func setTrack() throws {
        name = "track"
        guard let host else { return }
        let effects = try studio.room.setTrack(host, Track(title: "\(stepCount)"), now: studio.now)
        try check(
            (effects.events(TrackChanged.self).first?.atMicroseconds ?? .min) >= studio.now,
            "titles are not changed before")
        try take(effects)
    }

    private mutating func leaveHost() throws {
        name = "leave"
        guard let host else { return }
        let isLost = chance(70)
        lossCount += isLost ? 1 : 0
        self.host = nil
        try take(studio.room.leave(host, isLost: isLost, now: studio.now))
        try check(isLost == (hostEvent.state == .away), "a lost host is away, one that leaves is gone")
    }

    private mutating func comeAndGo() throws {
        name = "come and go"
        let strangers = studio.room.members.keys.filter { $0 != host }.sorted()
        if let one = strangers.randomElement(using: &generator), strangers.count > 5 {
            return try take(studio.room.leave(one, isLost: chance(50), now: studio.now))
        }
        nextMember += 1
        let (snapshot, effects) = try studio.room.join(nextMember, .guest, wantsAudio: true, now: studio.now)
        try take(effects)
        view.advance(to: studio.now)
        try check(
            snapshot.playback == view.current && snapshot.upcoming == view.upcoming, "a joiner knows what others know")
        let newest = snapshot.upcomingTracks.last.map(\.track) ?? snapshot.nowPlaying?.track
        try check(newest == snapshot.room.track, "the newest track is the room's")
        try check(
            snapshot.upcomingTracks.allSatisfy { $0.atMicroseconds > studio.now }, "what is to come has not come")
        try check(snapshot.stream == stream, "a joiner is told the stream that others were told")
        try checkBurst()
    }

    // MARK: What comes of it

    private mutating func take(_ effects: [RoomEffect], hostPlace: Int64 = 0, samples: UInt32 = 0) throws {
        try check(effects.positions.isEmpty || effects.isPersisted || name == "report", "what is announced is kept")
        for effect in effects {
            switch effect {
            case .position(let playback): try take(playback)
            case .chunk(let chunk): try take(chunk, hostPlace, samples)
            case .event(let started as StreamStarted):
                try check(started.stream.startMicroseconds >= soundEnd, "no epoch begins while another sounds")
                if started.stream.epoch != studio.epoch { shiftCount += 1 }
                stream = started.stream
                soundEnd = started.stream.startMicroseconds
            case .event(let ended as StreamEnded):
                try check(ended.epoch == stream?.epoch, "the stream that ends is the one that was")
                try check(ended.atMicroseconds >= soundEnd, "a stream does not end before its sound")
                stream = nil
            case .event(let changed as HostChanged):
                try check(changed != hostEvent || changed.state == .here, "a change of host changes something")
                try check((changed.host == nil) == (changed.state == .none), "no host exactly if nobody")
                hostEvent = changed
                if changed.state == .none { host = nil }
            case .heard(let heard):
                try check(heardAt..<studio.now + 1 ~= heard.atMicroseconds, "what is heard is heard now", "\(heard)")
                heardAt = heard.atMicroseconds
                trackCount += 1
            case .event, .persist, .wentLive, .listenersChanged: break
            }
        }
    }

    private mutating func take(_ playback: Playback) throws {
        try check(playback.revision == view.latest.revision &+ 1, "revisions rise by one", "\(playback)")
        try check(0...Limits.integerMax ~= playback.positionMicroseconds, "positions are in range", "\(playback)")
        states.append(playback.state)
        if playback.state == .buffering, stream != nil {
            let reached = view.position(at: playback.anchorMicroseconds)
            try check(
                abs(reached - playback.positionMicroseconds) <= 3, "a wait begins where it was", "\(playback) \(view)")
        }
        view.hear(playback, now: studio.now)
    }

    private mutating func take(_ chunk: AudioChunk, _ hostPlace: Int64, _ samples: UInt32) throws {
        let header = chunk.header
        chunkCount += 1
        guard let stream else { return try check(false, "a packet belongs to a stream") }
        try check(header.epoch == stream.epoch, "a packet belongs to the stream that was announced")
        try check(header.samples == samples, "a packet adds what the host said")
        try check(chunk.due == max(stream.startMicroseconds, header.playAtMicroseconds), "due when it sounds")
        try check(chunk.due - studio.now >= 20_000, "a packet comes in time")
        try check(header.playAtMicroseconds - studio.now <= studio.room.ringMicroseconds, "and not out of reach")
        if let last {
            try check(header.sequence == last.sequence &+ 1, "packet numbers rise by one")
            let end = last.playAtMicroseconds + Timeline.microseconds(Int64(last.samples))
            let isNext: Bool
            if header.epoch == last.epoch {
                try check(header.playAtMicroseconds >= end, "packets do not overlap", "\(last) \(header)")
                isNext = header.playAtMicroseconds - end <= 1
            } else {
                isNext = stream.continues
            }
            try check(
                isNext || header.flags.contains(.discontinuity), "what does not follow resets", "\(last) \(header)")
            if isNext, header.epoch == last.epoch {
                try check(!header.flags.contains(.discontinuity), "what follows does not reset", "\(last) \(header)")
            }
        }
        last = header
        soundEnd = max(soundEnd, chunk.end)
        ring.append(chunk)
        guard hostPlace + Int64(samples) > preSkip else { return }
        let place = position + Timeline.microseconds(max(0, hostPlace - preSkip))
        expected.append(Expected(due: chunk.due, position: place, sequence: header.sequence))
    }

    /// Lets time go by for the listener, who compares the sound with the position it computes.
    private mutating func hear(until end: Int64) throws {
        while let next = expected.first, next.due <= end {
            expected.removeFirst()
            heardCount += 1
            let playing = view.inForce(at: next.due)
            try check(playing.state == .playing, "what sounds is playing", "\(next) \(view)")
            let error = view.position(at: next.due) - min(next.position, Limits.integerMax)
            try check(abs(error) <= 3, "the position is that of the sound", "\(error) µs off, \(next) \(view)")
        }
        studio.now = end
        view.advance(to: end)
    }

    // MARK: What holds at all times

    private mutating func checkRoom() throws {
        let now = studio.now
        try check(studio.room.seat.member == host, "who sits is who the walk let sit")
        try check(host.map { studio.room.members[$0] != nil } ?? true, "a host is a member")
        let room = studio.room.description()
        try check(room.host == hostEvent.host && room.hostState == hostEvent.state, "everybody knows of the host")
        try check(room.isLive == (stream != nil), "everybody knows of the stream")
        try check(room.listenerCount == studio.room.members.count - (host == nil ? 0 : 1), "listeners are counted")
        for time in [now, now + 100_000, now + 1_000_000] {
            let told = studio.room.playback.position(at: time)
            try check(view.position(at: time) == told, "listeners compute the room's position", "\(view)")
        }
        if studio.room.deadline.map({ $0 > now }) ?? true, studio.room.stream != nil,
            view.inForce(at: now).state == .playing
        {
            try check(now < soundEnd, "a position moves only while there is sound", "\(view)")
        }
        try check(studio.room.deadline.map { $0 < now + 100_000_000 } ?? true, "deadlines are near")
    }

    private func checkBurst() throws {
        let plan = JoinPlan(ring, now: studio.now)
        let messages = plan.messages(ring)
        try check(messages.allSatisfy { $0.count <= Limits.binaryDownBytesMax }, "bundles are not too large")
        let burst = try Burst(messages)
        let numbers = plan.preroll.lowerBound..<ring.end
        try check(burst.packets.count == numbers.count, "nothing is left out")
        try check(burst.preroll.count <= 8 && burst.preroll.count == plan.preroll.count, "at most eight to decode")
        for number in ring.numbers {
            let isAudible = ring[number].due >= studio.now + 60_000
            try check(plan.audible.contains(number) == isAudible, "what can be heard is sent to be heard")
        }
        for (number, packet) in zip(numbers, burst.packets) {
            let chunk = ring[number]
            try check(packet.packet == chunk.packet, "bursts repeat packets byte for byte")
            try check(packet.header.sequence == chunk.header.sequence, "and number them alike")
            let error = packet.header.playAtMicroseconds - chunk.header.playAtMicroseconds
            try check(abs(error) <= 100, "and place them alike", "\(error) µs off")
            if number > numbers.lowerBound {
                let kept = packet.header.flags.subtracting(.preroll)
                try check(kept == chunk.header.flags, "and mark them alike", "\(kept) \(chunk.header.flags)")
            }
        }
    }
}
