internal import CLibwebsockets
internal import Glibc

/// Everything that lives on one loop's thread: the libwebsockets context, its sockets, its timers.
///
/// Reached from C through the context's user pointer, from Swift through `EventLoop.core`.
final class LoopCore {
    unowned let loop: EventLoop  // The loop owns this object and outlives it.
    private var main: LoopContext!  // Set once in init, before any callback is run.
    var context: OpaquePointer { main.pointer }
    var vhost: OpaquePointer { main.vhost }
    /// The contexts of accepted connections without TLS; the context above serves all others.
    private var windows: DescriptorWindows?
    private let uv: UVLoop?
    private let names: ProtocolNames
    var tls = LoopTLS()

    var timers = TimerQueue()
    private let alarm: UnsafeMutablePointer<Alarm>
    private var alarmDue = Int64.max

    /// The application that answers requests here; nil if this loop serves none.
    var application: (any LoopApplication)?
    /// Every socket of this loop, by its number.
    var sockets: [UInt64: LoopSocket] = [:]
    private(set) var lastSocketNumber: UInt64 = 0
    /// Whether libwebsockets has made its part of the socket that is being adopted: from then on it names it in callbacks.
    var isAdoptionMade = false
    var bodyBytes = BodyBudget()
    var deadlines = DeadlineWheel()
    var date = HTTPDate()
    let headScratch = HeadScratch()
    /// Kept for as long as the loop: libwebsockets points at them.
    var acceptors: [Acceptor] = []
    var pings = PingWheel()
    var pace = LoopPace()
    /// How often it has gone around.
    private(set) var iteration: UInt64 = 0
    var figures = LoopFigures()
    /// Connections of which something that was read has not been looked at.
    var readingOn: [UInt64] = []
    /// Connections that are not to be read from when the iteration is over.
    private var pausing: [UInt64] = []
    /// Bytes of files that this iteration may still send.
    private(set) var mediaBudget = LoopCore.mediaBytesMax
    /// Connections that have more of a file to send than this iteration allows, in the order of their turns.
    private var turns: [UInt64] = []
    /// Bytes of files that one iteration sends, over all connections: sound goes first.
    private static let mediaBytesMax = 64 * 1024
    /// Reused by clients, which mask what they send in place.
    var clientScratch: [UInt8] = []

    /// libwebsockets finds its way back from a timer by the address of this struct's first field.
    struct Alarm {
        var timer = lws_sorted_usec_list_t()
        var core: UnsafeMutableRawPointer?
    }

    init(loop: EventLoop) throws(EventLoopError) {
        self.loop = loop
        alarm = .allocate(capacity: 1)
        alarm.initialize(to: Alarm())
        names = ProtocolNames()
        if case .libuv = loop.options.backend { uv = try UVLoop() } else { uv = nil }
        alarm.pointee.core = Unmanaged.passUnretained(self).toOpaque()
        uv?.begin(self)

        lws_set_log_level(getenv("SONA_LWS_LOG") == nil ? 0 : 0x0F, nil)
        let setting = LoopContext.Setting(
            loop: uv?.loop, names: names, headerBytesMax: loop.options.headerBytesMax,
            user: Unmanaged.passUnretained(self).toOpaque())
        var info = setting.info()
        let usesTLS = loop.options.identity != nil || loop.options.opensTLS
        main = try LoopContext(&info, usesTLS: usesTLS)
        // Closing a connection with TLS goes through no table, and beside those there are next to none.
        if uv != nil, loop.options.identity == nil {
            windows = DescriptorWindows(setting: setting, loopCount: loop.options.count)
        }
        if loop.options.identity != nil { try makeTLSVhost(info) }
    }

    static func of(_ wsi: OpaquePointer) -> LoopCore? {
        guard let context = lws_get_context(wsi), let user = lws_context_user(context) else { return nil }
        return Unmanaged<LoopCore>.fromOpaque(user).takeUnretainedValue()
    }

    // MARK: Running

    func run(until isStopping: () -> Bool) {
        schedule(after: 1_000_000) { [unowned self] in tickPings() }
        loop.drainInbox()
        while !isStopping() {
            iteration &+= 1
            loop.beginIteration()
            loop.wakeForOwn()
            let hasSlept = pace.rest()
            if let uv {
                uv.runOnce(isLate: hasSlept)
            } else if lws_service(context, 0) < 0 {
                return
            }
            pauseThoseDue()
            readOn()
            giveTurns()
        }
    }

