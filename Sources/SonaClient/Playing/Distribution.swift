/// How often which magnitude was measured, in little space: exact below 1024, within 1 % above.
package struct Distribution: Sendable, Equatable {
    private var counts = [Int](repeating: 0, count: Self.places)
    package private(set) var count = 0
    package private(set) var max = 0

    /// 1024 single values, then 64 parts for each doubling up to 2^40, which nothing measured here exceeds.
    private static let places = 1024 + 30 * 64

    package init() {}

    /// - Parameter value: Not negative; beyond 2^40 it counts as that.
    package mutating func add(_ value: Int) {
        let value = Swift.max(0, Swift.min(value, 1 << 40 - 1))
        counts[Self.place(value)] += 1
        count += 1
        max = Swift.max(max, value)
    }

    /// The least value that `fraction` of the measured ones do not exceed; nil if nothing was measured.
    package func percentile(_ fraction: Double) -> Int? {
        guard count > 0 else { return nil }
        var left = Swift.max(1, Int((Double(count) * fraction).rounded(.up)))
        for (place, count) in counts.enumerated() {
            left -= count
            if left <= 0 { return Swift.min(max, Self.upperBound(place)) }
        }
        return max
    }

    private static func place(_ value: Int) -> Int {
        guard value >= 1024 else { return value }
        let doubling = value.bitWidth - 1 - value.leadingZeroBitCount
        return 1024 + (doubling - 10) * 64 + (value >> (doubling - 6)) - 64
    }

    private static func upperBound(_ place: Int) -> Int {
        guard place >= 1024 else { return place }
        let (doubling, part) = ((place - 1024) / 64 + 10, (place - 1024) % 64 + 64)
        return (part + 1) << (doubling - 6) - 1
    }
}
