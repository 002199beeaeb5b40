import SonaRooms
import SonaWire
import Testing

/// Live hosts that are silent, and numbers that reach their end.
@Suite struct LiveSilenceTests {
    private var studio: Studio

    init() throws { studio = try Studio() }

    /// Sends live packets of 20 ms when they are due. The last one has the given flags.
    private mutating func play(_ packets: Int, last flags: AudioFlags = []) throws {
        for number in 1...packets {
            let ingest = try studio.send(flags: number == packets ? flags : [])
            #expect(ingest.effects.chunks.count == 1)
            studio.wait(20_000)
        }
    }

    private mutating func begin() throws {
        let start = try studio.start(preSkip: 0, pacing: .live).result.startMicroseconds
        studio.wait(start - Studio.lead - studio.now)
    }

    @Test mutating func `a room plays on while a live host is silent`() throws {
        try begin()
        try play(100, last: .silence)
        let edge = try #require(studio.edge)
        #expect(studio.wait(5_000_000).positions.isEmpty, "nothing is missing")
        #expect(studio.room.playback.latest.state == .playing)
        // The host speaks again; its count went on.
        studio.samplePosition += 250 * 960
        let effects = try studio.send().effects
        #expect(effects.positions.isEmpty && effects.events(StreamStarted.self).isEmpty)
        let chunk = try #require(effects.chunks.first)
        #expect(chunk.header.flags == .discontinuity)
        #expect(abs(chunk.header.playAtMicroseconds - edge - 5_000_000) <= 1_000)
    }

    @Test mutating func `five seconds after a silent packet with nothing following the room waits`() throws {
        try begin()
        try play(100, last: .silence)
        let edge = try #require(studio.edge)
        let effects = studio.wait(edge - studio.now + 5_000_000)
        let held = try #require(effects.positions.first)
        #expect(held.state == .buffering)
        #expect(held.anchorMicroseconds == edge + 5_000_000)
        #expect(held.positionMicroseconds == 2_000_000 + 5_000_000)
    }

    @Test mutating func `without SILENCE the room waits at once`() throws {
        try begin()
        try play(100)
        let edge = try #require(studio.edge)
        let held = try #require(studio.wait(5_000_000).positions.first)
        #expect(held.state == .buffering && held.anchorMicroseconds == edge)
    }

    @Test mutating func `a file's silent packets have no such effect`() throws {
        try studio.start(preSkip: 0)
        try studio.send(packets: 10)
        try studio.send(flags: .silence)
        let edge = try #require(studio.edge)
        #expect(studio.wait(5_000_000).positions.first?.anchorMicroseconds == edge)
    }

    @Test mutating func `a pause during silence is at the present moment`() throws {
        try begin()
        try play(100, last: .silence)
        studio.wait(2_000_000)
        let paused = try #require(try studio.room.pauseHost(Studio.host, now: studio.now).positions.first)
        #expect(paused.anchorMicroseconds == studio.now)
        let start = try #require(studio.room.stream?.timeline.start)
        #expect(paused.positionMicroseconds == studio.now - start)
    }

    @Test mutating func `one late packet is left out, and the next resets`() throws {
        try begin()
        try play(100)
        let edge = try #require(studio.edge)
        // A microsecond late.
        studio.wait(edge - 20_000 + 1 - studio.now)
        #expect(try studio.send().effects.isEmpty)
        let next = try #require(try studio.send().effects.chunks.first)
        #expect(next.header.flags == .discontinuity)
        #expect(next.header.playAtMicroseconds == edge + 20_000)
        #expect(next.header.sequence == 100)
    }

    @Test mutating func `late packets for longer than 300 ms move the timeline`() throws {
        try begin()
        try play(100)
        studio.wait(4_000_000)
        let began = studio.now
        while studio.now - began <= 300_000 {
            #expect(try studio.send().effects.isEmpty)
            studio.wait(20_000)
        }
        let effects = try studio.send().effects
        let stream = try #require(effects.events(StreamStarted.self).first?.stream)
        #expect(stream.startMicroseconds == studio.now + Studio.lead)
        #expect(!stream.continues)
        #expect(effects.chunks.first?.header.playAtMicroseconds == studio.now + Studio.lead)
        #expect(effects.positions.map(\.state) == [.playing])
    }

