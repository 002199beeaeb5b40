import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

/// Live hosts: sound cards at odd rates, lines that stall, wrong clocks.
///
/// Each case plays minutes of a simulated host against a room, in no time. It compares when each packet came and when
/// it sounds.
@Suite struct LiveHostTests {
    static let lead: Int64 = 600_000
    /// Factor by which long runs are longer: half an hour instead of ten minutes.
    static let length = TestLength.isLong ? 3.0 : 1

    // MARK: Sound cards

    @Test(arguments: [-200, -150, -37, 0, 50, 100, 199.0])
    func `a sound card within 200 millionths is followed without a break`(ppm: Double) throws {
        var live = try LiveBroadcast(cardPPM: ppm)
        live.jitter = 3_000
        live.clockError = { _ in 0 }
        try live.begin()
        try live.run(seconds: 400 * Self.length)
        #expect(live.starts.isEmpty, "one epoch: \(live.starts.count)")
        #expect(live.leftOut == 0)
        #expect(live.stretchMax <= 200.001, "\(live.stretchMax)")
        let margin = live.bestMargin(last: 10)
        #expect(abs(margin - Self.lead) < 6_000, "a lead before it sounds: \(margin)")
        #expect(live.states.allSatisfy { $0 == .playing })
    }

    @Test(arguments: [-500, -300, 300, 500.0], [true, false])
    func `a sound card beyond that breaks the timeline rarely, and never runs dry or ahead`(
        ppm: Double, tellsCaptures: Bool
    ) throws {
        var live = try LiveBroadcast(cardPPM: ppm)
        live.jitter = 3_000
        if tellsCaptures { live.clockError = { _ in 0 } }
        try live.begin()
        for _ in 0..<Int(10 * Self.length) {
            try live.run(seconds: 60)
            #expect(live.worstMargin(last: 60) > Self.lead - 120_000, "\(live.worstMargin(last: 60))")
            #expect(live.bestMargin(last: 60) < Self.lead + 320_000, "\(live.bestMargin(last: 60))")
        }
        #expect(live.stretchMax <= 200.001)
        // The excess over 200 millionths adds up to a step every so many seconds.
        let step = ppm < 0 ? 170.0 : 250
        let expected = 600 * Self.length * (abs(ppm) - 200) / 1000 / step
        #expect(Double(live.starts.count) <= expected + 1.5, "\(live.starts.count) epochs, \(expected) expected")
        // A slow card loses nothing; a fast card loses the excess.
        #expect((live.leftOut > 0) == (ppm > 0 && live.starts.count > 0))
    }

    @Test(arguments: [150, 600, 10_000], [-500, 500.0])
    func `every lead works`(lead: Int, ppm: Double) throws {
        var live = try LiveBroadcast(cardPPM: ppm, leadMilliseconds: lead)
        live.jitter = 2_000
        try live.begin()
        let seconds = 600 * Self.length
        try live.run(seconds: seconds)
        let settled = seconds - 100
        #expect(live.worstMargin(last: settled) > Int64(lead) * 1000 * 2 / 3, "\(live.worstMargin(last: settled))")
        #expect(live.bestMargin(last: settled) < Int64(lead) * 1000 + 300_000)
        #expect(live.stretchMax <= 200.001)
    }

    // MARK: Clocks that are wrong

    @Test(
        arguments: [3_000_000, -3_000_000, -86_400_000_000, 86_400_000_000, 1_000_000] as [Int64], [-150, 150.0])
    func `a host whose time is wrong by seconds is followed by its arrivals`(error: Int64, ppm: Double) throws {
        var live = try LiveBroadcast(cardPPM: ppm)
        live.jitter = 10_000
        live.clockError = { _ in error }
        try live.begin()
        try live.run(seconds: 300 * Self.length)
        #expect(live.starts.isEmpty && live.leftOut == 0)
        #expect(abs(live.bestMargin(last: 10) - Self.lead) < 10_000, "\(live.bestMargin(last: 10))")
    }

    @Test func `a host with an arbitrary time is followed by its arrivals`() throws {
        var live = try LiveBroadcast(cardPPM: 120)
        live.jitter = 10_000
        var generator = SeededGenerator(seed: 7)
        let errors = (0..<2_000).map { _ in Int64.random(in: -900_000...900_000, using: &generator) }
        live.clockError = { errors[Int($0 / 1_000_000) % errors.count] }
        try live.begin()
        try live.run(seconds: 300 * Self.length)
        #expect(live.starts.isEmpty && live.leftOut == 0)
        #expect(abs(live.bestMargin(last: 10) - Self.lead) < 10_000, "\(live.bestMargin(last: 10))")
    }

