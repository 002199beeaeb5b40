internal import SonaBase
package import SonaWire

/// Which failed sign-ins get a line in the journal: a flood of them must fill neither the disk nor the page.
///
/// Counts failures per address group and account in each quarter of an hour of the clock. The 1st, 10th, 100th, 1 000th …
/// get a line with the count so far, so the size of an attack is told, without a timer, in a few lines. Groups beyond
/// `groupsMax` in one quarter are counted together, as `others`. A million failures from one group are 7 lines.
///
/// In memory; any thread. What was counted and got no line is forgotten with the process.
package final class FailedSignIns: Sendable {
    package static let quarterMilliseconds: Int64 = 15 * 60 * 1_000
    package static let groupsMax = 64

    private struct Group: Hashable {
        /// `nil`: the others.
        let addresses: AddressGroup?
        let account: UserID?
    }

    private struct State {
        var quarter: Int64 = .min
        var counts: [Group: Int64] = [:]
    }

    private let state = Monitor(State())

    package init() {}

    /// Counts a failure.
    ///
    /// - Parameters:
    ///   - account: The one that was tried, if the e-mail address belongs to one.
    ///   - address: Where it came from; `nil` if that is not known.
    /// - Returns: The line to write; `nil` if this one gets none.
    package func entry(account: UserID?, address: String?, now: Int64) -> JournalEntry? {
        let group = Group(addresses: AddressGroup(address ?? ""), account: account)
        let (counted, count) = state.withLock { state in Self.count(group, in: &state, now: now) }
        guard Self.isPowerOfTen(count) else { return nil }
        return JournalEntry(
            .signInFailed, user: counted.account,
            ["from": .text(counted.addresses?.description ?? "others"), "failures": .integer(count)])
    }

    private static func count(_ group: Group, in state: inout State, now: Int64) -> (Group, Int64) {
        // Also when the clock was put back.
        if now / quarterMilliseconds != state.quarter {
            state.quarter = now / quarterMilliseconds
            state.counts.removeAll(keepingCapacity: true)
        }
        let others = Group(addresses: nil, account: nil)
        let counted = state.counts[group] != nil || state.counts.count < groupsMax ? group : others
        let count = state.counts[counted, default: 0] + 1
        state.counts[counted] = count
        return (counted, count)
    }

    private static func isPowerOfTen(_ count: Int64) -> Bool {
        var rest = count
        while rest >= 10, rest % 10 == 0 { rest /= 10 }
        return rest == 1
    }
}
