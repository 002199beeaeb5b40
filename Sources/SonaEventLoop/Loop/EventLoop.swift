internal import CLibwebsockets
internal import Glibc
internal import SonaBase
internal import Synchronization

/// One thread that serves sockets: contexts of libwebsockets on an event loop of their own, usable as a Swift executor.
///
/// States: created → running (`start`) → stopped (`stop`). Everything that touches a connection happens on the loop's
/// thread; other threads reach it through `post`, through an actor that has this loop as its executor, and in no
/// other way. The only libwebsockets function called from elsewhere is `lws_cancel_service`.
///
/// Objects that belong to a loop (connections, exchanges, timers) are plain classes that are not Sendable, so the
/// compiler keeps them on its thread.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
    // Safe to share: `core` and `thread` are written once, before `start` returns, and used on the loop's thread only
    // (`core`, `work`, `hasOwn`) or compared only (`thread`). The inbox has a lock of its own.

    /// The event library that waits for readiness underneath libwebsockets.
    public enum Backend: Sendable {
        /// epoll through libuv: no cost per idle connection. A context of this kind is never destroyed, since 4.1.6
        /// closes its wake-up descriptor twice: right for a process that ends with its loop.
        case libuv
        /// poll(2): costs per connection and wake-up, but can be stopped and destroyed. For tests and small clients.
        case poll
    }

    /// Settings of a loop, fixed before it starts.
    public struct Options: Sendable {
        /// Names the thread, and the loop in the messages of failed isolation checks.
        public var name = "loop"
        /// The event library that waits for the sockets.
        public var backend = Backend.libuv
        /// Subprotocols a server on this loop knows by name, as in `Sec-WebSocket-Protocol` (RFC 6455 §1.9).
        public var subprotocols: [String] = []
        /// Bytes of all request headers together; more closes the connection.
        public var headerBytesMax = 16 * 1024
        /// Index of this loop among a server's loops, below `loopCountMax`: it makes the numbers of connections unique.
        public var index = 0
        /// How many loops share the connections of this process.
        public var count = 1
        /// If set, accepted TCP connections speak TLS; see `pathsWithoutTLS` for the exceptions.
        public var identity: TLSIdentity?
        /// Paths that programs on this machine may read at a port that speaks TLS without speaking it.
        public var pathsWithoutTLS: Set<String> = []
        /// The proxies that are trusted to name a client's address, and limits on one address.
        public var clients = ClientPolicy()
        /// Whether connections are opened with TLS from this loop.
        public var opensTLS = false
        /// The defaults: libuv, no TLS, no subprotocols.
        public init() {}
    }

    /// Loops that may number their connections side by side.
    public static let loopCountMax = 64

    /// The settings the loop was made with.
    public let options: Options
    let inbox = Monitor(LoopInbox())
    /// Whether there is urgent work: looked at between jobs.
    let isUrgent = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    private var thread: pthread_t = 0
    var coreIfRunning: LoopCore?
    /// Jobs taken from the inbox. On the loop.
    var work = LoopWork()
    /// Something the loop has told itself is in the inbox, and it has not been woken for it. On the loop; not in `work`,
    /// for a job that is done with may be the last to hold something that says one more thing as it goes.
    var hasOwn = false

    /// Makes a loop without a thread; `start` begins it.
    public init(_ options: Options = Options()) {
        self.options = options
    }

    // MARK: Lifecycle

    /// Starts the thread and returns when the loop accepts work.
    ///
    /// - Throws: `EventLoopError.system` if libwebsockets could not make a context (out of descriptors, or the event
    ///   library's plugin is missing).
    public func start() throws(EventLoopError) {
        let started = Monitor<Result<Void, EventLoopError>?>(nil)
        guard WorkerThread.start(options.name, { [self] in runThread(started) }) else {
            throw .system("Could not start a thread", EAGAIN)
        }
        try started.wait { $0 }.get()
    }

    /// Ends the loop. Connections still open are cut without a word: close them first.
    ///
    /// Returns at once; with the poll backend the context is destroyed on the loop's thread shortly after.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        wake()
    }

    private func runThread(_ started: Monitor<Result<Void, EventLoopError>?>) {
        thread = pthread_self()
        let core: LoopCore
        do {
            core = try LoopCore(loop: self)
        } catch {
            return started.notify { $0 = .failure(error) }
        }
        coreIfRunning = core
        inbox.withLock { $0.context = core.context }
        started.notify { $0 = .success(()) }
        core.run { [self] in isStopping.load(ordering: .acquiring) }
        inbox.withLock { $0.context = nil }
        core.shutDown()
        coreIfRunning = nil
    }

    /// Seconds for which browsers are to come back over TLS alone; 0 says nothing. Only answers over this loop's own TLS
    /// carry it. From any thread.
    ///
    /// Source: RFC 6797 §7.2, which forbids it over plain HTTP.
    public func setStrictTransport(seconds: Int) { strictTransport.store(seconds, ordering: .relaxed) }
    private let strictTransport = Atomic<Int>(0)

    /// The header of an answer over this loop's own TLS; `nil` if there is none.
    var strictTransportHeader: (name: String, value: String)? {
        let seconds = strictTransport.load(ordering: .relaxed)
        return seconds > 0 ? (name: "strict-transport-security", value: "max-age=\(seconds)") : nil
    }

    /// Gives connections from now on another certificate; those that stand go on with theirs. Nothing happens on a loop
    /// without TLS. From any thread.
    public func replaceIdentity(_ identity: TLSIdentity) {
        post { [self] in core.replaceIdentity(identity) }
    }

    // MARK: Work from anywhere

    /// Runs `body` on the loop, after the jobs posted before. Any thread, the loop's own included.
    public func post(_ body: @escaping @Sendable () -> Void) {
        append(.closure(body), isUrgent: false)
    }

    /// The same, ahead of all waiting jobs that are not urgent. Meant for work that is due at a certain time, such as
    /// sound.
    public func postUrgently(_ body: @escaping @Sendable () -> Void) {
        append(.closure(body), isUrgent: true)
    }

    /// Runs `body` on the loop and hands back what it returned.
    public func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            post { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// Runs the job on the loop with its next iteration. Any thread; this is how actors on the loop are served.
    public func enqueue(_ job: consuming ExecutorJob) {
        append(.executor(UnownedJob(job)), isUrgent: false)
    }

    // MARK: Isolation

    /// Whether the caller is on this loop's thread.
    public var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Stops the program with a sentence if the caller is not on the loop's thread.
    public func checkIsolated() {
        precondition(isCurrent, "This must run on the event loop \"\(options.name)\".")
    }

    /// Whether the caller is on the loop's thread; never `nil`.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// The loop's inner part. On the loop's thread, between `start` and `stop`.
    var core: LoopCore {
        precondition(isCurrent, "Objects of the event loop \"\(options.name)\" are for its own thread.")
        guard let coreIfRunning else { preconditionFailure("The event loop \"\(options.name)\" is not running.") }
        return coreIfRunning
    }

    /// Spaces the starts of the loop's iterations by at least `iterationMicroseconds`, until a time of
    /// `MonotonicClock`. An iteration starts sooner if something arrives that may not wait
    /// (`WebSocketConnection.mayWait`), or if there is more to do at once. Timers and jobs of other threads wait, too,
    /// urgent or not. On the loop.
    public func slowDown(iterationMicroseconds: Int64, until: Int64) {
        core.slowDown(iterationMicroseconds: iterationMicroseconds, until: until)
    }

    /// How many connections the loop has numbered. On the loop.
    public var lastConnection: UInt64 { core.lastSocketNumber }

    /// Numbers the next connections after those of another process, whose `lastConnection` was this. On the loop.
    public func number(after last: UInt64) { core.number(after: last) }

    /// Number of the loop's present iteration. Work with equal numbers is done without polling in between. On the loop.
    public var iteration: UInt64 { core.iteration }

    // MARK: Timers

    /// A timer that has been set; cancel it with `EventLoop.cancel`.
    public struct Timer: Sendable {
        var number: UInt64
    }

    /// Runs `action` on the loop when `delay` has passed. On the loop; O(log timers).
    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Timer {
        schedule(atMicroseconds: MonotonicClock.nowMicroseconds() + delay.wholeMicroseconds, action)
    }

    /// Runs `action` on the loop at a time of `MonotonicClock`, at once if that has passed. On the loop.
    @discardableResult
    public func schedule(atMicroseconds due: Int64, _ action: @escaping () -> Void) -> Timer {
        core.schedule(due: due, action)
    }

    /// Forgets a timer; nothing happens if it has fired. On the loop.
    public func cancel(_ timer: Timer) {
        core.timers.cancel(timer.number)
    }
}

extension Duration {
    /// Whole microseconds, clamped to what 64 bits hold.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000_000
    }
}
