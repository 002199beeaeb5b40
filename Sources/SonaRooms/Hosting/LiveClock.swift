internal import SonaWire

/// Measures a live host's sound card: its rate, and how early its packets come at best.
///
/// There are two sources. *Arrivals*: of each second, the packet that came earliest for its place, since a network can
/// only delay. The lower envelope of the last 10 s says when a sample comes if nothing delays it; that of 30 s says how
/// fast samples come. *Captures*: the host's own word for when a sample was taken. It has no network in it and serves
/// for the rate alone. A host whose word disagrees with its packets is not believed, and its arrivals decide.
/// Such a host's estimate of server time is wrong by seconds, wanders or leaps.
///
/// Pure; times are server µs, samples counted as the host counts them in one of its epochs.
///
/// Source: Protocol/spec/hosting.md, "Live hosts".
package struct LiveClock: Sendable, Equatable {
    /// The earliest arrival of one second.
    private struct Second: Sendable, Equatable {
        var number: Int64
        /// One past the packet's last sample, as the duration of that many samples, µs.
        var x: Double
        /// Delay against the first packet, µs.
        var y: Double
        /// Duration of the longest packet in that second.
        var packet: Int64
    }

    private var origin: (sample: Int64, time: Int64)?
    private var seconds: [Second] = []
    private var captures: [DriftFit.Point] = []
    /// Captures that contradict the earlier ones. Three in a row mean that the host's clock has leapt.
    private var suspects: [DriftFit.Point] = []
    private var captureHeardAt: Int64?
    /// How much longer than 1/48 000 s the host's samples last, from the prior for sound cards and the observations up
    /// to the last `settle`.
    package private(set) var drift = DriftEstimate(ppm: 0, sigmaPPM: LiveClock.priorPPM)

    /// Seconds of arrivals that count for the rate.
    private static let rateSeconds: Int64 = 30
    private static let envelopeSeconds: Int64 = 10
    /// Prior for the deviation of a sound card, millionths.
    private static let priorPPM = 150.0
    /// Largest believable deviation of a sound card; a larger one is taken for an error.
    private static let believablePPM = 1_000.0
    /// A host whose clock error is larger than this is ignored, µs.
    private static let errorMax: UInt32 = 1_000_000
    /// Longest time between a capture and its arrival, µs.
    private static let delayMax = 2_000_000.0
    /// Tolerance when two clocks are compared, on top of their stated errors, µs.
    private static let slack = 50_000.0
    /// Least time between two captures, µs. Without it a host could keep the server busy with them.
    private static let captureSpacing: Int64 = 200_000
    /// Captures are forgotten when none has followed for this long, µs.
    private static let captureAgeMax = 10_000_000.0

    package init() {}

    package static func == (one: LiveClock, other: LiveClock) -> Bool {
        one.origin?.sample == other.origin?.sample && one.origin?.time == other.origin?.time
            && one.seconds == other.seconds && one.captures == other.captures && one.suspects == other.suspects
            && one.captureHeardAt == other.captureHeardAt && one.drift == other.drift
    }

    // MARK: Witnesses

    /// Records a packet's arrival.
    ///
    /// - Parameters:
    ///   - end: One past the packet's last sample.
    ///   - samples: The packet's duration.
    package mutating func arrived(end: Int64, samples: Int64, at now: Int64) {
        if origin == nil { origin = (end, now) }
        guard let place = place(end, now) else { return }
        let (number, duration) = (second(of: now), Timeline.microseconds(samples))
        if let last = seconds.last, last.number == number {
            seconds[seconds.count - 1].packet = max(last.packet, duration)
            guard place.y < last.y else { return }
            seconds[seconds.count - 1].x = place.x
            seconds[seconds.count - 1].y = place.y
        } else {
            seconds.append(Second(number: number, x: place.x, y: place.y, packet: duration))
            seconds.removeAll { $0.number <= number - Self.rateSeconds - 1 }
        }
    }

    /// Records the host's word for when a sample was captured.
    ///
    /// - Parameters:
    ///   - time: Server time of the capture, by the host's estimate.
    ///   - error: Largest error of that estimate, µs.
    package mutating func captured(sample: Int64, at time: Int64, error: UInt32, now: Int64) {
        guard error <= Self.errorMax, captureHeardAt.map({ now - $0 >= Self.captureSpacing }) ?? true,
            let place = place(sample, time), let arrived = expectedArrival(of: sample, now: now)
        else { return }
        captureHeardAt = now
        // A sample cannot have been taken after it arrived, nor long before.
        let delay = Double(arrived - time)
        guard (-Double(error) - Self.slack...Self.delayMax + Double(error)).contains(delay),
            Double(time - now) <= Double(error) + Self.slack
        else {
            captures = []
            suspects = []
            return
        }
        // The spacing is checked by the host's own count too. This bounds the number of captures within `rateSeconds`.
        if let last = suspects.last ?? captures.last, place.x < last.x + Double(Self.captureSpacing) { return }
        add(DriftFit.Point(x: place.x, y: place.y, error: max(1, Double(error))))
    }

    private mutating func add(_ point: DriftFit.Point) {
        let reach = Double(Self.rateSeconds) * 1e6
        captures.removeAll { $0.x < point.x - reach }
        if let expected = DriftFit.height(captures, at: point.x),
            abs(point.y - expected.y) > max(2_000, 5 * expected.scatter, 3 * point.error)
        {
            suspects.append(point)
            guard suspects.count >= 3 else { return }
            captures = suspects
            suspects = []
        } else {
            suspects = []
            captures.append(point)
        }
    }

    /// Number of captures that are kept.
    package var captureCount: Int { captures.count + suspects.count }

    // MARK: What follows

    /// Time over which packets have been coming, whole seconds.
    package func observedSeconds(now: Int64) -> Int64 {
        guard let first = seconds.first, origin != nil else { return 0 }
        return second(of: now) - first.number
    }

    /// Computes `drift` from the observations so far. O(n² log n) for a few dozen seconds, so once a second is enough.
    package mutating func settle(now: Int64) {
        var (weight, sum) = (1 / (Self.priorPPM * Self.priorPPM), 0.0)
        let arrived = arrivedDrift(now: now)
        for witness in [arrived, capturedDrift(now: now, beside: arrived)] {
            guard let witness else { continue }
            let trust = 1 / (witness.sigmaPPM * witness.sigmaPPM)
            weight += trust
            sum += trust * witness.ppm
        }
        drift = DriftEstimate(ppm: sum / weight, sigmaPPM: (1 / weight).squareRoot())
    }

    private func arrivedDrift(now: Int64) -> DriftEstimate? {
        // The best packet of the present second may still be to come.
        let whole = seconds.filter { $0.number < second(of: now) }.map { DriftFit.Point(x: $0.x, y: $0.y, error: 100) }
        guard whole.count >= 8, let estimate = DriftFit.slope(whole) else { return nil }
        guard abs(estimate.ppm) <= Self.believablePPM + 3 * estimate.sigmaPPM else { return nil }
        // Delays of successive seconds are correlated, so they carry less information than their number suggests.
        return DriftEstimate(ppm: estimate.ppm, sigmaPPM: max(5, 2 * estimate.sigmaPPM))
    }

    private func capturedDrift(now: Int64, beside arrived: DriftEstimate?) -> DriftEstimate? {
        guard let origin, let last = captures.last, Double(now - origin.time) - last.x < Self.captureAgeMax,
            let estimate = DriftFit.slope(captures), abs(estimate.ppm) <= Self.believablePPM
        else { return nil }
        let captured = DriftEstimate(ppm: estimate.ppm, sigmaPPM: max(1, estimate.sigmaPPM))
        guard let arrived else { return captured }
        let doubt = (captured.sigmaPPM * captured.sigmaPPM + arrived.sigmaPPM * arrived.sigmaPPM).squareRoot()
        return abs(captured.ppm - arrived.ppm) <= 50 + 3 * doubt ? captured : nil
    }

    /// Time at which the packet that ends before `sample` comes if nothing delays it, from the last 10 s.
    package func expectedArrival(of sample: Int64, now: Int64) -> Int64? {
        arrival(of: sample, now: now) { $0.min() }
    }

    /// The same from the worst second of the last 10: in each of those seconds a packet came as early as this.
    package func sureArrival(of sample: Int64, now: Int64) -> Int64? {
        guard observedSeconds(now: now) >= Self.envelopeSeconds else { return nil }
        return arrival(of: sample, now: now) { $0.count > Self.envelopeSeconds / 2 ? $0.max() : nil }
    }

    private func arrival(of sample: Int64, now: Int64, _ choose: ([Double]) -> Double?) -> Int64? {
        guard let origin, let place = place(sample, now) else { return nil }
        let slope = drift.ppm * 1e-6
        let recent = seconds.filter { $0.number > second(of: now) - Self.envelopeSeconds }
        guard let y = choose(recent.map { $0.y + slope * (place.x - $0.x) }) else { return nil }
        return origin.time + Int64((place.x + y).rounded())
    }

    /// The longest packet of the last 10 s, µs. A packet comes after its whole duration has been captured.
    package func packetMicroseconds(now: Int64) -> Int64 {
        seconds.lazy.filter { $0.number > second(of: now) - Self.envelopeSeconds }.map(\.packet).max() ?? 0
    }

    private func second(of time: Int64) -> Int64 {
        guard let origin else { return 0 }
        return (time - origin.time) / 1_000_000
    }

    /// Place of a sample relative to the first packet: its time by count, and its delay against that.
    private func place(_ sample: Int64, _ time: Int64) -> (x: Double, y: Double)? {
        guard let origin else { return nil }
        let x = Double(sample - origin.sample) * 125 / 6
        return (x, Double(Int128(time) - Int128(origin.time)) - x)
    }
}
