internal import Glibc

/// The network that contains an address. The journal keeps only this: it usually stands for one household or company,
/// and does not identify a person.
///
/// `203.0.113.7` is in `203.0.113.0/24`, and `2001:db8:1:2::7` in `2001:db8:1::/48`, the usual share of one customer
/// (RFC 6177). An IPv4 address mapped into IPv6 (`::ffff:203.0.113.7`) counts as IPv4.
package struct AddressGroup: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameter address: An address in a form of `ClientNetwork`. Any text that is not an IP address is in the group
    ///   `local`.
    package init(_ address: String) {
        // Drop a scope (fe80::1%eth0), which is not part of the address.
        let text = String(address.prefix { $0 != "%" })
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            description = Self.text(v4: withUnsafeBytes(of: v4) { Array($0) })
        } else if let network = ClientNetwork.prefix(text) {
            description = Self.text(v6: network)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            // IPv4 mapped into IPv6.
            description = Self.text(v4: withUnsafeBytes(of: v6) { Array($0.suffix(4)) })
        } else {
            description = "local"
        }
    }

    private static func text(v4 bytes: [UInt8]) -> String { "\(bytes[0]).\(bytes[1]).\(bytes[2]).0/24" }

    private static func text(v6 bytes: [UInt8]) -> String {
        var groups = [0, 2, 4].map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        // Drop zeros at the end, which are part of the `::`, so that each group has only one text.
        while groups.last == 0 { groups.removeLast() }
        return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    }
}
