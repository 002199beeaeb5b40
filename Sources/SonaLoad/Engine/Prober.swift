internal import SonaClient
internal import SonaWire

/// A listener that estimates the server's clock, as every client does.
///
/// Bursts of eight at once, after 1 s, after 3 s more, then every 10 s: Protocol/spec/time.md, "The offset".
final class Prober {
    private(set) var filter = ClockFilter()
    /// When the filter got its last sample, by `LoadClock`.
    private(set) var fedAt: UInt64 = 0
    private var burst = ProbeBurst()
    private var bursts = 0

    /// Begins a burst.
    ///
    /// - Returns: The probe to send, and in how many seconds the next burst is due.
    func begin() -> (probe: UInt16, nextSeconds: UInt64) {
        if let sample = burst.giveUp() { feed(sample) }
        bursts += 1
        return (burst.begin(), bursts == 1 ? 1 : bursts == 2 ? 3 : 10)
    }

    /// - Returns: The next probe, if the burst goes on.
    func take(_ response: TimeResponse, receivedAt: Int64) -> UInt16? {
        switch burst.take(response, receivedAt: receivedAt) {
        case .send(let number): return number
        case .done(let sample):
            feed(sample)
            return nil
        case .ignore: return nil
        }
    }

    private func feed(_ sample: ClockFilter.Sample) {
        filter.add(sample)
        fedAt = LoadClock.now
    }

    /// Called when the connection is gone: probes under way will not be answered.
    func lost() { _ = burst.giveUp() }
}
