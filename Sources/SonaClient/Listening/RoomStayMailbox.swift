internal import Synchronization

/// The queue between the connections of a stay and its reader.
///
/// Bounded as that of a client: while too much waits no more is taken from the connection, whose own queue then fills and
/// holds the server back.
final class RoomStayMailbox: Sendable {
    private struct State {
        var waiting = 0
        var whenRoomy: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    let stream: AsyncStream<RoomStay.Arrival>
    private let continuation: AsyncStream<RoomStay.Arrival>.Continuation
    private let state = Mutex(State())

    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

    func deliver(_ arrival: RoomStay.Arrival) {
        state.withLock { $0.waiting += arrival.cost }
        continuation.yield(arrival)
    }

    /// The same, and returns when there is room for more. For one task.
    func deliverWhenRoomy(_ arrival: RoomStay.Arrival) async {
        deliver(arrival)
        guard state.withLock({ $0.waiting > Mailbox.bytesMax }) else { return }
        await withCheckedContinuation { continuation in
            let isRoomy = state.withLock { state in
                guard state.waiting > Mailbox.bytesMax, !state.isOver else { return true }
                state.whenRoomy = continuation
                return false
            }
            if isRoomy { continuation.resume() }
        }
    }

    /// Ends the sequence after what was delivered.
    func finish() {
        continuation.finish()
        let waiter = state.withLock { state in
            state.isOver = true
            defer { state.whenRoomy = nil }
            return state.whenRoomy
        }
        waiter?.resume()
    }

    func taken(_ arrival: RoomStay.Arrival) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.waiting -= arrival.cost
            guard state.waiting < Mailbox.bytesRoomy else { return nil }
            defer { state.whenRoomy = nil }
            return state.whenRoomy
        }
        waiter?.resume()
    }
}

/// Arrivals of a stay, for one reader.
package struct ListenArrivals: AsyncSequence, Sendable {
    package typealias Element = RoomStay.Arrival
    package typealias Failure = Never

    let mailbox: RoomStayMailbox

    package struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<RoomStay.Arrival>.Iterator
        let mailbox: RoomStayMailbox

        package mutating func next() async -> RoomStay.Arrival? { await next(isolation: nil) }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> RoomStay.Arrival? {
            let arrival = await base.next(isolation: actor)
            if let arrival { mailbox.taken(arrival) }
            return arrival
        }
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(base: mailbox.stream.makeAsyncIterator(), mailbox: mailbox)
    }
}
