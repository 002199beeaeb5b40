internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Answers to HTTP requests, and which WebSockets are let in.
extension ShardCore: LoopApplication {
    func received(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if request.path.hasPrefix(Limits.rpcPathPrefix) { return call(request, exchange) }
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
        default: exchange.respond(services.site.response(to: request))
        }
    }

    private func metrics(_ request: HTTPRequest) -> HTTPResponse {
        // A proxy on this machine speaks for strangers, and says so.
        guard request.remote.isLoopback, !request.isForwarded else {
            return .text(403, "Metrics are for this machine only.")
        }
        return HTTPResponse(
            contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(MetricsPage.text(self).utf8))
    }

    // MARK: Requests of the durable plane

    private func call(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        let type = String(request.path.dropFirst(Limits.rpcPathPrefix.count))
        figures.requests &+= 1
        func refuse(_ error: WireError) {
            figures.requestErrors &+= 1
            exchange.respond(.error(error))
        }
        guard request.method == .post else {
            return exchange.respond(
                HTTPResponse(
                    status: 405, contentType: "application/json",
                    body: Reply.errorBody(WireError(.requestMalformed, "Requests are made with POST.")),
                    headers: [(name: "allow", value: "POST")]))
        }
        guard DurableMethods.types.contains(type) else {
            return refuse(WireError(.requestUnknown, "There is no request of type \(type.quoted) over HTTP."))
        }
        if isDraining { return refuse(WireError(.serverDraining, retryAfterMilliseconds: 2000)) }
        var caller = Caller(account: nil, address: limitedAddress(request.remote))
        let data: JSON
        do throws(WireError) {
            if let header = request.authorization { caller.account = try account(bearer: header) }
            data = try Self.parse(body: request.body)
        } catch { return refuse(error) }
        let (loop, methods, number) = (self.loop, self.methods, exchange.number)
        let (asks, parameters) = (caller, data)
        Task {
            do throws(WireError) {
                let outcome = try await methods.call(type, parameters, asks)
                loop.respond(to: number, .json(200, Reply.okBody(outcome.result)))
            } catch {
                loop.respond(to: number, .error(error))
            }
        }
    }

    private func account(bearer header: String) throws(WireError) -> Accounts.Account {
        let scheme = "bearer "
        guard header.prefix(scheme.count).lowercased() == scheme else {
            throw WireError(.authTokenInvalid, "The Authorization header must carry a Bearer token.")
        }
        do {
            return try services.model.accounts.authenticate(accessToken: String(header.dropFirst(scheme.count)))
        } catch {
            throw WireError(error)
        }
    }

    private static func parse(body: [UInt8]) throws(WireError) -> JSON {
        if body.isEmpty { return .emptyObject }
        do {
            let json = try JSON.parse(body)
            guard json.object != nil else { throw WireError(.requestMalformed, "The body must be an object.") }
            return json
        } catch let error as JSONError {
            guard error.kind == .malformed else { throw WireError(.requestTooDeep) }
            throw WireError(.requestMalformed, "Not acceptable JSON: \(error).")
        } catch {
            throw error as? WireError ?? WireError(.requestMalformed)
        }
    }

    /// The address that per-address limits go by, nil for exempt ones.
    private func limitedAddress(_ remote: RemoteAddress) -> String? {
        services.configuration.exempt.contains(remote.text) ? nil : remote.group
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

extension HTTPResponse {
    fileprivate static func error(_ error: WireError) -> HTTPResponse {
        var response = HTTPResponse.json(error.code.httpStatus, Reply.errorBody(error))
        if let wait = error.retryAfterMilliseconds {
            response.headers.append((name: "retry-after", value: String((wait + 999) / 1000)))
        }
        if error.code == .authRequired || error.code == .authTokenInvalid || error.code == .authTokenExpired {
            response.headers.append((name: "www-authenticate", value: "Bearer"))
        }
        return response
    }
}

/// `/v1/echo`: every message comes back as it is. For suites that test WebSockets, and only with `--echo`.
final class EchoHandler: WebSocketHandler {
    static let bytesMax = 16 << 20
    func webSocketOpened(_ connection: WebSocketConnection) {}
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        let message = Array(bytes)
        isText ? connection.send(text: message) : connection.send(binary: message)
    }
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
}
