internal import SonaWire

/// The place of a playlist's entry as a text: entries in the order of their keys' bytes are in the order of the list.
///
/// A key is made between any two others without touching them, so a move writes one row. It has a whole part and a
/// fraction, both in the digits `0–9A–Za–z`:
///
/// ```text
/// key = head digit* fraction      a0, a1, … az, b00, … bzz, c000, …   a0V: between a0 and a1
/// head  a … z: 1 to 26 digits of the whole part follow    Z … A: the same before a0, 1 to 26 digits
/// ```
///
/// Adding at an end counts the whole part up or down, so ten thousand entries added one by one have keys of four
/// characters. Adding between two neighbours makes a fraction, one character more for about six such adds in one place.
/// `PlaylistKeys` makes all keys anew when one becomes longer than `Limits.playlistKeyBytesMax`.
///
/// Source: David Greenspan, "Implementing Fractional Indexing", 2020; github.com/rocicorp/fractional-indexing.
package struct FractionalKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package var description: String { text }

    /// - Returns: `nil` unless `text` is a key: of known digits, whole, and without a zero at the end of its fraction.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let count = Self.wholeCount(bytes), bytes.count >= count, bytes.count <= Limits.playlistKeyBytesMax,
            bytes.dropFirst().allSatisfy({ Self.value($0) != nil }), bytes.count == count || bytes.last != Self.zero
        else { return nil }
        self.text = text
    }

    private init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    package static func < (one: Self, other: Self) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    // MARK: Making

    /// The key of an only entry.
    static let first = FractionalKey(Array("a0".utf8))

    /// Makes keys between two others, in order.
    ///
    /// - Parameters:
    ///   - lower: `nil`: from the beginning.
    ///   - upper: `nil`: to the end. Greater than `lower`.
    ///   - count: At least 0. Keys for many at once grow by the logarithm of their number.
    package static func keys(between lower: Self?, _ upper: Self?, count: Int) -> [Self] {
        guard count > 0 else { return [] }
        if upper == nil {
            var keys: [Self] = []
            keys.reserveCapacity(count)
            var last = lower
            for _ in 0..<count {
                let next = key(between: last, nil)
                keys.append(next)
                last = next
            }
            return keys
        }
        if lower == nil {
            var keys: [Self] = []
            var first = upper
            for _ in 0..<count {
                let next = key(between: nil, first)
                keys.append(next)
                first = next
            }
            return keys.reversed()
        }
        let middle = key(between: lower, upper)
        let before = (count - 1) / 2
        return keys(between: lower, middle, count: before) + [middle]
            + keys(between: middle, upper, count: count - 1 - before)
    }

    /// Makes a key between two others.
    package static func key(between lower: Self?, _ upper: Self?) -> Self {
        guard let lower else {
            guard let upper else { return first }
            let (whole, fraction) = parts(upper)
            // The least whole part of all: only its fraction can become less.
            if whole == leastWhole { return Self(whole + middle([], fraction)) }
            if !fraction.isEmpty { return Self(whole) }
            return decremented(whole).map(Self.init) ?? Self(whole + middle([], fraction))
        }
        let (whole, fraction) = parts(lower)
        guard let upper else {
            return incremented(whole).map(Self.init) ?? Self(whole + middle(fraction, nil))
        }
        let (upperWhole, upperFraction) = parts(upper)
        if whole == upperWhole { return Self(whole + middle(fraction, upperFraction)) }
        if let next = incremented(whole), next.lexicographicallyPrecedes(upperWhole + upperFraction) {
            return Self(next)
        }
        return Self(whole + middle(fraction, nil))
    }

    // MARK: Digits

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let zero = UInt8(ascii: "0")
    private static let leastWhole = [UInt8(ascii: "A")] + [UInt8](repeating: zero, count: 26)

    private static let values: [Int?] = {
        var values = [Int?](repeating: nil, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = value }
        return values
    }()

    private static func value(_ digit: UInt8) -> Int? { values[Int(digit)] }

    /// Bytes of the whole part, its head included; `nil` if there is no head.
    private static func wholeCount(_ bytes: [UInt8]) -> Int? {
        switch bytes.first {
        case .some(let head) where 0x61...0x7A ~= head: Int(head) - 0x61 + 2
        case .some(let head) where 0x41...0x5A ~= head: 0x5A - Int(head) + 2
        default: nil
        }
    }

    private static func parts(_ key: Self) -> (whole: [UInt8], fraction: [UInt8]) {
        let bytes = Array(key.text.utf8)
        guard let count = wholeCount(bytes), bytes.count >= count else {
            preconditionFailure("A key begins with a whole part.")
        }
        return (Array(bytes[..<count]), Array(bytes[count...]))
    }

    /// The next whole part; `nil` after the greatest.
    private static func incremented(_ whole: [UInt8]) -> [UInt8]? {
        var next = whole
        for place in stride(from: whole.count - 1, to: 0, by: -1) {
            guard let value = value(whole[place]) else { preconditionFailure("A whole part has digits.") }
            if value + 1 < digits.count {
                next[place] = digits[value + 1]
                return next
            }
            next[place] = zero
        }
        // All digits were z: the head goes on, and with it the number of digits.
        switch whole[0] {
        case UInt8(ascii: "Z"): return [UInt8(ascii: "a"), zero]
        case UInt8(ascii: "z"): return nil
        case let head where head > 0x60: return [head + 1] + [UInt8](repeating: zero, count: whole.count)
        case let head: return [head + 1] + [UInt8](repeating: zero, count: whole.count - 2)
        }
    }

    /// The whole part before; `nil` before the least.
    private static func decremented(_ whole: [UInt8]) -> [UInt8]? {
        let greatest = digits[digits.count - 1]
        var next = whole
        for place in stride(from: whole.count - 1, to: 0, by: -1) {
            guard let value = value(whole[place]) else { preconditionFailure("A whole part has digits.") }
            if value > 0 {
                next[place] = digits[value - 1]
                return next
            }
            next[place] = greatest
        }
        switch whole[0] {
        case UInt8(ascii: "a"): return [UInt8(ascii: "Z"), greatest]
        case UInt8(ascii: "A"): return nil
        case let head where head > 0x60: return [head - 1] + [UInt8](repeating: greatest, count: whole.count - 2)
        case let head: return [head - 1] + [UInt8](repeating: greatest, count: whole.count)
        }
    }

    /// The shortest fraction between two, as near the middle as that allows. It never ends in a zero.
    ///
    /// - Parameters:
    ///   - lower: Empty: zero.
    ///   - upper: `nil`: one. Greater than `lower`.
    private static func middle(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
        var common: [UInt8] = []
        var (lower, upper) = (lower[...], upper.map { $0[...] })
        while true {
            if let digits = upper, let next = digits.first, next == lower.first ?? zero {
                common.append(next)
                lower = lower.dropFirst()
                upper = digits.dropFirst()
                continue
            }
            let least = lower.first.flatMap { value($0) } ?? 0
            let most = upper.map { $0.first.flatMap { value($0) } ?? 0 } ?? digits.count
            if most - least > 1 { return common + [digits[(least + most) / 2]] }
            // Neighbouring digits: the upper one alone is less than all of `upper`, if that goes on.
            if let digits = upper, digits.count > 1, let next = digits.first { return common + [next] }
            common.append(digits[least])
            lower = lower.dropFirst()
            upper = nil
        }
    }
}
