/// What one socket has been asked over HTTP, one request after the other, for as long as it is no WebSocket.
final class HTTPConversation {
    private unowned let core: LoopCore  // It outlives the sockets, and this belongs to one of them.

    /// The request being answered.
    var exchange: HTTPExchange?
    /// Requests begun on this socket, which may be kept alive for several.
    var requestCount: UInt16 = 0
    /// How far the body of the request at hand has come.
    var body = RequestBody.none {
        didSet { core.bodyBytesComing += body.bytesComing - oldValue.bytesComing }
    }
    /// How often the end of a body was announced that had ended, or was none.
    var strayCompletions = 0
    var budget = TokenBucket(perSecond: 60)

    init(_ core: LoopCore) { self.core = core }

    /// Nobody waits for the answer any more.
    func cancel() {
        exchange?.cancel()
        exchange = nil
    }

    func end() {
        body = .none
        cancel()
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
