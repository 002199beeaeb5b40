/// The announcement that a proxy makes of a connection before it passes on the connection's first byte.
///
/// Source: The PROXY protocol, versions 1 & 2 (haproxy.org), §2.2: version 2 alone is read here.
enum ProxyHeader: Equatable {
    /// The bytes are none.
    case none
    /// They may become one.
    case incomplete
    /// They begin like one and are wrong.
    case invalid
    /// A whole header: its length in bytes; the client's address, `nil` where the proxy speaks for itself (health
    /// checks); and whether the client spoke TLS with the proxy.
    case header(bytes: Int, client: RemoteAddress?, isSecure: Bool)

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// More than any has; what follows the addresses may be of any length.
    static let bytesMax = 2048
    /// Type of the field that tells of TLS, and its bit for that.
    private static let (typeSSL, clientSSL): (UInt8, UInt8) = (0x20, 0x01)

    static func parse(_ bytes: UnsafeRawBufferPointer) -> ProxyHeader {
        let common = min(bytes.count, signature.count)
        guard bytes.prefix(common).elementsEqual(signature.prefix(common)) else { return .none }
        guard bytes.count >= 16 else { return .incomplete }
        guard bytes[12] >> 4 == 2 else { return .invalid }
        let count = Int(bytes[14]) << 8 | Int(bytes[15])
        guard 16 + count <= bytesMax else { return .invalid }
        guard bytes.count >= 16 + count else { return .incomplete }
        let end = 16 + count
        switch bytes[12] & 0x0F {
        case 0: return .header(bytes: end, client: nil, isSecure: false)
        case 1: break
        default: return .invalid
        }
        let addressBytes: Int
        switch bytes[13] {
        case 0x11: addressBytes = 4
        case 0x21: addressBytes = 16
        // Unix sockets, datagrams, and families that are not known: nobody is named.
        default: return .header(bytes: end, client: nil, isSecure: false)
        }
        let fields = 16 + 2 * addressBytes + 4
        guard fields <= end else { return .invalid }
        let client = RemoteAddress(bytes: UnsafeRawBufferPointer(rebasing: bytes[16..<16 + addressBytes]))
        var isSecure = false
        var place = fields
        while place + 3 <= end {
            let length = Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
            guard place + 3 + length <= end else { return .invalid }
            if bytes[place] == typeSSL, length > 0 { isSecure = bytes[place + 3] & clientSSL != 0 }
            place += 3 + length
        }
        return .header(bytes: end, client: client, isSecure: isSecure)
    }
}
