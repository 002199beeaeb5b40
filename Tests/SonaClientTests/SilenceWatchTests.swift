import SonaBase
import SonaTestSupport
import Testing

@testable import SonaClient

/// A connection on which little is said, on simulated clocks. RoomStay: 1.5 s are allowed.
@Suite struct SilenceWatchTests {
    private static let allowed: Int64 = 1_500_000

    /// Looks as often as it is told to, from 0 on, and says when the connection was given up and how often it was
    /// asked.
    ///
    /// - Parameters:
    ///   - answer: When something is heard that was asked for at a time; nil: never.
    ///   - lateness: By how much each look is late.
    private func watched(
        for seconds: Int64, answer: (Int64) -> Int64?, lateness: () -> Int64
    ) -> (end: Int64?, asked: Int) {
        var watch = SilenceWatch(allowedMicroseconds: Self.allowed)
        var now: Int64 = 0
        var heardAt: Int64 = 0
        var answers: [Int64] = []
        var asked = 0
        while now < seconds * 1_000_000 {
            heardAt = max(heardAt, answers.filter { $0 <= now }.max() ?? 0)
            answers.removeAll { $0 <= now }
            switch watch.look(now: now, heardAt: heardAt) {
            case .over: return (now, asked)
            case .ask(let until):
                asked += 1
                if let time = answer(now) { answers.append(time) }
                now = max(now + 1, until + lateness())
            case .wait(let until): now = max(now + 1, until + lateness())
            }
        }
        return (nil, asked)
    }

    /// Looks that are later than answers are quick met an answered question, and took it for one that was not.
    @Test func `a quiet connection that answers is kept, however late one looks`() {
        var generator = SeededGenerator(seed: 4)
        for (quickest, slowest, latest) in [
            (50, 300, 1_500), (50, 20_000, 20_000), (1_000, 600_000, 3_000), (50, 300, 900_000),
        ] {
            let watched = watched(
                for: 3_600, answer: { $0 + .random(in: Int64(quickest)...Int64(slowest), using: &generator) },
                lateness: { .random(in: 0...Int64(latest), using: &generator) })
            #expect(watched.end == nil, "\(quickest) to \(slowest) µs, \(latest) late")
            #expect(watched.asked > 2_000 && watched.asked < 5_000, "every 750 ms or so: \(watched.asked)")
        }
    }

    @Test func `a dead connection is given up after what is allowed`() {
        let watched = watched(for: 60, answer: { _ in nil }, lateness: { 1_000 })
        #expect(watched.end == Self.allowed + 1_000 && watched.asked == 1)
    }

    @Test func `a client that has slept reads before it gives up`() {
        var watch = SilenceWatch(allowedMicroseconds: Self.allowed)
        #expect(watch.look(now: 0, heardAt: 0) == .wait(until: 750_000))
        #expect(watch.look(now: 750_000, heardAt: 0) == .ask(until: 1_500_000))
        #expect(watch.look(now: 9_000_000, heardAt: 0) == .ask(until: 9_375_000))
        #expect(watch.look(now: 9_375_000, heardAt: 9_000_100) == .wait(until: 9_750_100))
    }

    @Test func `a slow connection has four round trips`() {
        var watch = SilenceWatch(allowedMicroseconds: Self.allowed)
        #expect(watch.look(now: 0, heardAt: 0, roundTrip: 1_000_000) == .wait(until: 2_000_000))
        #expect(watch.look(now: 2_000_000, heardAt: 0, roundTrip: 1_000_000) == .ask(until: 4_000_000))
        #expect(watch.look(now: 4_000_000, heardAt: 0, roundTrip: 1_000_000) == .over)
    }
}
