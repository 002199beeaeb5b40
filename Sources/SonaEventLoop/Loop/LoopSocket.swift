internal import CLibwebsockets

/// What libwebsockets' per-socket pointer points at: a connection, or a listening socket's acceptor.
public class LoopEndpoint {
    let isListening: Bool
    /// Whether it came without TLS where TLS is spoken. Here, where there is room, as what follows.
    final var isBesideTLS = false
    /// The socket's, if it was accepted; -1 else.
    final var descriptor: Int32 = -1
    init(isListening: Bool) { self.isListening = isListening }

    static func of(_ wsi: OpaquePointer) -> LoopEndpoint? {
        guard let pointer = lws_get_opaque_user_data(wsi) else { return nil }
        return Unmanaged<LoopEndpoint>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// One accepted or connected socket of a loop, from adoption to the last word of libwebsockets about it.
///
/// It begins as HTTP; an upgrade makes it a WebSocket for the rest of its life. There may be very many of those, so what
/// only HTTP needs is kept apart, and made for the first request.
final class LoopSocket: LoopEndpoint {
    let number: UInt64
    let remote: RemoteAddress
    unowned let core: LoopCore  // The core keeps every socket in its table and outlives them.
    /// Where it counts as one of its address's connections, if it does.
    private let census: ConnectionCensus?

    private enum Speech {
        case nothing
        case http(HTTPConversation)
        /// Its upgrade has been allowed, or it is open.
        case webSocket(WebSocketConnection)
    }
    private var speech = Speech.nothing

    /// Whether nothing has been asked for yet.
    var isSilent: Bool { if case .nothing = speech { true } else { false } }

    init(number: UInt64, remote: RemoteAddress, core: LoopCore, census: ConnectionCensus?) {
        self.number = number
        self.remote = remote
        self.core = core
        self.census = census
        super.init(isListening: false)
    }

    var webSocket: WebSocketConnection? {
        if case .webSocket(let webSocket) = speech { webSocket } else { nil }
    }

    var http: HTTPConversation? {
        if case .http(let http) = speech { http } else { nil }
    }

    /// The HTTP request being answered.
    var exchange: HTTPExchange? { http?.exchange }

    /// What is said over HTTP, which begins with this at the latest.
    func conversation() -> HTTPConversation {
        if let http { return http }
        let begun = HTTPConversation(core)
        speech = .http(begun)
        return begun
    }

    /// From here on it is a WebSocket.
    func become(_ webSocket: WebSocketConnection) {
        http?.end()
        speech = .webSocket(webSocket)
    }

    func gone() {
        http?.end()
        webSocket?.ended()
        speech = .nothing
        census?.leave(remote.group)
    }

    /// The connection of a socket; nil for listening ones and for those already given up.
    static func connection(_ wsi: OpaquePointer) -> LoopSocket? {
        guard let endpoint = LoopEndpoint.of(wsi), !endpoint.isListening else { return nil }
        return unsafeDowncast(endpoint, to: LoopSocket.self)  // All that do not listen are LoopSockets.
    }
}
