import SonaEventLoop
import Testing

@testable import SonaServer

struct FloodCounterTests {
    @Test func `three hundred messages at once are tolerated, and ten a second for ever`() {
        var counter = FloodCounter()
        let now: Int64 = 5_000_000
        for _ in 0..<300 {
            let isTooMuch = counter.add(now: now)
            #expect(!isTooMuch)
        }
        let isTooMuch = counter.add(now: now)
        #expect(isTooMuch)
        var patient = FloodCounter()
        for step in Int64(0)..<10_000 where patient.add(now: now + step * 100_000) {
            Issue.record("number \(step)")
        }
    }
}

struct AllowanceTests {
    @Test func `the held bytes may be used at once, and bytes beyond them take time to refill`() {
        var allowance = Allowance()
        let rule = Allowance.Rule(bytesPerSecond: 1_000, secondsHeld: 2)
        let now: Int64 = 7_000_000
        let within = allowance.use(2_000, of: rule, now: now)
        #expect(within == 0)
        let over = allowance.use(500, of: rule, now: now)
        #expect(over == 500_000)
        let later = allowance.use(500, of: rule, now: now + 1_000_000)
        #expect(later == 0)
        #expect(!allowance.isFull(now: now + 2_999_999) && allowance.isFull(now: now + 3_000_000))
    }

    @Test func `only addresses with a full budget are forgotten`() {
        var budgets = AddressBudgets(of: Allowance())
        let rule = Allowance.Rule(bytesPerSecond: 1_000, secondsHeld: 2)
        let first = budgets.with("first", now: 0) { $0.use(1_000_000, of: rule, now: 0) }
        #expect(first > 0)
        for number in 0..<20_000 { _ = budgets.with("\(number)", now: 0) { $0.use(1, of: rule, now: 0) } }
        for number in 0..<20_000 {
            _ = budgets.with("\(number)", now: 5_000_000) { $0.use(1, of: rule, now: 5_000_000) }
        }
        #expect(budgets.count < 30_000)
        let again = budgets.with("first", now: 5_000_000) { $0.use(1, of: rule, now: 5_000_000) }
        #expect(again > 0)
    }
}