    /// Whether the loop, after serving sockets, looks for jobs that it has posted to itself meanwhile.
    var hearsItself: Bool { uv != nil }

    /// See `WebSocketConnection.pauseReading`.
    func pauseAfterIteration(_ number: UInt64) { pausing.append(number) }

    func pauseThoseDue() {
        guard !pausing.isEmpty else { return }
        for number in pausing { sockets[number]?.webSocket?.pauseIfDue() }
        pausing.removeAll()
    }

    /// Has `HTTPConversation.takeTurn` called in one of the next iterations.
    func waitForTurn(_ number: UInt64) {
        turns.append(number)
        loop.wake()
    }

    func spendMedia(_ bytes: Int) {
        mediaBudget -= bytes
        figures.fileBytesOut &+= UInt64(bytes)
    }

    /// Sends of files what the next iteration allows, each connection in its turn.
    private func giveTurns() {
        mediaBudget = Self.mediaBytesMax
        guard !turns.isEmpty else { return }
        let waiting = turns
        turns = []
        for (index, number) in waiting.enumerated() {
            guard mediaBudget > 0 else {
                // Those that were not reached stand before those that have just had a turn.
                turns = waiting[index...] + turns
                return loop.wake()
            }
            sockets[number]?.http?.takeTurn()
        }
    }

    /// The last act of the thread. A libuv context is left as it is: see `EventLoop.Backend`.
    func shutDown() {
        application = nil
        if uv == nil {
            lws_context_destroy(context)
        }
        sockets.removeAll()
    }

    // MARK: Timers

    func schedule(due: Int64, _ action: @escaping () -> Void) -> EventLoop.Timer {
        let number = timers.add(due: due, action)
        armAlarm()
        return EventLoop.Timer(number: number)
    }

    func schedule(after microseconds: Int64, _ action: @escaping () -> Void) {
        _ = schedule(due: MonotonicClock.nowMicroseconds() + microseconds, action)
    }

    private func armAlarm() {
        guard let due = timers.earliest() else { return }
        guard due < alarmDue else { return }
        alarmDue = due
        let delay = max(1, due - MonotonicClock.nowMicroseconds())
        guard let uv else {
            lws_sul_schedule(context, 0, &alarm.pointee.timer, alarmRang, lws_usec_t(delay))
            return
        }
        // libwebsockets' own timers are not used: on libuv they spin through the last millisecond before they fire.
        uv.setAlarm(after: delay)
    }

    func fireTimers() {
        alarmDue = .max
        let now = MonotonicClock.nowMicroseconds()
        if let due = timers.earliest(), due <= now { figures.timerLateness.add(now - due) }
        // A timer that sets itself anew for the past must not hold the loop: as many as were due, no more.
        var budget = 10_000
        while budget > 0, let action = timers.popDue(now) {
            action()
            budget -= 1
        }
        armAlarm()
    }

    /// See `EventLoop.slowDown`.
    func slowDown(iterationMicroseconds: Int64, until: Int64) {
        guard pace.slow(toMicroseconds: iterationMicroseconds, until: until) else { return }
        for acceptor in acceptors where acceptor.wsi != nil { pace.attend(to: acceptor.socket.descriptor) }
        for socket in sockets.values {
            guard let descriptor = socket.webSocket?.descriptor else {
                if socket.descriptor >= 0 { pace.attend(to: socket.descriptor) }
                continue
            }
            if socket.webSocket?.mayWait == false { pace.attend(to: descriptor) }
        }
    }

    private func tickPings() {
        pings.tick()
        tickDeadlines()
        tickWaiting()
        schedule(after: 1_000_000) { [unowned self] in tickPings() }
    }

    // MARK: Sockets

    func number(after last: UInt64) { lastSocketNumber = max(lastSocketNumber, last) }

    func newSocketNumber() -> UInt64 {
        lastSocketNumber &+= 1
        return lastSocketNumber &* UInt64(EventLoop.loopCountMax) &+ UInt64(loop.options.index)
    }