    @Test(arguments: [-1_000, 1_000, 400.0])
    func `a host whose time drifts away is followed by its arrivals`(driftPPM: Double) throws {
        // Goal: a rate that is plausible alone but disagrees with the packets is not believed.
        var live = try LiveBroadcast(cardPPM: 0)
        live.jitter = 2_000
        live.clockError = { Int64(Double($0) * driftPPM * 1e-6) }
        try live.begin()
        try live.run(seconds: 300 * Self.length)
        #expect(live.starts.isEmpty && live.leftOut == 0)
        #expect(abs(live.bestMargin(last: 10) - Self.lead) < 12_000, "\(live.bestMargin(last: 10))")
    }

    @Test func `a host's clock that leaps does no harm`() throws {
        var live = try LiveBroadcast(cardPPM: -100)
        live.jitter = 3_000
        live.clockError = { $0 < 60_000_000 ? 0 : $0 < 120_000_000 ? -40_000 : 25_000 }
        try live.begin()
        for _ in 0..<20 {
            try live.run(seconds: 10)
            #expect(abs(live.bestMargin(last: 5) - Self.lead) < 10_000, "\(live.bestMargin(last: 5))")
        }
        #expect(live.starts.isEmpty && live.leftOut == 0)
    }

    @Test func `captures that hardly advance are not collected`() {
        // The cost grows with the square of their number, on the loop that everybody shares.
        var clock = LiveClock()
        for packet in 0..<3_000 as Range<Int64> {
            let now = 1_000_000 + packet * 200_000
            clock.arrived(end: packet * 9_600, samples: 960, at: now)
            clock.captured(sample: 9_600 + packet, at: now - 1_000, error: 1_000_000, now: now)
        }
        #expect(clock.captureCount <= 150)
    }

