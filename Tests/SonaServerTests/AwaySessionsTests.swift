import SonaBase
import SonaTestSupport
import Testing

@testable import SonaServer

/// The limits on the sessions that are kept for lost connections.
@Suite struct AwaySessionsTests {
    @Test func `sessions expire in the order in which their connections were lost`() {
        var away = AwaySessions(countPerAddressMax: 10)
        for session in 1...3 as ClosedRange<UInt64> {
            #expect(away.add(session, others: [], address: "a", due: Int64(session) * 100) == (true, nil))
        }
        #expect(away.next == 100 && away.count == 3)
        #expect(away.take(now: 99) == nil)
        #expect(away.take(now: 250) == 1)
        away.remove(1)
        #expect(away.take(now: 250) == 2)
        away.remove(2)
        #expect(away.take(now: 250) == nil && away.next == 300)
        away.remove(3)
        #expect(away.next == nil && away.count == 0)
    }

    @Test func `a session that resumes and is lost again gets its full time anew`() {
        var away = AwaySessions(countPerAddressMax: 10)
        _ = away.add(1, others: [], address: nil, due: 100)
        away.remove(1)
        _ = away.add(2, others: [], address: nil, due: 150)
        _ = away.add(1, others: [], address: nil, due: 200)
        #expect(away.take(now: 160) == 2)
        away.remove(2)
        #expect(away.take(now: 199) == nil)
        #expect(away.take(now: 200) == 1)
    }

    @Test func `four sessions of one user are kept, and the one lost first makes room for a fifth`() {
        var away = AwaySessions(countPerAddressMax: 10)
        for session in 1...4 as ClosedRange<UInt64> {
            let others = (1..<session).map { $0 }
            #expect(away.add(session, others: others, address: nil, due: Int64(session)) == (true, nil))
        }
        #expect(away.add(5, others: [1, 2, 3, 4, 77], address: nil, due: 5) == (true, 1), "77 is there")
        away.remove(1)
        #expect(away.count == 4)
    }

    @Test func `one address keeps no more sessions than it may have connections, and limits no other address`() {
        var away = AwaySessions(countPerAddressMax: 2)
        #expect(away.add(1, others: [], address: "a", due: 1) == (true, nil))
        #expect(away.add(2, others: [], address: "a", due: 2) == (true, nil))
        #expect(away.add(3, others: [], address: "a", due: 3) == (false, nil))
        #expect(away.add(4, others: [], address: "b", due: 4) == (true, nil))
        #expect(away.add(5, others: [], address: nil, due: 5) == (true, nil))
        away.remove(1)
        #expect(away.add(6, others: [], address: "a", due: 6) == (true, nil))
        #expect(away.count == 4)
    }

    @Test func `when the total is reached, the session lost first makes room`() {
        var away = AwaySessions(countMax: 3, countPerAddressMax: 10)
        for session in 1...3 as ClosedRange<UInt64> {
            _ = away.add(session, others: [], address: nil, due: Int64(session))
        }
        away.remove(1)
        _ = away.add(4, others: [], address: nil, due: 4)
        #expect(away.add(5, others: [], address: nil, due: 5) == (true, 2))
        away.remove(2)
        #expect(away.count == 3)
    }

    @Test func `sessions that come and go leave nothing behind`() {
        var away = AwaySessions(countMax: 100, countPerAddressMax: 50)
        var generator = SeededGenerator(seed: 11)
        var inside: Set<UInt64> = []
        for step in 0..<200_000 as Range<UInt64> {
            if let one = inside.randomElement(using: &generator), Bool.random(using: &generator) {
                away.remove(one)
                inside.remove(one)
            }
            let address = "\(step % 3)"
            let (isKept, ending) = away.add(step, others: [], address: address, due: Int64(step))
            if let ending {
                #expect(inside.contains(ending))
                away.remove(ending)
                inside.remove(ending)
            }
            if isKept { inside.insert(step) }
            #expect(away.count == inside.count && inside.count <= 100)
        }
        while let one = away.take(now: .max) {
            #expect(inside.remove(one) != nil)
            away.remove(one)
        }
        #expect(inside.isEmpty && away.next == nil)
    }
}
