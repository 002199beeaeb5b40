internal import SonaWire

/// Estimates the server's clock from probes: its offset and its drift against ours, and how sure that is.
///
/// A Kalman filter with two states. Each update takes the sample with the shortest way out of a burst, since what a
/// sample may be wrong by is bounded by half its round trip.
///
///     state      offset o (µs), drift d (µs per µs); covariance P of both
///     predict    o += d·dt;  P00 += 2·P01·dt + P11·dt²;  P01 += P11·dt;  P11 += q·dt
///     update     r = z − o;  K = P·(1 0)ᵀ / (P00 + R);  R = (half the largest possible error)²
///
/// All clocks are microseconds; ours is the client's `LocalClock`.
///
/// Source: Protocol/spec/time.md, "The careful filter".
package struct ClockFilter: Sendable, Equatable {
    /// One exchange: the four times of TIME_REQ and TIME_RSP.
    package struct Sample: Sendable, Equatable {
        package var clientSend: Int64
        package var serverReceive: Int64
        package var serverSend: Int64
        package var clientReceive: Int64

        package init(clientSend: Int64, serverReceive: Int64, serverSend: Int64, clientReceive: Int64) {
            self.clientSend = clientSend
            self.serverReceive = serverReceive
            self.serverSend = serverSend
            self.clientReceive = clientReceive
        }

        /// Time on the way, both ways together, µs. Negative only if a clock was set in between.
        package var roundTrip: Int64 {
            Int64(clamping: Int128(clientReceive) - Int128(clientSend) - Int128(serverSend) + Int128(serverReceive))
        }

        /// The server's clock minus ours if both ways take equally long, in half microseconds.
        var doubleOffset: Int128 {
            Int128(serverReceive) - Int128(clientSend) + Int128(serverSend) - Int128(clientReceive)
        }
    }

    /// Samples used since the last reset.
    package private(set) var count = 0
    /// Times it began anew because the clocks no longer went together.
    package private(set) var restarts = 0
    /// Round trip of the last sample used, µs.
    package private(set) var roundTripMicroseconds: Int64 = 0

    private var clockID: UInt64?
    /// Half microseconds of the first sample's offset. The state counts from there, so that it stays small and a
    /// Double holds it exactly enough whatever the two clocks began at.
    private var origin: Int128 = 0
    private var last: Int64 = 0
    private var offset = 0.0
    private var drift = 0.0
    private var p00 = 0.0
    private var p01 = 0.0
    private var p11 = 0.0
    private var strikes = 0

    /// How much the drift itself wanders, (µs/µs)² per µs.
    private static let driftNoise = 1e-11 * 1e-11
    /// Factor on the covariance when a late sample lies far off: 2².
    private static let forgetting = 4.0
    private static let samplesBeforeForgetting = 100
    /// A residual this far beyond its possible error is a clock that jumped; twice in a row starts over.
    private static let jumpMicroseconds = 100_000.0

    package init() {}

    /// Whether there is anything to go by.
    package var isUsable: Bool { count > 0 }

    /// Says whose clock is being estimated. Another one than before forgets everything.
    package mutating func begin(clockID: UInt64) {
        guard self.clockID != clockID else { return }
        self = ClockFilter()
        self.clockID = clockID
    }

    /// Takes in one sample, the best of its burst. Those out of order, or with a negative round trip, are ignored.
    package mutating func add(_ sample: Sample) {
        guard sample.roundTrip >= 0, count == 0 || sample.clientReceive > last else { return }
        let errorMax = max(1, Double(sample.roundTrip) / 2)
        let variance = (0.5 * errorMax) * (0.5 * errorMax)
        if count == 0 {
            origin = sample.doubleOffset
            (offset, drift, p00, p01, p11) = (0, 0, variance, 0, 0)
        } else {
            let measured = Double(sample.doubleOffset - origin) / 2
            let elapsed = Double(Int128(sample.clientReceive) - Int128(last))
            if abs(measured - offset - drift * elapsed) > Self.jumpMicroseconds + errorMax {
                strikes += 1
                guard strikes >= 2 else { return }
                return restart(with: sample)
            }
            strikes = 0
            if count == 1 {
                drift = (measured - offset) / elapsed
                offset = measured
                p11 = (p00 + variance) / (elapsed * elapsed)
                (p00, p01) = (variance, 0)
            } else {
                predict(elapsed)
                correct(measured, errorMax: errorMax, variance: variance)
            }
        }
        last = sample.clientReceive
        count += 1
        roundTripMicroseconds = sample.roundTrip
    }

    /// Forgets everything but whose clock it is, because ours was set, and begins with a sample taken since.
    package mutating func restart(with sample: Sample) {
        let (clockID, restarts) = (self.clockID, self.restarts)
        self = ClockFilter()
        self.clockID = clockID
        self.restarts = restarts + 1
        add(sample)
    }

    private mutating func predict(_ elapsed: Double) {
        offset += drift * elapsed
        p00 += 2 * p01 * elapsed + p11 * elapsed * elapsed
        p01 += p11 * elapsed
        p11 += Self.driftNoise * elapsed
    }

    private mutating func correct(_ measured: Double, errorMax: Double, variance: Double) {
        let residual = measured - offset
        if count >= Self.samplesBeforeForgetting, abs(residual) > 3 * errorMax {
            p00 *= Self.forgetting
            p01 *= Self.forgetting
            p11 *= Self.forgetting
        }
        let gainOffset = p00 / (p00 + variance)
        let gainDrift = p01 / (p00 + variance)
        offset += gainOffset * residual
        drift += gainDrift * residual
        p11 -= gainDrift * p01
        p01 -= gainOffset * p01
        p00 -= gainOffset * p00
    }

    // MARK: Reading the clock

    /// The drift where it is more than noise, else 0.
    private var driftInUse: Double { drift * drift > 4 * p11 ? drift : 0 }

    /// The server's time when our clock shows `local`, µs. Before the first sample that is `local` itself.
    package func serverTime(fromLocal local: Int64) -> Int64 {
        guard isUsable else { return local }
        let since = Double(Int128(local) - Int128(last))
        return shift(local, Double(origin & 1) / 2 + offset + driftInUse * since, wholeOrigin)
    }

    /// The time on our clock at the server's time `server`, µs.
    package func localTime(fromServer server: Int64) -> Int64 {
        guard isUsable else { return server }
        let drift = driftInUse
        let since = Double(Int128(server) - wholeOrigin - Int128(last)) - Double(origin & 1) / 2 - offset
        return shift(last, since / (1 + drift), 0)
    }

    private var wholeOrigin: Int128 { origin >> 1 }

    private func shift(_ time: Int64, _ part: Double, _ whole: Int128) -> Int64 {
        // Anything a Double cannot say as an integer comes from nonsense on the wire: then the estimate is left out.
        let rounded = Int128(exactly: part.rounded()) ?? 0
        return Int64(clamping: Int128(time) + whole + rounded)
    }

    /// The server's clock minus ours at the last sample, µs.
    package var offsetMicroseconds: Int64 { Int64(clamping: Int128(serverTime(fromLocal: last)) - Int128(last)) }

    /// The standard deviation of the offset at the last sample, µs.
    package var sigmaMicroseconds: Double { max(0, p00).squareRoot() }

    /// How far off the estimate may be, µs: half of the last round trip, however that divided, and its own uncertainty.
    package var errorMicroseconds: Int64 {
        let sigma = Int64(exactly: min(sigmaMicroseconds, 1e15).rounded(.up)) ?? 0
        return Int64(clamping: Int128(roundTripMicroseconds / 2 + roundTripMicroseconds % 2) + Int128(sigma))
    }

    /// How much faster the server's clock runs, millionths; 0 while that is not known.
    package var driftPPM: Double { driftInUse * 1e6 }
}
