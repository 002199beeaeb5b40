import SonaWire
import Testing

@testable import SonaServer

struct GatheringTests {
    private static let now: Int64 = 10_000_000

    /// - Parameter left: Time until the packet must have arrived, ms.
    private func ticks(
        _ gathering: Gathering, left: Int64, milliseconds: Int64 = 20, isLast: Bool = false, isGathered: Bool = false
    ) -> Int? {
        let chunk = RelayedChunk(
            message: [], due: Self.now + left * 1000, relayedAt: Self.now, microseconds: milliseconds * 1000,
            isLast: isLast, isGathered: isGathered)
        return gathering.ticks(for: chunk, now: Self.now)
    }

    @Test func `a loop with little to do sends at once, except for a party, in rounds of three ticks`() {
        let calm = Gathering(pressed: 1, isLate: false)
        #expect(ticks(calm, left: 1000) == nil)
        #expect(ticks(calm, left: 1000, isGathered: true) == 3)
        #expect(ticks(calm, left: 1000, isLast: true, isGathered: true) == nil)
        // A round, and the margin for the way.
        #expect(ticks(calm, left: 210, isGathered: true) == 3)
        #expect(ticks(calm, left: 209, isGathered: true) == nil)
        // A round holds only one packet of 60 ms.
        #expect(ticks(calm, left: 1000, milliseconds: 60, isGathered: true) == nil)
    }

    @Test func `under pressure rounds are as long as the time left allows`() {
        let pressed = Gathering(pressed: 6, isLate: false)
        #expect(ticks(pressed, left: 270) == 6)
        #expect(ticks(pressed, left: 269) == 3)
        #expect(ticks(pressed, left: 209) == nil)
        #expect(ticks(pressed, left: 269, milliseconds: 80) == nil)
        #expect(ticks(pressed, left: -1) == nil)
    }

    @Test func `a late loop sends late packets in rounds, and those with a chance at the next tick`() {
        let late = Gathering(pressed: 6, isLate: true)
        #expect(ticks(late, left: 1000) == 6)
        #expect(ticks(late, left: 200) == 1)
        #expect(ticks(late, left: 41) == 1)
        #expect(ticks(late, left: 40) == nil)
        #expect(ticks(late, left: 0) == nil)
        #expect(ticks(late, left: -1) == 6)
        #expect(ticks(late, left: -4000, milliseconds: 80) == 6)
        #expect(ticks(late, left: -1, isLast: true) == nil)
    }

    @Test func `a loop that is late without pressure gathers nothing for it`() {
        let late = Gathering(pressed: 1, isLate: true)
        #expect(ticks(late, left: -1) == nil)
        #expect(ticks(late, left: 100, isGathered: true) == nil)
    }

    @Test func `a loop is late, and for a second afterwards, if its iteration takes long or packets have waited long`()
    {
        var lateness = LoopLateness()
        lateness.add(iteration: 1, relayedAt: 1_000_000, now: 1_000_000)
        lateness.add(iteration: 1, relayedAt: 1_020_000, now: 1_020_000)
        lateness.add(iteration: 2, relayedAt: 1_021_000, now: 1_041_000)
        #expect(!lateness.isLate(now: 1_041_000))
        lateness.add(iteration: 2, relayedAt: 1_061_001, now: 1_061_001)
        #expect(lateness.isLate(now: 2_061_000))
        #expect(!lateness.isLate(now: 2_061_001))
        lateness.add(iteration: 3, relayedAt: 3_000_000, now: 3_020_001)
        #expect(lateness.isLate(now: 3_020_001))
    }
}
