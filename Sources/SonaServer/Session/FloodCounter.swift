/// Messages of one kind that a connection sent, against how many of them are tolerated: so many at once, and so many a
/// second for ever. What is beyond that is not counted.
///
/// Source: Protocol/spec/connection.md, "Silence and haste".
struct FloodCounter {
    struct Rule {
        let atOnce: Int64
        let perSecond: Int64
    }

    /// When all of them are forgotten, µs.
    private var forgottenAt = Int64.min

    /// - Returns: Whether that was one too many.
    mutating func add(now: Int64, _ rule: Rule = .refused) -> Bool {
        let interval = 1_000_000 / rule.perSecond
        let forgottenAfter = max(forgottenAt, now) + interval
        guard forgottenAfter - now <= rule.atOnce * interval else { return true }
        forgottenAt = forgottenAfter
        return false
    }
}

extension FloodCounter.Rule {
    /// Messages of which a connection knows that it gets nothing by them: requests above its rate, and frames that are
    /// refused. A client with a fault is told of it and stays, one that goes on regardless is closed with 4429.
    static let refused = Self(atOnce: 300, perSecond: 10)
    /// Time probes that are answered. A client sends nine at once when it connects, and eight in 10 s later on: even
    /// where it begins anew all the time, or looks whether the connection is dead, it needs no tenth of this. To read
    /// and answer one takes 7 µs.
    ///
    /// Source: Protocol/spec/time.md, "TIME_REQ".
    static let probes = Self(atOnce: 50, perSecond: 50)
    /// Messages of types that a server need not know: what a newer client may send besides audio, and often.
    static let ignored = Self(atOnce: 1_000, perSecond: 100)
    /// Packets of a host that were on their way when its epoch ended, or its seat was lost, for `lateMicroseconds`, and
    /// those that it sends again: as many as sound in that time if they are the shortest, of 2.5 ms. They do not count as
    /// refused.
    static let late = Self(atOnce: 2_000, perSecond: 400)
}

extension FloodCounter {
    /// For how long packets come after an epoch has ended or the seat is lost: a host is at most so far ahead, and its
    /// packets were on their way.
    static let lateMicroseconds: Int64 = 5_000_000
}
