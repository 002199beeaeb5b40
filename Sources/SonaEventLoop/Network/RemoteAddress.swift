internal import CLibwebsockets
internal import Glibc

/// The other end of a connection, without its port.
public struct RemoteAddress: Sendable, Hashable, CustomStringConvertible {
    /// Numeric, IPv4-mapped IPv6 addresses as plain IPv4: `127.0.0.1`, `2001:db8::1`; `local` for Unix sockets.
    public let text: String

    /// - Parameter text: In the form that `text` describes. It is not checked.
    public init(text: String) { self.text = text }

    /// An address as text, brought into its one form; `nil` if it is not an IP address.
    public init?(numeric text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = withUnsafeBytes(of: &four) { RemoteAddress(bytes: $0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = withUnsafeBytes(of: &six) { RemoteAddress(bytes: $0) }
        } else {
            return nil
        }
    }

    /// The same without taking IPv4-mapped addresses for IPv4.
    init(network bytes: UnsafeRawBufferPointer) {
        text = Self.numeric(bytes.count == 16 ? AF_INET6 : AF_INET, bytes[...])
    }

    /// The 4 bytes of an IPv4 address or the 16 of an IPv6 address, as they go over the wire.
    init(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else {
            text = Self.numeric(AF_INET, bytes[...])
            return
        }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        text = isMapped ? Self.numeric(AF_INET, bytes[12..<16]) : Self.numeric(AF_INET6, bytes[...])
    }

    init(_ storage: inout sockaddr_storage) {
        let places: Range<Int>? =
            switch Int32(storage.ss_family) {
            case AF_INET: 4..<8
            case AF_INET6: 8..<24
            default: nil
            }
        guard let places else {
            text = "local"
            return
        }
        self = withUnsafeBytes(of: &storage) { RemoteAddress(bytes: UnsafeRawBufferPointer(rebasing: $0[places])) }
    }

    private static func numeric(_ family: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let address = UnsafeRawBufferPointer(rebasing: bytes)
            guard let text = inet_ntop(family, address.baseAddress, buffer.baseAddress, 64) else { return "unknown" }
            return String(cString: text)
        }
    }

    /// Addresses that share a limit: IPv6 hosts own whole /64 networks, so those count as one.
    public var group: String {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return text }
        let network = withUnsafeBytes(of: &address) { Array($0.prefix(8)) + [UInt8](repeating: 0, count: 8) }
        return network.withUnsafeBytes { Self.numeric(AF_INET6, $0[...]) } + "/64"
    }

    /// Whether the peer came by a Unix socket: it is on this machine, and has the right to use the socket's file.
    public var isLocal: Bool { text == "local" }
    /// Whether the address is of this machine: `::1`, `127.0.0.0/8`, or a Unix socket.
    public var isLoopback: Bool { text == "::1" || text == "local" || text.hasPrefix("127.") }
    /// `text`, as it is.
    public var description: String { text }
}
