internal import Glibc

/// Addresses with the same beginning: `10.0.0.0/8`, `2001:db8::/32`, or one address alone.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]
    private let bits: Int
    /// The range as it was given.
    public let description: String

    /// - Parameter text: An address, or an address and a number of bits (RFC 4632 §3.1). `nil` if it is neither.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let bytes = Self.bytes(String(parts[0])) else { return nil }
        var bits = bytes.count * 8
        if parts.count == 2 {
            guard let count = Int(parts[1]), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                (0...bits).contains(count)
            else { return nil }
            bits = count
        }
        self.bytes = bytes
        self.bits = bits
        description = text
    }

    /// The range in its one form, without bits that do not count: `10.0.0.0/8`, `2001:db8::/32`, `203.0.113.7`.
    public var canonical: String {
        let address = masked(bits).withUnsafeBytes { RemoteAddress(network: $0).text }
        return bits == bytes.count * 8 ? address : "\(address)/\(bits)"
    }

    /// The bytes with all bits 0 but the first `count`.
    func masked(_ count: Int) -> [UInt8] {
        var masked = bytes
        for index in masked.indices {
            let left = count - index * 8
            if left <= 0 { masked[index] = 0 } else if left < 8 { masked[index] &= UInt8.max << UInt8(8 - left) }
        }
        return masked
    }

    /// Whether it is a range of IPv6.
    public var isIPv6: Bool { bytes.count == 16 }
    /// The bits that all its addresses have in common.
    public var commonBits: Int { bits }

    /// Whether the address begins as this range does. False between IPv4 and IPv6.
    public func contains(_ address: RemoteAddress) -> Bool {
        guard let other = Self.bytes(address.text), other.count == bytes.count else { return false }
        let whole = bits / 8
        guard other[..<whole] == bytes[..<whole] else { return false }
        let rest = bits % 8
        guard rest > 0 else { return true }
        let mask = UInt8.max << UInt8(8 - rest)
        return other[whole] & mask == bytes[whole] & mask
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return withUnsafeBytes(of: &six) { Array($0) }
    }
}
