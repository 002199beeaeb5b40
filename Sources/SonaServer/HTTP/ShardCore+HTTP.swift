internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Responses to HTTP requests.
extension ShardCore {
    func received(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        if isHandingOver, !["/healthz", "/readyz", "/metrics"].contains(request.path) {
            return exchange.respond(.error(WireError(.serverDraining, retryAfterMilliseconds: 1_000)))
        }
        if request.path.hasPrefix(Limits.rpcPathPrefix) { return call(request, exchange) }
        if request.path.hasPrefix(Limits.cookiePath + "/") { return useCookie(request, exchange) }
        if request.path.hasPrefix(OperatorDoor.pathPrefix) { return operate(request, exchange) }
        if UploadRequest.place(request.path) != nil { return takeUpload(request, exchange) }
        if let upload = Self.upload(request.path) { return take(upload, request, exchange) }
        if let room = Self.songRequestsPath(request.path) { return takeSongRequest(room, request, exchange) }
        if request.path.hasPrefix(RadioPath.prefix) { return listen(request, exchange) }
        if request.path.hasPrefix(SubsonicDoor.pathPrefix) { return subsonic(request, exchange) }
        guard request.method == .get || request.method == .head else {
            return exchange.respond(
                HTTPResponse(
                    status: 405, body: Array("Only GET and HEAD are known here.\n".utf8),
                    headers: [(name: "allow", value: "GET, HEAD")]))
        }
        if let (room, isStream) = Self.nowPath(request.path) {
            return showNow(room, isStream: isStream, request, exchange)
        }
        switch request.path {
        case "/healthz": exchange.respond(.text(200, "ok"))
        case "/readyz": exchange.respond(Readiness(self).response(accept: request.headers["accept"]))
        case "/robots.txt": exchange.respond(robots)
        case ServerLogo.path:
            let logo = services.configuration.logo
            exchange.respond(logo?.response(to: request) ?? .text(404, "This server has no logo."))
        case OEmbed.pagePath: showEmbed(request, exchange)
        case "/metrics": showMetrics(request, exchange)
        case "/.well-known/jwks.json":
            exchange.respond(
                HTTPResponse(
                    contentType: "application/json", body: Array(services.model.accounts.publicKeysJSON.utf8),
                    headers: [(name: "cache-control", value: "max-age=300")]))
        case let path where path.hasPrefix(Limits.photosPathPrefix): showPhoto(request, exchange)
        case let path where path.hasPrefix(Limits.coversPathPrefix): showCover(request, exchange)
        case let path where path.hasPrefix(Limits.tracksPathPrefix): playTrack(request, exchange)
        case let path where path.hasPrefix(Limits.recordingsPathPrefix): playRecording(request, exchange)
        case let path where path.hasPrefix(Limits.roomsPathPrefix):
            guard let room = Self.calendar(path) else { return showSite(request, exchange) }
            showCalendar(of: room, request, exchange)
        default: showSite(request, exchange)
        }
    }

    /// Source: RFC 9309, the Robots Exclusion Protocol.
    private var robots: HTTPResponse {
        let path = services.configuration.robots == .allow ? "/v1/" : "/"
        return .text(200, "User-agent: *\nDisallow: \(path)")
    }

    /// Shows the figures to local requests only: a proxy on this machine would show them to everybody.
    private func showMetrics(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        guard request.remote.isLocal else {
            return exchange.respond(.text(404, "Metrics are at the operator's socket, and where --metrics says."))
        }
        let (mailboxes, shard) = (self.mailboxes, self.shard)
        Task { exchange.respond(await MetricsPage.response(mailboxes, shard)) }
    }
}

extension MetricsPage {
    /// Asks every loop for its figures.
    static func response(_ mailboxes: [HubMailbox], _ shard: Shard) async -> HTTPResponse {
        var loops: [LoopReport] = []
        for mailbox in mailboxes { loops.append(await mailbox.ask { LoopReport($0) }) }
        let (live, services) = await shard.perform { (LiveReport($0), $0.services) }
        let (reports, counts) = (loops, await services.library.counts())
        let notifications = await services.model.notifications.counts()
        let slots = try? await services.model.roomStorage.schedules.slotCount()
        let schedules = (rooms: await services.scheduler.count, slots: slots ?? 0)
        let recordings = (try? await services.model.roomStorage.recordings.usage()) ?? (0, 0)
        let replays = (try? await services.model.roomStorage.replays.count()) ?? 0
        return HTTPResponse(
            contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: Array(
                text(live, reports, counts, notifications, schedules, replays: replays, recordings: recordings).utf8))
    }
}

/// `/metrics` at an address of its own, on a loop of its own.
final class MetricsApplication: LoopApplication {
    private let loop: EventLoop
    private let mailboxes: [HubMailbox]
    private let shard: Shard

    init(_ loop: EventLoop, _ mailboxes: [HubMailbox], _ shard: Shard) {
        self.loop = loop
        self.mailboxes = mailboxes
        self.shard = shard
    }

    func received(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard request.path == "/metrics", request.method == .get || request.method == .head else {
            return exchange.respond(.text(404, "There is nothing here but /metrics."))
        }
        let link = ExchangeLink(exchange, of: request, on: loop)
        let (mailboxes, shard) = (self.mailboxes, self.shard)
        Task { link.respond(await MetricsPage.response(mailboxes, shard)) }
    }

    func upgrade(_ request: HTTPRequest) -> UpgradeDecision { .refuse(.text(404, "There is no WebSocket here.")) }
}
