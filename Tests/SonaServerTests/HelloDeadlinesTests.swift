import SonaBase
import SonaTestSupport
import Testing

@testable import SonaServer

/// The deadlines by which connections must say hello.
@Suite struct HelloDeadlinesTests {
    @Test func `deadlines pass in the order in which connections came, and not before their time`() {
        var deadlines = HelloDeadlines()
        #expect(deadlines.next == nil && deadlines.take(now: .max) == nil)
        for session in 1...3 as ClosedRange<UInt64> { deadlines.add(session, due: Int64(session) * 100) }
        #expect(deadlines.next == 100)
        #expect(deadlines.take(now: 99) == nil)
        #expect(deadlines.take(now: 200) == 1)
        #expect(deadlines.take(now: 200) == 2)
        #expect(deadlines.take(now: 200) == nil && deadlines.next == 300)
        #expect(deadlines.take(now: 300) == 3 && deadlines.next == nil)
    }

    @Test func `a connection that has said hello is dropped at the head, or skipped once it gets there`() {
        var deadlines = HelloDeadlines()
        for session in 1...4 as ClosedRange<UInt64> { deadlines.add(session, due: Int64(session)) }
        let greeted: Set<UInt64> = [1, 3]
        deadlines.drop { greeted.contains($0) }
        #expect(deadlines.next == 2)
        #expect(deadlines.take(now: 4) == 2)
        deadlines.drop { greeted.contains($0) }
        #expect(deadlines.take(now: 4) == 4 && deadlines.next == nil)
    }

    @Test func `no connection is lost or taken twice, however connections come, say hello and run out of time`() {
        var deadlines = HelloDeadlines()
        var generator = SeededGenerator(seed: 5)
        var greeted: Set<UInt64> = []
        var expected: [UInt64] = []
        var taken: [UInt64] = []
        for session in 0..<20_000 as Range<UInt64> {
            deadlines.add(session, due: Int64(session) + 50)
            if Int.random(in: 0..<10, using: &generator) > 0 {
                greeted.insert(session)
            } else {
                expected.append(session)
            }
            if Bool.random(using: &generator) { deadlines.drop { greeted.contains($0) } }
            while let one = deadlines.take(now: Int64(session)) { if !greeted.contains(one) { taken.append(one) } }
        }
        while let one = deadlines.take(now: .max) { if !greeted.contains(one) { taken.append(one) } }
        #expect(expected.count > 1_000, "some never say hello")
        #expect(taken == expected)
    }
}
