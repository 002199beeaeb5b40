/// Counts how often each value was measured, in log-linear buckets exact to three significant digits.
///
/// Values are whole numbers of one unit that the caller chooses, usually microseconds. Below 2048 each value has a
/// bucket of its own. Above, every doubling is cut into 1024 buckets of the same width, so a bucket is never wider than
/// a thousandth of the values in it. Recording costs a shift, an addition and no allocation. Two histograms add up to
/// the one that would have counted the values of both.
///
/// ```
///   value            bucket width    buckets
///   0 … 2047         1               2048
///   2048 … 4095      2               1024
///   …
///   2^35 … 2^36−1    2^25            1024
/// ```
///
/// Least, greatest and mean are kept beside the buckets and are exact. A value beyond `valueMax` (as microseconds, 19
/// hours) is counted in the last bucket, and shows in `max` as it was.
///
/// A value type, to be held by one thread; its buckets are 221 kB. Recording and looking up a bucket are inlined where
/// they are used, since a load test records each packet of each listener.
///
/// ```swift
/// var delays = Histogram()
/// for delay in measuredMicroseconds { delays.record(delay) }
/// print(delays.percentile(0.99) ?? 0, "µs")
/// ```
///
/// Source: the bucket layout is that of high dynamic range histograms (Gil Tene, HdrHistogram), with 11 bits of mantissa.
public struct Histogram: Sendable, Equatable {
    /// Bits of a value that its bucket tells: 2^10 buckets for a doubling.
    @inlinable static var mantissaBits: Int { 11 }
    @inlinable static var halfCount: Int { 1 << (mantissaBits - 1) }
    @inlinable static var valueBits: Int { 36 }
    /// The last bucket's highest value: 2^36 − 1.
    @inlinable public static var valueMax: UInt64 { (1 << UInt64(valueBits)) - 1 }
    static let bucketCount = (valueBits - mantissaBits + 2) * halfCount

    @usableFromInline var buckets: [UInt64]
    @usableFromInline var recorded = 0
    /// The smallest and the largest value. Their values in an empty histogram keep `record` free of a branch.
    @usableFromInline var least = UInt64.max
    @usableFromInline var greatest: UInt64 = 0
    @usableFromInline var total: Double = 0

    /// An empty histogram. Allocates all its buckets at once; recording allocates nothing.
    public init() { buckets = [UInt64](repeating: 0, count: Self.bucketCount) }

    /// How many values were recorded.
    public var count: Int { recorded }
    /// All values added up. As a `Double` it is exact up to 2^53 and cannot overflow.
    public var sum: Double { total }
    /// Exact; nil if nothing was recorded.
    public var min: UInt64? { recorded > 0 ? least : nil }
    /// Exact; nil if nothing was recorded.
    public var max: UInt64? { recorded > 0 ? greatest : nil }
    /// Exact; nil if nothing was recorded.
    public var mean: Double? { recorded > 0 ? total / Double(recorded) : nil }

    // MARK: Recording

    /// Counts a value once.
    @inlinable @inline(__always)
    public mutating func record(_ value: UInt64) { record(value, times: 1) }

    /// - Parameter times: How often the value was measured; not negative.
    @inlinable @inline(__always)
    public mutating func record(_ value: UInt64, times: Int) {
        let index = Self.index(of: Swift.min(value, Self.valueMax))
        buckets.withUnsafeMutableBufferPointer { $0[index] &+= UInt64(truncatingIfNeeded: times) }
        recorded &+= times
        total += Double(value) * Double(times)
        if value < least { least = value }
        if value > greatest { greatest = value }
    }

    /// Adds what another has seen.
    public mutating func merge(_ other: Histogram) {
        guard other.recorded > 0 else { return }
        for index in Self.index(of: other.bounded(other.least))...Self.index(of: other.bounded(other.greatest)) {
            buckets[index] &+= other.buckets[index]
        }
        recorded &+= other.recorded
        total += other.total
        least = Swift.min(least, other.least)
        greatest = Swift.max(greatest, other.greatest)
    }

    /// Forgets everything, and keeps the memory. Costs as much as the span of what was recorded.
    public mutating func reset() {
        guard recorded > 0 else { return }
        for index in Self.index(of: bounded(least))...Self.index(of: bounded(greatest)) { buckets[index] = 0 }
        (recorded, total, least, greatest) = (0, 0, .max, 0)
    }

    /// Restores the figures that the buckets cannot tell, after each value was recorded as the lowest of its bucket.
    ///
    /// - Returns: Whether the figures fit the buckets; if not, nothing is changed.
    public mutating func restore(least: UInt64, greatest: UInt64, sum: Double) -> Bool {
        guard least <= greatest, Self.index(of: bounded(least)) == Self.index(of: bounded(self.least)),
            Self.index(of: bounded(greatest)) == Self.index(of: bounded(self.greatest))
        else { return false }
        // Additions of many values are rounded.
        let (mean, slack) = (sum / Double(recorded), Double(greatest) * 1e-9)
        guard mean >= Double(least) - slack, mean <= Double(greatest) + slack else { return false }
        (self.least, self.greatest, total) = (least, greatest, sum)
        return true
    }

    private func bounded(_ value: UInt64) -> UInt64 { Swift.min(value, Self.valueMax) }

    // MARK: Asking

    /// The value that this share of the values does not exceed: of `n` values the ⌈share · n⌉th, in order of size.
    ///
    /// - Parameter share: 0 to 1.
    /// - Returns: The highest value of the bucket that this one fell into, at most a thousandth too much, and never
    ///   more than the greatest that was recorded. Nil if nothing was recorded.
    public func percentile(_ share: Double) -> UInt64? { percentiles([share]).first }

    /// The same for many shares, in one pass.
    ///
    /// - Parameter shares: 0 to 1, in ascending order.
    /// - Returns: One value for each share; empty if nothing was recorded.
    public func percentiles(_ shares: [Double]) -> [UInt64] {
        guard recorded > 0 else { return [] }
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
        // The last bucket also counts values greater than its highest, so the scan may end early.
        while found.count < shares.count { found.append(greatest) }
        return found
    }

    private func rank(_ share: Double) -> UInt64 {
        // A hair less, so that 0.999 of 1000 is 999, whatever binary fractions make of it.
        let wanted = Double(recorded) * Swift.min(Swift.max(share, 0), 1) * (1 - 1e-14)
        return Swift.max(1, UInt64(wanted.rounded(.up)))
    }

    /// How many values are at least this great; those of the bucket in which it lies are all counted.
    public func count(from value: UInt64) -> Int {
        Int(buckets[Self.index(of: bounded(value))...].reduce(0, +))
    }

    /// The buckets that hold something, in order of their values.
    public var filled: [(range: ClosedRange<UInt64>, count: UInt64)] {
        buckets.enumerated().filter { $0.element > 0 }.map { (Self.range(of: $0.offset), $0.element) }
    }

    // MARK: Buckets

    /// - Parameter value: At most `valueMax`.
    @inlinable @inline(__always)
    public static func index(of value: UInt64) -> Int {
        // How many of the lower bits don't count: none where a value has a bucket of its own.
        let drop = Swift.max(0, UInt64.bitWidth - mantissaBits - value.leadingZeroBitCount)
        return drop * halfCount + Int(truncatingIfNeeded: value >> UInt64(drop))
    }

    /// The values that fall into a bucket.
    public static func range(of index: Int) -> ClosedRange<UInt64> {
        let drop = Swift.max(0, index / halfCount - 1)
        let low = UInt64(index - drop * halfCount) << UInt64(drop)
        return low...(low + (1 << UInt64(drop)) - 1)
    }
}
