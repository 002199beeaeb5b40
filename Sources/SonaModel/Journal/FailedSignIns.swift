internal import SonaBase
package import SonaWire

/// Decides which failed sign-ins get a line in the journal, so that a flood fills neither the disk nor the page.
///
/// Counts failures per address group and account in each quarter of an hour of the clock. The 1st, 10th, 100th, 1 000th
/// … failure gets a line with the count so far. So a few lines show the size of an attack: a million failures from one
/// group are 7 lines. If a quarter has more than `groupsMax` groups, further ones are counted together as `others`.
///
/// In memory; any thread. Counts that got no line are lost when the process ends.
package final class FailedSignIns: Sendable {
    package static let quarterMilliseconds: Int64 = 15 * 60 * 1_000
    package static let groupsMax = 64

    private struct Group: Hashable {
        /// `nil`: groups beyond `groupsMax`.
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
    ///   - account: The account that was tried. `nil` if the e-mail address has none.
    ///   - address: The network address it came from. `nil` if unknown.
    /// - Returns: The entry to write; `nil` if this failure gets none.
    package func entry(account: UserID?, address: String?, now: Int64) -> JournalEntry? {
        let group = Group(addresses: AddressGroup(address ?? ""), account: account)
        let (counted, count) = state.withLock { state in Self.count(group, in: &state, now: now) }
        guard Self.isPowerOfTen(count) else { return nil }
        return JournalEntry(
            .signInFailed, user: counted.account,
            ["from": .text(counted.addresses?.description ?? "others"), "failures": .integer(count)])
    }

    private static func count(_ group: Group, in state: inout State, now: Int64) -> (Group, Int64) {
        // A clock that was set back begins a new quarter, too.
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
