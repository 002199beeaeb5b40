internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Answers to HTTP requests, and which WebSockets are let in.
extension ShardCore: LoopApplication {
    func received(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if request.path.hasPrefix(Limits.rpcPathPrefix) { return call(request, exchange) }
        if request.path.hasPrefix(OperatorDoor.pathPrefix) { return operate(request, exchange) }
        if let upload = Self.upload(request.path) { return take(upload, request, exchange) }
        guard request.method == .get || request.method == .head else {
            return exchange.respond(
                HTTPResponse(
                    status: 405, body: Array("Only GET and HEAD are known here.\n".utf8),
                    headers: [(name: "allow", value: "GET, HEAD")]))
        }
        switch request.path {
        case "/healthz": exchange.respond(.text(200, "ok"))
        case "/readyz": exchange.respond(isDraining ? .text(503, "draining") : .text(200, "ready"))
        case "/metrics": exchange.respond(metrics(request))
        case "/.well-known/jwks.json":
            exchange.respond(
                HTTPResponse(
                    contentType: "application/json", body: Array(services.model.accounts.publicKeysJSON.utf8),
                    headers: [(name: "cache-control", value: "max-age=300")]))
        case let path where path.hasPrefix(Limits.photosPathPrefix): showPhoto(request, exchange)
        default: exchange.respond(services.site.response(to: request))
        }
    }

    func body(of request: HTTPRequest, bytes: Int) -> BodyDecision {
        guard Self.upload(request.path) != nil, request.method == .post else { return Self.ordinaryBody(bytes) }
        return photoBody(request, bytes: bytes)
    }

    private func metrics(_ request: HTTPRequest) -> HTTPResponse {
        // A proxy on this machine speaks for strangers, and says so.
        guard request.remote.isLoopback, !request.isForwarded else {
            return .text(403, "Metrics are for this machine only.")
        }
        return HTTPResponse(
            contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(MetricsPage.text(self).utf8))
    }

    // MARK: WebSockets

    func upgrade(_ request: HTTPRequest) -> UpgradeDecision {
        switch request.path {
        case Limits.webSocketPath:
            guard request.subprotocols.contains(Limits.subprotocol) else {
                return .refuse(.text(400, "Offer the subprotocol \(Limits.subprotocol)."))
            }
            if isDraining { return .refuse(.text(503, "The server is going down; come back in a moment.")) }
            var limits = WebSocketLimits(text: Limits.textBytesMax, binary: Limits.binaryUpBytesMax)
            limits.tooSlowCode = CloseCode.tooSlow.rawValue
            limits.silence = Limits.pongSecondsMax
            return .accept(Session(core: self, limitedAddress: limitedAddress(request.remote)), limits)
        case "/v1/echo" where services.configuration.hasEcho:
            var limits = WebSocketLimits(text: EchoHandler.bytesMax, binary: EchoHandler.bytesMax)
            limits.queue = 4 * EchoHandler.bytesMax
            limits.silence = nil
            return .acceptAnySubprotocol(EchoHandler(), limits)
        default:
            return .refuse(.text(404, "There is no WebSocket at this path."))
        }
    }
}
