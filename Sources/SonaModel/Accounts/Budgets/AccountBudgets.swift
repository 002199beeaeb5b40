internal import SonaBase
package import SonaWire

/// How often somebody may do something: so many at once, and from then on one in a while.
package struct Budget: Sendable, Equatable {
    /// How many may come at once after a rest.
    package let burst: Int
    /// After how many milliseconds there is one more.
    package let intervalMilliseconds: Int64

    /// - Parameter count: How many there are in `milliseconds` in the long run.
    init(_ burst: Int, thenPer milliseconds: Int64, _ count: Int64 = 1) {
        self.burst = burst
        intervalMilliseconds = max(1, milliseconds / count)
    }
}

/// What each account and each guest may have written, by the type of the request: looked up in memory, before the disk.
///
/// The table is `AccountBudgets.table`. In memory only: a restart forgives. Any thread; a lock and a look-up. At most
/// `countsMax` budgets are remembered that are not full; past that, those that are nearest to full are forgotten.
package final class AccountBudgets: Sendable {
    static let countsMax = 100_000

    private struct Key: Hashable {
        let uid: UserID
        let verb: String
    }

    /// Of each budget that is not full the moment at which it will be, ms: a generic cell rate algorithm.
    private let fullAt = Monitor<[Key: Int64]>([:])

    private let factor: Int

    /// - Parameter factor: How many times the table's budgets an account has, at once and in the long run; at least 1.
    package init(factor: Int = 1) { self.factor = max(1, factor) }

    /// Takes one from the budget of `uid` for a request of that type. A type without a line in the table is free.
    ///
    /// - Throws: `tooMany`.
    package func take(_ verb: String, _ uid: UserID, now: Int64) throws(Refusal) {
        guard let budget = Self.table[verb] else { return }
        var wait = wait(budget, Key(uid: uid, verb: verb), now: now)
        if wait == nil, Self.journaled.contains(verb) {
            wait = self.wait(Self.journalLines, Key(uid: uid, verb: "journal"), now: now)
        }
        if let wait { throw .tooMany(retryAfterMilliseconds: Int(clamping: wait)) }
    }

    /// - Returns: How long to wait, ms; `nil` if it was taken.
    private func wait(_ budget: Budget, _ key: Key, now: Int64) -> Int64? {
        let interval = max(1, budget.intervalMilliseconds / Int64(factor))
        let span = interval * Int64(budget.burst * factor)
        return fullAt.withLock { fullAt in
            // A clock that was put back must not make anybody wait for longer than a whole budget takes.
            let before = min(max(fullAt[key] ?? now, now), now + span)
            let after = before + interval
            guard after - now <= span else { return after - now - span }
            if fullAt[key] == nil, fullAt.count >= Self.countsMax { Self.makeRoom(in: &fullAt, now: now) }
            fullAt[key] = after
            return nil
        }
    }

    private static func makeRoom(in fullAt: inout [Key: Int64], now: Int64) {
        fullAt = fullAt.filter { $0.value > now }
        guard fullAt.count >= countsMax else { return }
        let bound = fullAt.values.sorted()[countsMax / 10]
        fullAt = fullAt.filter { $0.value > bound }
    }

    /// How many budgets are remembered, for tests.
    var count: Int { fullAt.withLock { $0.count } }
}
