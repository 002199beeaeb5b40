internal import CLibwebsockets

/// The object that libwebsockets' per-socket pointer points at: a connection, or a listening socket's acceptor.
public class LoopEndpoint {
    let isListening: Bool
    // The following properties belong to a connection. They stand here because there is room.
    /// Whether it came without TLS where TLS is spoken.
    final var isBesideTLS = false
    /// Whether it speaks TLS.
    final var isTLS = false
    /// A trusted proxy says that the client speaks TLS with it.
    final var announcedSecure = false
    /// Nothing more is sent or read: it is being closed.
    final var isCut = false
    /// The socket's, if it was accepted; -1 else.
    final var descriptor: Int32 = -1
    init(isListening: Bool) { self.isListening = isListening }

    static func of(_ wsi: OpaquePointer) -> LoopEndpoint? {
        guard let pointer = lws_get_opaque_user_data(wsi) else { return nil }
        return Unmanaged<LoopEndpoint>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// One accepted or connected socket of a loop, from adoption to the last word of libwebsockets about it.
///
/// libwebsockets hands over the bytes of accepted ones as they are (role `raw-skt`), TLS taken off. They are HTTP/1.1, read
/// by `HTTPConversation`; an upgrade makes it a WebSocket for the rest of its life. There may be very many of those, so what
/// only HTTP needs is kept apart. Sockets that we opened ourselves speak WebSocket by libwebsockets.
final class LoopSocket: LoopEndpoint {
    let number: UInt64
    /// The peer's address. For a connection that a trusted proxy has announced (PROXY protocol): the client's address.
    var remote: RemoteAddress
    unowned let core: LoopCore  // The core keeps every socket in its table and outlives them.
    /// The census that counts this connection for its address, if any, and the addresses it counts for.
    private let census: ConnectionCensus?
    private var countedGroups: [String] = []
    /// libwebsockets' own, of an accepted socket; nil before it is adopted and once it is being closed.
    private(set) var wsi: OpaquePointer?

    /// The time by which it must have done something, µs of `MonotonicClock`; see `expect`.
    private(set) var deadline = Int64.max
    /// At which second `DeadlineWheel` has noted it; 0 for not.
    var wheelSecond: Int64 = 0

    private enum Speech {
        case nothing
        case http(HTTPConversation)
        /// Its upgrade has been allowed, or it is open.
        case webSocket(WebSocketConnection)
    }
    private var speech = Speech.nothing

    init(number: UInt64, remote: RemoteAddress, core: LoopCore, census: ConnectionCensus?) {
        self.number = number
        self.remote = remote
        self.core = core
        self.census = census
        if census != nil { countedGroups = [remote.group] }
        super.init(isListening: false)
    }

    /// Bytes can be sent and read.
    var isAlive: Bool { wsi != nil && !isCut }

    var webSocket: WebSocketConnection? {
        if case .webSocket(let webSocket) = speech { webSocket } else { nil }
    }

    var http: HTTPConversation? {
        if case .http(let http) = speech { http } else { nil }
    }

    /// The HTTP request being answered.
    var exchange: HTTPExchange? { http?.exchange }

    /// Bytes that wait for it to take them.
    var queuedBytes: Int { webSocket?.queuedBytes ?? http?.queuedBytes ?? 0 }

    /// Makes the socket a WebSocket for the rest of its life.
    func become(_ webSocket: WebSocketConnection) {
        http?.end()
        speech = .webSocket(webSocket)
    }

    /// Counts it as a connection of one more address: that of a client that speaks through a proxy. False if that address
    /// has as many as it may have.
    func count(asOf remote: RemoteAddress) -> Bool {
        guard !core.isExempt(remote), let clients = core.loop.options.clients.census else { return true }
        let group = remote.group
        guard !countedGroups.contains(group) else { return true }
        guard clients.enter(group, max: core.loop.options.clients.connectionsPerAddressMax) else { return false }
        countedGroups.append(group)
        return true
    }

    func gone() {
        wsi = nil
        http?.end()
        webSocket?.ended()
        speech = .nothing
        let census = self.census ?? core.loop.options.clients.census
        for group in countedGroups { census?.leave(group) }
        countedGroups = []
    }

    /// The connection of a socket; nil for listening ones and for those already given up.
    static func connection(_ wsi: OpaquePointer) -> LoopSocket? {
        guard let endpoint = LoopEndpoint.of(wsi), !endpoint.isListening else { return nil }
        return unsafeDowncast(endpoint, to: LoopSocket.self)  // All that do not listen are LoopSockets.
    }

    // MARK: From the callbacks of accepted sockets. Each returns false where libwebsockets is to close it.

    /// libwebsockets has taken it in; a TLS handshake may still be ahead.
    func adopted(_ wsi: OpaquePointer) {
        self.wsi = wsi
        expect(within: HTTPConversation.headSeconds)
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard !isCut else { return false }
        switch speech {
        case .webSocket(let webSocket): return webSocket.received(bytes)
        case .http(let http): return http.received(bytes)
        case .nothing:
            // libwebsockets has begun to wait for a request, by a timer among those of all connections.
            if isTLS, let wsi { lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0) }
            let http = HTTPConversation(self)
            speech = .http(http)
            return http.received(bytes)
        }
    }

    /// Handles the bytes that follow an upgrade in the same read.
    func passOn(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
        guard let webSocket, !bytes.isEmpty else { return isAlive }
        return webSocket.received(UnsafeMutableRawBufferPointer(rebasing: bytes))
    }

    func writable() -> Bool {
        guard !isCut else { return false }
        switch speech {
        case .webSocket(let webSocket): return webSocket.becameWritable() == 0
        case .http(let http): return http.writable()
        case .nothing: return true
        }
    }

    func closed() {
        wsi = nil
        http?.end()
        webSocket?.ended()
    }

    // MARK: What it is told to do

    /// Bytes taken, 0 if none just now, -1 if none any more. See `sona_socket_send`.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let wsi, let base = bytes.baseAddress else { return -1 }
        return sona_socket_send(
            wsi, descriptor, isTLS ? 1 : 0, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    func requestWritable() {
        if let wsi, !isCut { lws_callback_on_writable(wsi) }
    }

    func pauseReading() {
        if let wsi { lws_rx_flow_control(wsi, 0) }
    }

    func resumeReading() {
        guard let wsi, !isCut else { return }
        lws_rx_flow_control(wsi, 1)
        // libwebsockets looks at bytes that OpenSSL has decrypted already only after an event of the same context.
        lws_cancel_service(lws_get_context(wsi))
    }

    /// Whether the peer has reset the connection: nothing can be sent any more (poll(2), POLLERR and POLLHUP).
    var isReset: Bool {
        var look = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&look, 1, 0) > 0 && Int32(look.revents) & (POLLERR | POLLHUP) != 0
    }

    /// Sends nothing more and tells the peer so.
    func finish() {
        if let wsi { sona_socket_finish(wsi, descriptor, isTLS ? 1 : 0) }
    }

    /// Closes it without a word, in the next iteration.
    func cut() {
        guard !isCut, let wsi else { return }
        isCut = true
        core.cut(wsi)
    }

    /// The kernel takes more of what waits at once, until `shrinkBuffer`. With the little that listeners are given, a peer
    /// on the same machine acknowledges each 64 KiB after 40 ms only (delayed acknowledgements, tcp(7) TCP_QUICKACK): the
    /// last bytes of an answer of 70 kB would wait for that.
    ///
    /// - Parameter isMedia: It is read from a file. There may be hundreds of those, so the kernel takes less: with the
    ///   window (`Download`) 256 KiB in all.
    func growBuffer(isMedia: Bool = false) {
        guard !hasLargeBuffer, descriptor >= 0 else { return }
        hasLargeBuffer = true
        sona_set_send_buffer(descriptor, isMedia ? Self.mediaBufferBytes : Self.largeBufferBytes)
    }

    /// Nothing waits any more: the kernel takes as little as from the beginning. What it has taken already stays.
    func shrinkBuffer() {
        guard hasLargeBuffer else { return }
        hasLargeBuffer = false
        ListeningSocket.boundSendBuffer(of: descriptor)
    }

    /// Gives the peer ten seconds to take at least a part of the waiting bytes. Called when the waiting begins, and
    /// whenever the peer has taken something.
    ///
    /// - Parameter isMedia: A player that pauses reads nothing for a while, so it gets a minute.
    func expectTaking(isMedia: Bool = false) {
        looksMax = isMedia ? 12 : 2
        looksWithoutProgress = 0
        unsentBefore = descriptor >= 0 ? sona_unsent_bytes(descriptor) : 0
        expect(within: Self.lookSeconds)
    }

    /// Whether the peer has taken none of the waiting bytes for so long that it is given up. If not, looks again later.
    ///
    /// The bytes in the kernel count, too: a slow network may take longer to empty them than a socket may stand still.
    func isStalled() -> Bool {
        let unsent = descriptor >= 0 ? sona_unsent_bytes(descriptor) : 0
        looksWithoutProgress = unsent < unsentBefore ? 0 : looksWithoutProgress + 1
        unsentBefore = unsent
        guard looksWithoutProgress < looksMax else { return true }
        expect(within: Self.lookSeconds)
        return false
    }

    private var unsentBefore: Int32 = 0
    private var looksWithoutProgress: UInt8 = 0
    /// The number of looks in a row that may find nothing changed.
    private var looksMax: UInt8 = 2
    /// Interval between looks, s.
    private static let lookSeconds = 5
    private var hasLargeBuffer = false
    /// The kernel doubles it.
    private static let largeBufferBytes: Int32 = 256 * 1024
    private static let mediaBufferBytes: Int32 = 96 * 1024

    // MARK: Deadlines

    /// Closes the socket after this many seconds, unless something happens before that sets another deadline or none.
    func expect(within seconds: Int) {
        let now = MonotonicClock.nowMicroseconds()
        deadline = now + Int64(seconds) * 1_000_000
        guard wheelSecond == 0 || wheelSecond * 1_000_000 > deadline + 1_000_000 else { return }
        wheelSecond = core.deadlines.add(number, deadline: deadline, now: now)
    }

    func expectNothing() { deadline = .max }

    func deadlinePassed() {
        deadline = .max
        if let webSocket { return webSocket.deadlinePassed() }
        if let http, http.queuedBytes > 0, !isStalled() { return }
        if (http?.queuedBytes ?? 0) > 0 {
            core.figures.unreadClosed &+= 1
        } else if http?.isIdle != true {
            core.figures.timedOut &+= 1
        }
        cut()
    }
}
