/// Numbers by which a server trades memory, writes and delay against each other.
///
/// No client relies on them, so they are not part of the protocol; numbers that clients must know are in `Limits`.
enum ServerTuning {
    // MARK: Listeners that fall behind

    /// Seconds of the room's packets that the kernel may hold for a listener before it counts as behind.
    static let unsentSecondsMax = 3
    /// Bytes in the kernel's buffer below which no listener counts as behind.
    static let unsentBytesMin = 4096

    // MARK: Gathering

    /// Microseconds from one tick to the next.
    static let gatherTickMicroseconds: Int64 = 20_000
    /// Ticks between two writes to a listener in a room whose delivery is gathered.
    static let gatherTicks = 3
    /// Ticks between two writes to a listener of a loop under pressure.
    static let gatherTicksMax = 6
    /// Microseconds that must be left after the next write for a packet to be gathered.
    static let gatherMarginMicroseconds: Int64 = 150_000

    // MARK: Resting

    /// Packets of hosts per second from which on a loop waits until it has several of them.
    static let restingPacketsPerSecond: Int64 = 1_000
    /// Packets of hosts that a resting loop takes in one iteration, on average.
    static let packetsPerIteration: Int64 = 40
    /// Most microseconds from one iteration of a resting loop to the next. If there are several loops, they divide it.
    static let iterationMicrosecondsMax: Int64 = 6_000

    // MARK: Sessions that lost their connection

    /// Most sessions kept of one user. One more ends the session that was lost first.
    static let keptSessionsPerUserMax = 4
    /// Most sessions kept of all users, by default.
    static let keptSessionsMax = 32_768
}
