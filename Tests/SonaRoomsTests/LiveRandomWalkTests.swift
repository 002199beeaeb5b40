import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

/// Goal: whatever a live host, its sound card and its network do, listeners are sent one timeline. It bends by at most
/// 200 millionths, its packets come in time, and it agrees with the position that is announced.
///
/// Way: a walk of random packets (of all lengths, late, missing, silent), captures (true, wrong, nonsense), pauses,
/// stops and losses, beside a listener who knows only the packets and events sent.
@Suite struct LiveRandomWalkTests {
    @Test(arguments: [(1, 600), (2, 150), (3, 2_000)] as [(UInt64, Int)])
    func `a live timeline holds together on a random walk`(seed: UInt64, leadMilliseconds: Int) throws {
        var walk = try LiveWalk(seed: seed, leadMilliseconds: leadMilliseconds)
        for _ in 0..<20_000 { try walk.step() }
        #expect(walk.chunkCount > 5_000, "\(walk.chunkCount)")
        #expect(walk.shiftCount > 5, "\(walk.shiftCount)")
        #expect(walk.leftOutCount > 20, "\(walk.leftOutCount)")
        #expect(walk.bentCount > 1_000, "\(walk.bentCount)")
    }
}

private struct LiveWalk {
    private let seed: UInt64
    private var generator: SeededGenerator
    private var studio: Studio
    private let ring: ChunkRing
    private var view: ListenerView
    private var stepCount = 0
    private var isHosting = false
    /// The card's time, µs, which runs at its own rate, and the added delay of packets.
    private var captured: Double = 0
    private var cardPPM = 0.0
    private var delay: Int64 = 5_000

    private var last: AudioDown?
    private var stream: StreamInfo?
    private var expected: [(due: Int64, sequence: UInt32)] = []
    private(set) var chunkCount = 0
    private(set) var shiftCount = 0
    private(set) var leftOutCount = 0
    private(set) var bentCount = 0

