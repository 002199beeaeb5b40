internal import SonaEventLoop

/// The clock a client goes by: that of the machine, or for tests one that is wrong.
///
/// A simulated clock shows `real + offset + real × ppm / 10⁶`, so that it is off by hours and runs too fast or too slow
/// from the first moment on; it can also be set once while it runs. All of a client's times are on it: probes, wake-ups,
/// arrivals and the virtual sound device. Times are µs.
package struct LocalClock: Sendable, Equatable {
    package var offsetMicroseconds: Int64
    /// Millionths by which it runs too fast.
    package var ppm: Double
    /// The amount by which it is set forward, and the moment on `MonotonicClock`.
    package var step: Step?

    package struct Step: Sendable, Equatable {
        package var microseconds: Int64
        package var atMonotonic: Int64

        package init(microseconds: Int64, atMonotonic: Int64) {
            self.microseconds = microseconds
            self.atMonotonic = atMonotonic
        }
    }

    /// `MonotonicClock` as it is.
    package static let machine = LocalClock(offsetMicroseconds: 0, ppm: 0)

    package init(offsetMicroseconds: Int64, ppm: Double, step: Step? = nil) {
        self.offsetMicroseconds = offsetMicroseconds
        self.ppm = ppm
        self.step = step
    }

    /// The same clock, never set: what a sound device counts on.
    package var unset: LocalClock { LocalClock(offsetMicroseconds: offsetMicroseconds, ppm: ppm) }

    /// The time it shows now.
    package func now() -> Int64 { reading(atMonotonic: MonotonicClock.nowMicroseconds()) }

    package func reading(atMonotonic real: Int64) -> Int64 {
        let drift = ppm == 0 ? 0 : Int64((Double(real) * ppm / 1e6).rounded())
        var reading = real &+ offsetMicroseconds &+ drift
        if let step, real >= step.atMonotonic { reading &+= step.microseconds }
        return reading
    }

    /// When it shows `reading`, by `MonotonicClock`; for a clock that is set, as if it were not set again.
    package func monotonic(ofReading reading: Int64) -> Int64 {
        var shown = reading &- offsetMicroseconds
        if let step, MonotonicClock.nowMicroseconds() >= step.atMonotonic { shown &-= step.microseconds }
        return ppm == 0 ? shown : Int64((Double(shown) / (1 + ppm / 1e6)).rounded())
    }
}
