internal import ArgumentParser
internal import SonaClient
internal import SonaEventLoop

/// `OFFSET_US,PPM` or `OFFSET_US,PPM,STEP_US,AFTER_S` on the command line.
struct SimulatedClock: ExpressibleByArgument {
    var clock: LocalClock

    /// Greatest offset, a thousand years in µs; greatest drift, more than any quartz has.
    private static let offsetMax: Int64 = 31_557_600_000_000_000
    private static let ppmMax = 10_000.0

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4, let offset = Int64(parts[0]), let ppm = Double(parts[1]),
            abs(ppm) <= Self.ppmMax, -Self.offsetMax...Self.offsetMax ~= offset
        else { return nil }
        clock = LocalClock(offsetMicroseconds: offset, ppm: ppm)
        guard parts.count == 4 else { return }
        guard let step = Int64(parts[2]), -Self.offsetMax...Self.offsetMax ~= step, let after = Double(parts[3]),
            0...86_400 ~= after
        else { return nil }
        clock.step = LocalClock.Step(
            microseconds: step, atMonotonic: MonotonicClock.nowMicroseconds() + Int64(after * 1_000_000))
    }
}
