package import SonaBase

/// All histograms of a load test count microseconds.
extension Histogram {
    @inline(__always)
    package mutating func record(microseconds value: UInt64) { record(value) }

    /// Rounded to the nearest microsecond.
    @inline(__always)
    package mutating func record(nanoseconds value: UInt64) {
        record(value / 1000 &+ (value % 1000 >= 500 ? 1 : 0))
    }
}
