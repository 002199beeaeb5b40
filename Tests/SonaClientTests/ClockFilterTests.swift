import Glibc
import SonaBase
import SonaClient
import SonaTestSupport
import SonaWire
import Testing

/// A server clock and a network between it and ours, both made up.
private struct Laboratory {
    /// The server's clock minus ours at our time 0, µs.
    var offset: Int64
    /// How much faster the server's clock runs.
    var drift: Double
    /// Least time a message takes, µs, there and back.
    var there = 60.0
    var back = 60.0
    /// Mean of what comes on top of each way, exponentially distributed, µs.
    var noise = 200.0
    var generator: SeededGenerator

    func serverTime(_ local: Int64) -> Int64 {
        offset + local + Int64((Double(local) * drift).rounded())
    }

    mutating func delay(_ least: Double) -> Int64 {
        Int64(least - noise * log(Double.random(in: 0.000_001...1, using: &generator)))
    }

    /// The best of eight exchanges, the first sent at `local`. Returns when the last answer was there.
    mutating func burst(at local: Int64) -> (sample: ClockFilter.Sample, end: Int64) {
        var burst = ProbeBurst()
        var number = burst.begin()
        var now = local
        while true {
            let arrival = now + delay(there)
            let response = TimeResponse(
                probeID: number, clientSend: now, serverReceive: serverTime(arrival),
                serverSend: serverTime(arrival + 8))
            now = arrival + 8 + delay(back)
            switch burst.take(response, receivedAt: now) {
            case .send(let next): number = next
            case .done(let sample): return (sample, now)
            case .ignore: preconditionFailure("The burst asked for this probe.")
            }
        }
    }

    /// Probes as a client does: on open, after 1 s, 3 s, then every 10 s, for `seconds`.
    mutating func run(_ filter: inout ClockFilter, from start: Int64 = 0, seconds: Int64) -> Int64 {
        var now = start
        for pause in [0, 1, 2] + [Int64](repeating: 10, count: Int(seconds / 10)) {
            let (sample, end) = burst(at: now + pause * 1_000_000)
            filter.add(sample)
            now = end
        }
        return now
    }
}

@Suite struct ClockFilterTests {
    /// Offset, drift, and noise of up to two milliseconds: the estimate must be far better than the noise, between
    /// bursts too.
    @Test(arguments: [0, 30, -80], [1, 2, 3])
    func `offset and drift are found under noise`(ppm: Int64, seed: UInt64) {
        var laboratory = Laboratory(
            offset: 987_654_321_012, drift: Double(ppm) / 1e6, noise: 300, generator: SeededGenerator(seed: seed))
        var filter = ClockFilter()
        let end = laboratory.run(&filter, seconds: 300)
        for later in stride(from: Int64(0), through: 10_000_000, by: 1_000_000) {
            let error = filter.serverTime(fromLocal: end + later) - laboratory.serverTime(end + later)
            #expect(abs(error) < 100, "off by \(error) µs with seed \(seed)")
        }
        #expect(abs(filter.driftPPM - Double(ppm)) < 3, "drift \(filter.driftPPM) ppm with seed \(seed)")
        #expect(filter.sigmaMicroseconds > 0 && filter.sigmaMicroseconds < 50)
        #expect(filter.count == 33)
    }

    @Test func `on one machine the first burst is good to a few microseconds`() {
        var laboratory = Laboratory(
            offset: -5_000_000, drift: 0, there: 12, back: 12, noise: 3, generator: SeededGenerator(seed: 5))
        var filter = ClockFilter()
        let (sample, end) = laboratory.burst(at: 1_000)
        filter.add(sample)
        #expect(abs(filter.serverTime(fromLocal: end) - laboratory.serverTime(end)) <= 5)
        #expect(filter.roundTripMicroseconds < 60)
    }

    /// Nothing can be known about how a round trip divides; the error is bounded by half of the difference.
    @Test func `a way that is always longer shifts the estimate by half of the difference`() {
        var laboratory = Laboratory(
            offset: 1_000_000, drift: 0, there: 2_000, back: 400, noise: 100, generator: SeededGenerator(seed: 7))
        var filter = ClockFilter()
        let end = laboratory.run(&filter, seconds: 100)
        let error = filter.serverTime(fromLocal: end) - laboratory.serverTime(end)
        #expect(700...900 ~= error)
    }

