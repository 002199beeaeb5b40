internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The network addresses that the server answers nobody at, in memory. Any thread; reading takes a lock.
final class BannedAddresses: Sendable {
    private struct State {
        /// Until when each range is banned, milliseconds since 1970.
        var table = AddressTable<Int64>()
        var changeNumber: Int64 = .min
    }

    private let state = Monitor(State())

    /// Takes all bans over, unless newer ones came before.
    func replace(_ current: AddressBans.Current) {
        var table = AddressTable<Int64>()
        for ban in current.bans {
            if let range = AddressRange(ban.range) { table[range] = ban.untilMilliseconds ?? .max }
        }
        state.withLock { state in
            guard current.changeNumber > state.changeNumber else { return }
            state = State(table: table, changeNumber: current.changeNumber)
        }
    }

    /// The error for a client at an address; `nil` if it is not banned.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func refusal(of address: RemoteAddress, now: @autoclosure () -> Int64) -> WireError? {
        guard !address.isLocal else { return nil }
        let ends = state.withLock { $0.table.isEmpty ? [] : $0.table.values(of: address) }
        guard let end = ends.max() else { return nil }
        let now = now()
        guard end > now else { return nil }
        return WireError(
            .requestAddressBanned, retryAfterMilliseconds: end == .max ? nil : Int(clamping: end - now))
    }
}
