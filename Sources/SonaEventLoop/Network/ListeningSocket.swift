internal import CLibwebsockets
internal import Glibc

/// A listening socket of ours, TCP or Unix.
///
/// libwebsockets' own listener binds more than it is asked for (an IPv4 address with IPv6 enabled becomes `*`) and
/// cannot tell a busy port from a free one with SO_REUSEPORT; so it gets only what we accepted.
public struct ListeningSocket: Sendable {
    /// The file descriptor.
    public let descriptor: Int32
    /// The host as it was asked for, and the port that was bound.
    public let host: String
    /// The TCP port that was bound, also where 0 was asked for.
    public let port: Int

    /// `HOST:PORT` with IPv6 addresses in brackets.
    public var address: String {
        isLocal ? host : host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Accepts a connection if one is pending. Does not block.
    ///
    /// - Returns: The connection's descriptor: the caller closes it; it does not block, and is closed on exec. `nil` if no
    ///   connection is pending, or on an error; `errno` says which.
    public func accept() -> (descriptor: Int32, remote: RemoteAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let taken = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sona_accept(descriptor, $0, &length) }
        }
        return taken >= 0 ? (taken, RemoteAddress(&storage)) : nil
    }

    /// Whether it is a Unix socket: `host` is its path then.
    public let isLocal: Bool

    /// Binds a Unix socket with mode 0600, in place of one that nobody listens at any more.
    ///
    /// - Parameter path: At most 107 bytes, as the kernel takes it.
    /// - Throws: `.addressInUse`, `.badAddress`, `.notPermitted`, `.system`.
    public init(path: String) throws(EventLoopError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity, !path.utf8.contains(0) else {
            throw EventLoopError(.badAddress, "The path of the socket is too long: \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let attempt = "Could not listen on \(path)"
        let descriptor = sona_socket(AF_UNIX)
        guard descriptor >= 0 else { throw .system(attempt, errno) }
        do throws(EventLoopError) {
            guard !Self.answers(&address) else { throw EventLoopError(.addressInUse, "\(attempt): somebody does") }
            unlink(path)
            let old = umask(0o177)
            let result = Self.withPointer(to: &address) { bind(descriptor, $0, $1) }
            let code = errno
            umask(old)
            guard result == 0 else { throw .system(attempt, code) }
            guard listen(descriptor, 16) == 0 else { throw .system(attempt, errno) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        host = path
        port = 0
        isLocal = true
    }

    private static func answers(_ address: inout sockaddr_un) -> Bool {
        let descriptor = sona_socket(AF_UNIX)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withPointer(to: &address) { connect(descriptor, $0, $1) } == 0
    }

    private static func withPointer<Result>(
        to address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - host: An IP address or a name that resolves to one; nothing else of this machine is bound.
    ///   - port: 0 takes any free one.
    /// - Throws: `.addressInUse`, `.badAddress`, `.notPermitted`, `.system`.
    public init(host: String, port: Int) throws(EventLoopError) {
        let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
        guard (0...65535).contains(port) else { throw EventLoopError(.badAddress, "\(shown) has no valid port") }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(sona_socket_stream)
        var list: UnsafeMutablePointer<addrinfo>?
        let found = getaddrinfo(host, String(port), &hints, &list)
        guard found == 0, let list else {
            throw EventLoopError(.badAddress, "Could not resolve \(host): \(String(cString: gai_strerror(found)))")
        }
        defer { freeaddrinfo(list) }
        let attempt = "Could not listen on \(shown)"
        let descriptor = sona_socket(list.pointee.ai_family)
        guard descriptor >= 0 else { throw .system(attempt, errno) }
        do throws(EventLoopError) {
            var on: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
            // Accepted sockets inherit these options, even those that connect before anybody accepts (tcp(7)).
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
            Self.boundSendBuffer(of: descriptor)
            if list.pointee.ai_family == AF_INET6 {
                setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size)
            }
            guard bind(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0 else {
                throw .system(attempt, errno)
            }
            guard listen(descriptor, 1024) == 0 else { throw .system(attempt, errno) }
            self.port = try Self.boundPort(descriptor, expected: list.pointee, attempt)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.host = host
        isLocal = false
    }

    /// Asks the kernel which address was bound and compares it with the wanted one.
    private static func boundPort(
        _ descriptor: Int32, expected: addrinfo, _ attempt: String
    ) throws(EventLoopError) -> Int {
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { throw .system(attempt, errno) }
        var wanted = sockaddr_storage()
        memcpy(&wanted, expected.ai_addr, Int(expected.ai_addrlen))
        guard RemoteAddress(&bound) == RemoteAddress(&wanted) else {
            throw EventLoopError(.system, "\(attempt): the kernel bound \(RemoteAddress(&bound)) instead")
        }
        return withUnsafeBytes(of: &bound) { Int($0[2]) << 8 | Int($0[3]) }
    }
}

extension ListeningSocket {
    /// Takes over a socket that another process of this program has bound and listens with.
    ///
    /// - Parameters:
    ///   - descriptor: Closed on exec, and does not block.
    ///   - host: As that process has it.
    ///   - port: 0 for a Unix socket.
    public init(takenOver descriptor: Int32, host: String, port: Int, isLocal: Bool) {
        self.descriptor = descriptor
        self.host = host
        self.port = port
        self.isLocal = isLocal
    }

    /// Bytes that the kernel may hold for a listener that does not read; it doubles this. Its default of up to 4 MiB
    /// would
    /// hide minutes of stale audio.
    private static let sendBufferBytes: Int32 = 32 * 1024

    static func boundSendBuffer(of descriptor: Int32) {
        var bytes = sendBufferBytes
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Gives the address back. Only for a socket that no loop has taken.
    public func release() {
        close(descriptor)
    }
}
