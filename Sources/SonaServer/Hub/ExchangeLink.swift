internal import SonaEventLoop

/// The way back to whoever made an HTTP request, whichever loop that is on.
struct ExchangeLink: Sendable {
    private let loop: EventLoop
    private let number: UInt64

    init(_ exchange: HTTPExchange, on loop: EventLoop) {
        self.loop = loop
        number = exchange.number
    }

    /// Answers; nothing happens if the peer has gone.
    func respond(_ response: HTTPResponse) { loop.respond(to: number, response) }
}
