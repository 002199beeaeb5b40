internal import SonaEventLoop

/// A budget of bytes that a sender may use. It refills evenly. It may be overdrawn, because bytes are counted after
/// they have arrived.
struct Allowance: AddressBudget {
    struct Rule {
        let bytesPerSecond: Int64
        let secondsHeld: Int64
    }

    /// When it will be full again if nothing more is used, µs.
    private var fullAt = Int64.min

    /// - Returns: Time until the overdraft is refilled, µs; 0 if it is not overdrawn.
    mutating func use(_ bytes: Int, of rule: Rule, now: Int64) -> Int64 {
        fullAt = max(fullAt, now) + Int64(bytes) * 1_000_000 / rule.bytesPerSecond
        return max(0, fullAt - now - rule.secondsHeld * 1_000_000)
    }

    func isFull(now: Int64) -> Bool { fullAt <= now }
}

extension Allowance.Rule {
    /// Text messages of one connection: 64 KiB four times a second. A client that sends its 60 requests a second, of
    /// 2 KiB each, uses about half. At once it may send twice as much as may wait (`Limits.requestsWaitingBytesMax`).
    static let connection = Self(bytesPerSecond: 256 << 10, secondsHeld: 8)
    /// Text messages of all connections that one address has on a loop.
    static let address = Self(bytesPerSecond: 1 << 20, secondsHeld: 4)
}

/// A budget that each network address has for itself.
protocol AddressBudget {
    /// Whether it is as full as a new one.
    func isFull(now: Int64) -> Bool
}

extension TokenBucket: AddressBudget {}

/// The budgets of network addresses. On one loop.
struct AddressBudgets<Budget: AddressBudget> {
    private var budgets: [String: Budget] = [:]
    private let new: Budget
    /// Number of addresses from which those with a full budget are dropped.
    private var sweepAt = Self.addressesMin
    private static var addressesMin: Int { 4_096 }

    init(of new: Budget) { self.new = new }

    var count: Int { budgets.count }

    mutating func with<Result>(_ address: String, now: Int64, _ body: (inout Budget) -> Result) -> Result {
        if budgets.count >= sweepAt {
            budgets = budgets.filter { !$1.isFull(now: now) }
            // The addresses that remain cannot be dropped yet: the next sweep comes when there are twice as many.
            sweepAt = max(Self.addressesMin, budgets.count * 2)
        }
        let new = new
        return body(&budgets[address, default: new])
    }
}
