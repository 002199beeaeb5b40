extension EventLoop {
    /// Limits of a connection that only sends: what its peer has not taken may be a megabyte.
    private static let streamLimits = WebSocketLimits(text: 0, binary: 0, silence: nil)

    /// Answers an exchange with a body that does not end before its connection does. On the loop.
    ///
    /// The connection is then sent bytes (`WebSocketFrame(raw:)`, `FanOut.append(raw:due:)`) by the same means as a WebSocket.
    /// Bytes from the peer are dropped.
    /// - Parameters:
    ///   - number: That of the exchange.
    ///   - response: Its head; its body is not sent.
    ///   - handler: Is told of the end.
    /// - Returns: `nil` if the peer has gone, or its address has too many connections; the latter has been answered with 429.
    public func stream(
        to number: UInt64, _ response: HTTPResponse, _ handler: any WebSocketHandler
    ) -> WebSocketConnection? {
        guard let socket = core.sockets[number >> 16], socket.isAlive, let exchange = socket.exchange,
            exchange.number == number, !exchange.isAnswered
        else { return nil }
        guard socket.count(asOf: exchange.request.remote) else {
            exchange.respond(.text(429, "There are too many connections from this address."))
            return nil
        }
        var response = response
        response.hasLength = false
        if socket.isTLS, let strictTransportHeader { response.headers.append(strictTransportHeader) }
        let head = response.head(date: core.date.now(), connection: "close")
        let connection = WebSocketConnection(
            number: socket.number, limits: Self.streamLimits, core: core, isClient: false)
        connection.isBare = true
        connection.handler = handler
        socket.become(connection, after: head)
        return connection.isOpen ? connection : nil
    }
}
