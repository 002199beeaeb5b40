internal import SonaBase

/// A shuffle that gives the same result wherever it is computed, so that a client can show it before it happens.
///
/// For `i` from the last index down to 1, swap elements `i` and `j`, with `j` drawn from 0...i. (Fisher and Yates,
/// downwards, in Durstenfeld's version.) A draw below `n` multiplies the next number of SplitMix64 by `n` and takes the
/// upper 64 of the 128 bits. A number whose lower 64 bits are less than 2^64 mod `n` is thrown away; otherwise some
/// results would be likelier than others.
///
/// From seed 42, the sequence 0 to 9 becomes 8 3 6 5 4 0 9 2 1 7.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014); Lemire, "Fast random integer
/// generation in an interval" (2019).
package struct SeededShuffle: Sendable {
    private var numbers: SeededGenerator

    package init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

    package mutating func shuffle<Element>(_ elements: inout [Element]) {
        guard elements.count > 1 else { return }
        for index in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(index, Int(draw(below: UInt64(index) + 1)))
        }
    }

    /// - Precondition: `bound` is not 0.
    mutating func draw(below bound: UInt64) -> UInt64 {
        let unfair = (0 &- bound) % bound
        while true {
            let (high, low) = numbers.next().multipliedFullWidth(by: bound)
            if low >= unfair { return high }
        }
    }
}
