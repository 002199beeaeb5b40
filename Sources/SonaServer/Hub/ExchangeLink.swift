internal import SonaEventLoop

/// The way back to the sender of an HTTP request, whichever loop the exchange is on.
struct ExchangeLink: Sendable {
    private let loop: EventLoop
    private let number: UInt64

    init(_ exchange: HTTPExchange, on loop: EventLoop) {
        self.loop = loop
        number = exchange.number
    }

    /// Responds; has no effect if the peer has gone.
    func respond(_ response: HTTPResponse) { loop.respond(to: number, response) }
}
