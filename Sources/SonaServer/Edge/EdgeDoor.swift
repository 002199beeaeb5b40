internal import SonaEventLoop
internal import SonaWire

/// The way to what lives on one loop: its connections and its relays.
///
/// From that loop's own thread the way is a call, from any other a message: in both cases things happen there in the
/// order in which they were said.
final class EdgeDoor: @unchecked Sendable {
    // Safe to share: `edge` is set on its loop before the door is shown to anybody else, and used there only.
    let loop: EventLoop
    /// Which of the server's loops it is.
    let index: Int
    private var edge: Edge?

    init(_ loop: EventLoop, index: Int) {
        self.loop = loop
        self.index = index
    }

    /// On the loop, once.
    func open(_ edge: Edge) { self.edge = edge }

    /// Has something done there, ahead of new connections and whatever else may wait: there may be audio behind it.
    func tell(_ body: @escaping @Sendable (Edge) -> Void) {
        if loop.isCurrent { return run(body) }
        loop.postUrgently { [self] in run(body) }
    }

    /// Asks for something.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable (Edge) -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            loop.post { [self] in run { continuation.resume(returning: body($0)) } }
        }
    }

    private func run(_ body: (Edge) -> Void) { body(edgeHere) }

    /// What lives there. On its loop.
    var edgeHere: Edge {
        guard let edge else { preconditionFailure("Nothing lives behind this door yet.") }
        return edge
    }
}
