internal import Synchronization

/// Mails on their way out: tried again when the trouble is temporary, given up otherwise.
///
/// The queue is in memory: mails that wait when the program ends are lost, which is acceptable for mails that people
/// ask for again. A few mails are sent side by side. The others wait in order, limited in number, except that one that
/// failed goes to the back after its delay.
///
/// Each mail is *ready* → `start` → *sending* → `finish` → *gone*, or *sending* → `wait` → *delayed* → *ready* for another
/// try. A mail that is sending or delayed has a task.
public final class MailQueue: Sendable {
    /// Events that an operator may want to know of. Never holds an address or words of a mail.
    public enum Event: Sendable, CustomStringConvertible {
        /// Try number `tries` failed; the next is after `delay`.
        case delayed(TransferError, tries: Int, delay: Duration)
        /// The mail is gone after `tries` tries.
        case gaveUp(TransferError, tries: Int)
        /// The queue was closed with this many mails unsent.
        case leftUnsent(Int)

        /// A line for an operator's log. It names no address.
        public var description: String {
            switch self {
            case .delayed(let error, let tries, let delay):
                "A mail was not sent at try \(tries), the next is in \(delay): \(error)"
            case .gaveUp(let error, let tries): "A mail was given up after \(tries) tries: \(error)"
            case .leftUnsent(let count): "\(count) mails were not sent before the end"
            }
        }
    }

    /// Five tries in some 13 minutes: long enough for a mail server to be restarted, short enough for a link in the
    /// mail to be of use.
    public static let defaultDelays: [Duration] = [.seconds(5), .seconds(30), .seconds(120), .seconds(600)]

    private struct Entry: Sendable {
        let number: Int
        let mail: Mail
        var tries = 0
    }

    private struct State {
        var ready: [Entry] = []
        /// Tasks that send or delay a mail, by the number of the mail.
        var tasks: [Int: Task<Void, Never>] = [:]
        var sending = 0
        /// Number of the last mail or waiter.
        var number = 0
        var isClosed = false
        /// The grace of `close` is over: nothing becomes ready any more.
        var isEnding = false
        var unsent = 0
        /// Callers that wait for the queue to become empty.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]

        var count: Int { ready.count + tasks.count }

        mutating func nextNumber() -> Int {
            number += 1
            return number
        }
    }

    private let transport: any MailTransport
    private let mailsMax: Int
    private let sendingMax: Int
    private let delays: [Duration]
    private let report: @Sendable (Event) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - mailsMax: Mails in the queue, whatever their state; one more is refused.
    ///   - sendingMax: Mails that go side by side. `Mailer` and `SendmailCommand` run two at once.
    ///   - delays: After the first try, the second and so on; one more try than there are delays.
    ///   - report: On any thread; must not wait.
    public init(
        _ transport: any MailTransport, mailsMax: Int = 1_000, sendingMax: Int = 2,
        delays: [Duration] = MailQueue.defaultDelays, report: @escaping @Sendable (Event) -> Void
    ) {
        self.transport = transport
        self.mailsMax = max(1, mailsMax)
        self.sendingMax = max(1, sendingMax)
        self.delays = delays
        self.report = report
    }

    /// Takes `mail` to be sent. Any thread, never waits.
    ///
    /// - Throws: `busy` if the queue is full, `closed`.
    public func submit(_ mail: Mail) throws(TransferError) {
        let refusal = state.withLock { state -> TransferError? in
            if state.isClosed { return TransferError(.closed, "The mail queue is closed") }
            if state.count >= mailsMax {
                return TransferError(.busy, "The mail queue is full", isTemporary: true)
            }
            state.ready.append(Entry(number: state.nextNumber(), mail: mail))
            start(&state)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Mails that are neither sent nor given up.
    public var count: Int { state.withLock { $0.count } }

    /// Waits until every mail is sent or given up, or the waiting task is cancelled.
    public func drain() async {
        let number = state.withLock { $0.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.count == 0 || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    /// Takes no more mail, gives the mails in the queue `grace` to be sent, then ends the rest and reports their
    /// number.
    public func close(grace: Duration = .zero) async {
        state.withLock { $0.isClosed = true }
        if grace > .zero { await drain(atMost: grace) }
        let tasks = state.withLock { state in
            state.isEnding = true
            state.unsent += state.ready.count
            state.ready = []
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        let unsent = state.withLock { state in
            defer { state.unsent = 0 }
            wakeWaiters(&state)
            return state.unsent
        }
        if unsent > 0 { report(.leftUnsent(unsent)) }
    }

    private func drain(atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.drain() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension MailQueue {
    /// Starts mails that are ready, as many as may be sent side by side.
    private func start(_ state: inout State) {
        while state.sending < sendingMax, !state.ready.isEmpty {
            let entry = state.ready.removeFirst()
            state.sending += 1
            // The task's first access to the state waits for this lock, so it finds itself there.
            state.tasks[entry.number] = Task { await send(entry) }
        }
    }

    private func send(_ entry: Entry) async {
        var entry = entry
        entry.tries += 1
        do throws(TransferError) {
            try await transport.send(entry.mail)
            finish(entry, wasSending: true)
        } catch  where Task.isCancelled || error.code == .cancelled {
            finish(entry, wasSending: true, isUnsent: true)
        } catch  where error.isTemporary && entry.tries <= delays.count {
            await wait(entry, error)
        } catch {
            report(.gaveUp(error, tries: entry.tries))
            finish(entry, wasSending: true)
        }
    }

    private func wait(_ entry: Entry, _ error: TransferError) async {
        let delay = delays[entry.tries - 1]
        report(.delayed(error, tries: entry.tries, delay: delay))
        state.withLock { state in
            state.sending -= 1
            start(&state)
        }
        guard (try? await Task.sleep(for: delay)) != nil else {
            return finish(entry, wasSending: false, isUnsent: true)
        }
        state.withLock { state in
            state.tasks[entry.number] = nil
            if state.isEnding {
                state.unsent += 1
            } else {
                state.ready.append(entry)
                start(&state)
            }
        }
    }

    private func finish(_ entry: Entry, wasSending: Bool, isUnsent: Bool = false) {
        state.withLock { state in
            state.tasks[entry.number] = nil
            if wasSending { state.sending -= 1 }
            if isUnsent { state.unsent += 1 }
            start(&state)
            if state.count == 0 { wakeWaiters(&state) }
        }
    }

    /// Resuming only schedules the waiter, so it may happen under the lock.
    private func wakeWaiters(_ state: inout State) {
        for waiter in state.waiters.values { waiter.resume() }
        state.waiters = [:]
    }
}