    @Test func `converting there and back is exact`() {
        var laboratory = Laboratory(offset: 123_456_789, drift: 50e-6, generator: SeededGenerator(seed: 9))
        var filter = ClockFilter()
        let end = laboratory.run(&filter, seconds: 100)
        for later in [Int64(0), 1, 999_999, 60_000_000, 3_600_000_000, -5_000_000] {
            let local = end + later
            #expect(abs(filter.localTime(fromServer: filter.serverTime(fromLocal: local)) - local) <= 1)
        }
    }

    @Test func `an empty filter changes nothing`() {
        let filter = ClockFilter()
        #expect(!filter.isUsable)
        #expect(filter.serverTime(fromLocal: 42) == 42)
        #expect(filter.localTime(fromServer: 42) == 42)
    }

    @Test func `another clock forgets the old one, the same clock does not`() {
        var filter = ClockFilter()
        filter.begin(clockID: 1)
        filter.add(sample(offset: 1_000_000, at: 10))
        filter.begin(clockID: 1)
        #expect(filter.count == 1)
        filter.begin(clockID: 2)
        #expect(filter.count == 0)
        filter.add(sample(offset: -7, at: 11))
        #expect(filter.offsetMicroseconds == -7)
    }

    @Test func `one wild sample is left out and a second one starts over`() {
        var filter = ClockFilter()
        for second in Int64(1)...5 { filter.add(sample(offset: 500, at: second * 1_000_000)) }
        filter.add(sample(offset: 900_000, at: 6_000_000))
        #expect(abs(filter.offsetMicroseconds - 500) <= 1)
        filter.add(sample(offset: 500, at: 7_000_000))
        #expect(filter.count == 6)
        filter.add(sample(offset: 900_000, at: 8_000_000))
        filter.add(sample(offset: 900_000, at: 9_000_000))
        #expect(filter.count == 1)
        #expect(filter.offsetMicroseconds == 900_000)
    }

    @Test func `samples out of order or from a clock that was set are ignored`() {
        var filter = ClockFilter()
        filter.add(sample(offset: 500, at: 1_000_000))
        filter.add(sample(offset: 700, at: 1_000_000))
        filter.add(sample(offset: 700, at: 999_999))
        filter.add(.init(clientSend: 2_000_000, serverReceive: 0, serverSend: 90, clientReceive: 2_000_050))
        #expect(filter.count == 1)
        #expect(filter.offsetMicroseconds == 500)
    }

    /// Times come from the wire: whatever they are, nothing may trap.
    @Test(arguments: [Int64.min, Int64.max, -1, 0])
    func `extreme times do not trap`(extreme: Int64) {
        var filter = ClockFilter()
        for other in [Int64.min, Int64.max, 0, 5] {
            filter.add(.init(clientSend: extreme, serverReceive: other, serverSend: extreme, clientReceive: other))
            filter.add(.init(clientSend: other, serverReceive: extreme, serverSend: extreme, clientReceive: other))
            _ = filter.serverTime(fromLocal: extreme)
            _ = filter.localTime(fromServer: extreme)
            _ = filter.offsetMicroseconds
        }
    }

    private func sample(offset: Int64, at local: Int64) -> ClockFilter.Sample {
        .init(
            clientSend: local - 100, serverReceive: local - 55 + offset, serverSend: local - 45 + offset,
            clientReceive: local)
    }
}

@Suite struct ProbeBurstTests {
    @Test func `a burst has eight probes and keeps the quickest`() {
        var burst = ProbeBurst()
        var number = burst.begin()
        var sent = 1
        for trip in [Int64(90), 80, 30, 70, 60, 50, 40] {
            guard case .send(let next) = burst.take(answer(number), receivedAt: trip) else {
                Issue.record("A probe should follow.")
                return
            }
            number = next
            sent += 1
        }
        #expect(sent == 8)
        guard case .done(let best) = burst.take(answer(number), receivedAt: 45) else {
            Issue.record("The burst should be over.")
            return
        }
        #expect(best.roundTrip == 30)
        #expect(!burst.isUnderWay)
    }

    @Test func `answers to other probes, and late ones, are ignored`() {
        var burst = ProbeBurst()
        let first = burst.begin()
        #expect(burst.take(answer(first &+ 1), receivedAt: 10) == .ignore)
        #expect(burst.take(answer(first), receivedAt: 10) == .send(first &+ 1))
        #expect(burst.take(answer(first), receivedAt: 11) == .ignore)
        #expect(burst.giveUp()?.roundTrip == 10)
        #expect(burst.take(answer(first &+ 1), receivedAt: 12) == .ignore)
        #expect(burst.giveUp() == nil)
    }

    private func answer(_ number: UInt16) -> TimeResponse {
        TimeResponse(probeID: number, clientSend: 0, serverReceive: 1000, serverSend: 1000)
    }
}
