import SonaRooms
import SonaWire
import Testing

@testable import SonaServer

/// The limit on entries into the same room, to the microsecond.
@Suite struct ResyncBudgetTests {
    private static let second: Int64 = 1_000_000
    private let one = RoomID("0123456789abcdefghij")!
    private let other = RoomID("abcdefghij0123456789")!

    private func refusal(_ budget: inout ResyncBudget, _ room: RoomID, now: Int64) -> Int? {
        do throws(WireError) {
            try budget.take(room, now: now)
            return nil
        } catch {
            #expect(error.code == .roomResyncLimited)
            return error.retryAfterMilliseconds ?? -1
        }
    }

    @Test func `after the first entry a room is entered twice more at once, then once in five seconds`() {
        var budget = ResyncBudget()
        for _ in 0..<3 { #expect(refusal(&budget, one, now: 0) == nil) }
        #expect(refusal(&budget, one, now: 0) == 5_001)
        #expect(refusal(&budget, one, now: 5 * Self.second - 1) == 1)
        #expect(refusal(&budget, one, now: 5 * Self.second) == nil)
        #expect(refusal(&budget, one, now: 5 * Self.second) != nil)
        #expect(refusal(&budget, one, now: 10 * Self.second) == nil)
    }

    @Test func `after ten seconds both entries are available again, and never more than both`() {
        var budget = ResyncBudget()
        for _ in 0..<3 { #expect(refusal(&budget, one, now: 0) == nil) }
        for _ in 0..<2 { #expect(refusal(&budget, one, now: 1_000 * Self.second) == nil) }
        #expect(refusal(&budget, one, now: 1_000 * Self.second) != nil)
    }

    @Test func `a refused entry costs nothing`() {
        var budget = ResyncBudget()
        for _ in 0..<3 { #expect(refusal(&budget, one, now: 0) == nil) }
        for step in 1...100 as ClosedRange<Int64> { #expect(refusal(&budget, one, now: step) != nil) }
        #expect(refusal(&budget, one, now: 5 * Self.second) == nil)
    }

    @Test func `entering another room restarts the count`() {
        var budget = ResyncBudget()
        for _ in 0..<3 { #expect(refusal(&budget, one, now: 0) == nil) }
        #expect(refusal(&budget, other, now: 0) == nil)
        for _ in 0..<3 { #expect(refusal(&budget, one, now: 0) == nil) }
        #expect(refusal(&budget, one, now: 0) != nil)
    }
}
