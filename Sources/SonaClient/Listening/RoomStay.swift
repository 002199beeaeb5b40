internal import SonaEventLoop
package import SonaWire
internal import Synchronization

/// A stay in a room that goes on over lost connections.
///
/// One reader takes everything from `arrivals`: the deliveries of a `Client`, and news of the connection being lost and
/// regained. States:
/// - *there*: connected. What comes is passed on.
/// - *away*: the connection is lost and being sought; `wake` and `interrupt` work as ever, and the clock goes on. Entered
///   with `.away`, left with `.back`.
/// - *over*: `close` was called, or the server cannot be come back to: the last arrival is `.closed`.
///
/// A connection that delivers nothing and does not answer probes is given up after 1.5 s, long before TCP would.
///
///     let client = try await signIn.open(.anybody)
///     let snapshot = try await client.call(join)
///     let stay = RoomStay(client, in: snapshot, by: join) { comeback throws(ClientError) in
///         try await signIn.open(.anybody, comeback: comeback)
///     }
///     for await arrival in stay.arrivals { … }
///     await stay.close()
///
/// Callable from any thread and task.
///
/// Source: Protocol/spec/resuming.md; Protocol/spec/errors.md, "Close codes".
package final class RoomStay: Sendable {
    /// Opens a connection as the same user.
    package typealias Opener = @Sendable (Reconnection) async throws(ClientError) -> Client

    /// How the connection came back.
    package struct Return: Sendable {
        /// Whether the session went on. If so, the missed events and audio come next, in order and none twice. If not,
        /// the room was entered anew: sequence numbers begin anew, too, and everything in between is lost.
        package var isResumed: Bool
        /// The room as it is now: if it was entered anew, or events are lost that the server had not kept.
        package var snapshot: RoomSnapshot?
        /// The playback of the room; nil if the session is no longer in a room. The next arrival tells why.
        package var playback: Playback?
        package var upcoming: [Playback]
        /// Time from the loss of the connection, when it was noticed, until now.
        package var away: Duration
    }

    package enum Arrival: Sendable {
        /// A delivery of the client; never its `.closed`.
        case incoming(Incoming)
        /// The connection is lost. What has come may go on to be played.
        case away(ClientError)
        case back(Return)
        /// It is over. Nothing comes after it.
        case closed(ClientError)

        var cost: Int { if case .incoming(let incoming) = self { incoming.cost } else { 512 } }
    }

    /// How long a connection may be silent, though probed.
    package static let silence: Duration = .milliseconds(1500)

    private struct State {
        var client: Client
        var isOver = false
        var waker: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let mailbox: RoomStayMailbox
    private let driver: Task<Void, Never>

    /// - Parameters:
    ///   - client: A client that has entered the room. From now on nobody else may read its arrivals.
    ///   - snapshot: The answer to the join.
    ///   - join: The request it entered with.
    ///   - patience: How long to seek a lost server, each time.
    package init(
        _ client: Client, in snapshot: RoomSnapshot, by join: RoomJoin, patience: Duration = .seconds(60),
        open: @escaping Opener
    ) {
        state = Mutex(State(client: client))
        mailbox = RoomStayMailbox()
        let link = WeakStay()
        let task = RoomStayTask(
            client, in: snapshot, by: join, patience: patience, mailbox: mailbox, open: open
        ) { link.follow($0) }
        driver = Task { await task.run() }
        link.stay.withLock { $0 = Weak(self) }
    }

    deinit {
        driver.cancel()
        mailbox.finish()
    }

    // MARK: Receiving

    /// Everything that arrives, in order, for one reader. What waits is bounded as `IncomingSequence` says.
    package var arrivals: ListenArrivals { ListenArrivals(mailbox: mailbox) }

    /// Has `.incoming(.wake)` arrive at a time of our clock, µs; replaces the wake-up asked for before.
    package func wake(atLocal local: Int64) {
        let (mailbox, due) = (self.mailbox, localClock.monotonic(ofReading: local))
        let waker = Task {
            let wait = due - MonotonicClock.nowMicroseconds()
            if wait > 0 { try? await Task.sleep(for: .microseconds(wait), tolerance: .zero) }
            if !Task.isCancelled { mailbox.deliver(.incoming(.wake)) }
        }
        let former = state.withLock { state in
            defer { state.waker = waker }
            return state.waker
        }
        former?.cancel()
    }

    /// The same at a time of the server's clock.
    package func wake(atServer server: Int64) { wake(atLocal: clock.localTime(fromServer: server)) }

    /// Has `.incoming(.interrupted)` arrive after what waits.
    package func interrupt() { mailbox.deliver(.incoming(.interrupted)) }

    // MARK: The connection there is

    /// The newest connection. It may be lost by now.
    package var client: Client { state.withLock { $0.client } }

    /// The clock it goes by.
    package var localClock: LocalClock { client.localClock }

    /// The estimate of the server's clock as it is now; while away, as it was.
    package var clock: ClockFilter { client.clock }

    /// The server's time now, µs.
    package var serverNow: Int64 { clock.serverTime(fromLocal: localClock.now()) }

    /// Leaves, closes with 1000 and waits until the connection is gone.
    package func close() async {
        let (client, waker) = state.withLock { state in
            state.isOver = true
            return (state.client, state.waker)
        }
        waker?.cancel()
        driver.cancel()
        mailbox.finish()
        // An attempt that is under way ends by itself, and nobody wants what comes of it.
        await client.close()
    }

    fileprivate func follow(_ client: Client) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.client = client
            return true
        }
    }
}

private struct Weak: Sendable {
    weak let stay: RoomStay?
    init(_ stay: RoomStay) { self.stay = stay }
}

/// Lets the task tell its stay of a new connection without holding it.
private final class WeakStay: Sendable {
    let stay = Mutex<Weak?>(nil)

    /// - Returns: Whether the stay is still there to have it.
    func follow(_ client: Client) -> Bool { stay.withLock { $0?.stay }?.follow(client) ?? false }
}
