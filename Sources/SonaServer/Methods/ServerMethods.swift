internal import SonaWire

/// `server.*`: the server's name, version and features.
struct ServerMethods: MethodArea {
    let live: LiveConfiguration

    static func area(of methods: Methods) -> ServerMethods { methods.server }

    static var methods: [Method] { [open(info)] }

    func info(_ request: ServerInfo, _ caller: Caller) async throws -> ServerDescription {
        live.configuration.description
    }
}
