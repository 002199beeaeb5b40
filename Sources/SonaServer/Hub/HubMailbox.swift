internal import SonaEventLoop
internal import SonaWire

/// The way to one loop's hub, with its connections and relays.
///
/// From that loop's own thread `tell` is a call, from any other a message. In both cases the hub does things in the
/// order in which they were told.
final class HubMailbox: @unchecked Sendable {
    // Safe to share: `hub` is set on its loop before the mailbox is known elsewhere, and used there only.
    let loop: EventLoop
    /// Number of the loop among the server's.
    let index: Int
    private var hub: Hub?

    init(_ loop: EventLoop, index: Int) {
        self.loop = loop
        self.index = index
    }

    /// On the loop, once.
    func open(_ hub: Hub) { self.hub = hub }

    /// Runs a body there, ahead of new connections and other waiting work, because audio may follow it.
    func tell(_ body: @escaping @Sendable (Hub) -> Void) {
        if loop.isCurrent { return run(body) }
        loop.postUrgently { [self] in run(body) }
    }

    /// Asks the hub for a value.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable (Hub) -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            loop.post { [self] in run { continuation.resume(returning: body($0)) } }
        }
    }

    private func run(_ body: (Hub) -> Void) { body(hubHere) }

    /// The hub. On its loop only.
    var hubHere: Hub {
        guard let hub else { preconditionFailure("There is no hub behind this mailbox yet.") }
        return hub
    }
}
