internal import Glibc

/// The networks that contain a client's address and have limits of their own.
///
/// An IPv4 address stands for a household, company or school, and counts by itself. An IPv6 client usually controls a
/// /64, often a /56 or a /48. So an IPv6 address counts in all three. A larger network is allowed more, because several
/// customers may share it.
///
/// Input: an address (`203.0.113.7`, `2001:db8::7`, `::ffff:203.0.113.7`), or the /64 that the server makes of it
/// (`2001:db8:1:2::/64`, also byte by byte: `20:1:d:b8:0:1:0:2::/64`). Any other text is a network by itself.
enum ClientNetwork {
    /// How many times the limit of a /64 each prefix length has.
    static let factors = [64: 1, 56: 4, 48: 16]

    /// The networks with the factor of their limits, smallest first.
    static func all(_ address: String) -> [(key: String, factor: Int)] {
        guard let prefix = prefix(address) else { return [(address, 1)] }
        return [64, 56, 48].map { bits in
            (
                key: prefix.prefix(bits / 8).map { String($0, radix: 16) }.joined(separator: ":") + "/\(bits)",
                factor: factors[bits, default: 1]
            )
        }
    }

    /// The smallest network that contains the address.
    static func smallest(_ address: String) -> String { all(address)[0].key }

    /// Returns the first eight bytes of an IPv6 address or of its /64.
    ///
    /// - Returns: `nil` for everything else, also for an IPv4 address mapped into IPv6.
    static func prefix(_ address: String) -> [UInt8]? {
        // Drop a scope (fe80::1%eth0), which is not part of the address.
        var text = String(address.prefix { $0 != "%" })
        if let slash = text.firstIndex(of: "/") {
            guard text[slash...] == "/64" else { return nil }
            text = String(text[..<slash])
        }
        guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        if let bytes = bytewise(text) { return bytes }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: v6) { Array($0) }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? nil : Array(bytes.prefix(8))
    }

    /// Parses eight groups of one byte each and `::`, a form that no IPv6 address has.
    private static func bytewise(_ text: String) -> [UInt8]? {
        guard text.hasSuffix("::") else { return nil }
        let groups = text.dropLast(2).split(separator: ":", omittingEmptySubsequences: false)
        let bytes = groups.compactMap { UInt8($0, radix: 16) }
        return groups.count == 8 && bytes.count == 8 ? bytes : nil
    }
}
