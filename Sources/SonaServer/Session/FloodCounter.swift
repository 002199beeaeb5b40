/// Messages that a connection sent although it is known to get nothing by them: requests above its rate, and packets
/// from somebody who is not the host.
///
/// Tolerates 300 at once and 10 a second for ever: a client with a fault is told of it and stays, one that goes on
/// regardless is closed with 4429.
///
/// Source: Protocol/spec/connection.md, "Silence and haste".
struct FloodCounter {
    private static let interval: Int64 = 100_000
    private static let countMax: Int64 = 300

    /// When all of them are forgotten, µs.
    private var forgottenAt = Int64.min

    /// - Returns: Whether that was one too many.
    mutating func add(now: Int64) -> Bool {
        forgottenAt = max(forgottenAt, now) + Self.interval
        return forgottenAt - now > Self.countMax * Self.interval
    }
}
