internal import SonaModel
internal import SonaWire

/// A request of the durable plane, as it was asked.
struct AskedRequest {
    let request: Request
    let method: DurableMethod
    /// The connection on which it is to be answered.
    let link: UInt64
    /// Who asks; asked in which room.
    var caller: Caller
}

/// The requests of sessions that are being done, each with those behind it.
///
/// Those of one session are done one after another: what it asks of a thing last is what becomes of it, and what it says
/// is heard in its order. Sessions do not wait for one another.
///
/// Source: Protocol/spec/connection.md, "Requests".
struct RequestLines {
    /// By session. What is first is under way.
    private var lines: [UInt64: [AskedRequest]] = [:]

    /// Puts a request in its session's line.
    ///
    /// - Returns: Whether it is the first, and is to be begun.
    /// - Throws: `server.busy` where `Limits.requestsWaitingMax` wait already.
    mutating func add(_ asked: AskedRequest, of session: UInt64) throws(WireError) -> Bool {
        let count = lines[session]?.count ?? 0
        guard count <= Limits.requestsWaitingMax else { throw WireError(.serverBusy, retryAfterMilliseconds: 1_000) }
        lines[session, default: []].append(asked)
        return count == 0
    }

    /// The first of a session's is done.
    ///
    /// - Returns: The one behind it.
    mutating func next(of session: UInt64) -> AskedRequest? {
        guard let count = lines[session]?.count else { return nil }
        guard count > 1 else {
            lines[session] = nil
            return nil
        }
        lines[session]?.removeFirst()
        return lines[session]?.first
    }

    /// Nothing of a session's is begun any more.
    mutating func drop(of session: UInt64) {
        guard let line = lines[session], line.count > 1 else { return }
        lines[session] = [line[0]]
    }
}

extension ShardCore {
    /// Has a request done, behind those that its session has asked before.
    ///
    /// - Throws: `server.busy`.
    func ask(_ asked: AskedRequest) throws(WireError) {
        guard let number = asked.caller.session, try requestLines.add(asked, of: number) else { return }
        begin(asked, of: number)
    }

    private func begin(_ first: AskedRequest, of number: UInt64) {
        var next: AskedRequest? = first
        while var asked = next {
            if let session = session(onLink: asked.link) {
                do throws(WireError) {
                    try session.begin(&asked)
                } catch {
                    session.refuse(asked.request.id, error)
                    next = requestLines.next(of: number)
                    continue
                }
            }
            return perform(asked, of: number)
        }
    }

    private func perform(_ asked: AskedRequest, of number: UInt64) {
        let (shard, methods) = (self.shard, self.methods)
        Task {
            let outcome: Result<DurableOutcome, WireError>
            do throws(WireError) {
                outcome = .success(try await asked.method.call(methods, asked.request.data, asked.caller))
            } catch {
                outcome = .failure(error)
            }
            await shard.perform { $0.finish(asked, of: number, outcome) }
        }
    }

    private func finish(_ asked: AskedRequest, of number: UInt64, _ outcome: Result<DurableOutcome, WireError>) {
        // What was asked on a connection that is lost is done, and answered on no other.
        if let session = session(onLink: asked.link) {
            session.finish(asked, outcome)
        } else if case .success(let outcome) = outcome, outcome.isWatching == true {
            // A list that was to be watched is watched by nobody.
            endWatch(number, upTo: asked.caller.turn)
        }
        if let next = requestLines.next(of: number) { begin(next, of: number) }
    }
}
