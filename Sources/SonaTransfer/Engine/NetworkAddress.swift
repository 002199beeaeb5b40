internal import Glibc

/// Which addresses are of the internet, and which of this machine, a house or a network of machines.
///
/// Source: the registries of special-purpose addresses of IANA (RFC 6890), of November 2026.
enum NetworkAddress {
    /// - Parameters:
    ///   - address: A `sockaddr` of this family, of this many bytes.
    /// - Returns: False for families other than IPv4 and IPv6.
    static func isPublic(_ address: UnsafeRawPointer, family: Int32, bytes: Int) -> Bool {
        switch family {
        case AF_INET where bytes >= MemoryLayout<sockaddr_in>.size:
            let four = address.loadUnaligned(as: sockaddr_in.self).sin_addr
            return isPublic(four: withUnsafeBytes(of: four) { Array($0) })
        case AF_INET6 where bytes >= MemoryLayout<sockaddr_in6>.size:
            let six = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return isPublic(six: withUnsafeBytes(of: six) { Array($0) })
        default:
            return false
        }
    }

    /// - Parameter four: The four bytes, as they are sent.
    static func isPublic(four: [UInt8]) -> Bool {
        guard four.count == 4 else { return false }
        return !ranges4.contains { contains($0, four) }
    }

    /// - Parameter six: The sixteen bytes, as they are sent.
    static func isPublic(six: [UInt8]) -> Bool {
        guard six.count == 16 else { return false }
        // An IPv4 address inside is what is reached: mapped, and translated by a gateway.
        if six.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
            || six.starts(with: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0])
        {
            return isPublic(four: Array(six[12...]))
        }
        // 2000::/3 is all that is given out; of it these are for purposes of their own.
        return six[0] & 0xe0 == 0x20 && !ranges6.contains { contains($0, six) }
    }

    private typealias Range = (prefix: [UInt8], bits: Int)

    private static let ranges4: [Range] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]
    private static let ranges6: [Range] = [
        // Protocol assignments with Teredo, documentation (twice), 6to4.
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x3f, 0xff], 20), ([0x20, 0x02], 16),
    ]

    private static func contains(_ range: Range, _ address: [UInt8]) -> Bool {
        for bit in 0..<range.bits {
            let prefix = bit / 8 < range.prefix.count ? range.prefix[bit / 8] : 0
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if prefix & mask != address[bit / 8] & mask { return false }
        }
        return true
    }
}