    /// Gives an accepted descriptor to libwebsockets. The descriptor is closed by somebody else from here on.
    ///
    /// - Parameters:
    ///   - census: The census that counts the connection, if any; the connection is taken off when it ends.
    ///   - announced: The announcement of a trusted proxy about it.
    func adopt(
        _ descriptor: Int32, remote: RemoteAddress, census: ConnectionCensus?, announced: Announcement? = nil
    ) {
        // TLS is taken off by libwebsockets, so what comes before it is read here.
        if tls.vhost != nil, announced == nil, loop.options.clients.trusts(remote) {
            return readAnnouncement(descriptor, remote, census)
        }
        let socket = LoopSocket(number: newSocketNumber(), remote: remote, core: self, census: census)
        sockets[socket.number] = socket
        figures.accepted &+= 1
        if let announced, !socket.take(announced) {
            figures.refusedConnections &+= 1
            close(descriptor)
            return remove(socket)
        }
        var adoption = lws_adopt_desc_t()
        let greeting = greeting(of: descriptor, remote)
        socket.isBesideTLS = greeting == .plainBesideTLS
        socket.isTLS = greeting == .tls
        socket.descriptor = descriptor
        let context = greeting == .tls ? main : windows?.context(for: descriptor) ?? main
        guard let context, descriptor < context.descriptorsEnd else {
            figures.refusedConnections &+= 1
            close(descriptor)
            return remove(socket)
        }
        adoption.vh = greeting == .tls ? tls.vhost : context.vhost
        adoption.type = lws_adoption_type(
            LWS_ADOPT_SOCKET.rawValue | (greeting == .tls ? LWS_ADOPT_ALLOW_SSL.rawValue : 0))
        adoption.fd.sockfd = descriptor
        adoption.opaque = Unmanaged.passUnretained(socket).toOpaque()
        isAdoptionMade = false
        guard lws_adopt_descriptor_vhost_via_info(&adoption) != nil else {
            // A handshake that fails at once closes the socket, on libuv in a later iteration, and the last callback
            // (WSI_DESTROY) still names it: until then it stays in the table. Only if there was no memory for libwebsockets'
            // own part will no callback come.
            if !isAdoptionMade { remove(socket) }
            return
        }
        pace.attend(to: descriptor)
    }

    /// The same for a connection that speaks a protocol of its own (`EventLoop.acceptBare`).
    func adopt(
        _ descriptor: Int32, remote: RemoteAddress, _ handler: any WebSocketHandler, _ limits: WebSocketLimits
    ) {
        let socket = LoopSocket(number: newSocketNumber(), remote: remote, core: self, census: nil)
        let connection = WebSocketConnection(number: socket.number, limits: limits, core: self, isClient: false)
        connection.isBare = true
        connection.hears = true
        connection.handler = handler
        sockets[socket.number] = socket
        socket.become(connection)
        socket.descriptor = descriptor
        figures.accepted &+= 1
        guard let context = windows?.context(for: descriptor) ?? main, descriptor < context.descriptorsEnd else {
            figures.refusedConnections &+= 1
            close(descriptor)
            return remove(socket)
        }
        var adoption = lws_adopt_desc_t()
        adoption.vh = context.vhost
        adoption.type = lws_adoption_type(LWS_ADOPT_SOCKET.rawValue)
        adoption.fd.sockfd = descriptor
        adoption.opaque = Unmanaged.passUnretained(socket).toOpaque()
        isAdoptionMade = false
        guard lws_adopt_descriptor_vhost_via_info(&adoption) != nil, let wsi = socket.wsi else {
            if !isAdoptionMade { remove(socket) }
            return
        }
        socket.expectNothing()
        pace.attend(to: descriptor)
        connection.opened(wsi, descriptor: descriptor)
    }

    /// Makes ready for connections, before the first comes.
    func expectConnections() {
        windows?.prepare()
    }