    init(seed: UInt64, leadMilliseconds: Int) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        let stored = Playback(
            state: .stopped, anchorMicroseconds: 0, positionMicroseconds: 0, revision: .max - 30, epoch: .max - 10)
        studio = try Studio(leadMilliseconds: leadMilliseconds, playback: stored, firstPacket: .max - 2_000)
        ring = ChunkRing(microsecondsMax: studio.room.ringMicroseconds)
        view = ListenerView(try studio.snapshot())
    }

    private func check(_ condition: Bool, _ claim: String, _ detail: String = "") throws {
        try #require(condition, "seed \(seed), step \(stepCount): \(claim) \(detail)")
    }

    private mutating func chance(_ percent: Double) -> Bool {
        Double.random(in: 0..<100, using: &generator) < percent
    }

    mutating func step() throws {
        stepCount += 1
        guard isHosting else { return try begin() }
        switch Double.random(in: 0..<100, using: &generator) {
        case ..<93: try sendNext()
        case ..<95: try tellCapture()
        case ..<97: try checkBurst()
        case ..<98.5: delay = Int64.random(in: 1_000...60_000, using: &generator)
        case ..<99.3: try pass(Int64.random(in: 0...2_500_000, using: &generator))
        case ..<99.6: captured += Double.random(in: -1_200_000...600_000, using: &generator)
        default: try end()
        }
    }

    private mutating func begin() throws {
        if studio.room.members[Studio.host] == nil {
            try take(try studio.room.join(Studio.host, .owner, wantsAudio: false, now: studio.now).effects)
        }
        let skip = [0, 312, 3_840].randomElement(using: &generator) ?? 0
        let (result, effects) = try studio.start(
            preSkip: skip, position: Int64.random(in: 0...9_000_000, using: &generator), continues: chance(30),
            pacing: .live)
        try take(effects)
        isHosting = true
        cardPPM = Double.random(in: -600...600, using: &generator)
        captured = Double(result.startMicroseconds - studio.room.leadMicroseconds)
    }

    private mutating func sendNext() throws {
        let kinds: [([UInt8], UInt32)] = [
            (Packet.one(28), 120), (Packet.one(31), 960), (Packet.one(31), 960), (Packet.one(2), 1_920),
            (Packet.several(2, 3, bytes: 20), 5_760),
        ]
        let (packet, samples) = kinds.randomElement(using: &generator) ?? kinds[1]
        var flags: AudioFlags = chance(3) ? .silence : []
        if chance(0.05) { flags.insert(.last) }
        if chance(1) {
            // Nothing is sent for a while, and the card counts on.
            let gap = Int64.random(in: 1...96_000, using: &generator)
            studio.samplePosition += gap
            captured += Double(gap) * 125 / 6
        }
        captured += Double(samples) * 125 / 6 / (1 + cardPPM * 1e-6)
        let jitter = chance(2) ? Int64.random(in: 0...1_500_000, using: &generator) : 0
        try pass(max(0, Int64(captured) + delay + jitter - studio.now))
        let epoch = studio.room.stream?.info.epoch
        do {
            let ingest = try studio.send(packet, samples: samples, flags: flags)
            if ingest.effects.chunks.isEmpty { leftOutCount += 1 }
            if studio.room.stream?.info.epoch != epoch { shiftCount += 1 }
            try take(ingest.effects)
        } catch let error as WireError {
            try check([.audioTooFast, .audioWrongEpoch].contains(error.code), "a good packet is taken", "\(error)")
            if error.code == .audioWrongEpoch { isHosting = false }
        }
        if abs(studio.room.stream?.timeline.stretchPPM ?? 0) > 0 { bentCount += 1 }
    }

    private mutating func tellCapture() throws {
        let truth = Int64(captured)
        let wrong = [0, 3_000_000, -70_000, Int64.random(in: -900_000...900_000, using: &generator), .max / 2 - truth]
        let frame = CaptureFrame(
            epoch: studio.epoch, samplePosition: studio.samplePosition,
            serverMicroseconds: truth &+ (wrong.randomElement(using: &generator) ?? 0),
            errorMicroseconds: UInt32.random(in: 0...2_000, using: &generator))
        try studio.room.noteCapture(Studio.host, frame, now: studio.now)
    }

    private mutating func end() throws {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: try take(try studio.room.pauseHost(Studio.host, now: studio.now))
        case 1: try take(try studio.room.stopHost(Studio.host, now: studio.now))
        case 2: try take(studio.room.leave(Studio.host, isLost: chance(70), now: studio.now))
        default: break
        }
        isHosting = false
        try pass(Int64.random(in: 0...4_000_000, using: &generator))
    }

    private mutating func pass(_ microseconds: Int64) throws {
        let end = studio.now + microseconds
        while let deadline = studio.room.deadline, deadline <= end {
            try hear(until: max(deadline, studio.now))
            try take(studio.room.tick(now: studio.now))
        }
        try hear(until: end)
    }

    private mutating func hear(until end: Int64) throws {
        while let next = expected.first, next.due <= end {
            expected.removeFirst()
            try check(view.inForce(at: next.due).state == .playing, "what sounds is playing", "\(next) \(view)")
        }
        studio.now = end
        view.advance(to: end)
    }

    private mutating func take(_ effects: [RoomEffect]) throws {
        for effect in effects {
            switch effect {
            case .position(let playback):
                view.hear(playback, now: studio.now)
            case .event(let event):
                if let started = event as? StreamStarted { stream = started.stream }
                if event is StreamEnded { stream = nil }
            case .chunk(let chunk): try take(chunk)
            default: break
            }
        }
        let told = studio.room.playback.position(at: studio.now)
        try check(view.position(at: studio.now) == told, "listeners compute the room's position")
    }

    private mutating func take(_ chunk: AudioChunk) throws {
        chunkCount += 1
        let header = chunk.header
        let stream = try #require(stream)
        try check(header.epoch == stream.epoch, "packets are of the epoch that was told")
        try check(chunk.due - studio.now >= Limits.hostLateMicroseconds, "in time", "\(chunk.due - studio.now)")
        if let last {
            try check(header.sequence == last.sequence &+ 1, "numbers rise by one")
            let duration = Int64(last.samples) * 125 / 6
            let step = header.playAtMicroseconds - last.playAtMicroseconds
            if header.epoch == last.epoch {
                try check(step >= duration - duration / 5_000 - 1, "no overlap", "\(step) \(duration)")
                if !header.flags.contains(.discontinuity) {
                    try check(abs(step - duration) <= duration / 5_000 + 1, "no jump", "\(step) \(duration)")
                }
            } else {
                let end = last.playAtMicroseconds + duration
                try check(chunk.due >= end - 30, "epochs do not overlap", "\(chunk.due - end)")
                try check(
                    header.flags.contains(.discontinuity) == !stream.continues, "resets are told", "\(header) \(stream)"
                )
            }
        }
        last = header
        ring.append(chunk)
        if header.playAtMicroseconds + Int64(header.samples) * 125 / 6 > stream.startMicroseconds {
            expected.append((chunk.due, header.sequence))
        }
    }

    private func checkBurst() throws {
        let plan = JoinPlan(ring, now: studio.now)
        let burst = try Burst(plan.messages(ring))
        let numbers = plan.preroll.lowerBound..<ring.end
        try check(burst.packets.count == numbers.count, "nothing is left out")
        for (number, packet) in zip(numbers, burst.packets) {
            let error = packet.header.playAtMicroseconds - ring[number].header.playAtMicroseconds
            try check(abs(error) <= Limits.bundleToleranceMicroseconds, "bundles place alike", "\(error) µs off")
            try check(packet.header.sequence == ring[number].header.sequence, "and number alike")
            try check(packet.packet == ring[number].packet, "byte for byte")
        }
    }
}