    @Test mutating func `the last packet ends the epoch, late or not`() throws {
        try begin()
        try play(100)
        studio.wait(2_000_000)
        #expect(try studio.send(flags: .last).effects.isEmpty)
        #expect(refusal { try studio.send() } == .audioWrongEpoch)
    }

    @Test mutating func `captures are accepted from the host only, for its epoch`() throws {
        let now = studio.now
        func capture(_ member: MemberID, _ epoch: UInt16) -> ErrorCode? {
            let frame = CaptureFrame(
                epoch: epoch, samplePosition: 0, serverMicroseconds: now, errorMicroseconds: 0)
            return refusal { try studio.room.noteCapture(member, frame, now: now) }
        }
        #expect(capture(Studio.host, 0) == .hostNotHost)
        try begin()
        #expect(capture(Studio.host, studio.epoch) == nil)
        #expect(capture(Studio.host, studio.epoch &+ 1) == .audioWrongEpoch)
        #expect(capture(Studio.second, studio.epoch) == .hostNotHost)
        // With a file captures have no meaning.
        try studio.start()
        #expect(capture(Studio.host, studio.epoch) == nil)
        #expect(studio.room.stream?.pacing == .server)
    }

    @Test mutating func `no capture causes harm`() throws {
        try begin()
        try play(500)
        for sample: Int64 in [0, 1, 480_000, Limits.integerMax] {
            for time in [-Limits.integerMax, -1, 0, studio.now, Limits.integerMax] {
                for error: UInt32 in [0, 1, 1_000_000, .max] {
                    studio.wait(20_000)
                    let frame = CaptureFrame(
                        epoch: studio.epoch, samplePosition: sample, serverMicroseconds: time, errorMicroseconds: error)
                    try studio.room.noteCapture(Studio.host, frame, now: studio.now)
                    try studio.send()
                }
            }
        }
        #expect(abs(studio.room.stream?.timeline.stretchPPM ?? 999) <= 200)
        #expect(studio.room.stream?.info.epoch == studio.epoch)
    }

    // MARK: Numbers at their end

    @Test func `packet numbers wrap at 2³² without a trace`() throws {
        var studio = try Studio(firstPacket: .max - 4)
        let ring = ChunkRing(microsecondsMax: studio.room.ringMicroseconds)
        try studio.start(preSkip: 0)
        let chunks = try studio.send(packets: 30).chunks
        #expect(chunks.map(\.header.sequence) == (0..<30).map { UInt32.max - 4 &+ $0 })
        for chunk in chunks { ring.append(chunk) }
        let burst = try Burst(JoinPlan(ring, now: studio.now).messages(ring))
        #expect(burst.packets.map(\.header.sequence) == chunks.map(\.header.sequence))
    }

    @Test func `epochs wrap at 2¹⁶ and revisions at 2³²`() throws {
        let stored = Playback(
            state: .paused, anchorMicroseconds: 0, positionMicroseconds: 0, revision: .max - 2, epoch: .max - 1)
        for pacing in [Pacing.server, .live] {
            var studio = try Studio(playback: stored)
            var view = ListenerView(try studio.snapshot())
            var epochs: [UInt16] = []
            for _ in 0..<4 {
                let (result, effects) = try studio.start(preSkip: 0, pacing: pacing)
                epochs.append(result.epoch)
                for playback in effects.positions { view.hear(playback, now: studio.now) }
                studio.wait(result.startMicroseconds - Studio.lead - studio.now)
                for effect in try studio.play(packets: 40).positions { view.hear(effect, now: studio.now) }
                #expect(view.latest == studio.room.playback.latest)
            }
            #expect(epochs == [.max, 0, 1, 2])
            #expect(view.latest.revision < 100)
        }
    }
}
