internal import SonaWire

/// Opens a signed-in connection, given what is known from the one before.
package typealias HostOpener = @Sendable (Reconnection) async throws(ClientError) -> Client

/// A host's connection, and what is needed to get another one when it is lost.
struct HostConnection {
    let room: RoomID
    let open: HostOpener
    var client: Client
    /// Whether the host agrees to be recorded.
    let records: Bool
    /// How far the session has come.
    var point: ResumePoint
    var reconnecting = ReconnectPlan()
    var reconnectDelay: Duration?
    var welcomedAt = ContinuousClock.now
    private var clockID: UInt64
    private var lastComplaint: (code: ErrorCode, at: ContinuousClock.Instant)?

    init(room: RoomID, client: Client, records: Bool, open: @escaping HostOpener) {
        self.records = records
        self.room = room
        self.open = open
        self.client = client
        point = ResumePoint(client.welcome)
        clockID = client.welcome.clockID
    }

    /// Takes note of the clock of another connection. True if it is the one that was.
    mutating func renewClock() -> Bool {
        defer { clockID = client.welcome.clockID }
        return client.welcome.clockID == clockID
    }

    /// Says that the server could not use a packet, but not for each of many.
    mutating func complain(_ error: WireError, _ report: (HostReport) -> Void) {
        let now = ContinuousClock.now
        if let lastComplaint, lastComplaint.code == error.code, now - lastComplaint.at < .seconds(10) { return }
        lastComplaint = (error.code, now)
        report(.warning("The server complains: \(error.message) (\(error.code.text))"))
    }

    static func isWorthReturning(_ error: ClientError) -> Bool {
        switch error.kind {
        // A connection that was cut while the server still holds the seat for it.
        case .refused(let refusal): refusal.code == .hostSeatTaken || refusal.code.isRetryable
        default: error.isWorthReturning
        }
    }
}
