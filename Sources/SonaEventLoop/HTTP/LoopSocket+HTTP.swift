internal import CLibwebsockets

/// The life of a socket before, or without, an upgrade. Each function returns what libwebsockets is told.
extension LoopSocket {
    /// A body that nobody wants is read to its end if it has no more bytes than this.
    private static let unwantedBodyMax = 16 << 20
    private static let lingerSeconds: Int64 = 10
    /// Seconds until a body must have come whole.
    static let requestSecondsMax: Int64 = 30

    private static let strayCompletionsMax = 16

    // MARK: Requests

    func beginRequest(_ wsi: OpaquePointer) -> Int32 {
        core.figures.requests &+= 1
        let http = conversation()
        // The socket's number and a running one, so that an answer that comes late finds this very request.
        http.requestCount &+= 1
        http.body = .none
        http.strayCompletions = 0
        let number = self.number << 16 | UInt64(http.requestCount)
        let headers = HeaderReader(wsi: wsi)
        let request: HTTPRequest
        let length: HTTPRequest.BodyLength
        do {
            request = try headers.request(from: remote)
            length = try headers.bodyLength()
        } catch {
            return answerAtOnce(wsi, Self.response(to: error))
        }
        if http.budget.take(now: MonotonicClock.nowMicroseconds()) != nil {
            var response = HTTPResponse.text(429, "Too many requests on one connection.")
            response.headers.append((name: "retry-after", value: "1"))
            return answerAtOnce(wsi, response)
        }
        let exchange = HTTPExchange(number: number, request: request, wsi: wsi)
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, 30)
        let withoutTLS = answerWithoutTLS(request)
        guard case .known(let count) = length, count > 0 else {
            if let withoutTLS { return answerAtOnce(wsi, withoutTLS) }
            http.exchange = exchange
            dispatch(request, exchange)
            return 0
        }
        guard request.method != .get, request.method != .head else {
            return answerAtOnce(wsi, .text(400, "A \(request.method.rawValue) request has no body here."))
        }
        let decision = withoutTLS.map(BodyDecision.refuse) ?? core.application?.body(of: request, bytes: count)
        switch decision ?? .refuse(.text(503, "Nobody serves here.")) {
        case .take:
            if headers.expectsContinue, !sendContinue(wsi) { return -1 }
            exchange.body.reserveCapacity(count)
            http.body = .coming(count)
        case .refuse(var response):
            response.closes = true
            if headers.expectsContinue || count > Self.unwantedBodyMax { return answerAtOnce(wsi, response) }
            writeAtOnce(wsi, response)
            linger(http, wsi, count)
            return 0
        }
        http.exchange = exchange
        // libwebsockets' own limit starts anew with every byte.
        core.schedule(after: Self.requestSecondsMax * 1_000_000) { [weak http, weak exchange, unowned core] in
            guard let http, let exchange, http.exchange === exchange, !exchange.isAnswered, http.body.isComing else {
                return
            }
            core.cut(wsi)
        }
        return 0
    }

    /// Bytes of the body; a request that has none, or has had them all, gets no more, for libwebsockets 4.1.6 goes on
    /// to read whatever follows as a body, and without end if it has it in memory already.
    func requestBody(_ wsi: OpaquePointer, _ piece: UnsafeRawBufferPointer) -> Int32 {
        if piece.isEmpty { return 0 }
        guard let http else { return -1 }
        if case .unwanted(let rest) = http.body {
            http.body = .unwanted(rest - piece.count)
            return rest >= piece.count ? 0 : -1
        }
        guard case .coming(let count) = http.body, let exchange, exchange.body.count + piece.count <= count else {
            return -1
        }
        exchange.body.append(contentsOf: piece)
        core.pace.hurry()
        return 0
    }

    func requestComplete(_ wsi: OpaquePointer) -> Int32 {
        guard let http else { return -1 }
        if case .unwanted(0) = http.body { return -1 }
        guard case .coming(let count) = http.body, let exchange, exchange.body.count == count else {
            // Said again for every byte that follows; a line end after the body is common (RFC 9112 §2.2), more is not.
            http.strayCompletions += 1
            return http.strayCompletions > Self.strayCompletionsMax ? -1 : 0
        }
        http.body = .complete
        // Whoever answers takes the time that takes; what it may be is theirs to bound.
        lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        var request = exchange.request
        request.body = exchange.body
        exchange.body = []
        dispatch(request, exchange)
        return 0
    }

    /// Reads on for a while after an answer: who is still sending would lose it to the reset of a closed connection.
    private func linger(_ http: HTTPConversation, _ wsi: OpaquePointer, _ count: Int) {
        http.body = .unwanted(count)
        let number = http.requestCount
        core.schedule(after: Self.lingerSeconds * 1_000_000) { [weak http, unowned core] in
            guard let http, case .unwanted = http.body, http.requestCount == number else { return }
            core.cut(wsi)
        }
    }

    /// Written at once: the client has nothing else to read yet.
    private func sendContinue(_ wsi: OpaquePointer) -> Bool {
        let line = "HTTP/1.1 100 Continue\r\n\r\n"
        var bytes = [UInt8](repeating: 0, count: Int(sona_lws_pre)) + Array(line.utf8)
        return bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            let start = Int(sona_lws_pre)
            return sona_lws_write_raw(wsi, base + start, buffer.count - start) >= 0
        }
    }

    private func dispatch(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard let application = core.application else {
            exchange.respond(.text(503, "Nobody serves here."))
            return
        }
        application.received(request, exchange)
    }

    private static func response(to fault: HTTPRequest.Fault) -> HTTPResponse {
        var response: HTTPResponse =
            switch fault {
            case .bad(let why): .text(400, "Bad request: \(why).")
            case .lengthRequired: .text(411, "The body must come with its Content-Length.")
            case .methodUnknown: .text(501, "This method is not known here.")
            }
        response.closes = true
        return response
    }

    // MARK: Upgrades

    /// Allows or refuses an upgrade. 4.1.6 itself would take any method and version, and h2c besides, whose parser has
    /// a known out-of-bounds write.
    func decideUpgrade(_ wsi: OpaquePointer) -> Int32 {
        let headers = HeaderReader(wsi: wsi)
        // For unknown values libwebsockets has answered 403 already and freed the headers.
        guard headers.value(WSI_TOKEN_UPGRADE, is: "websocket") else {
            guard headers.value(WSI_TOKEN_UPGRADE, is: "h2c") else { return refuseUpgrade() }
            return refuseUpgrade(wsi, .text(426, "Only WebSocket upgrades are known here."))
        }
        if isBesideTLS { return refuseUpgrade(wsi, Self.upgradeToTLS) }
        if let response = handshakeFault(headers) { return refuseUpgrade(wsi, response) }
        var request: HTTPRequest
        do {
            request = try headers.request(from: remote)
            guard try headers.bodyLength() == .none || headers.bodyLength() == .known(0) else {
                throw HTTPRequest.Fault.bad("an upgrade has no body")
            }
        } catch {
            let fault = error as? HTTPRequest.Fault ?? .bad("not understood")
            return refuseUpgrade(wsi, Self.response(to: fault))
        }
        request.subprotocols = headers.tokens(WSI_TOKEN_PROTOCOL)
        switch core.application?.upgrade(request) ?? .refuse(.text(503, "Nobody serves here.")) {
        case .refuse(let response):
            return refuseUpgrade(wsi, response)
        case .accept(let handler, let limits):
            accept(handler, limits)
        case .acceptAnySubprotocol(let handler, let limits):
            if let first = request.subprotocols.first, !core.mirror(first) {
                return refuseUpgrade(wsi, .text(400, "The subprotocol's name is too long."))
            }
            accept(handler, limits)
        }
        return 0
    }

    private func accept(_ handler: any WebSocketHandler, _ limits: WebSocketLimits) {
        core.figures.upgraded &+= 1
        let connection = WebSocketConnection(number: number, limits: limits, core: core, isClient: false)
        connection.handler = handler
        become(connection)
    }

    /// The server's half of RFC 6455 §4.2.1.
    private func handshakeFault(_ headers: HeaderReader) -> HTTPResponse? {
        guard headers.has(WSI_TOKEN_GET_URI) else {
            return HTTPResponse(
                status: 405, body: Array("A WebSocket is asked for with GET.\n".utf8),
                headers: [(name: "allow", value: "GET")])
        }
        guard headers.isHTTP11 else {
            return .text(400, "A WebSocket needs HTTP/1.1.")
        }
        guard headers.value(WSI_TOKEN_VERSION, is: "13") else {
            return HTTPResponse(
                status: 426, body: Array("Only WebSocket version 13 is spoken here.\n".utf8),
                headers: [(name: "sec-websocket-version", value: "13"), (name: "upgrade", value: "websocket")])
        }
        guard headers.withValue(WSI_TOKEN_KEY, Self.isKey) else {
            return .text(400, "The Sec-WebSocket-Key must be 16 bytes in base64.")
        }
        guard headers.has("upgrade", in: WSI_TOKEN_CONNECTION) else {
            return .text(400, "The Connection header does not name the upgrade.")
        }
        return nil
    }

    private static func isKey(_ key: UnsafeRawBufferPointer?) -> Bool {
        guard let key, key.count == 24, key[22] == 0x3D, key[23] == 0x3D else { return false }
        return key.prefix(22).allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2B
                || $0 == 0x2F
        }
    }

    private func refuseUpgrade() -> Int32 {
        core.figures.refusedUpgrades &+= 1
        return -1
    }

    /// Answers at once: inside this callback there is no later. The head is written by hand, since libwebsockets has not
    /// noted the request's version yet and would answer with HTTP/1.0.
    private func refuseUpgrade(_ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
        core.figures.refusedUpgrades &+= 1
        return answerAtOnce(wsi, response)
    }

    /// Writes an answer from inside a callback and has the connection closed behind it.
    private func answerAtOnce(_ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
        writeAtOnce(wsi, response)
        return -1
    }

    private func writeAtOnce(_ wsi: OpaquePointer, _ response: HTTPResponse) {
        var head = "HTTP/1.1 \(response.status) \(HTTPResponse.phrase(response.status))\r\n"
        head += "content-type: \(response.contentType)\r\ncontent-length: \(response.body.count)\r\n"
        for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
        head += "connection: close\r\n\r\n"
        var bytes = [UInt8](repeating: 0, count: Int(sona_lws_pre)) + Array(head.utf8) + response.body
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            let start = Int(sona_lws_pre)
            _ = sona_lws_write_raw(wsi, base + start, buffer.count - start)
        }
    }
}
