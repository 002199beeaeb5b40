import SonaWire

/// How many packets of hosts a loop passes on, and how far apart its iterations are to be for that.
///
/// A loop that is woken by each of thousands of packets a second spends more on waking than on what it was woken for,
/// as long as rooms are small. So from some rate on it looks for them a few times less often than they come. On its way
/// from loop to loop a packet waits for a twenty-fifth of the shortest lead at most; what listeners say is read at once
/// (`WebSocketConnection.mayWait`), and time probes are answered by the loop that reads them.
struct HostPressure {
    private static let windowMicroseconds: Int64 = 1_000_000
    /// So many windows in a row: what a host has ahead at its beginning, or makes up for after a lost connection, comes
    /// at once.
    private static let windowsMin = 2
    /// To begin and to end is work for each socket of the loop.
    private static let holdMicroseconds: Int64 = 60_000_000
    /// A packet passes three loops at most: its host's, the first, a listener's.
    private static let loopsPassedMax: Int64 = 3

    private let iterationMicrosecondsMax: Int64
    private var windowBegin: Int64 = 0
    private var count: Int64 = 0
    /// Windows in a row that were full.
    private var windows = 0
    /// Until when iterations are that far apart, µs.
    private(set) var until: Int64 = 0
    private(set) var iterationMicroseconds: Int64 = 0

    init(loopCount: Int) {
        iterationMicrosecondsMax = ServerTuning.iterationMicrosecondsMax / (loopCount > 1 ? Self.loopsPassedMax : 1)
    }

    /// Notes a packet.
    ///
    /// - Returns: Whether `iterationMicroseconds` and `until` are news for the loop.
    mutating func add(now: Int64) -> Bool {
        count += 1
        let elapsed = now - windowBegin
        guard elapsed >= Self.windowMicroseconds else { return false }
        let perSecond = count * 1_000_000 / elapsed
        count = 0
        windowBegin = now
        windows = perSecond >= ServerTuning.restingPacketsPerSecond ? windows + 1 : 0
        if windows >= Self.windowsMin { until = now + Self.holdMicroseconds }
        guard now < until else { return false }
        iterationMicroseconds = min(
            iterationMicrosecondsMax, ServerTuning.packetsPerIteration * 1_000_000 / max(1, perSecond))
        return true
    }
}
