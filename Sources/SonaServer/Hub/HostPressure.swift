import SonaWire

/// Counts the packets of hosts that a loop passes on, and decides how far apart its iterations should be.
///
/// While rooms are small, a loop that is woken by each of thousands of packets a second spends more on waking than on
/// the packets. Above a certain rate it therefore looks for packets a few times less often than they come. From loop to
/// loop a packet waits at most a twenty-fifth of the shortest lead. Messages of listeners are read at once
/// (`WebSocketConnection.mayWait`), and time probes are answered by the loop that reads them.
struct HostPressure {
    private static let windowMicroseconds: Int64 = 1_000_000
    /// Windows in a row that must be full. A host's first packets, and those after a lost connection, come all at once
    /// and fill only one.
    private static let windowsMin = 2
    /// How long slower iterations last: starting and ending them costs work for each socket of the loop.
    private static let holdMicroseconds: Int64 = 60_000_000
    /// A packet passes three loops at most: its host's, the first, a listener's.
    private static let loopsPassedMax: Int64 = 3

    private let iterationMicrosecondsMax: Int64
    private var windowBegin: Int64 = 0
    private var count: Int64 = 0
    /// Full windows in a row.
    private var windows = 0
    /// Until when iterations are `iterationMicroseconds` apart, µs.
    private(set) var until: Int64 = 0
    private(set) var iterationMicroseconds: Int64 = 0

    init(loopCount: Int) {
        iterationMicrosecondsMax = ServerTuning.iterationMicrosecondsMax / (loopCount > 1 ? Self.loopsPassedMax : 1)
    }

    /// Notes a packet.
    ///
    /// - Returns: Whether the loop has to be told `iterationMicroseconds` and `until`.
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
