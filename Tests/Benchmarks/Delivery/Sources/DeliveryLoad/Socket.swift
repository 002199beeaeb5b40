import CLinux
import Glibc

package enum Socket {
    /// Connections from one address. The kernel gives even ports first, of which there are some 14 000, and looks for each
    /// of the others for longer than a server takes to accept it.
    static let connectionsPerAddress = 4000
    /// Where connections may come from, 127.0.0.1 first.
    package static let sources = (0..<8).map { "127.0.0.\($0 + 1)" }

    /// - Parameters:
    ///   - blocking: Otherwise the connection may still be under way.
    ///   - number: Of the connection; those with high numbers come from other addresses.
    static func connect(port: UInt16, blocking: Bool, number: Int = 0) throws -> Int32 {
        let flags = blocking ? 0 : Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | flags | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.system("open a socket") }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let source = number / connectionsPerAddress % sources.count
        if source > 0 {
            setsockopt(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &yes, 4)
            address.sin_addr.s_addr = (UInt32(INADDR_LOOPBACK) + UInt32(source)).bigEndian
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard bound == 0 else {
                defer { close(descriptor) }
                throw Failure.system("come from \(sources[source])")
            }
        }
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 || errno == EINPROGRESS { return descriptor }
        defer { close(descriptor) }
        throw Failure.system("connect to port \(port)")
    }
}
