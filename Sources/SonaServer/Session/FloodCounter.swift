/// Counts messages of one kind on a connection against a limit: so many at once, and so many a second for ever.
/// Messages beyond the limit are not counted.
///
/// Source: Protocol/spec/connection.md, "Silence and haste".
struct FloodCounter {
    struct Rule {
        let atOnce: Int64
        let perSecond: Int64
    }

    /// When the count is back at zero, µs.
    private var forgottenAt = Int64.min

    /// - Returns: Whether this message is beyond the limit.
    mutating func add(now: Int64, _ rule: Rule = .refused) -> Bool {
        let interval = 1_000_000 / rule.perSecond
        let forgottenAfter = max(forgottenAt, now) + interval
        guard forgottenAfter - now <= rule.atOnce * interval else { return true }
        forgottenAt = forgottenAfter
        return false
    }
}

extension FloodCounter.Rule {
    /// Requests above the connection's rate, and refused frames: the client gets nothing by them and knows it. A faulty
    /// client is told and stays; one that goes on regardless is closed with 4429.
    static let refused = Self(atOnce: 300, perSecond: 10)
    /// Time probes that are answered. A client sends nine at once when it connects, and eight in 10 s later on. Even a
    /// client that keeps starting anew, or that checks whether its connection is dead, needs less than a tenth of this.
    /// Reading and answering one takes 7 µs.
    ///
    /// Source: Protocol/spec/time.md, "TIME_REQ".
    static let probes = Self(atOnce: 50, perSecond: 50)
    /// Messages of types unknown to the server: a newer client may send them besides audio, and often.
    static let ignored = Self(atOnce: 1_000, perSecond: 100)
    /// Packets that a host sends again, and those that arrive for `lateMicroseconds` after its epoch ended or its
    /// seat was lost. The number is that of the shortest packets, of 2.5 ms, that sound in that time. They do not
    /// count as refused.
    static let late = Self(atOnce: 2_000, perSecond: 400)
}

extension FloodCounter {
    /// For how long packets may arrive after the epoch has ended or the seat is lost, µs: a host sends at most so far
    /// ahead, and its packets were on their way.
    static let lateMicroseconds: Int64 = 5_000_000
}
