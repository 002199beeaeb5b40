import CLinux
import Glibc

enum Socket {
    /// - Parameter blocking: Otherwise the connection may still be under way.
    static func connect(port: UInt16, blocking: Bool) throws -> Int32 {
        let flags = blocking ? 0 : Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | flags | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.system("open a socket") }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
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
