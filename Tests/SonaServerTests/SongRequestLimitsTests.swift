import SonaWire
import Testing

@testable import SonaServer

/// How often visitors may ask: so many at once, then one in a while, and in a memory that is bounded.
struct SongRequestLimitsTests {
    private let rate = SongRequestLimits.Rate(burst: 3, microseconds: 1_000_000)

    private func refusal(_ limits: inout SongRequestLimits, _ name: String, now: Int64) -> Int? {
        do {
            try limits.take(rate, name, now: now)
            return nil
        } catch { return error.retryAfterMilliseconds }
    }

    @Test func `a burst passes, then one in each while, and others have their own`() {
        var limits = SongRequestLimits()
        for _ in 0..<3 { #expect(refusal(&limits, "a", now: 0) == nil) }
        #expect(refusal(&limits, "a", now: 0) == 1_001)
        #expect(refusal(&limits, "b", now: 0) == nil)
        #expect(refusal(&limits, "a", now: 1_000_000) == nil)
        #expect(refusal(&limits, "a", now: 1_000_000) != nil)
        for _ in 0..<3 { #expect(refusal(&limits, "a", now: 10_000_000) == nil) }
        #expect(refusal(&limits, "a", now: 10_000_000) != nil, "no more than a burst was saved up")
    }

    @Test func `very many addresses are not all remembered, and the busiest are`() {
        var limits = SongRequestLimits()
        for _ in 0..<3 { #expect(refusal(&limits, "busy", now: 0) == nil) }
        for number in 0..<25_000 { _ = refusal(&limits, "\(number)", now: 0) }
        #expect(refusal(&limits, "busy", now: 0) != nil)
        #expect(limits.count <= 10_000)
    }

    @Test func `a visitor is the same at the same address, and the identifier does not tell it`() throws {
        let limits = SongRequestLimits()
        let visitor = try #require(limits.visitor(at: "192.0.2.1"))
        #expect(limits.visitor(at: "192.0.2.1") == visitor)
        #expect(limits.visitor(at: "192.0.2.2") != visitor)
        #expect(SongRequestLimits().visitor(at: "192.0.2.1") != visitor, "another key after a restart")
    }
}
