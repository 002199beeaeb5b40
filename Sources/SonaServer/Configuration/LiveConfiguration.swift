internal import SonaBase
internal import SonaWire

/// The configuration that a running server goes by, and what follows from it. Any thread; reading takes a lock.
final class LiveConfiguration: Sendable {
    private struct State {
        var configuration: ServerConfiguration
        var gate: RequestGate
        var ownAddress: String?
        var icecastAddress: String?
        var snapcastAddress: String?
    }

    private let state: Monitor<State>

    init(_ configuration: ServerConfiguration) {
        state = Monitor(State(configuration: configuration, gate: RequestGate(configuration)))
    }

    var configuration: ServerConfiguration { state.withLock { $0.configuration } }
    var gate: RequestGate { state.withLock { $0.gate } }

    /// Whether only administrators are answered.
    var isInMaintenance: Bool { state.withLock { $0.configuration.profile.isInMaintenance } }
    /// What the operator says of the server, as everybody is told it.
    var profile: ServerProfile { state.withLock { $0.configuration.description.profile } }
    /// Whether people may come without an account.
    var takesGuests: Bool { state.withLock { $0.configuration.profile.takesGuests } }
    /// The beginning of links; `nil` if the operator has not said it.
    var publicAddress: String? { state.withLock { $0.configuration.publicAddress } }
    /// The beginning of links for whoever sits at the server's machine; `nil` as long as the server does not listen.
    var ownAddress: String? { state.withLock { $0.ownAddress } }
    /// Without limits for addresses.
    func isExempt(_ address: String) -> Bool { state.withLock { $0.configuration.exempt.contains(address) } }

    func replace(_ configuration: ServerConfiguration) {
        let gate = RequestGate(configuration)
        state.withLock { ($0.configuration, $0.gate) = (configuration, gate) }
    }

    /// Where programs that speak Icecast host rooms, `HOST:PORT`; `nil`: nowhere.
    var icecastAddress: String? { state.withLock { $0.icecastAddress } }

    /// Where speakers connect, `HOST:PORT`; `nil`: nowhere.
    var snapcastAddress: String? { state.withLock { $0.snapcastAddress } }

    func takesSpeakers(at address: String) { state.withLock { $0.snapcastAddress = address } }

    func takesSources(at address: String) { state.withLock { $0.icecastAddress = address } }

    func listens(at ownAddress: String?) { state.withLock { $0.ownAddress = ownAddress } }
}
