import Foundation

/// A connection to a server that can be held up in one direction: either what a client sends waits and what it hears
/// comes, or the other way round.
final class StallingProxy: @unchecked Sendable {
    enum Direction { case toServer, toClients }

    // Safe to share: mutable state is guarded by `lock`.
    private let listener: Int32
    private let target: in_port_t
    private let direction: Direction
    private let lock = NSCondition()
    private var isStalled = false
    private var isOver = false
    private var sockets: [Int32] = []
    let port: Int

    init(to server: TestServer, stalling direction: Direction = .toServer) throws {
        self.direction = direction
        target = in_port_t(server.port) ?? 0
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        guard status else { throw ProgramFault(description: "no port for a proxy: \(errno)") }
        Thread.detachNewThread { [self] in accept() }
    }

    private static func address(port: in_port_t) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        return address
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Lets nothing through in its direction for a given time.
    ///
    /// - Returns: The actual duration, µs.
    func stall(for seconds: Double) async -> Int64 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                let begin = ServerTime.now
                lock.withLock { isStalled = true }
                usleep(useconds_t(seconds * 1e6))
                lock.withLock {
                    isStalled = false
                    lock.broadcast()
                }
                continuation.resume(returning: ServerTime.now - begin)
            }
        }
    }

    /// Ends every connection.
    func end() {
        lock.withLock {
            isOver = true
            isStalled = false
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            lock.broadcast()
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            if direction == .toClients {
                // Data that waits here counts as heard for the server.
                var bytes: Int32 = 4096
                setsockopt(server, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
            }
            var address = Self.address(port: target)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            var one: Int32 = 1
            for socket in [client, server] {
                setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            }
            lock.withLock { sockets += [client, server] }
            guard status == 0 else {
                shutdown(client, Int32(SHUT_RDWR))
                continue
            }
            Thread.detachNewThread { [self] in pass(from: client, to: server, canStall: direction == .toServer) }
            Thread.detachNewThread { [self] in pass(from: server, to: client, canStall: direction == .toClients) }
        }
        close(listener)
    }

    private func pass(from source: Int32, to target: Int32, canStall: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if canStall { lock.withLock { while isStalled, !isOver { lock.wait() } } }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes {
                    Glibc.send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { break }
                sent += more
            }
            if sent < count { break }
        }
        shutdown(target, Int32(SHUT_RDWR))
        shutdown(source, Int32(SHUT_RDWR))
    }
}
