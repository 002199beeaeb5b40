/// How often which time was measured: counts in log-linear buckets, exact to three significant digits.
///
/// Times are whole microseconds. Below 2048 µs each has a bucket of its own; above, every doubling is cut into 1024
/// buckets of the same width, so a bucket is never wider than a thousandth of what falls into it. Recording costs a
/// shift, an addition and no allocation; two histograms add up to the one that would have seen both.
///
/// ```
///   value, µs        bucket width    buckets
///   0 … 2047         1               2048
///   2048 … 4095      2               1024
///   …
///   2^35 … 2^36−1    2^25            1024
/// ```
///
/// Least, greatest and mean are kept beside the buckets and are exact. What is longer than `microsecondsMax` (19 hours)
/// is counted in the last bucket, and shows in `max` as it was.
///
/// A value, to be held by one thread; its buckets are 221 kB.
///
/// Source: the bucket layout is that of high dynamic range histograms (Gil Tene, HdrHistogram), with 11 bits of mantissa.
package struct Histogram: Sendable, Equatable {
    /// Bits of a value that its bucket tells: 2^10 buckets for a doubling.
    private static let mantissaBits = 11
    private static let halfCount = 1 << (mantissaBits - 1)
    private static let valueBits = 36
    /// The last bucket's highest value: 2^36 − 1 µs.
    package static let microsecondsMax: UInt64 = (1 << UInt64(valueBits)) - 1
    static let bucketCount = (valueBits - mantissaBits + 2) * halfCount

    private(set) var buckets: [UInt64]
    /// How many values were recorded.
    package private(set) var count = 0
    /// Of the values, µs; what they are while there are none keeps `record` free of a branch.
    private var least = UInt64.max
    private var greatest: UInt64 = 0
    /// µs. As a `Double` it is exact up to 2^53, 285 years, and cannot overflow.
    package private(set) var sum: Double = 0

    package init() { buckets = [UInt64](repeating: 0, count: Self.bucketCount) }

    /// µs, exact; nil if nothing was recorded.
    package var min: UInt64? { count > 0 ? least : nil }
    /// µs, exact; nil if nothing was recorded.
    package var max: UInt64? { count > 0 ? greatest : nil }
    /// µs, exact; nil if nothing was recorded.
    package var mean: Double? { count > 0 ? sum / Double(count) : nil }

    // MARK: Recording

    @inline(__always)
    package mutating func record(microseconds value: UInt64) { record(microseconds: value, times: 1) }

    /// Rounded to the nearest microsecond.
    @inline(__always)
    package mutating func record(nanoseconds value: UInt64) {
        record(microseconds: value / 1000 &+ (value % 1000 >= 500 ? 1 : 0), times: 1)
    }

    @inline(__always)
    mutating func record(microseconds value: UInt64, times: Int) {
        let index = Self.index(of: Swift.min(value, Self.microsecondsMax))
        buckets.withUnsafeMutableBufferPointer { $0[index] &+= UInt64(truncatingIfNeeded: times) }
        count &+= times
        sum += Double(value) * Double(times)
        if value < least { least = value }
        if value > greatest { greatest = value }
    }

    /// Adds what another has seen.
    package mutating func merge(_ other: Histogram) {
        guard other.count > 0 else { return }
        for index in Self.index(of: other.bounded(other.least))...Self.index(of: other.bounded(other.greatest)) {
            buckets[index] &+= other.buckets[index]
        }
        count &+= other.count
        sum += other.sum
        least = Swift.min(least, other.least)
        greatest = Swift.max(greatest, other.greatest)
    }

    /// Forgets everything, and keeps the memory.
    package mutating func reset() {
        guard count > 0 else { return }
        for index in Self.index(of: bounded(least))...Self.index(of: bounded(greatest)) { buckets[index] = 0 }
        (count, sum, least, greatest) = (0, 0, .max, 0)
    }

    /// Puts back what the buckets do not tell, after they were filled with their lowest values.
    ///
    /// - Returns: Whether it fits them; if not, nothing is changed.
    mutating func restore(least: UInt64, greatest: UInt64, sum: Double) -> Bool {
        guard least <= greatest, Self.index(of: bounded(least)) == Self.index(of: bounded(self.least)),
            Self.index(of: bounded(greatest)) == Self.index(of: bounded(self.greatest))
        else { return false }
        // Additions of many values are rounded.
        let (mean, slack) = (sum / Double(count), Double(greatest) * 1e-9)
        guard mean >= Double(least) - slack, mean <= Double(greatest) + slack else { return false }
        (self.least, self.greatest, self.sum) = (least, greatest, sum)
        return true
    }

    private func bounded(_ value: UInt64) -> UInt64 { Swift.min(value, Self.microsecondsMax) }

    // MARK: Asking

    /// The time within which this share of the values lies: of `n` values the ⌈share · n⌉th, in order of size.
    ///
    /// - Parameter share: 0 to 1.
    /// - Returns: µs: the highest value of the bucket that this one fell into, at most a thousandth too much, and never
    ///   more than the greatest that was recorded. Nil if nothing was recorded.
    package func percentile(_ share: Double) -> UInt64? { percentiles([share]).first }

    /// The same for many shares, in one pass.
    ///
    /// - Parameter shares: 0 to 1, in ascending order.
    /// - Returns: As many values as shares; none if nothing was recorded.
    package func percentiles(_ shares: [Double]) -> [UInt64] {
        guard count > 0 else { return [] }
        var found: [UInt64] = []
        found.reserveCapacity(shares.count)
        var seen: UInt64 = 0
        let last = Self.index(of: bounded(greatest))
        for index in Self.index(of: bounded(least))...last where buckets[index] > 0 {
            seen += buckets[index]
            while found.count < shares.count, seen >= rank(shares[found.count]) {
                found.append(Swift.min(Self.range(of: index).upperBound, greatest))
            }
        }
        // The last bucket's highest value may be less than the greatest: what is longer than all buckets is in it.
        while found.count < shares.count { found.append(greatest) }
        return found
    }

    private func rank(_ share: Double) -> UInt64 {
        // A hair less, so that 0.999 of 1000 is 999, whatever binary fractions make of it.
        let wanted = Double(count) * Swift.min(Swift.max(share, 0), 1) * (1 - 1e-14)
        return Swift.max(1, UInt64(wanted.rounded(.up)))
    }

    /// How many values are at least this long, µs; those of the bucket in which it lies are all counted.
    package func count(from value: UInt64) -> Int {
        Int(buckets[Self.index(of: bounded(value))...].reduce(0, +))
    }

    /// The buckets that hold something, in order of their times.
    package var filled: [(range: ClosedRange<UInt64>, count: UInt64)] {
        buckets.enumerated().filter { $0.element > 0 }.map { (Self.range(of: $0.offset), $0.element) }
    }

    // MARK: Buckets

    /// - Parameter value: At most `microsecondsMax`.
    @inline(__always)
    static func index(of value: UInt64) -> Int {
        // How many of the lower bits don't count: none where a value has a bucket of its own.
        let drop = Swift.max(0, UInt64.bitWidth - mantissaBits - value.leadingZeroBitCount)
        return drop * halfCount + Int(truncatingIfNeeded: value >> UInt64(drop))
    }

    /// The values that fall into a bucket, µs.
    static func range(of index: Int) -> ClosedRange<UInt64> {
        let drop = Swift.max(0, index / halfCount - 1)
        let low = UInt64(index - drop * halfCount) << UInt64(drop)
        return low...(low + (1 << UInt64(drop)) - 1)
    }
}
