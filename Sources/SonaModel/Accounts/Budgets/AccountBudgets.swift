internal import SonaBase
package import SonaWire
internal import Synchronization

/// How often an account may do something: a burst, then one more per interval.
package struct Budget: Sendable, Equatable {
    /// Requests that may come at once after a rest.
    package let burst: Int
    /// Milliseconds until the budget has one more request.
    package let intervalMilliseconds: Int64

    /// - Parameter count: Requests per `milliseconds` in the long run.
    init(_ burst: Int, thenPer milliseconds: Int64, _ count: Int64 = 1) {
        self.burst = burst
        intervalMilliseconds = max(1, milliseconds / count)
    }
}

/// The budgets of each account and guest, by type of request. They are checked in memory, before the database.
///
/// The table is `AccountBudgets.table`. A restart resets all budgets. Any thread; a lock and a look-up. At most
/// `countsMax` budgets that are not full are remembered. Beyond that, those nearest to full are forgotten.
package final class AccountBudgets: Sendable {
    static let countsMax = 100_000

    private struct Key: Hashable {
        let uid: UserID
        let verb: String
    }

    /// For each budget that is not full: when it will be full again, milliseconds since 1970. This is the generic cell
    /// rate algorithm.
    private let fullAt = Monitor<[Key: Int64]>([:])

    private let currentFactor: Atomic<Int>

    /// - Parameter factor: Multiplies all budgets of the table, burst and rate; at least 1.
    package init(factor: Int = 1) { currentFactor = Atomic(max(1, factor)) }

    /// Multiplies all budgets from now on. A budget that is used up is full again at the old time.
    package func setFactor(_ factor: Int) { currentFactor.store(max(1, factor), ordering: .relaxed) }

    /// Takes one from the budget of `uid` for a request of the type `verb`. Types without a line in the table are
    /// unlimited.
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

    /// - Returns: How long to wait, ms. `nil`: one was taken.
    private func wait(_ budget: Budget, _ key: Key, now: Int64) -> Int64? {
        let factor = currentFactor.load(ordering: .relaxed)
        let interval = max(1, budget.intervalMilliseconds / Int64(factor))
        let span = interval * Int64(budget.burst * factor)
        return fullAt.withLock { fullAt in
            // A clock that was set back must not make an account wait longer than a whole budget takes.
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

    /// The number of remembered budgets, for tests.
    var count: Int { fullAt.withLock { $0.count } }
}
