import SonaWire

/// How many packets of hosts a loop passes on, and how far apart its turns are to be for that.
///
/// A loop that is woken by each of thousands of packets a second spends more on waking than on what it was woken for,
/// as long as rooms are small. So from some rate on it looks for them a few times less often than they come. On its way
/// from loop to loop a packet waits for a fiftieth of the shortest lead at most; whoever listens is answered at once
/// (`WebSocketConnection.mayWait`).
struct HostPressure {
    /// Longer than what one host has ahead at its beginning, or has to make up for after a broken line.
    private static let windowMicroseconds: Int64 = 1_000_000
    /// To begin and to end is work for each socket of the loop.
    private static let holdMicroseconds: Int64 = 60_000_000
    /// A packet passes three loops at most: its host's, the first, a listener's.
    private static let loopsPassedMax = 3

    private let turnMicrosecondsMax: Int64
    private var windowBegin: Int64 = 0
    private var count: Int64 = 0
    /// Until when turns are that far apart, µs.
    private(set) var until: Int64 = 0
    private(set) var turnMicroseconds: Int64 = 0

    init(loopCount: Int) {
        turnMicrosecondsMax = Limits.turnMicrosecondsMax / Int64(min(max(1, loopCount), Self.loopsPassedMax))
    }

    /// Notes a packet.
    ///
    /// - Returns: Whether `turnMicroseconds` and `until` are news for the loop.
    mutating func add(now: Int64) -> Bool {
        count += 1
        let elapsed = now - windowBegin
        guard elapsed >= Self.windowMicroseconds else { return false }
        let perSecond = count * 1_000_000 / elapsed
        count = 0
        windowBegin = now
        if perSecond >= Limits.restingPacketsPerSecond { until = now + Self.holdMicroseconds }
        guard now < until else { return false }
        turnMicroseconds = min(turnMicrosecondsMax, Limits.packetsPerTurn * 1_000_000 / max(1, perSecond))
        return true
    }
}