    @Test func `captures tell the rate when the network blurs it`() throws {
        // Goal: with a network this bad, the arrivals of half a minute say little. The host's word is right to a few
        // millionths, and the timeline is even.
        func bends(tellsCaptures: Bool) throws -> [Double] {
            var live = try LiveBroadcast(cardPPM: 60, seed: 11)
            live.jitter = 60_000
            if tellsCaptures { live.clockError = { _ in 0 } }
            try live.begin()
            try live.run(seconds: 60)
            var bends: [Double] = []
            for _ in 0..<240 {
                try live.run(seconds: 1)
                bends.append(try #require(live.studio.room.stream?.timeline.stretchPPM))
            }
            return bends
        }
        func spread(_ values: [Double]) -> Double {
            let mean = values.reduce(0, +) / Double(values.count)
            return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
        }
        let (told, untold) = (try bends(tellsCaptures: true), try bends(tellsCaptures: false))
        #expect(spread(told) < spread(untold), "\(spread(told)) and \(spread(untold))")
    }

    // MARK: Lines

    @Test(arguments: [150, 600, 2_000], [-150, 0, 150.0])
    func `a stall of the network for the lead less 100 ms is not heard`(lead: Int, ppm: Double) throws {
        var live = try LiveBroadcast(cardPPM: ppm, leadMilliseconds: lead)
        live.jitter = 1_000
        live.stalls = (1...20).map { (at: $0 * 7_000_000, for: Int64(lead - 100) * 1_000) }
        try live.begin()
        try live.run(seconds: 150)
        #expect(live.starts.isEmpty && live.leftOut == 0)
        #expect(live.states == [])
        #expect(live.chunks.dropFirst().allSatisfy { !$0.chunk.header.flags.contains(.discontinuity) })
        #expect(live.worstMargin(last: 140) >= 20_000, "\(live.worstMargin(last: 140))")
    }

    @Test func `packets that a longer stall makes too late are left out, the rest keep their times`() throws {
        var live = try LiveBroadcast(cardPPM: 0)
        try live.begin()
        live.stalls = [(at: 20_000_000, for: 3_000_000)]
        try live.run(seconds: 60)
        #expect(live.starts.isEmpty, "the same epoch")
        // Three seconds, less the lead, and 20 ms for the way to the listeners.
        #expect((119...123).contains(live.leftOut), "\(live.leftOut)")
        #expect(live.states == [.buffering, .playing])
        let resets = live.chunks.dropFirst().filter { $0.chunk.header.flags.contains(.discontinuity) }
        #expect(resets.count == 1)
        #expect(abs(live.bestMargin(last: 5) - Self.lead) < 3_000, "no later than before: \(live.bestMargin(last: 5))")
        let position = live.studio.room.playback.position(at: live.studio.now)
        let elapsed = live.studio.now - live.chunks[0].chunk.header.playAtMicroseconds
        #expect(position == elapsed, "the place is that of the clock")
    }

    @Test func `a host that stays late moves the timeline once`() throws {
        // The sound card stood still for two seconds and did not count them.
        var live = try LiveBroadcast(cardPPM: 0)
        try live.begin()
        live.losses = [(at: 20_000_000, for: 2_000_000)]
        try live.run(seconds: 120)
        #expect(live.starts.count == 1, "\(live.starts.count)")
        #expect(live.leftOut <= 16, "\(live.leftOut)")
        #expect(abs(live.bestMargin(last: 10) - Self.lead) < 30_000, "\(live.bestMargin(last: 10))")
    }

    @Test func `a host that loses 200 ms of sound gets its lead back with one pause`() throws {
        var live = try LiveBroadcast(cardPPM: 0)
        try live.begin()
        live.losses = [(at: 20_000_000, for: 200_000)]
        try live.run(seconds: 60)
        #expect(live.starts.count == 1 && live.leftOut == 0)
        #expect(live.states == [.buffering, .playing])
        #expect(live.bestMargin(last: 5) > Self.lead - 10_000, "\(live.bestMargin(last: 5))")
    }

    @Test func `a network that becomes slower for good is followed`() throws {
        var live = try LiveBroadcast(cardPPM: 0)
        try live.begin()
        try live.run(seconds: 30)
        live.delay += 50_000
        try live.run(seconds: 600)
        #expect(live.starts.isEmpty && live.leftOut == 0)
        #expect(abs(live.bestMargin(last: 5) - Self.lead) < 5_000, "\(live.bestMargin(last: 5))")
    }

    // MARK: Beginnings

    @Test func `a live epoch leaves time to capture its first packet`() throws {
        var studio = try Studio()
        let start = try studio.start(preSkip: 0, pacing: .live).result.startMicroseconds
        #expect(start == studio.now + Studio.lead + 250_000)
    }

    @Test func `a host that begins a second too early loses nothing, and comes back to the lead`() throws {
        var live = try LiveBroadcast(cardPPM: 0)
        try live.begin(early: 1_000_000)
        try live.run(seconds: 600)
        #expect(live.starts.isEmpty && live.leftOut == 0)
        // 200 millionths of ten minutes.
        let margin = live.bestMargin(last: 5)
        #expect(margin > Self.lead + 870_000 && margin < Self.lead + 900_000, "\(margin)")
    }

    @Test func `a host that begins even earlier is cut once`() throws {
        var live = try LiveBroadcast(cardPPM: 0)
        try live.begin(early: 1_500_000)
        try live.run(seconds: 60)
        #expect(live.starts.count == 1)
        #expect((24...27).contains(live.leftOut), "\(live.leftOut)")
        #expect(live.states == [.playing], "without a pause")
        #expect(abs(live.bestMargin(last: 5) - Self.lead - 1_000_000) < 40_000, "\(live.bestMargin(last: 5))")
        // To the ear it is one timeline: the new epoch begins where the old one ends.
        let chunks = live.chunks.map(\.chunk)
        let first = try #require(chunks.firstIndex { $0.header.epoch == live.starts[0].epoch })
        #expect(abs(chunks[first].header.playAtMicroseconds - chunks[first - 1].end) <= 5)
        #expect(chunks[first].header.flags.contains(.discontinuity))
        #expect(!live.starts[0].continues)
    }

    @Test func `a host that begins late loses nothing`() throws {
        var live = try LiveBroadcast(cardPPM: 0)
        try live.begin(early: -4_000_000)
        try live.run(seconds: 30)
        #expect(live.starts.count == 1 && live.leftOut == 0)
        #expect(live.bestMargin(last: 5) > Self.lead - 30_000)
    }

    // MARK: Packets

    @Test(
        arguments: [
            (Packet.one(28), 120), (Packet.one(29), 240), (Packet.one(31), 960), (Packet.one(3), 2_880),
            (Packet.several(6, 31, bytes: 60), 5_760),
        ] as [([UInt8], UInt32)])
    func `packets of 2_5 to 120 ms are followed alike`(packet: [UInt8], samples: UInt32) throws {
        var live = try LiveBroadcast(cardPPM: 180)
        live.packet = (packet, samples)
        live.jitter = 2_000
        live.clockError = { _ in 0 }
        try live.begin()
        try live.run(seconds: 240)
        #expect(live.starts.isEmpty && live.leftOut == 0)
        #expect(live.stretchMax <= 200.001)
        #expect(abs(live.bestMargin(last: 10) - Self.lead) < 6_000, "\(live.bestMargin(last: 10))")
    }

    @Test func `the length of packets may change in the middle`() throws {
        var live = try LiveBroadcast(cardPPM: -120)
        live.clockError = { _ in 0 }
        try live.begin()
        let lengths: [([UInt8], UInt32)] = [
            (Packet.one(31), 960), (Packet.one(28), 120), (Packet.several(2, 31, bytes: 80), 1_920),
            (Packet.one(3), 2_880),
        ]
        for round in 0..<8 {
            live.packet = lengths[round % lengths.count]
            try live.run(seconds: 30)
        }
        #expect(live.starts.isEmpty && live.leftOut == 0)
        #expect(live.stretchMax <= 200.001)
        #expect(live.chunks.dropFirst().allSatisfy { !$0.chunk.header.flags.contains(.discontinuity) })
        #expect(live.worstMargin(last: 200) > Self.lead - 60_000)
    }
}
