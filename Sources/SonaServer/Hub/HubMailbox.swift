internal import SonaEventLoop
internal import SonaWire

/// The way to what lives on one loop: its connections and its relays.
///
/// From that loop's own thread the way is a call, from any other a message: in both cases things happen there in the
/// order in which they were said.
final class HubMailbox: @unchecked Sendable {
    // Safe to share: `hub` is set on its loop before the mailbox is shown to anybody else, and used there only.
    let loop: EventLoop
    /// Which of the server's loops it is.
    let index: Int
    private var hub: Hub?

    init(_ loop: EventLoop, index: Int) {
        self.loop = loop
        self.index = index
    }

    /// On the loop, once.
    func open(_ hub: Hub) { self.hub = hub }

    /// Has something done there, ahead of new connections and whatever else may wait: there may be audio behind it.
    func tell(_ body: @escaping @Sendable (Hub) -> Void) {
        if loop.isCurrent { return run(body) }
        loop.postUrgently { [self] in run(body) }
    }

    /// Asks for something.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable (Hub) -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            loop.post { [self] in run { continuation.resume(returning: body($0)) } }
        }
    }

    private func run(_ body: (Hub) -> Void) { body(hubHere) }

    /// What lives there. On its loop.
    var hubHere: Hub {
        guard let hub else { preconditionFailure("There is no hub behind this mailbox yet.") }
        return hub
    }
}
