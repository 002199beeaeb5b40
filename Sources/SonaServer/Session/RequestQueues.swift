internal import SonaModel
internal import SonaWire

/// A request of the durable plane, as it arrived.
struct AskedRequest {
    let id: Int64
    private var content: Content
    let method: Method
    /// The connection on which it is to be answered.
    let link: UInt64
    /// The room in which it was asked. The account is filled in when the request is begun.
    var caller: Caller

    private enum Content {
        case parsed(JSON)
        /// The message that held it.
        case text([UInt8])
    }

    init(_ request: Request, method: Method, link: UInt64, caller: Caller) {
        id = request.id
        content = .parsed(request.data)
        self.method = method
        self.link = link
        self.caller = caller
    }

    /// Its data. Linear in the message if it has waited.
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

    /// Keeps the message instead of the parsed data, which takes about eight times as much, and more if it is full of
    /// small numbers.
    mutating func wait(as text: UnsafeRawBufferPointer) { content = .text(Array(text)) }

    /// Bytes of the message; 0 if it is not kept.
    var byteCount: Int {
        if case .text(let text) = content { text.count } else { 0 }
    }
}

/// The requests of sessions that are under way, each followed by those that wait for it.
///
/// One session's requests are done one after another: the last of several changes to a thing prevails, and messages are
/// heard in their order. Sessions do not wait for one another.
///
/// Source: Protocol/spec/connection.md, "Order".
struct RequestQueues {
    private struct Queue {
        /// The first one is under way.
        var asked: [AskedRequest] = []
        var waitingBytes = 0
        /// The account that asks, kept here because the connection may be lost meanwhile.
        var account: Accounts.Account?
    }

    /// By session.
    private var queues: [UInt64: Queue] = [:]

    /// Puts a request in its session's queue.
    ///
    /// - Parameter text: The message that held it.
    /// - Returns: Whether it is the first, and is to be begun.
    /// - Throws: `server.busy` if `Limits.requestsWaitingMax` or `.requestsWaitingBytesMax` wait already.
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

    /// Removes the first request of a session, which is done.
    ///
    /// - Returns: The request after it.
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

    /// Drops the waiting requests of a session. The one under way is finished.
    mutating func drop(of session: UInt64) {
        guard let queue = queues[session] else { return }
        queues[session]?.asked.removeLast(queue.asked.count - 1)
        queues[session]?.waitingBytes = 0
    }

    /// Whether no request is under way.
    var isEmpty: Bool { queues.isEmpty }

    mutating func dropAll() {
        for session in queues.keys { drop(of: session) }
    }

    func account(of session: UInt64) -> Accounts.Account? { queues[session]?.account }

    /// Sets the account of the requests that follow; `nil` is nobody.
    mutating func note(_ account: Accounts.Account?, of session: UInt64) { queues[session]?.account = account }

    /// Whether a request under way or waiting ends the session's own tokens.
    func endsOwnTokens(of session: UInt64) -> Bool {
        queues[session]?.asked.contains { $0.method.endsOwnTokens } ?? false
    }
}

extension ShardCore {
    /// Has a request done, after those that its session has asked before.
    ///
    /// - Parameter text: The message that held it.
    /// - Throws: `server.busy`; `auth.token_invalid` if the session may begin no more requests.
    func ask(_ asked: AskedRequest, text: UnsafeRawBufferPointer) throws(WireError) {
        guard let number = asked.caller.session else { return }
        if try isUnanswered() { return }
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

    /// The present account of a user whose connection is lost.
    ///
    /// - Throws: `auth.*` if they may not ask any more.
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
        // A request whose connection is lost has been done, but is answered on no other connection.
        if let session = session(onLink: asked.link) {
            session.finish(asked, outcome)
        } else if case .success(let outcome) = outcome, outcome.isWatching == true {
            // Nobody is left to watch the list that was asked for.
            endWatch(number, upTo: asked.caller.watchGeneration)
        }
    }
}
