package import SonaWire

/// Eight probes one after the other, of which the one with the shortest round trip counts.
///
/// States: idle → under way (`begin`) → idle (`take` after the last answer, or `giveUp`).
/// An answer that arrives after its burst has ended is recognised by its number and ignored.
package struct ProbeBurst: Sendable {
    package static let probes = 8

    package enum Step: Sendable, Equatable {
        /// Send a probe of this number.
        case send(UInt16)
        /// The burst is over; here is its best sample.
        case done(ClockFilter.Sample)
        case ignore
    }

    private var awaited: UInt16?
    private var left = 0
    private var best: ClockFilter.Sample?
    private var lastNumber: UInt16 = 0

    package init() {}

    package var isUnderWay: Bool { awaited != nil }

    /// Starts a burst; one under way is forgotten. Returns the number of the probe to send.
    package mutating func begin() -> UInt16 {
        left = Self.probes
        best = nil
        return next()
    }

    private mutating func next() -> UInt16 {
        lastNumber &+= 1
        awaited = lastNumber
        left -= 1
        return lastNumber
    }

    /// Takes an answer that came at `receivedAt` by our clock, µs.
    package mutating func take(_ response: TimeResponse, receivedAt: Int64) -> Step {
        guard response.probeID == awaited else { return .ignore }
        let sample = ClockFilter.Sample(
            clientSend: response.clientSend, serverReceive: response.serverReceive, serverSend: response.serverSend,
            clientReceive: receivedAt)
        if sample.roundTrip >= 0, best.map({ sample.roundTrip < $0.roundTrip }) ?? true { best = sample }
        guard left == 0 else { return .send(next()) }
        guard let sample = giveUp() else { return .ignore }
        return .done(sample)
    }

    /// Ends the burst with what there is; nil if nothing came.
    package mutating func giveUp() -> ClockFilter.Sample? {
        awaited = nil
        defer { best = nil }
        return best
    }
}
