package import SonaEventLoop
package import SonaWire
internal import Synchronization

/// One connection to a server, past its `hello`, with a clock that follows the server's.
///
/// Callable from any thread and task. The connection lives on an event loop, by default one of its own; what arrives
/// is read from `incoming` by one reader. A client does not come back by itself: when `incoming` ends, so has it.
///
///     let client = try await Client.connect(to: .standard, auth: .guest, program: program)
///     let snapshot = try await client.call(RoomJoin(room: room))
///     for await incoming in client.incoming { … }
///     await client.close()
package final class Client: Sendable {
    package let address: ServerAddress
    /// The server's answer to `hello`.
    package let welcome: Welcome
    /// The clock it goes by.
    package let localClock: LocalClock

    private let loop: EventLoop
    private let ownsLoop: Bool
    private let wire: LoopBound<ClientWire>
    private let clientClock: ClientClock
    private let mailbox: Mailbox
    private let isClosed = Atomic<Bool>(false)

    private init(_ link: Link, address: ServerAddress, welcome: Welcome) {
        self.address = address
        self.welcome = welcome
        loop = link.loop
        ownsLoop = link.ownsLoop
        wire = link.wire
        clientClock = link.clock
        localClock = link.localClock
        mailbox = link.mailbox
    }

    deinit {
        if ownsLoop { loop.stop() }
    }

    /// The parts of a connection that has not said `hello` yet.
    private struct Link {
        var loop: EventLoop
        var ownsLoop: Bool
        var clock: ClientClock
        var localClock: LocalClock
        var mailbox: Mailbox
        var wire: LoopBound<ClientWire>
    }

    // MARK: Lifecycle

    /// Connects, says `hello` and runs the first burst of clock probes.
    ///
    /// - Parameters:
    ///   - auth: The credentials to sign in with; nil stays anonymous, for `auth.*` requests.
    ///   - program: Name and version of the program, at most 64 bytes each.
    ///   - comeback: Knowledge from an earlier connection. Its clock is used if the server's is the same; then
    ///     nothing waits for the first burst of probes. Its guest is `auth`'s matter.
    ///   - localClock: Our own clock; another than the machine's is for tests.
    ///   - loop: A running loop to share, one that `opensTLS` for an `https` address; nil starts one for this client.
    /// - Throws: `.unreachable`, `.untrusted`, `.refused`, `.closed`, `.protocolViolation`, `.timeout` (10 s for each step
    ///   unless `comeback` says otherwise).
    package static func connect(
        to address: ServerAddress, auth: Hello.Auth?, program: Program, comeback: Reconnection = Reconnection(),
        localClock: LocalClock = .machine, on loop: EventLoop? = nil
    ) async throws(ClientError) -> Client {
        let link = try Self.link(comeback.clock, localClock, loop, opensTLS: address.isSecure)
        do throws(ClientError) {
            try await open(link, address, timeout: comeback.timeout)
            let hello = Hello(client: program, auth: auth, resume: comeback.resume)
            let welcome = try await call(hello, on: link.loop, link.wire, timeout: comeback.timeout)
            guard welcome.protocolVersion == Limits.protocolVersion else {
                throw ClientError(
                    .protocolViolation,
                    "\(address) speaks revision \(welcome.protocolVersion) of the protocol, this program \(Limits.protocolVersion)."
                )
            }
            link.clock.begin(clockID: welcome.clockID)
            let wire = link.wire
            if link.clock.current.isUsable {
                link.loop.post { wire.value.startClock { _ in } }
                return Client(link, address: address, welcome: welcome)
            }
            let isSet = await withCheckedContinuation { continuation in
                link.loop.post { wire.value.startClock { continuation.resume(returning: $0) } }
            }
            guard isSet else { throw ClientError(.timeout, "\(address) does not answer the clock's probes.") }
            return Client(link, address: address, welcome: welcome)
        } catch {
            await close(link.loop, link.wire)
            if link.ownsLoop { link.loop.stop() }
            throw error
        }
    }

    private static func link(
        _ clock: ClockFilter, _ localClock: LocalClock, _ shared: EventLoop?, opensTLS: Bool
    ) throws(ClientError) -> Link {
        let loop: EventLoop
        if let shared {
            loop = shared
        } else {
            var options = EventLoop.Options()
            options.name = "client"
            options.backend = .poll
            options.opensTLS = opensTLS
            loop = EventLoop(options)
            do { try loop.start() } catch { throw ClientError(.unreachable, "\(error.detail).") }
        }
        let clientClock = ClientClock(clock)
        // The wire is made after the mailbox that reports to it.
        let whenRoomy = RoomyCall(loop: loop)
        let mailbox = Mailbox { whenRoomy.call() }
        let wire = LoopBound(
            ClientWire(loop: loop, clock: clientClock, localClock: localClock, mailbox: mailbox), on: loop)
        whenRoomy.wire.withLock { $0 = wire }
        return Link(
            loop: loop, ownsLoop: shared == nil, clock: clientClock, localClock: localClock, mailbox: mailbox,
            wire: wire)
    }

    private static func open(
        _ link: Link, _ address: ServerAddress, timeout: Duration
    ) async throws(ClientError) {
        let wire = link.wire
        let result = await withCheckedContinuation { continuation in
            link.loop.post { wire.value.open(address, timeout: timeout) { continuation.resume(returning: $0) } }
        }
        do {
            try result.get()
        } catch {
            switch error.kind {
            case .unreachable:
                throw ClientError(.unreachable, "\(address) cannot be reached: \(error.description).")
            case .untrusted: throw .untrusted(address, error.description)
            default: throw error
            }
        }
    }

    /// Closes with code 1000 and waits until the connection is gone, at most three seconds. Later calls fail.
    package func close() async {
        guard isClosed.exchange(true, ordering: .relaxed) == false else { return }
        await Self.close(loop, wire)
        if ownsLoop { loop.stop() }
    }

    private static func close(_ loop: EventLoop, _ wire: LoopBound<ClientWire>) async {
        await withCheckedContinuation { continuation in
            loop.post { wire.value.close { continuation.resume() } }
        }
    }

    // MARK: Asking and sending

    /// Sends a request and waits for its reply. Not cut short when the task is cancelled, so that goodbyes get out.
    ///
    /// - Throws: `.refused` with the server's error; `.closed` if the connection ended first; `.timeout`;
    ///   `.protocolViolation` if the reply does not have its form.
    package func call<R: WireRequest>(
        _ request: R, timeout: Duration = .seconds(10)
    ) async throws(ClientError) -> R.Response {
        guard !isClosed.load(ordering: .relaxed) else { throw .closed(nil, "") }
        return try await Self.call(request, on: loop, wire, timeout: timeout)
    }

    private static func call<R: WireRequest>(
        _ request: R, on loop: EventLoop, _ wire: LoopBound<ClientWire>, timeout: Duration
    ) async throws(ClientError) -> R.Response {
        let answer: Result<JSON, ClientError> = await withCheckedContinuation { continuation in
            loop.post {
                wire.value.call({ Request.encode(id: $0, request) }, timeout: timeout) {
                    continuation.resume(returning: $0)
                }
            }
        }
        let json = try answer.get()
        do {
            return try R.Response(json)
        } catch {
            throw .violation("the answer to \(R.type) is unusable, \(error.description)")
        }
    }

    /// Makes the client give up the connection, as if it had been cut, once nothing has come for `silence` although it
    /// was probed. If four round trips take longer, it waits for those.
    package func giveUp(afterSilenceOf silence: Duration) {
        let wire = self.wire
        loop.post { wire.value.watchSilence(silence) }
    }

    /// Sends a request whose reply nobody waits for.
    package func tell(_ request: some WireRequest) {
        Task { _ = try? await call(request) }
    }

    /// Sends a binary message. One that finds no open connection is dropped; `incoming` tells of the end.
    package func send(binary bytes: [UInt8]) {
        let wire = self.wire
        loop.post { wire.value.send(binary: bytes) }
    }

    // MARK: Receiving

    /// Everything that arrives outside of replies, in order, for one reader at a time.
    package var incoming: IncomingSequence { IncomingSequence(mailbox: mailbox) }

    /// Has `.wake` arrive at a time of our clock, µs; replaces the wake-up asked for before.
    package func wake(atLocal local: Int64) {
        let wire = self.wire
        loop.post { wire.value.wake(at: local) }
    }

    /// The same at a time of the server's clock.
    package func wake(atServer server: Int64) {
        wake(atLocal: clock.localTime(fromServer: server))
    }

    /// Has `.interrupted` arrive after what waits.
    package func interrupt() {
        mailbox.deliver(.interrupted)
    }

    // MARK: The clock

    /// The estimate as it is now.
    package var clock: ClockFilter { clientClock.current }

    /// The server's time now, µs.
    package var serverNow: Int64 { clock.serverTime(fromLocal: localClock.now()) }

    /// Estimates the server's clock anew, at once. Call it when the local clock was set.
    package func restartClock() {
        let wire = self.wire
        loop.post { wire.value.restartClock() }
    }
}

/// Tells the loop that the reader has caught up.
private final class RoomyCall: Sendable {
    let loop: EventLoop
    let wire = Mutex<LoopBound<ClientWire>?>(nil)

    init(loop: EventLoop) { self.loop = loop }

    func call() {
        guard let wire = wire.withLock({ $0 }) else { return }
        loop.post { wire.value.becameRoomy() }
    }
}
