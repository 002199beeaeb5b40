/// Delays from a host's send to a listener's receipt: counts by 10 µs, up to 4 s. Longer delays are counted in the last
/// class.
package struct Delays {
    private static let width: UInt64 = 10_000
    private static let places = 400_000
    private var counts = [UInt32](repeating: 0, count: Delays.places)
    package private(set) var maxNanoseconds: UInt64 = 0
    package private(set) var total = 0

    package init() {}

    @inline(__always)
    mutating func add(_ nanoseconds: UInt64) {
        let place = Int(min(nanoseconds / Self.width, UInt64(Self.places - 1)))
        counts.withUnsafeMutableBufferPointer { $0[place] &+= 1 }
        total &+= 1
        if nanoseconds > maxNanoseconds { maxNanoseconds = nanoseconds }
    }

    /// - Returns: Milliseconds, rounded up to the width of a place; 0 if there are none.
    package func percentile(_ share: Double) -> Double {
        let wanted = Int((Double(total) * share).rounded(.up))
        var seen = 0
        for (place, count) in counts.enumerated() where count > 0 {
            seen += Int(count)
            if seen >= wanted { return Double(UInt64(place + 1) * Self.width) / 1e6 }
        }
        return 0
    }

    package var maxMilliseconds: Double { Double(maxNanoseconds) / 1e6 }
}
