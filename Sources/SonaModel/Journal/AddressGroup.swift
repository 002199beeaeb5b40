internal import Glibc

/// The neighbourhood of a network address, which is all of it that the journal keeps: as a rule one household or
/// company, and too little to find a person by.
///
/// `203.0.113.7` is in `203.0.113.0/24`, `2001:db8:1:2::7` in `2001:db8:1::/48`, the usual share of one customer
/// (RFC 6177); an IPv4 address in an IPv6 coat (`::ffff:203.0.113.7`) counts as what it is.
package struct AddressGroup: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameter address: As a socket tells it, or its /64 as `ClientNetwork` takes it; anything that is no IP address is `local`.
    package init(_ address: String) {
        // A scope (fe80::1%eth0) is no part of the address.
        let text = String(address.prefix { $0 != "%" })
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            description = Self.text(v4: withUnsafeBytes(of: v4) { Array($0) })
        } else if let network = ClientNetwork.prefix(text) {
            description = Self.text(v6: network)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            // IPv4 in an IPv6 coat.
            description = Self.text(v4: withUnsafeBytes(of: v6) { Array($0.suffix(4)) })
        } else {
            description = "local"
        }
    }

    private static func text(v4 bytes: [UInt8]) -> String { "\(bytes[0]).\(bytes[1]).\(bytes[2]).0/24" }

    private static func text(v6 bytes: [UInt8]) -> String {
        var groups = [0, 2, 4].map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        // Zeros at the end are part of the `::`, so that a group has one text.
        while groups.last == 0 { groups.removeLast() }
        return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    }
}
