internal import SonaModel
internal import SonaWire

/// A request of the durable plane, as it was asked.
struct AskedRequest {
    let id: Int64
    private var content: Content
    let method: Method
    /// The connection on which it is to be answered.
    let link: UInt64
    /// Asked in which room; who asks is known when it is begun.
    var caller: Caller

    private enum Content {
        case parsed(JSON)
        /// The message it came in.
        case text([UInt8])
    }

    init(_ request: Request, method: Method, link: UInt64, caller: Caller) {
        id = request.id
        content = .parsed(request.data)
        self.method = method
        self.link = link
        self.caller = caller
    }

    /// Its data. Linear in its text if it has waited.
    var data: JSON {
        switch content {
        case .parsed(let data): return data
        case .text(let text):
            guard case .success(let request) = Request.parse(text) else {
                preconditionFailure("A message that was a request when it came is one still.")
            }
            return request.data
        }
    }

    /// Keeps the message it came in, in place of what was read of it, which takes eight times as
    /// much and more where it is full of small numbers.
    mutating func wait(as text: UnsafeRawBufferPointer) { content = .text(Array(text)) }

    /// Of its message, if that is kept.
    var byteCount: Int {
        if case .text(let text) = content { text.count } else { 0 }
    }
}

/// The requests of sessions that are being done, each with those behind it.
///
/// Those of one session are done one after another: what it asks of a thing last is what becomes of it, and what it says
/// is heard in its order. Sessions do not wait for one another.
///
/// Source: Protocol/spec/connection.md, "Order".
struct RequestQueues {
    private struct Queue {
        /// What is first is under way.
        var asked: [AskedRequest] = []
        var waitingBytes = 0
        /// Who asks, also where the connection is lost meanwhile.
        var account: Accounts.Account?
    }

    /// By session.
    private var queues: [UInt64: Queue] = [:]

    /// Puts a request in its session's queue.
    ///
    /// - Parameter text: The message it came in.
    /// - Returns: Whether it is the first, and is to be begun.
    /// - Throws: `server.busy` where `Limits.requestsWaitingMax` or `.requestsWaitingBytesMax` wait already.
    mutating func add(
        _ asked: AskedRequest, text: UnsafeRawBufferPointer, of session: UInt64
    ) throws(WireError) -> Bool {
        guard let queue = queues[session] else {
            queues[session] = Queue(asked: [asked])
            return true
        }
        guard queue.asked.count <= Limits.requestsWaitingMax,
            queue.waitingBytes + text.count <= Limits.requestsWaitingBytesMax
        else { throw WireError(.serverBusy, retryAfterMilliseconds: 1_000) }
        var waiting = asked
        waiting.wait(as: text)
        queues[session]?.asked.append(waiting)
        queues[session]?.waitingBytes += text.count
        return false
    }

    /// The first of a session's is done.
    ///
    /// - Returns: The one behind it.
    mutating func next(of session: UInt64) -> AskedRequest? {
        guard let count = queues[session]?.asked.count, count > 1 else {
            queues[session] = nil
            return nil
        }
        queues[session]?.asked.removeFirst()
        let first = queues[session]?.asked.first
        queues[session]?.waitingBytes -= first?.byteCount ?? 0
        return first
    }

    /// Nothing that waits is begun any more.
    mutating func drop(of session: UInt64) {
        guard let queue = queues[session] else { return }
        queues[session]?.asked.removeLast(queue.asked.count - 1)
        queues[session]?.waitingBytes = 0
    }

    mutating func dropAll() {
        for session in queues.keys { drop(of: session) }
    }

    func account(of session: UInt64) -> Accounts.Account? { queues[session]?.account }

    /// Who asks for what comes behind; `nil` is nobody.
    mutating func note(_ account: Accounts.Account?, of session: UInt64) { queues[session]?.account = account }

    /// Whether a session is about to end its own tokens.
    func endsOwnTokens(of session: UInt64) -> Bool {
        queues[session]?.asked.contains { $0.method.endsOwnTokens } ?? false
    }
}

extension ShardCore {
    /// Has a request done, behind those that its session has asked before.
    ///
    /// - Parameter text: The message it came in.
    /// - Throws: `server.busy`; `auth.token_invalid` where nothing of theirs is begun any more.
    func ask(_ asked: AskedRequest, text: UnsafeRawBufferPointer) throws(WireError) {
        guard let number = asked.caller.session else { return }
        if asked.method.isApart { return perform(asked) { _ in } }
        if try requestQueues.add(asked, text: text, of: number) { begin(asked, of: number) }
    }

    private func begin(_ first: AskedRequest, of number: UInt64) {
        var next: AskedRequest? = first
        while var asked = next {
            let session = session(onLink: asked.link)
            do throws(WireError) {
                if let session {
                    try session.begin(&asked)
                    requestQueues.note(asked.caller.account, of: number)
                } else {
                    asked.caller.account = try present(requestQueues.account(of: number))
                }
            } catch {
                session?.refuse(asked.id, error)
                next = requestQueues.next(of: number)
                continue
            }
            return perform(asked) { core in
                if let next = core.requestQueues.next(of: number) { core.begin(next, of: number) }
            }
        }
    }

    /// Somebody whose connection is lost, as they are now.
    ///
    /// - Throws: `auth.*` where they may not ask any more.
    private func present(_ account: Accounts.Account?) throws(WireError) -> Accounts.Account? {
        guard let account else { return nil }
        do { return try services.model.accounts.current(account) } catch { throw WireError(error) }
    }

    private func perform(_ asked: AskedRequest, _ afterwards: @escaping @Sendable (ShardCore) -> Void) {
        let (shard, methods) = (self.shard, self.methods)
        Task {
            let outcome: Result<AnyOutcome, WireError>
            do throws(WireError) {
                outcome = .success(try await methods.call(asked.method, asked.data, asked.caller))
            } catch {
                outcome = .failure(error)
            }
            await shard.perform { core in
                core.finish(asked, outcome)
                afterwards(core)
            }
        }
    }

    private func finish(_ asked: AskedRequest, _ outcome: Result<AnyOutcome, WireError>) {
        guard let number = asked.caller.session else { return }
        if case .success(let outcome) = outcome {
            if let account = outcome.signsIn { requestQueues.note(account, of: number) }
            if outcome.signsOut || outcome.ends { requestQueues.note(nil, of: number) }
        }
        // What was asked on a connection that is lost is done, and answered on no other.
        if let session = session(onLink: asked.link) {
            session.finish(asked, outcome)
        } else if case .success(let outcome) = outcome, outcome.isWatching == true {
            // A list that was to be watched is watched by nobody.
            endWatch(number, upTo: asked.caller.watchGeneration)
        }
    }
}
