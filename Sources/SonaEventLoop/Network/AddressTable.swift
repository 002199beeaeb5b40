/// Values of address ranges, found by address.
///
/// A look-up costs one hash for each length of prefix that occurs, not one comparison for each range.
public struct AddressTable<Value: Sendable>: Sendable {
    private var values: [AddressRange.Prefix: Value] = [:]
    /// How many ranges have a length, for each that occurs.
    private var lengths: [AddressRange.Length: Int] = [:]

    public init() {}

    public var isEmpty: Bool { values.isEmpty }

    public subscript(range: AddressRange) -> Value? {
        get { values[range.prefix] }
        set {
            let (prefix, length) = (range.prefix, range.length)
            let change = (newValue == nil ? 0 : 1) - (values[prefix] == nil ? 0 : 1)
            values[prefix] = newValue
            lengths[length, default: 0] += change
            if lengths[length] == 0 { lengths[length] = nil }
        }
    }

    /// The values of all ranges that the address is in.
    public func values(of address: RemoteAddress) -> [Value] {
        guard !values.isEmpty, let whole = AddressRange(address.text) else { return [] }
        return lengths.keys.compactMap { whole.prefix(of: $0).flatMap { values[$0] } }
    }
}

extension AddressRange {
    /// How many bits of which kind of address.
    struct Length: Hashable, Sendable {
        let isIPv6: Bool
        let bits: Int
    }

    /// The bits that a range's addresses have in common.
    struct Prefix: Hashable, Sendable {
        let length: Length
        let bytes: [UInt8]
    }

    var length: Length { Length(isIPv6: isIPv6, bits: commonBits) }
    var prefix: Prefix { Prefix(length: length, bytes: masked(commonBits)) }

    /// The first bits of a range that has as many; `nil` if it has fewer, or is of the other kind.
    func prefix(of length: Length) -> Prefix? {
        guard length.isIPv6 == isIPv6, length.bits <= commonBits else { return nil }
        return Prefix(length: length, bytes: masked(length.bits))
    }
}
