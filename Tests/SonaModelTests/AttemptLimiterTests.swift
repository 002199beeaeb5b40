import SonaDatabase
import SonaWire
import Testing

@testable import SonaModel

struct AttemptLimiterTests {
    private func refused(_ limiter: AttemptLimiter, _ address: String?, now: Int64) -> Refusal? {
        do throws(Refusal) {
            try limiter.take(address, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the window holds the limit, and the next attempt is free when the oldest leaves it`() {
        let limiter = AttemptLimiter(attemptsMax: 3, windowMilliseconds: 1_000)
        for now in [0, 100, 200] as [Int64] { #expect(refused(limiter, "a", now: now) == nil) }
        #expect(refused(limiter, "a", now: 200) == .rateLimited(retryAfterMilliseconds: 800))
        // A refused attempt does not count.
        #expect(refused(limiter, "a", now: 999) == .rateLimited(retryAfterMilliseconds: 1))
        #expect(refused(limiter, "a", now: 1_000) == nil)
        #expect(refused(limiter, "a", now: 1_000) == .rateLimited(retryAfterMilliseconds: 100))
        #expect(refused(limiter, "b", now: 1_000) == nil)
        for _ in 0..<10 { #expect(refused(limiter, nil, now: 1_000) == nil) }
    }

    @Test func `a clock that is set back frees no attempt early and does not crash`() {
        let limiter = AttemptLimiter(attemptsMax: 1, windowMilliseconds: 1_000)
        #expect(refused(limiter, "a", now: 1_000_000) == nil)
        #expect(refused(limiter, "a", now: 0)?.code == .authRateLimited)
        #expect(refused(limiter, "a", now: 1_001_000) == nil)
    }

    @Test func `ten thousand addresses are remembered, and the ones seen longest ago are forgotten`() {
        let limiter = AttemptLimiter(attemptsMax: 1, windowMilliseconds: 1_000_000)
        for number in 0..<AttemptLimiter.keysMax {
            #expect(refused(limiter, "\(number)", now: Int64(number)) == nil)
        }
        #expect(refused(limiter, "0", now: 10_000) != nil)
        #expect(refused(limiter, "new", now: 10_000) == nil)
        #expect(refused(limiter, "1", now: 10_001) != nil)
        #expect(refused(limiter, "new", now: 10_001) != nil)
        #expect(refused(limiter, "0", now: 10_001) == nil)
    }

    @Test func `of a thousand concurrent attempts exactly the limit gets through`() async {
        let limiter = AttemptLimiter(attemptsMax: 20, windowMilliseconds: 1_000)
        let passed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 { group.addTask { refused(limiter, "a", now: 5) == nil } }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(passed == 20)
    }
}
