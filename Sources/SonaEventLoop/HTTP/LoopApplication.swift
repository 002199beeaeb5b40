/// Who answers the requests of one loop. Belongs to the loop and is called on it only.
public protocol LoopApplication: AnyObject {
    /// A whole request. Answer with `exchange.respond`, now or later.
    func received(_ request: HTTPRequest, _ exchange: HTTPExchange)
    /// Somebody asks for a WebSocket; method, version and key have been checked (RFC 6455 §4.2.1).
    func upgrade(_ request: HTTPRequest) -> UpgradeDecision
}

/// What becomes of a request for a WebSocket.
public enum UpgradeDecision {
    /// Accepted: with the first subprotocol of the client's list that the loop knows (`EventLoop.Options.subprotocols`),
    /// or none where the client offers none.
    case accept(any WebSocketHandler, WebSocketLimits)
    /// Accepted with the first subprotocol the client names, whatever that is, or none.
    case acceptAnySubprotocol(any WebSocketHandler, WebSocketLimits)
    case refuse(HTTPResponse)
}

extension EventLoop {
    /// Makes this loop answer requests on the sockets it is given. On the loop.
    public func serve(_ application: any LoopApplication) {
        core.application = application
    }
}
