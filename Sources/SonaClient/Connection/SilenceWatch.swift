/// Tells a dead connection from an idle one: asks for a sign of life after half of the allowed silence, and gives up
/// after all of it.
///
/// Times in µs of one clock that does not jump.
struct SilenceWatch {
    enum Verdict: Equatable {
        /// All is well, or was asked already; look again then.
        case wait(until: Int64)
        /// Something is to be sent that is answered; look again then.
        case ask(until: Int64)
        /// Nothing came although a sign of life was asked for.
        case over
    }

    private let allowed: Int64
    private var askedAt: Int64?
    private var due: Int64?

    init(allowedMicroseconds: Int64) { allowed = allowedMicroseconds }

    /// - Parameters:
    ///   - heardAt: When something came last.
    ///   - roundTrip: How long an answer takes; four times that are always waited for.
    mutating func look(now: Int64, heardAt: Int64, roundTrip: Int64 = 0) -> Verdict {
        let allowed = max(allowed, 4 * roundTrip)
        // A check this late means that this process was not running, and has not read the bytes that came meanwhile.
        let isLate = due.map { now > $0 + allowed / 4 } ?? false
        // An answer, or anything else that arrives, settles an earlier probe.
        if isLate || askedAt.map({ heardAt > $0 }) ?? false { askedAt = nil }
        let verdict: Verdict
        if let askedAt {
            let end = max(heardAt + allowed, askedAt + allowed / 4)
            verdict = now >= end ? .over : .wait(until: end)
        } else if now - heardAt >= allowed / 2 {
            askedAt = now
            verdict = .ask(until: max(heardAt + allowed, now + allowed / 4))
        } else {
            verdict = .wait(until: heardAt + allowed / 2)
        }
        switch verdict {
        case .wait(let until), .ask(let until): due = until
        case .over: due = nil
        }
        return verdict
    }
}
