internal import CLibwebsockets
internal import SonaBase
internal import Synchronization

/// What has been posted to a loop, from wherever, and is still to be taken by it.
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

    /// Whoever posts from now on wakes the loop anew.
    mutating func isHeard() { isWakePending = false }
}

/// What a loop has taken from its inbox and is still to run.
struct LoopWork {
    var ordinary = LoopJobQueue()
    var urgent = LoopJobQueue()
    /// What is left of this iteration's time for jobs, µs.
    var timeLeft: Int64 = 0

    var isEmpty: Bool { ordinary.isEmpty && urgent.isEmpty }
}

/// Jobs: posted from anywhere, run on the loop.
///
/// What a loop tells itself while it serves sockets, as each request that becomes a session's does, it hears when they
/// have been served: `drainOwn`, behind libuv's wait. A message to itself, and an iteration more to hear it, was a
/// tenth of what it costs to join. For all else it is woken: by others' threads at once, and for what it has told
/// itself elsewhere when it is about to wait (`wakeForOwn`). With poll(2) there is no such place, and it is woken for
/// each job.
extension EventLoop {
    /// How long what was posted may keep the sockets waiting, µs: a tenth of a packet's time.
    private static let iterationMicroseconds: Int64 = 2_000
    /// How many jobs that are not urgent have their turn before more is taken that is.
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

    /// Runs what has been posted for as long as an iteration's jobs may take; the rest follows when sockets have had
    /// theirs.
    ///
    /// Whatever was urgent and posted before something ordinary runs before it: who posts to both lanes relies on that.
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

    /// The same for what the loop has told itself, after the sockets of an iteration; not where there is more than an
    /// iteration's jobs already.
    func drainOwn() {
        if hasOwn, work.isEmpty { drainInbox() }
    }

    /// Before the loop waits: not with something in its inbox for which nobody has woken it.
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

    /// Runs all that is urgent of what has been taken, then some of the rest.
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
