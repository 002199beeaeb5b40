/// One client of the harness, over one connection after the other. Only plain values, so that the loop over them neither
/// counts references nor copies.
///
/// ```
/// unused → connecting → securing (TLS) → upgrading → greeting → joining → open → leaving → closed
///             ↑                                     a host: (signingIn →) joining → starting → open
///          waiting  ← from any, when the connection is lost by the server or cut by the plan
/// ```
/// A sign-up: connecting → securing → answering → closed. Transitions are in Engine+Opening.swift, but to `leaving`,
/// `waiting` and `closed`, which are in Engine+Closing.swift.
struct LoadClient {
    enum Phase: UInt8 {
        case unused, connecting, securing, upgrading, greeting, signingIn, joining, starting, answering, open, leaving,
            waiting,
            closed
    }
    enum Role: UInt8 { case host, listener, signUp }

    var descriptor: Int32 = -1
    /// Grows with each connection, so that an event of an older one is known as such.
    var generation: UInt32 = 0
    var phase = Phase.unused
    var role = Role.listener
    var reader = LoadPlan.Reader.ordinary
    var room: Int32 = 0

    /// The packets that are expected: those with numbers from `first` to before `end`. Before the span is known `first` is
    /// the greatest number, so that nothing is expected and nothing counted.
    var first = UInt64.max
    var end = UInt64.max
    /// The number that comes next if nothing is missing.
    var next: UInt64 = 0
    /// Packets below this number were sent before a new join, and may be repeated by its burst.
    var joinFloor: UInt64 = 0
    /// Whether any gap of it is still open.
    var hasGaps = false
    /// Whether packets missing before the next one were missed while the client was away.
    var isReturning = false
    /// Whether the join's first packet has come.
    var hasHeard = false
    /// The plan wants it gone, and it is not in yet.
    var isUnwanted = false
    /// Whether its span has been added up.
    var isSettled = false

    /// When this attempt was to begin, by the plan.
    var plannedAt: UInt64 = 0
    /// When this attempt did begin.
    var openedAt: UInt64 = 0
    /// When its connection was lost, while it is returning.
    var lostAt: UInt64 = 0
    /// When it got in.
    var inSince: UInt64 = 0
    /// Failures in a row, without having been in for a second or more.
    var failures: UInt8 = 0
    /// When a leaver goes, whatever is missing.
    var leaveBy: UInt64 = 0
    /// Bytes that a slow reader may still read of this interval.
    var allowance: Int32 = 0

    /// It was to get in and has not, at any attempt.
    var wasNeverIn: Bool { openedAt > 0 && inSince == 0 }

    /// The server's number of the last packet, for resuming.
    var sequence: UInt32 = 0
    var hasSequence = false
    /// The last events' numbers; −1: none.
    var roomSequence: Int64 = -1
    var sessionSequence: Int64 = -1

    /// The beginning of a message whose rest has not come.
    var kept: UnsafeMutablePointer<UInt8>?
    var keptCount: Int32 = 0
    var session: OpaquePointer?
}

/// Missing packets of one client that lie side by side.
struct Gap {
    enum Cause: UInt8, CaseIterable {
        /// Nobody said anything.
        case missing
        /// The packet after the gap carried DISCONTINUITY: the server left the others out, as for a listener who is too
        /// late.
        case skipped
        /// The connection was down.
        case away
    }

    var numbers: Range<UInt64>
    var cause: Cause
}
