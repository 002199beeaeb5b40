internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The HTTP decisions that are made where a request arrives: accepting WebSockets and bodies. Everything else is asked
/// of the first loop.
extension Hub: LoopApplication {
    /// Bytes of request bodies that may be arriving at once: each is in memory until it is complete.
    private static let bytesComingMax = 64 << 20

    /// The error with which the gate refuses a request; counted.
    private func refusal(of request: HTTPRequest) -> WireError? {
        guard let refusal = services.gate.refusal(of: request) ?? banRefusal(of: request) else { return nil }
        figures.gateRefusals[refusal.code, default: 0] &+= 1
        return refusal
    }

    /// Supervisors are answered wherever they are.
    private func banRefusal(of request: HTTPRequest) -> WireError? {
        if request.path == "/healthz" || request.path == "/readyz" { return nil }
        return services.banned.refusal(of: request.remote, now: MonotonicClock.wallMilliseconds())
    }

    func received(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if let refusal = refusal(of: request) { return exchange.respond(.error(refusal)) }
        let link = ExchangeLink(exchange, of: request, on: loop)
        shard.post { $0.received(request, link) }
    }

    func body(of request: HTTPRequest, bytes: Int) -> BodyDecision {
        if let refusal = refusal(of: request) { return .refuse(.error(refusal)) }
        if UploadRequest.place(request.path) != nil { return uploadBody(request, bytes: bytes) }
        if request.path.hasPrefix(SubsonicDoor.pathPrefix) { return formBody(request, bytes: bytes) }
        guard let upload = ShardCore.upload(request.path), request.method == .post else {
            return Self.ordinaryBody(bytes)
        }
        return fileBody(upload, request, bytes: bytes)
    }

    /// Decides on the form of a music app: a queue of thousands of songs is a long one.
    private func formBody(_ request: HTTPRequest, bytes: Int) -> BodyDecision {
        guard bytes > Self.ordinaryBodyBytesMax else { return .take }
        guard bytes <= SubsonicDoor.formBytesMax else {
            return .refuse(.text(413, "The form may have \(SubsonicDoor.formBytesMax) bytes."))
        }
        guard hasRoom(for: bytes, of: request) else { return .refuse(.text(503, "Too many forms are coming.")) }
        return .take
    }

    /// Whether another body may be in memory. One address may have at most half of it, so that it cannot keep out the others.
    private func hasRoom(for bytes: Int, of request: HTTPRequest) -> Bool {
        let bytesMax = max(Self.bytesComingMax / loopCount, 4 * Photos.bytesMax)
        return loop.bodyBytesComing + bytes <= bytesMax
            && loop.bodyBytesComing(of: request.remote.group) + bytes <= bytesMax / 2
    }

    /// Decides on a picture or a playlist in a file before any of it is read, by its sender and its size.
    private func fileBody(_ upload: ShardCore.Upload, _ request: HTTPRequest, bytes: Int) -> BodyDecision {
        do throws(WireError) {
            _ = try services.uploader(request)
            if case .playlist = upload {
                guard bytes <= Limits.playlistFileBytesMax else { throw .playlistFileTooLarge }
            } else if bytes > Photos.bytesMax {
                throw WireError(.photoTooLarge, "A photo may have \(Photos.bytesMax) bytes.")
            }
            guard hasRoom(for: bytes, of: request) else {
                throw WireError(.photoBusy, retryAfterMilliseconds: 1_000)
            }
            return .take
        } catch {
            let origin = RequestOrigin.ofHTTP(address: request.remote.text, connection: 0)
            shard.post { $0.count(refusal: error, origin) }
            return .refuse(.error(error))
        }
    }

    private static let clientLimits = WebSocketLimits(
        text: Limits.textBytesMax, binary: Limits.binaryUpBytesMax, tooSlowCode: CloseCode.tooSlow.rawValue,
        silence: Limits.pongSecondsMax)
    private static let echoLimits = WebSocketLimits(
        text: EchoHandler.bytesMax, binary: EchoHandler.bytesMax, queue: 4 * EchoHandler.bytesMax, silence: nil)

    func upgrade(_ request: HTTPRequest) -> UpgradeDecision {
        if let refusal = refusal(of: request) { return .refuse(.error(refusal)) }
        switch request.path {
        case Limits.webSocketPath:
            guard request.subprotocols.contains(Limits.subprotocol) else {
                return .refuse(.text(400, "Offer the subprotocol \(Limits.subprotocol)."))
            }
            if isDraining { return .refuse(.text(503, "The server is going down; come back in a moment.")) }
            let link = ClientLink(
                hub: self, address: request.remote.text, limitedAddress: services.limitedAddress(request.remote))
            return .accept(link, Self.clientLimits)
        case "/v1/echo" where services.configuration.hasEcho:
            return .acceptAnySubprotocol(EchoHandler(), Self.echoLimits)
        default:
            return .refuse(.text(404, "There is no WebSocket at this path."))
        }
    }
}
