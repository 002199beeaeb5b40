internal import CLibwebsockets
internal import Glibc
internal import SonaBase

/// Accepts connections of one listening socket and hands them to loops in turn.
///
/// Belongs to the loop it was started on. Per-address limits and socket options are decided here, before
/// libwebsockets sees the connection.
public final class Acceptor: LoopEndpoint {
    /// The socket that connections are accepted from.
    public let socket: ListeningSocket
    private let loops: [EventLoop]
    private let ownLoop: EventLoop
    private let bare: BareHandlers?
    private var clients: ClientPolicy { ownLoop.options.clients }
    /// Above this descriptor nobody is let in: files, mail and the operator need some.
    private let descriptorsEnd = Int32(clamping: max(64, DescriptorLimit.current - reservedDescriptors))
    private static let reservedDescriptors = 64
    private var accepted = 0
    var wsi: OpaquePointer?
    private var isPaused = false
    private var isResting = false

    init(_ socket: ListeningSocket, ownLoop: EventLoop, loops: [EventLoop], bare: BareHandlers? = nil) {
        self.socket = socket
        self.bare = bare
        self.ownLoop = ownLoop
        self.loops = loops
        super.init(isListening: true)
    }

    /// Stops accepting and closes the listening socket. On its loop.
    public func stop() {
        guard let wsi else { return }
        self.wsi = nil
        ownLoop.core.cut(wsi)
    }

    /// Lets connections wait in the kernel's queue, for this process or for one that has the socket, too. On its loop.
    public func rest() {
        isResting = true
        if let wsi { lws_rx_flow_control(wsi, 0) }
    }

    /// Accepts again. On its loop.
    public func wake() {
        isResting = false
        if let wsi, !isPaused { lws_rx_flow_control(wsi, 1) }
    }

    /// Takes what waits. Returns false once stopped.
    func acceptWaiting() -> Bool {
        guard wsi != nil else { return false }
        guard !isResting else { return true }
        // Bounded, so that a flood of connections leaves time for those that are there.
        for _ in 0..<16 {
            if let taken = socket.accept() {
                welcome(taken.descriptor, taken.remote)
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                ownLoop.core.figures.refusedConnections &+= 1
                pauseAccepting()
                return true
            default: return true
            }
        }
        // There may be more.
        ownLoop.core.pace.hurry()
        return true
    }

    /// Out of descriptors: the waiting connection would wake the loop without end. Look again in a moment.
    private func pauseAccepting() {
        guard !isPaused, let wsi else { return }
        isPaused = true
        lws_rx_flow_control(wsi, 0)
        ownLoop.schedule(after: .milliseconds(250)) { [self] in
            isPaused = false
            if let wsi = self.wsi, !isResting { lws_rx_flow_control(wsi, 1) }
        }
    }

    private func welcome(_ descriptor: Int32, _ remote: RemoteAddress) {
        if let bare { return welcome(descriptor, remote, bare) }
        // A proxy's connections belong to its clients. They are counted once the proxy has named the client.
        let census = clients.isExempt(remote) || clients.trusts(remote) ? nil : clients.census
        guard descriptor < descriptorsEnd || socket.isLocal,
            census?.enter(remote.group, max: clients.connectionsPerAddressMax) != false
        else {
            ownLoop.core.figures.refusedConnections &+= 1
            close(descriptor)
            return
        }
        // Those of TCP have it from the socket they came to.
        if socket.isLocal { ListeningSocket.boundSendBuffer(of: descriptor) }
        let loop = loops[accepted % loops.count]
        accepted &+= 1
        if loop === ownLoop {
            loop.core.adopt(descriptor, remote: remote, census: census)
        } else {
            loop.post { loop.core.adopt(descriptor, remote: remote, census: census) }
        }
    }
}

extension Acceptor {
    /// Bare connections stay on the loop that accepts them.
    private func welcome(_ descriptor: Int32, _ remote: RemoteAddress, _ bare: BareHandlers) {
        guard descriptor < descriptorsEnd, let (handler, limits) = bare(remote) else {
            ownLoop.core.figures.refusedConnections &+= 1
            close(descriptor)
            return
        }
        ownLoop.core.adopt(descriptor, remote: remote, handler, limits)
    }
}

/// How many connections each address holds, over all loops and listening sockets.
public final class ConnectionCensus: Sendable {
    private let counts = Monitor<[String: Int]>([:])

    /// A census without connections. Share one among all acceptors of a server.
    public init() {}

    func enter(_ group: String, max: Int) -> Bool {
        counts.withLock { counts in
            let count = counts[group, default: 0]
            guard count < max else { return false }
            counts[group] = count + 1
            return true
        }
    }

    func leave(_ group: String) {
        counts.withLock { counts in
            guard let count = counts[group] else { return }
            counts[group] = count > 1 ? count - 1 : nil
        }
    }
}

extension EventLoop {
    /// Accepts connections of `socket` from now on, for `loops` in turn. On the loop that accepts.
    ///
    /// The acceptor lives until the loop ends.
    public func accept(_ socket: ListeningSocket, for loops: [EventLoop]) throws(EventLoopError) -> Acceptor {
        if self.options.identity != nil { socket.waitForFirstByte() }
        for loop in loops { loop.post { loop.core.expectConnections() } }
        let acceptor = Acceptor(socket, ownLoop: self, loops: loops)
        guard core.watch(socket.descriptor, acceptor) else {
            throw EventLoopError(.system, "libwebsockets would not watch the listening socket \(socket.address)")
        }
        core.acceptors.append(acceptor)
        return acceptor
    }

    /// Accepts connections that speak a protocol of their own, neither HTTP nor TLS. They stay on this loop. On the loop.
    ///
    /// They are sent bytes (`WebSocketFrame(raw:)`) by the same means as WebSockets, and the handler gets what they send as
    /// it comes, in pieces of any size. Nothing is sent to find out whether a peer is still there. The acceptor lives until
    /// the loop ends.
    /// - Parameter handlers: Called for each connection; `nil` closes it at once. Who counts connections by address does so
    ///   there, and in `webSocketClosed`.
    public func acceptBare(
        _ socket: ListeningSocket, _ handlers: @escaping BareHandlers
    ) throws(EventLoopError) -> Acceptor {
        core.expectConnections()
        let acceptor = Acceptor(socket, ownLoop: self, loops: [self], bare: handlers)
        guard core.watch(socket.descriptor, acceptor) else {
            throw EventLoopError(.system, "libwebsockets would not watch the listening socket \(socket.address)")
        }
        core.acceptors.append(acceptor)
        return acceptor
    }
}

/// Makes what handles a connection that speaks a protocol of its own.
public typealias BareHandlers = (RemoteAddress) -> (any WebSocketHandler, WebSocketLimits)?

extension EventLoop {
    /// Closes every listening socket of this loop. On the loop.
    public func stopAccepting() {
        for acceptor in core.acceptors { acceptor.stop() }
    }

    /// Lets connections wait in the kernel's queue, at every listening socket of this loop. On the loop.
    public func restAccepting() {
        for acceptor in core.acceptors { acceptor.rest() }
    }

    /// Accepts again, after `restAccepting`. On the loop.
    public func resumeAccepting() {
        for acceptor in core.acceptors { acceptor.wake() }
    }
}
