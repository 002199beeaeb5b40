internal import CLibwebsockets
internal import SonaBase
internal import Synchronization

/// Jobs that any thread has posted to a loop and the loop has not taken yet.
struct LoopInbox {
    var urgent: [LoopJob] = []
    var ordinary: [LoopJob] = []
    /// The context to wake, nil before start and after stop.
    var context: OpaquePointer?
    private var isWakePending = false

    /// Under the inbox's lock, so that the context cannot be destroyed meanwhile.
    mutating func wake() {
        guard !isWakePending, let context else { return }
        isWakePending = true
        lws_cancel_service(context)
    }

    /// From now on a post wakes the loop again.
    mutating func isHeard() { isWakePending = false }
}

/// Jobs that a loop has taken from its inbox and has not run yet.
struct LoopWork {
    var ordinary = LoopJobQueue()
    var urgent = LoopJobQueue()
    /// Time left for jobs in this iteration, µs.
    var timeLeft: Int64 = 0

    var isEmpty: Bool { ordinary.isEmpty && urgent.isEmpty }
}

/// Jobs: posted from anywhere, run on the loop.
///
/// A loop often posts to itself while it serves sockets, as for each request that becomes a session's. It takes such
/// jobs once the sockets have been served: in `drainOwn`, after libuv's wait. Waking itself for each, with one more
/// iteration, made up a tenth of the cost of joining.
///
/// All other posts wake the loop: those of other threads at once, its own from elsewhere when it is about to wait
/// (`wakeForOwn`). poll(2) offers no such place, so there the loop is woken for each job.
extension EventLoop {
    /// How long posted jobs may keep the sockets waiting, µs: a tenth of a packet's time.
    private static let iterationMicroseconds: Int64 = 2_000
    /// How many ordinary jobs run before the loop takes further urgent ones.
    private static let ordinaryShare = 16

    func append(_ job: LoopJob, isUrgent: Bool) {
        let isOwn = isCurrent && coreIfRunning?.hearsItself == true
        if isOwn { hasOwn = true } else if isCurrent { coreIfRunning?.pace.hurry() }
        inbox.withLock { inbox in
            if isUrgent {
                inbox.urgent.append(job)
                self.isUrgent.store(true, ordering: .relaxed)
            } else {
                inbox.ordinary.append(job)
            }
            if !isOwn { inbox.wake() }
        }
    }

    /// Runs posted jobs for as long as an iteration's jobs may take; the rest follows once the sockets have been
    /// served.
    ///
    /// An urgent job that was posted before an ordinary one runs before it. Code that posts to both lanes relies on
    /// this.
    func drainInbox() {
        let begin = MonotonicClock.nowMicroseconds()
        let end = begin + work.timeLeft
        var count = 0
        hasOwn = false
        inbox.withLock { inbox in
            inbox.isHeard()
            isUrgent.store(false, ordering: .relaxed)
            work.ordinary.append(&inbox.ordinary)
            work.urgent.append(&inbox.urgent)
        }
        while runSome(until: end, &count), !work.ordinary.isEmpty || isUrgent.load(ordering: .relaxed) {
            inbox.withLock { inbox in
                isUrgent.store(false, ordering: .relaxed)
                work.urgent.append(&inbox.urgent)
                if inbox.ordinary.isEmpty { hasOwn = false }
            }
        }
        work.timeLeft -= MonotonicClock.nowMicroseconds() - begin
        core.figures.jobs &+= UInt64(count)
        if !work.isEmpty { wakeAtOnce() }
    }

    /// The same for jobs that the loop has posted to itself, after the sockets of an iteration. Does nothing if jobs
    /// are left over already.
    func drainOwn() {
        if hasOwn, work.isEmpty { drainInbox() }
    }

    /// Wakes the loop, which must not begin to wait while its inbox holds a job that nobody has woken it for.
    func wakeForOwn() {
        guard hasOwn else { return }
        hasOwn = false
        wakeAtOnce()
    }

    /// Has the loop go around once more. From any thread.
    func wake() {
        inbox.withLock { $0.wake() }
    }

    func beginIteration() { work.timeLeft = Self.iterationMicroseconds }

    private func wakeAtOnce() {
        core.pace.hurry()
        inbox.withLock { $0.wake() }
    }

    /// Runs all urgent jobs that have been taken, then some of the others.
    ///
    /// - Returns: Whether there is time for more.
    private func runSome(until end: Int64, _ count: inout Int) -> Bool {
        while let job = work.urgent.popFirst() {
            run(job)
            count += 1
            if count % 8 == 0, MonotonicClock.nowMicroseconds() > end { return false }
        }
        for _ in 0..<Self.ordinaryShare {
            guard let job = work.ordinary.popFirst() else { break }
            run(job)
            count += 1
        }
        return MonotonicClock.nowMicroseconds() <= end
    }

    private func run(_ job: LoopJob) {
        switch job {
        case .executor(let job): unsafe_runSynchronously(job)
        case .closure(let body): body()
        }
    }

    private func unsafe_runSynchronously(_ job: UnownedJob) {
        job.runSynchronously(on: asUnownedSerialExecutor())
    }
}
