import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

@Suite struct LiveRoomAudioTests {
    private var studio: Studio

    init() throws { studio = try Studio() }

    // MARK: Places in time

    @Test(arguments: [0, 1, 312, 313, 3_840, 65_535])
    mutating func `each packet sounds at the start, less the pre-skip, plus the samples before it`(preSkip: Int) throws
    {
        let start = try studio.start(preSkip: preSkip).result.startMicroseconds
        #expect(start == studio.now + Studio.lead)
        for index in 0..<100 {
            let chunk = try #require(try studio.send().effects.chunks.first)
            let samples = Int64(index * 960 - preSkip)
            #expect(chunk.header.playAtMicroseconds == start + Int64((Double(samples) * 125 / 6).rounded(.down)))
            #expect(chunk.header.samples == 960)
            #expect(chunk.header.epoch == 1)
            #expect(chunk.header.sequence == UInt32(index))
            #expect(chunk.due == max(start, chunk.header.playAtMicroseconds))
        }
    }

    @Test mutating func `packets are passed on byte for byte`() throws {
        try studio.start()
        var generator = SeededGenerator(seed: 6716)
        for _ in 0..<200 {
            let body = (0..<Int.random(in: 0...1275, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let packet = [0xFC] + body
            #expect(try studio.send(packet).effects.chunks.map(\.packet) == [packet])
        }
    }

    @Test(
        arguments: [
            (Packet.one(28), 120), (Packet.one(29), 240), (Packet.one(30), 480), (Packet.one(31), 960),
            (Packet.one(2), 1_920),
            (Packet.one(3), 2_880), (Packet.several(6, 31, bytes: 60), 5_760),
            (Packet.several(48, 28, bytes: 96), 5_760),
        ] as [([UInt8], UInt32)])
    mutating func `packets of every length from 2_5 to 120 ms follow one another`(packet: [UInt8], samples: UInt32)
        throws
    {
        let start = try studio.start(preSkip: 0).result.startMicroseconds
        for index in 0..<10 {
            let chunk = try #require(try studio.send(packet, samples: samples).effects.chunks.first)
            #expect(chunk.header.playAtMicroseconds == start + Int64(index) * Int64(samples) * 125 / 6)
            #expect(chunk.header.flags.contains(.discontinuity) == (index == 0))
            #expect(refusal { try studio.send(packet, samples: samples + 1) } == .audioMalformed)
        }
    }

    @Test mutating func `the first packet resets decoders, the following ones do not`() throws {
        try studio.start()
        #expect(try studio.send(packets: 3).chunks.map(\.header.flags) == [.discontinuity, [], []])
        try studio.start(continues: true)
        #expect(try studio.send(packets: 2).chunks.map(\.header.flags) == [[], []])
        try studio.start()
        #expect(try studio.send(packets: 2).chunks.map(\.header.flags) == [.discontinuity, []])
    }

    @Test mutating func `only the host's flags SILENCE and LAST are heeded`() throws {
        try studio.start()
        try studio.send()
        #expect(try studio.send(flags: .silence).effects.chunks.map(\.header.flags) == [.silence])
        #expect(try studio.send(flags: [.discontinuity, .preroll, .replay]).effects.chunks.map(\.header.flags) == [[]])
        let all = AudioFlags(rawValue: 0xFF)
        #expect(try studio.send(flags: all).effects.chunks.map(\.header.flags) == [[.silence, .last]])
    }

    @Test mutating func `the last packet may add fewer samples than it holds`() throws {
        let start = try studio.start(preSkip: 0).result.startMicroseconds
        try studio.send(packets: 10)
        let last = try #require(try studio.send(samples: 1, flags: .last).effects.chunks.first)
        #expect(last.header.samples == 1)
        #expect(last.end == start + 200_020)
        #expect(studio.edge == start + 200_020)
        #expect(studio.room.stream?.timeline.samples == 9_601)
    }

    @Test mutating func `a file follows a trimmed one to the sample`() throws {
        try studio.start(preSkip: 0)
        try studio.send(packets: 30)
        let edge = try #require(studio.edge) + 10_000
        try studio.send(samples: 480, flags: .last)
        let next = try studio.start(preSkip: 312)
        #expect(next.result.startMicroseconds == edge)
        #expect(try studio.send().effects.chunks.first?.header.playAtMicroseconds == edge - 6_500)
    }

    @Test mutating func `nothing follows the last packet of an epoch`() throws {
        try studio.start()
        try studio.send(flags: .last)
        #expect(refusal { try studio.send() } == .audioWrongEpoch)
        #expect(try studio.send(at: 0).effects.isEmpty)
    }

    // MARK: What is missing, twice, or wrong

    @Test mutating func `a gap stays a gap, and decoders are reset after it`() throws {
        let start = try studio.start(preSkip: 0).result.startMicroseconds
        try studio.send(packets: 2)
        let chunk = try #require(try studio.send(at: 5 * 960).effects.chunks.first)
        #expect(chunk.header.playAtMicroseconds == start + 100_000)
        #expect(chunk.header.flags == .discontinuity)
        #expect(chunk.header.sequence == 2)
        #expect(try studio.send().effects.chunks.first?.header.flags == [])
    }

    @Test mutating func `a repeated packet is dropped silently`() throws {
        try studio.start(preSkip: 0)
        try studio.send(packets: 3)
        for place: Int64 in [0, 960, 1_920, 2_879] {
            let ingest = try studio.send(at: place)
            #expect(ingest.effects.isEmpty)
            #expect(ingest.holdBackMicroseconds == 0)
        }
        let next = try #require(try studio.send(at: 2_880).effects.chunks.first)
        #expect(next.header.sequence == 3)
        #expect(next.header.flags == [])
    }

    @Test mutating func `another epoch than the host's own is refused`() throws {
        #expect(refusal { try studio.send() } == .hostNotHost)
        try studio.start()
        #expect(refusal { try studio.send(epoch: 0) } == .audioWrongEpoch)
        #expect(refusal { try studio.send(epoch: 2) } == .audioWrongEpoch)
        #expect(refusal { try studio.send(epoch: .max) } == .audioWrongEpoch)
        try studio.start()
        #expect(refusal { try studio.send(epoch: 1) } == .audioWrongEpoch)
        #expect(try studio.send().effects.chunks.first?.header.sequence == 0)
    }

    @Test mutating func `audio from anybody but the host is refused`() throws {
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now)
        _ = try studio.room.join(Studio.guest, .guest, wantsAudio: true, now: studio.now)
        try studio.start()
        for member in [Studio.second, Studio.guest, 77] {
            #expect(refusal { try studio.send(from: member) } == .hostNotHost)
        }
        try studio.startSilently()
        #expect(refusal { try studio.send() } == .audioWrongEpoch)
    }

    @Test(
        arguments: [
            [],  // R1: no byte.
            Packet.one(bytes: 1_276),  // R2: a frame above 1275 bytes.
            [0xFD, 0],  // R3: two equal frames in an odd number of bytes.
            [0xFE],  // R4: no length of the first frame.
            [0xFE, 252],  // R4: half a length.
            [0xFE, 5, 0, 0],  // R4: a first frame longer than the packet.
            [0xFF],  // R6, R7: no frame count.
            [0xFF, 0],  // R5: no frames.
            Packet.several(7, 31, bytes: 70),  // R5: 140 ms.
            Packet.several(49, 28, bytes: 49),  // R5: 122.5 ms.
            [0xFF, 2, 0],  // R6: two equal frames in one byte.
            [0xFF, 0x41, 5, 0],  // R6: padding longer than the packet.
            [0xFF, 0x41, 255],  // R6: padding without an end.
            [0xFF, 0x82, 3, 0],  // R7: a frame longer than the packet.
            [0xFF, 0x83, 1],  // R7: too few lengths.
        ] as [[UInt8]])
    mutating func `an invalid Opus packet is refused and leaves no trace`(packet: [UInt8]) throws {
        try studio.start(preSkip: 0)
        try studio.send()
        #expect(refusal { try studio.send(packet, samples: 120) } == .audioMalformed)
        #expect(refusal { try studio.send(packet, samples: 120, at: 96_000) } == .audioMalformed)
        let next = try #require(try studio.send(at: 960).effects.chunks.first)
        #expect(next.header.sequence == 1)
        #expect(next.header.flags == [])
    }

    @Test mutating func `a packet of many frames with padding is well formed`() throws {
        try studio.start()
        #expect(try studio.send([0xFF, 0xC2, 1, 1, 9, 9, 0], samples: 1_920).effects.chunks.count == 1)
    }

    // MARK: Ahead

    @Test mutating func `a host more than two seconds ahead of the lead is held back by the excess`() throws {
        try studio.start(preSkip: 0)
        // Packet n sounds n × 20 ms after a lead from now.
        for _ in 0...100 { #expect(try studio.send().holdBackMicroseconds == 0) }
        #expect(try studio.send().holdBackMicroseconds == 20_000)
        #expect(try studio.send().holdBackMicroseconds == 40_000)
        studio.now += 60_000
        #expect(try studio.send().holdBackMicroseconds == 0)
    }

    @Test mutating func `a packet over ten seconds ahead of the lead is refused, or sound would be lost`() throws {
        try studio.start(preSkip: 0)
        try studio.send()
        #expect(refusal { try studio.send(at: 480_001) } == .audioTooFast)
        #expect(refusal { try studio.send(at: 3_000 * 48_000) } == .audioTooFast)
        // The packet was dropped and left no trace.
        #expect(try studio.send().effects.chunks.first?.header.flags == [])
        let chunk = try #require(try studio.send(at: 480_000).effects.chunks.first)
        #expect(chunk.header.playAtMicroseconds == studio.now + studio.room.ringMicroseconds)
        studio.now += 20_000
        #expect(try studio.send().effects.chunks.count == 1)
    }

    @Test mutating func `no sample position causes harm`() throws {
        try studio.start()
        try studio.send()
        for place: Int64 in [.min, .min + 1, -1, 0] { #expect(try send(at: place) == 0) }
        for place: Int64 in [.max, .max - 1, Limits.integerMax, Limits.integerMax - 5_760] {
            #expect(refusal { _ = try send(at: place) } == .audioMalformed)
        }
        #expect(try studio.send().effects.chunks.first?.header.flags == [])
    }

    private mutating func send(at place: Int64) throws -> Int {
        let header = AudioUp(epoch: studio.epoch, sequence: 0, samplePosition: place, samples: 960)
        let now = studio.now
        return try Packet.one().withUnsafeBytes { bytes in
            try studio.room.ingest(Studio.host, header, bytes, now: now).effects.count
        }
    }

    // MARK: Late

    @Test mutating func `a packet 20 ms before its time is taken, one a microsecond later moves the timeline`() throws {
        let start = try studio.start(preSkip: 0).result.startMicroseconds
        studio.now = start - 20_000
        #expect(try studio.send().effects.chunks.first?.header.playAtMicroseconds == start)
        studio.now = start + 1
        let effects = try studio.send().effects
        #expect(effects.chunks.first?.header.playAtMicroseconds == studio.now + Studio.lead)
        #expect(effects.events(StreamStarted.self).count == 1)
    }

    @Test mutating func `a late host makes everybody wait, and nothing is lost`() throws {
        try studio.start(preSkip: 312, position: 7_000_000)
        try studio.play(packets: 100)
        let edge = try #require(studio.edge)
        let position = 7_000_000 + 2_000_000 - 6_500 as Int64
        let starved = studio.wait(1_500_000)
        let held = try #require(starved.positions.first)
        #expect(held.state == .buffering)
        #expect(held.anchorMicroseconds == edge)
        #expect(held.positionMicroseconds == position)
        #expect(held.epoch == 1)
        #expect(starved.isPersisted)

        let effects = try studio.send().effects
        let began = try #require(effects.events(StreamStarted.self).first)
        #expect(began.stream.epoch == 2)
        #expect(began.stream.continues)
        #expect(began.stream.preSkip == 0)
        #expect(began.stream.startMicroseconds == studio.now + Studio.lead)
        #expect(effects.positions.map(\.state) == [.playing])
        #expect(effects.positions.first?.anchorMicroseconds == studio.now + Studio.lead)
        #expect(effects.positions.first?.positionMicroseconds == position)
        let chunk = try #require(effects.chunks.first)
        #expect(chunk.header.epoch == 2)
        #expect(chunk.header.sequence == 100)
        #expect(chunk.header.flags == [])
        #expect(chunk.header.playAtMicroseconds == studio.now + Studio.lead)

        // The host goes on with its own epoch and its own count.
        let next = try #require(try studio.send().effects.chunks.first)
        #expect(next.header.playAtMicroseconds == chunk.end)
        #expect(next.header.epoch == 2)
    }

    @Test mutating func `a slightly late packet makes the position stop where the sound does`() throws {
        let start = try studio.start(preSkip: 0).result.startMicroseconds
        try studio.send(packets: 5)
        let edge = start + 100_000
        studio.wait(edge - 10_000 - studio.now)
        let effects = try studio.send().effects
        #expect(effects.positions.map(\.state) == [.buffering, .playing])
        #expect(effects.positions.map(\.anchorMicroseconds) == [edge, studio.now + Studio.lead])
        #expect(effects.positions.map(\.positionMicroseconds) == [100_000, 100_000])
        #expect(studio.room.playback.position(at: edge - 1) == 99_999)
        #expect(studio.room.playback.position(at: edge) == 100_000)
        #expect(studio.room.playback.position(at: studio.now + Studio.lead - 1) == 100_000)
    }

    @Test mutating func `a timeline that moves before the first sound keeps the pre-skip`() throws {
        try studio.start(preSkip: 1_500, position: 60_000_000)
        try studio.send()
        studio.wait(5_000_000)
        let effects = try studio.send().effects
        let stream = try #require(effects.events(StreamStarted.self).first?.stream)
        #expect(stream.preSkip == 540)
        #expect(stream.startMicroseconds == studio.now + Studio.lead)
        #expect(effects.chunks.first?.header.playAtMicroseconds == stream.startMicroseconds - 11_250)
        #expect(effects.chunks.first?.due == stream.startMicroseconds)
        #expect(effects.positions.last?.positionMicroseconds == 60_000_000)
    }

    @Test mutating func `a timeline that moves before the first packet still resets decoders`() throws {
        try studio.start()
        studio.wait(5_000_000)
        let effects = try studio.send().effects
        #expect(effects.events(StreamStarted.self).first?.stream.continues == false)
        #expect(effects.chunks.first?.header.flags == .discontinuity)
    }

    @Test mutating func `a late packet after a gap counts the gap as played`() throws {
        try studio.start(preSkip: 0)
        try studio.play(packets: 10)
        studio.wait(5_000_000)
        let effects = try studio.send(at: 48_000).effects
        #expect(effects.chunks.first?.header.flags == .discontinuity)
        #expect(effects.events(StreamStarted.self).first?.stream.continues == false)
        #expect(effects.positions.last?.positionMicroseconds == 1_000_000)
    }

    @Test mutating func `a host that skips ahead of the silence makes the room play again`() throws {
        // Goal: after a dropout of the network a live host goes on at its true place. Nothing is late, but the room
        // must not stay "buffering".
        let start = try studio.start(preSkip: 0).result.startMicroseconds
        try studio.play(packets: 50)
        #expect(studio.wait(2_000_000).positions.map(\.state) == [.buffering])
        let ahead = (studio.now + 500_000 - start) * 6 / 125
        let effects = try studio.send(at: ahead - ahead % 960).effects
        let chunk = try #require(effects.chunks.first)
        #expect(effects.events(StreamStarted.self).isEmpty)
        #expect(chunk.header.flags == .discontinuity)
        let playing = try #require(effects.positions.first)
        #expect(playing.state == .playing)
        #expect(playing.anchorMicroseconds == chunk.header.playAtMicroseconds)
        #expect(playing.positionMicroseconds == chunk.header.playAtMicroseconds - start)
        // A second silence is noticed again.
        #expect(studio.room.deadline == chunk.end)
        #expect(studio.wait(2_000_000).positions.map(\.state) == [.buffering])
    }

    @Test mutating func `a pre-skip longer than the lead is decoded in time and not late`() throws {
        let start = try studio.start(preSkip: 65_535).result.startMicroseconds
        let effects = try studio.send(packets: 69)
        #expect(effects.events(StreamStarted.self).isEmpty)
        #expect(effects.chunks.first.map { $0.header.playAtMicroseconds < studio.now } == true)
        #expect(effects.chunks.dropLast().allSatisfy { $0.due == start })
        #expect(effects.chunks.last.map { $0.end > start } == true)
        #expect(studio.edge == effects.chunks.last?.end)
    }

    @Test mutating func `packet numbers go on through epochs, shifts and stays`() throws {
        var sequences: [UInt32] = []
        for _ in 0..<3 {
            try studio.start()
            sequences += try studio.play(packets: 10).chunks.map(\.header.sequence)
            studio.wait(3_000_000)
            sequences += try studio.play(packets: 10).chunks.map(\.header.sequence)
            _ = try studio.room.stopHost(Studio.host, now: studio.now)
        }
        #expect(sequences == Array(0..<60))
    }
}
