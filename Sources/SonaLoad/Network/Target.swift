internal import CLoad
internal import Glibc
package import SonaClient

/// A server as the harness dials it: one address, found once.
package struct Target: Sendable {
    package let address: ServerAddress
    /// The bytes of a `sockaddr_in` or `sockaddr_in6`.
    let socketAddress: [UInt8]
    let family: Int32
    /// 127.0.0.0/8 or ::1.
    package let isLoopback: Bool

    /// Looks the name up; waits for as long as the system's resolver takes.
    ///
    /// - Parameter mayBeRemote: Whether the caller owns the server and says so.
    /// - Throws: `load.unreachable` if the name leads nowhere, `load.remote_refused`.
    package init(_ address: ServerAddress, mayBeRemote: Bool) throws(LoadError) {
        self.address = address
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(address.host, String(address.port), &hints, &found)
        guard status == 0, let first = found else {
            throw LoadError(.unreachable, "\(address.host) has no address: \(String(cString: gai_strerror(status))).")
        }
        defer { freeaddrinfo(found) }
        var all: [[UInt8]] = []
        var entry: UnsafeMutablePointer<addrinfo>? = first
        while let this = entry {
            all.append(
                [UInt8](UnsafeRawBufferPointer(start: this.pointee.ai_addr, count: Int(this.pointee.ai_addrlen))))
            entry = this.pointee.ai_next
        }
        let isLoopback = all.allSatisfy(Self.isLoopback)
        guard isLoopback || mayBeRemote else {
            throw LoadError(
                .remoteRefused,
                "\(address) is not on this machine. A load test can take a server down: run it against servers of your "
                    + "own only, and say so with --i-own-this-server.")
        }
        self.isLoopback = isLoopback
        // A name of this machine is often both; the server's standard address is the one of IPv4.
        let chosen = all.first { Self.family($0) == AF_INET } ?? all[0]
        socketAddress = chosen
        family = Self.family(chosen)
    }

    private static func family(_ bytes: [UInt8]) -> Int32 {
        bytes.withUnsafeBytes { Int32($0.loadUnaligned(fromByteOffset: 0, as: sa_family_t.self)) }
    }

    private static func isLoopback(_ bytes: [UInt8]) -> Bool {
        switch family(bytes) {
        case AF_INET: bytes[4] == 127
        // sin6_addr comes after family, port and flow information.
        case AF_INET6: bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
        default: false
        }
    }

    /// Connections from one address, where the harness may choose: half of the 512 that a server grants. A returning
    /// client may be counted twice until the server has noticed that its first connection is gone.
    static let connectionsPerSource = 250

    /// Opens a socket and begins to connect.
    ///
    /// On the loopback of IPv4 the whole of 127.0.0.0/8 is this machine. So that the server's limit of connections
    /// for one address and the 28 000 ports of one are no hindrance, connections come from as many addresses as needed.
    ///
    /// - Parameters:
    ///   - ordinal: The how-manieth connection it is, which decides where it comes from.
    ///   - receiveBytes: Size of the receive buffer; nil: the system's own.
    /// - Throws: `load.machine` without a descriptor, port or buffer left, `load.unreachable`.
    func connect(ordinal: Int, blocking: Bool, receiveBytes: Int32? = nil) throws(LoadError) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, flags | (blocking ? 0 : Int32(SOCK_NONBLOCK.rawValue)), 0)
        guard descriptor >= 0 else { throw .system(.machine, "open socket number \(ordinal + 1)") }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        if var receiveBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, 4) }
        if blocking { Self.limitWaiting(descriptor, nanoseconds: HTTPCalls.exchangeTimeout) }
        if isLoopback && family == AF_INET && ordinal >= Self.connectionsPerSource {
            bindSource(descriptor, number: ordinal / Self.connectionsPerSource)
        }
        let result = socketAddress.withUnsafeBytes { bytes in
            Glibc.connect(
                descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        // A blocking one is in progress when its time is up: connect(2), socket(7).
        if result == 0 || (!blocking && errno == EINPROGRESS) { return descriptor }
        let number = errno == EINPROGRESS ? ETIMEDOUT : errno
        close(descriptor)
        throw .system(Self.isMachines(number) ? .machine : .unreachable, "reach \(address)", number)
    }

    /// Whether it is this machine that has no more ports (connect(2): EADDRNOTAVAIL, EAGAIN) or buffers, not the server
    /// that refuses.
    static func isMachines(_ number: Int32) -> Bool { [EADDRNOTAVAIL, EAGAIN, ENOBUFS, ENOMEM].contains(number) }

    /// How long each system call of a blocking socket may wait.
    static func limitWaiting(_ descriptor: Int32, nanoseconds: UInt64) {
        let microseconds = Int(max(1, nanoseconds / 1000))
        var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// 127.1.0.1 and up. If the system refuses, the connection comes from where it always does.
    private func bindSource(_ descriptor: Int32, number: Int) {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &yes, 4)
        var source = sockaddr_in()
        source.sin_family = sa_family_t(AF_INET)
        source.sin_addr.s_addr = (UInt32(0x7F01_0000) + UInt32(number % 65_000) + 1).bigEndian
        withUnsafePointer(to: &source) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