    /// Has a socket closed without a word, by the next iteration. libwebsockets does that by a timer, which on libuv it
    /// sets for itself after some socket of the same context was served, and at no other time.
    func cut(_ wsi: OpaquePointer) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
        guard let context = lws_get_context(wsi), context != self.context else { return loop.wake() }
        lws_cancel_service(context)
    }

    func remove(_ socket: LoopSocket) {
        guard sockets.removeValue(forKey: socket.number) != nil else { return }
        socket.gone()
    }

    /// Watches a descriptor of ours for readability.
    func watch(_ descriptor: Int32, _ acceptor: Acceptor) -> Bool {
        var file = lws_sock_file_fd_type()
        file.filefd = descriptor
        let wsi = lws_adopt_descriptor_vhost(vhost, LWS_ADOPT_RAW_FILE_DESC, file, names.accept, nil)
        guard let wsi else { return false }
        lws_set_opaque_user_data(wsi, Unmanaged.passUnretained(acceptor).toOpaque())
        acceptor.wsi = wsi
        return true
    }

    func isExempt(_ address: RemoteAddress) -> Bool { loop.options.clients.isExempt(address) }
    var clientProtocolName: UnsafePointer<CChar> { UnsafePointer(names.client) }
    var protocols: UnsafePointer<lws_protocols> { UnsafePointer(names.protocols) }
}

/// The counters of a loop since its start. Read them on the loop.
public struct LoopFigures: Sendable {
    /// Connections that this loop has taken over from an acceptor, including those it refused afterwards.
    public var accepted: UInt64 = 0
    /// Connections refused before their first request: the address has its maximum, a proxy's header is invalid, or the
    /// process is short of descriptors or memory. A proxy's connection counts for the client that its header names.
    public var refusedConnections: UInt64 = 0
    /// Requests that became a WebSocket.
    public var upgraded: UInt64 = 0
    /// Upgrade requests that the loop or its application refused.
    public var refusedUpgrades: UInt64 = 0
    /// HTTP requests, upgrades and malformed ones included.
    public var requests: UInt64 = 0
    /// WebSocket messages that were received completely.
    public var messagesIn: UInt64 = 0
    /// Bytes of those messages, without framing.
    public var bytesIn: UInt64 = 0
    /// WebSocket messages handed to a socket, in whole or in part.
    public var messagesOut: UInt64 = 0
    /// Bytes of those messages as they go out: with framing for servers, without for clients.
    public var bytesOut: UInt64 = 0
    /// Bytes of bodies that were read from files.
    public var fileBytesOut: UInt64 = 0
    /// WebSockets whose peer sent the first close frame. Answers to our own close frames are not counted.
    public var closedByPeer: UInt64 = 0
    /// WebSockets closed because the peer was silent longer than `WebSocketLimits.silence`.
    public var silent: UInt64 = 0
    /// Connections closed because a request, a message or a handshake was not complete in time, or no first request
    /// came. Idle connections that end after an answer are not counted.
    public var timedOut: UInt64 = 0
    /// Connections closed because they did not read what was sent: for too long, or while too many bytes waited for
    /// their address or for the whole loop.
    public var unreadClosed: UInt64 = 0
    /// Jobs that were posted to this loop and have been run.
    public var jobs: UInt64 = 0
    /// How late timers fired, because the loop or the machine was busy. Timers that fire together count once, with the
    /// lateness of the earliest.
    public var timerLateness = Lateness()
    /// All counters at zero.
    public init() {}
}

/// A histogram of latenesses.
public struct Lateness: Sendable {
    /// Upper bounds of the classes, µs, inclusive. One further class has no upper bound.
    public static let bounds: [Int64] = [
        500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
    ]
    /// Events in each class of `bounds`. The last element counts those above all bounds.
    public private(set) var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    /// The sum of all latenesses, µs.
    public private(set) var sumMicroseconds: Int64 = 0

    mutating func add(_ microseconds: Int64) {
        counts[Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count] &+= 1
        sumMicroseconds &+= microseconds
    }
}

extension EventLoop {
    /// The counters of this loop. On the loop.
    public var figures: LoopFigures { core.figures }
    /// Sockets open now, HTTP and WebSocket together. On the loop.
    public var socketCount: Int { core.sockets.count }
    /// Bytes of the bodies of requests that are on their way, and in memory until they are whole. On the loop.
    public var bodyBytesComing: Int { core.bodyBytes.total }
    /// The same of one address or network (`RemoteAddress.group`).
    public func bodyBytesComing(of group: String) -> Int { core.bodyBytes.bytes(of: group) }
    /// Bytes of messages that wait for sockets to take them. O(sockets). On the loop.
    public var queuedBytes: Int { core.sockets.values.reduce(0) { $0 + $1.queuedBytes } }
}
