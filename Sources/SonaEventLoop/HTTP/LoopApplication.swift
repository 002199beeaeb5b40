/// The application that answers the requests of one loop. Belongs to the loop and is called on it only.
public protocol LoopApplication: AnyObject {
    /// Called once the head of a request is complete and a body of `bytes` bytes is to come.
    func body(of request: HTTPRequest, bytes: Int) -> BodyDecision
    /// A whole request. Answer with `exchange.respond`, now or later.
    func received(_ request: HTTPRequest, _ exchange: HTTPExchange)
    /// Somebody asks for a WebSocket; method, version and key have been checked (RFC 6455 §4.2.1).
    func upgrade(_ request: HTTPRequest) -> UpgradeDecision
}

/// The decision about the body of a request.
public enum BodyDecision {
    /// It is kept in memory until it is whole.
    case take
    /// It goes to the sink as it comes, whatever its length; `received` is called when the sink has finished, or has
    /// thrown, with `request.sink`. The network waits for a sink that is slower.
    case stream(any BodySink)
    /// Nobody wants it: the answer comes as soon as it can be heard.
    case refuse(HTTPResponse)
}

extension LoopApplication {
    /// Most bytes of a body where nothing else is decided.
    public static var ordinaryBodyBytesMax: Int { 64 * 1024 }

    /// The default: `ordinaryBody`.
    public func body(of request: HTTPRequest, bytes: Int) -> BodyDecision { Self.ordinaryBody(bytes) }

    /// Takes up to `ordinaryBodyBytesMax` bytes; refuses more with 413.
    public static func ordinaryBody(_ bytes: Int) -> BodyDecision {
        guard bytes > ordinaryBodyBytesMax else { return .take }
        return .refuse(.text(413, "The body may have \(ordinaryBodyBytesMax) bytes."))
    }
}

/// The decision about a request for a WebSocket.
public enum UpgradeDecision {
    /// Accepted: with the first subprotocol of the client's list that the loop knows (`EventLoop.Options.subprotocols`),
    /// or none where the client offers none.
    case accept(any WebSocketHandler, WebSocketLimits)
    /// Accepted with the first subprotocol the client names, whatever that is, or none.
    case acceptAnySubprotocol(any WebSocketHandler, WebSocketLimits)
    /// Not upgraded; the client gets this answer.
    case refuse(HTTPResponse)
}

extension EventLoop {
    /// Makes this loop answer requests on the sockets it is given. On the loop.
    public func serve(_ application: any LoopApplication) {
        core.application = application
    }
}
