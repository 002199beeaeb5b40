internal import SonaEventLoop

/// The way back to the sender of an HTTP request, whichever loop the exchange is on.
struct ExchangeLink: Sendable {
    let loop: EventLoop
    let number: UInt64
    let origin: RequestOrigin

    init(_ exchange: HTTPExchange, of request: HTTPRequest, on loop: EventLoop) {
        self.loop = loop
        number = exchange.number
        origin = .ofHTTP(address: request.remote.text, connection: exchange.number)
    }

    /// Responds; has no effect if the peer has gone.
    func respond(_ response: HTTPResponse) { loop.respond(to: number, response) }
}
