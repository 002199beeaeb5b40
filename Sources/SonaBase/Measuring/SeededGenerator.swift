/// SplitMix64: the same numbers for the same seed on every machine, so that a test or a load can be run again.
///
/// Small, fast and even enough to draw loads from. Not for secrets: one number tells all that follow.
///
/// ```swift
/// var dice = SeededGenerator(seed: 42)
/// let listener = dice.index(listenerCount)
/// ```
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 1.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// - Parameter seed: Any number. Equal seeds give equal sequences.
    @inlinable public init(seed: UInt64) { state = seed }

    /// The next 64 bits of the sequence. O(1), no allocation.
    @inlinable public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 ..< 1. Not drawn by the standard library, whose way of drawing may change.
    @inlinable public mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// 0 ..< count.
    ///
    /// - Parameter count: Not negative. For 0 the result is 0.
    @inlinable public mutating func index(_ count: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(count)).high)
    }
}
