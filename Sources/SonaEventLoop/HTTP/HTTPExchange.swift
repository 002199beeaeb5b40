/// One request and its answer. Belongs to its loop.
///
/// States: waiting → answered (`respond`), or cancelled when the peer goes away first.
public final class HTTPExchange {
    /// Number of the exchange, by which its answer finds it.
    public let number: UInt64
    let request: HTTPRequest
    private unowned(unsafe) var conversation: HTTPConversation?  // It lets go (`cancel`) before it goes.
    private(set) var isAnswered = false
    /// The bytes of the request's body that have been read so far.
    var body: [UInt8] = []
    /// Where its body goes instead.
    var sink: (any BodySink)?

    init(number: UInt64, request: HTTPRequest, in conversation: HTTPConversation) {
        self.number = number
        self.request = request
        self.conversation = conversation
    }

    /// Gives the answer; a second one is ignored, as is one for a peer that has gone. On the loop.
    public func respond(_ response: HTTPResponse) {
        guard !isAnswered, let conversation else { return }
        isAnswered = true
        conversation.answer(response, to: request)
    }

    /// Nobody waits for the answer any more.
    func cancel() { conversation = nil }
}

extension EventLoop {
    /// Answers an exchange of this loop by its number, from any thread; nothing happens if the peer has gone.
    public func respond(to number: UInt64, _ response: HTTPResponse) {
        post { [self] in
            core.sockets[number >> 16]?.exchange.flatMap { $0.number == number ? $0 : nil }?.respond(response)
        }
    }
}
