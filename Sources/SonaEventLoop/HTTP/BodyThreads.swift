internal import Glibc
internal import SonaBase

/// Threads that read and write the files behind bodies: a loop never waits for a disk.
///
/// Four for the whole process, started when the first body comes. They yield to the loops (nice 5), so that copying does
/// not delay sound.
enum BodyThreads {
    private static let count = 4

    fileprivate struct Queue {
        var work: [@Sendable () -> Void] = []
        var next = 0
        var threads = 0
        var idle = 0
    }

    private static let queue = Monitor(Queue())

    /// Runs `body` on one of the threads, in no order to other work. Any thread.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let starts = queue.notifyIf { queue -> (notify: Bool, Bool) in
            queue.work.append(body)
            // A thread that is idle may have been woken for earlier work already.
            guard queue.idle < queue.work.count - queue.next, queue.threads < count else { return (true, false) }
            queue.threads += 1
            return (false, true)
        }
        guard starts, !WorkerThread.start("sona-bodies", serve) else { return }
        // No thread to be had: those that run do it, or else this one.
        let own = queue.withLock { queue -> (@Sendable () -> Void)? in
            queue.threads -= 1
            return queue.threads == 0 ? queue.pop() : nil
        }
        own?()
    }

    @Sendable private static func serve() {
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        queue.withLock { $0.idle += 1 }
        while true {
            let body = queue.wait { queue in queue.pop() }
            body()
            queue.withLock { $0.idle += 1 }
        }
    }
}

extension BodyThreads.Queue {
    /// The oldest work; whoever takes it is idle no longer.
    fileprivate mutating func pop() -> (@Sendable () -> Void)? {
        guard next < work.count else { return nil }
        let body = work[next]
        next += 1
        if next == work.count {
            work.removeAll(keepingCapacity: true)
            next = 0
        }
        idle = max(0, idle - 1)
        return body
    }
}

/// The destination of a request's body that is not kept in memory. See `BodyDecision.stream`.
public protocol BodySink: AnyObject, Sendable {
    /// The next bytes, at most 128 KiB. Off the loop; never two calls at once.
    ///
    /// - Throws: Anything: no more bytes are taken, and the application is asked for its answer.
    func write(_ bytes: [UInt8]) throws
    /// Called once, after the last `write`, off the loop.
    ///
    /// - Parameter isWhole: Whether all of the body came and was written. False if the connection ended before.
    func finish(isWhole: Bool)
}

/// The calls to one sink, one after the other, on threads of `BodyThreads`.
final class SinkWriter: Sendable {
    let sink: any BodySink

    private struct State {
        var waiting: [Call] = []
        var isRunning = false
        /// The sink has been told of the end.
        var isFinished = false
    }

    /// One piece of a body.
    private struct Call {
        var bytes: [UInt8]
        /// For the last piece, whether the body is whole; `nil` for all others.
        var isWhole: Bool?
        /// Called when it is done: whether the sink has been told of the end, and whether it threw.
        var done: @Sendable (_ isEnd: Bool, _ hasFailed: Bool) -> Void
    }

    private let state = Monitor(State())

    init(_ sink: any BodySink) { self.sink = sink }

    /// Has a piece written. After an error, or the end, nothing more is written.
    func write(
        _ bytes: [UInt8], isWhole: Bool? = nil,
        done: @escaping @Sendable (_ isEnd: Bool, _ hasFailed: Bool) -> Void = { _, _ in }
    ) {
        let starts = state.withLock { state in
            state.waiting.append(Call(bytes: bytes, isWhole: isWhole, done: done))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { BodyThreads.run { [self] in serve() } }
    }

    private func serve() {
        while true {
            let calls = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isRunning = false }
                return state.waiting
            }
            if calls.isEmpty { return }
            for call in calls { serve(call) }
        }
    }

    private func serve(_ call: Call) {
        guard !state.withLock({ $0.isFinished }) else { return call.done(true, false) }
        var hasFailed = false
        if !call.bytes.isEmpty {
            do { try sink.write(call.bytes) } catch { hasFailed = true }
        }
        let isEnd = hasFailed || call.isWhole != nil
        if isEnd {
            state.withLock { $0.isFinished = true }
            sink.finish(isWhole: !hasFailed && call.isWhole == true)
        }
        call.done(isEnd, hasFailed)
    }
}
