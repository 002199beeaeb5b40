import Testing

@testable import SonaClient

/// A live source against the clock: sound cards, stops, and floods.
@Suite struct LivePaceTests {
    private static let packet = 960

    /// A source that is looked at every 10 ms.
    private struct Source {
        var pace = LivePace(now: 0)
        var now: Int64 = 0
        /// Frames that are there.
        var available = 0
        var taken = 0
        var silence = 0
        var leftOut = 0

        mutating func read(_ frames: Int) {
            available += frames
            pace.read(at: now)
        }

        mutating func look() {
            while true {
                switch pace.next(available: available, packet: LivePaceTests.packet, now: now) {
                case .take(let count):
                    available -= count
                    taken += count
                case .silence(let count): silence += count
                case .leaveOut(let count):
                    available -= count
                    leftOut += count
                case .wait: return
                }
            }
        }

        /// What was seen of it before the broadcast began.
        mutating func learn(_ period: Int64) {
            for _ in 0..<4 {
                now += period
                pace.read(at: now)
            }
            pace = pace.restarted(now: now)
        }

        /// A card that gives so much every so often.
        mutating func run(seconds: Double, every period: Int64 = 10_000, ppm: Double = 0) {
            let end = now + Int64(seconds * 1e6)
            var next = now + period
            var owed = 0.0
            while now < end {
                now += 10_000
                while next <= now {
                    next += period
                    owed += Double(period) * 0.048 * (1 + ppm * 1e-6)
                    read(Int(owed))
                    owed -= owed.rounded(.down)
                }
                look()
            }
        }

        mutating func stop(seconds: Double) {
            let end = now + Int64(seconds * 1e6)
            while now < end {
                now += 10_000
                look()
            }
        }
    }

    @Test(arguments: [-1_000, 0, 500, 1_000.0], [10_000, 125_000, 300_000] as [Int64])
    func `a sound card's sound is taken as it comes, for ten minutes`(ppm: Double, period: Int64) {
        var source = Source()
        source.learn(period)
        source.run(seconds: 600, every: period, ppm: ppm)
        let all = 600 * 48_000 * (1 + ppm * 1e-6)
        #expect(source.silence == 0 && source.leftOut == 0)
        #expect(Double(source.taken) > all - Double(period) * 0.05 - 2_000)
        #expect(source.available <= Self.packet + 15_000)
    }

    @Test(arguments: [5, 5.01]) func `silence stands in for what stops, for as long as it does`(seconds: Double) {
        // Also where half a packet is left when it stops.
        var source = Source()
        source.run(seconds: seconds)
        source.stop(seconds: 3)
        #expect(abs(source.silence - 3 * 48_000) <= 2 * Self.packet, "\(source.silence)")
        let silence = source.silence
        // The card lost what it did not give: all it gives from now on is new.
        source.run(seconds: 5)
        #expect(source.silence == silence)
        #expect(source.leftOut <= 2 * Self.packet, "\(source.leftOut)")
        #expect(abs(source.taken + source.silence - source.leftOut - 13 * 48_000) <= 3 * Self.packet)
    }

    @Test func `held-up sound that arrives after all is left out, as far as silence took its place`() {
        var source = Source()
        source.run(seconds: 5)
        source.stop(seconds: 3)
        source.read(3 * 48_000)
        source.look()
        source.run(seconds: 2)
        #expect(source.leftOut > 3 * 48_000 - 3 * Self.packet, "\(source.leftOut)")
        #expect(abs(source.taken + source.silence - 10 * 48_000) <= 4 * Self.packet, "the broadcast is late")
    }

    @Test(arguments: [0.26, 0.3, 0.45, 0.6, 1]) func `a short stop makes nobody later either`(seconds: Double) {
        var source = Source()
        source.run(seconds: 5)
        source.stop(seconds: seconds)
        source.read(Int(seconds * 48_000))
        source.look()
        source.run(seconds: 5)
        #expect(source.silence > 0)
        let all = Int((10 + seconds) * 48_000)
        #expect(abs(source.taken + source.silence - all) <= 4 * Self.packet, "\(source.taken + source.silence - all)")
    }

    @Test(arguments: [10_000, 125_000, 300_000] as [Int64])
    func `sound that comes a second after a stop is new, and none of it is left out`(period: Int64) {
        var source = Source()
        source.learn(period)
        source.run(seconds: 5, every: period)
        source.stop(seconds: 3)
        source.run(seconds: 20, every: period)
        #expect(source.leftOut <= Int(period) * 6 / 125 + 2 * Self.packet, "\(source.leftOut)")
    }

    @Test func `a short pause does not count as a stop`() {
        var source = Source()
        source.run(seconds: 5)
        source.stop(seconds: 0.24)
        source.read(11_520)
        source.run(seconds: 5)
        #expect(source.silence == 0 && source.leftOut == 0)
        #expect(abs(source.taken - 48_000 * 1_024 / 100) <= 2 * Self.packet)
    }

    @Test func `a source with long pauses of its own has not stopped in them`() {
        var source = Source()
        source.learn(300_000)
        source.run(seconds: 20, every: 300_000)
        #expect(source.silence == 0)
        #expect(source.pace.patience == 900_000)
        source.stop(seconds: 2)
        #expect(source.silence > 48_000)
    }

    @Test func `a source that is faster than time has to wait`() {
        var source = Source()
        for _ in 0..<6_000 {
            source.read(10_000)
            source.now += 10_000
            source.look()
        }
        let seconds = Double(source.taken) / 48_000
        #expect(seconds < 60 * 1.002 + 0.5 && seconds > 60, "\(seconds) s of sound in a minute")
    }

    @Test func `a source that says nothing for ever sends a minute's debt at most`() {
        var source = Source()
        source.run(seconds: 1)
        source.stop(seconds: 300)
        #expect(source.pace.debt == 48_000 * 60)
        #expect(abs(source.silence - 300 * 48_000) <= 2 * Self.packet)
    }

    @Test func `the earliest read of each second is reported`() {
        var teller = CaptureTeller()
        var told: [(sample: Int64, readAt: Int64)] = []
        // Reads of 480 samples come 1 to 9 ms late; one in ten at once.
        for index in Int64(1)...1_000 {
            let late = index % 10 == 7 ? 0 : 1_000 * (index % 9 + 1)
            if let best = teller.take(sample: index * 480, readAt: index * 10_000 + late) { told.append(best) }
        }
        #expect((9...10).contains(told.count))
        #expect(told.allSatisfy { $0.readAt == $0.sample * 125 / 6 }, "\(told)")
    }
}
