internal import CLibwebsockets

/// The server's half of the WebSocket handshake (RFC 6455 §4.2).
extension LoopSocket {
    enum UpgradeAnswer {
        /// Allowed: the connection, and the answer that opens it.
        case accept(WebSocketConnection, [UInt8])
        case refuse(HTTPResponse)
    }

    /// Allows or refuses an upgrade.
    func decideUpgrade(_ request: HTTPRequest, isHTTP11: Bool) -> UpgradeAnswer {
        guard request.headers.has("websocket", in: "upgrade") else {
            return .refuse(.text(426, "Only WebSocket upgrades are known here."))
        }
        if isBesideTLS { return .refuse(Self.upgradeToTLS) }
        if let response = Self.handshakeFault(request, isHTTP11: isHTTP11) { return .refuse(response) }
        var request = request
        request.subprotocols = request.headers.items("sec-websocket-protocol")
        guard request.subprotocols.allSatisfy(Self.isToken) else {
            return .refuse(.text(400, "A subprotocol's name is a token."))
        }
        guard count(asOf: request.remote) else {
            return .refuse(.text(429, "There are too many connections from this address."))
        }
        switch core.application?.upgrade(request) ?? .refuse(.text(503, "Nobody serves here.")) {
        case .refuse(let response): return .refuse(response)
        case .accept(let handler, let limits):
            let known = request.subprotocols.first { core.loop.options.subprotocols.contains($0) }
            guard known != nil || request.subprotocols.isEmpty else {
                return .refuse(.text(400, "None of the subprotocols offered is known here."))
            }
            return accept(handler, limits, request, subprotocol: known)
        case .acceptAnySubprotocol(let handler, let limits):
            return accept(handler, limits, request, subprotocol: request.subprotocols.first)
        }
    }

    private func accept(
        _ handler: any WebSocketHandler, _ limits: WebSocketLimits, _ request: HTTPRequest, subprotocol: String?
    ) -> UpgradeAnswer {
        core.figures.upgraded &+= 1
        let connection = WebSocketConnection(number: number, limits: limits, core: core, isClient: false)
        connection.handler = handler
        var answer = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
        answer += "sec-websocket-accept: \(Self.accepting(key: request.headers["sec-websocket-key"] ?? ""))\r\n"
        if let subprotocol { answer += "sec-websocket-protocol: \(subprotocol)\r\n" }
        return .accept(connection, Array((answer + "\r\n").utf8))
    }

    /// Makes the connection a WebSocket, which begins with the answer to its upgrade.
    func become(_ webSocket: WebSocketConnection, after answer: [UInt8]) {
        become(webSocket)
        expectNothing()
        guard let wsi else { return }
        webSocket.opened(wsi, descriptor: descriptor, isTLS: isTLS, after: answer)
    }

    /// The answer to a handshake that is at fault; nil if it is right (RFC 6455 §4.2.1).
    private static func handshakeFault(_ request: HTTPRequest, isHTTP11: Bool) -> HTTPResponse? {
        guard request.method == .get else {
            return HTTPResponse(
                status: 405, body: Array("A WebSocket is asked for with GET.\n".utf8),
                headers: [(name: "allow", value: "GET")])
        }
        guard isHTTP11 else { return .text(400, "A WebSocket needs HTTP/1.1.") }
        guard request.headers["sec-websocket-version"] == "13" else {
            return HTTPResponse(
                status: 426, body: Array("Only WebSocket version 13 is spoken here.\n".utf8),
                headers: [(name: "sec-websocket-version", value: "13"), (name: "upgrade", value: "websocket")])
        }
        guard let key = request.headers["sec-websocket-key"], isKey(key.utf8) else {
            return .text(400, "The Sec-WebSocket-Key must be 16 bytes in base64.")
        }
        guard request.headers.has("upgrade", in: "connection") else {
            return .text(400, "The Connection header does not name the upgrade.")
        }
        return nil
    }

    private static func isKey(_ key: String.UTF8View) -> Bool {
        guard key.count == 24, key.suffix(2).elementsEqual("==".utf8) else { return false }
        return key.prefix(22).allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2B
                || $0 == 0x2F
        }
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }

    /// The value that proves that the key was read: its SHA-1 with RFC 6455's constant, in base64.
    private static func accepting(key: String) -> String {
        let bytes = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        SHA1(bytes, bytes.count, &digest)
        // 20 bytes in base64 are 28 characters; OpenSSL adds a zero byte.
        var text = [UInt8](repeating: 0, count: 32)
        let count = EVP_EncodeBlock(&text, digest, Int32(digest.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
}
