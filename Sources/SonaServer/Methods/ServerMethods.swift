internal import SonaWire

/// `server.*`: the server's name, version and features, and its figures of the last hour.
struct ServerMethods: MethodArea {
    let live: LiveConfiguration
    var history = FigureHistory()

    static func area(of methods: Methods) -> ServerMethods { methods.server }

    static var methods: [Method] { [open(info), signedIn(history)] }

    func info(_ request: ServerInfo, _ caller: Caller) async throws -> ServerDescription {
        live.configuration.description
    }

    /// For the operator alone.
    func drain(_ request: OperatorDrain) async throws -> Empty {
        guard let drain = live.configuration.drain else { throw WireError(.serverInternal) }
        if let reason = drain(request.isReplaced) { throw WireError(.serverBusy, "No successor starts: \(reason).") }
        return Empty()
    }

    /// - Parameter asker: `nil` for the operator.
    func history(_ request: ServerHistory, _ asker: Asker?) async throws -> ServerHistoryResult { history.result }
}
