internal import CLibwebsockets

/// What libwebsockets' per-socket pointer points at: a connection, or a listening socket's acceptor.
public class LoopEndpoint {
    let isListening: Bool
    init(isListening: Bool) { self.isListening = isListening }

    static func of(_ wsi: OpaquePointer) -> LoopEndpoint? {
        guard let pointer = lws_get_opaque_user_data(wsi) else { return nil }
        return Unmanaged<LoopEndpoint>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// How far a request's body has come.
enum RequestBody {
    /// There is none.
    case none
    /// So many bytes in all are expected.
    case coming(Int)
    /// Nobody wants it, and that has been answered: so many bytes are still read, and the connection ends.
    case unwanted(Int)
    /// All of it was there, and has been handed on.
    case complete

    /// Whether bytes of it are still to come.
    var isComing: Bool {
        switch self {
        case .coming, .unwanted: true
        case .none, .complete: false
        }
    }

    /// What it takes in memory, or will.
    var bytesComing: Int {
        if case .coming(let count) = self { count } else { 0 }
    }
}

/// One accepted or connected socket of a loop, from adoption to the last word of libwebsockets about it.
///
/// It begins as HTTP; an upgrade makes it a WebSocket for the rest of its life.
final class LoopSocket: LoopEndpoint {
    let number: UInt64
    let remote: RemoteAddress
    unowned let core: LoopCore  // The core keeps every socket in its table and outlives them.
    private let whenGone: () -> Void

    /// The handler of a WebSocket whose upgrade has been allowed, or which is open.
    var webSocket: WebSocketConnection?
    /// The HTTP request being answered.
    var exchange: HTTPExchange?
    /// Requests begun on this socket, which may be kept alive for several.
    var requestCount: UInt16 = 0
    /// How far the body of the request at hand has come.
    var body = RequestBody.none {
        didSet { core.bodyBytesComing += body.bytesComing - oldValue.bytesComing }
    }
    /// How often the end of a body was announced that had ended, or was none.
    var strayCompletions = 0
    /// Whether it came without TLS where TLS is spoken.
    var isBesideTLS = false
    /// Whether nothing has been asked for yet.
    var isSilent: Bool { requestCount == 0 && webSocket == nil }
    var requestBudget = TokenBucket(perSecond: 60)

    init(number: UInt64, remote: RemoteAddress, core: LoopCore, whenGone: @escaping () -> Void) {
        self.number = number
        self.remote = remote
        self.core = core
        self.whenGone = whenGone
        super.init(isListening: false)
    }

    func gone() {
        body = .none
        webSocket?.ended()
        webSocket = nil
        exchange?.cancel()
        exchange = nil
        whenGone()
    }

    /// The connection of a socket; nil for listening ones and for those already given up.
    static func connection(_ wsi: OpaquePointer) -> LoopSocket? {
        guard let endpoint = LoopEndpoint.of(wsi), !endpoint.isListening else { return nil }
        return unsafeDowncast(endpoint, to: LoopSocket.self)  // All that do not listen are LoopSockets.
    }
}
