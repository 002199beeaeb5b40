/// SplitMix64: small, even enough to draw loads from, and the same on every machine.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 1.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 ..< 1. Not the library's, whose way of drawing may change.
    package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// 0 ..< count.
    package mutating func index(_ count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }
}
