internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Answers to HTTP requests.
extension ShardCore {
    func received(_ request: HTTPRequest, _ exchange: ExchangeLink) {
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
        case "/metrics": showMetrics(request, exchange)
        case "/.well-known/jwks.json":
            exchange.respond(
                HTTPResponse(
                    contentType: "application/json", body: Array(services.model.accounts.publicKeysJSON.utf8),
                    headers: [(name: "cache-control", value: "max-age=300")]))
        case let path where path.hasPrefix(Limits.photosPathPrefix): showPhoto(request, exchange)
        default: showSite(request, exchange)
        }
    }

    private func showMetrics(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        // A proxy on this machine speaks for strangers, and says so.
        guard request.remote.isLoopback, !request.isForwarded else {
            return exchange.respond(.text(403, "Metrics are for this machine only."))
        }
        let (doors, shard) = (self.doors, self.shard)
        Task {
            var loops: [LoopReport] = []
            for door in doors { loops.append(await door.ask { LoopReport($0) }) }
            let (report, reports) = (await shard.perform { LiveReport($0) }, loops)
            exchange.respond(
                HTTPResponse(
                    contentType: "text/plain; version=0.0.4; charset=utf-8",
                    body: Array(MetricsPage.text(report, reports).utf8)))
        }
    }
}
