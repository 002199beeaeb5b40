internal import SonaEventLoop

/// How much somebody may send before it is looked at, in bytes. It refills evenly, and may be overdrawn by what has
/// come already.
struct Allowance: AddressBudget {
    struct Rule {
        let bytesPerSecond: Int64
        let secondsHeld: Int64
    }

    /// When it is full again if nothing more is used, µs.
    private var fullAt = Int64.min

    /// - Returns: By how much it is overdrawn, as the time it takes to refill, µs; 0 if it is not.
    mutating func use(_ bytes: Int, of rule: Rule, now: Int64) -> Int64 {
        fullAt = max(fullAt, now) + Int64(bytes) * 1_000_000 / rule.bytesPerSecond
        return max(0, fullAt - now - rule.secondsHeld * 1_000_000)
    }

    func isFull(now: Int64) -> Bool { fullAt <= now }
}

extension Allowance.Rule {
    /// Text messages of one connection: 64 KiB four times a second. A client at its 60 requests a second, of 2 KiB each,
    /// uses two thirds of it. At once it may send twice what may wait of it (`Limits.requestsWaitingBytesMax`).
    static let connection = Self(bytesPerSecond: 256 << 10, secondsHeld: 8)
    /// Text messages of all connections that one address has on a loop.
    static let address = Self(bytesPerSecond: 1 << 20, secondsHeld: 4)
}

/// Something of which every network address has its own.
protocol AddressBudget {
    /// Whether it is as if nothing had ever been taken of it.
    func isFull(now: Int64) -> Bool
}

extension TokenBucket: AddressBudget {}

/// What each network address may still do. On one loop.
struct AddressBudgets<Budget: AddressBudget> {
    private var budgets: [String: Budget] = [:]
    private let new: Budget
    /// Above so many addresses those are forgotten that have their whole budget again.
    private var sweepAt = Self.addressesMin
    private static var addressesMin: Int { 4_096 }

    init(of new: Budget) { self.new = new }

    var count: Int { budgets.count }

    mutating func with<Result>(_ address: String, now: Int64, _ body: (inout Budget) -> Result) -> Result {
        if budgets.count >= sweepAt {
            budgets = budgets.filter { !$1.isFull(now: now) }
            // What is left cannot be forgotten yet: the next sweep comes when there are twice as many.
            sweepAt = max(Self.addressesMin, budgets.count * 2)
        }
        let new = new
        return body(&budgets[address, default: new])
    }
}
