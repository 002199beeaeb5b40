import Foundation

/// A connection between clients and a server that can be cut, or can silently lose everything.
///
/// Threads and sockets; it shares nothing with the code under test.
final class CuttingProxy: @unchecked Sendable {
    // Safe to share: mutable state is guarded by `lock`.
    private let listener: Int32
    private let target: UInt16
    private let lock = NSLock()
    private var sockets: Set<Int32> = []
    /// Connections on which nothing is passed on, not even their ends.
    private var silent: Set<Int32> = []
    private var isDown = false

    let port: String

    init(to server: TestServer) throws {
        guard let target = UInt16(server.port) else { throw ProgramFault(description: "port \(server.port)") }
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (self.listener, length)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) | listen(listener, 64) | getsockname(listener, $0, &length)
            }
        }
        guard status == 0 else { throw ProgramFault(description: "proxy: \(errno)") }
        port = String(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Ends every connection with a reset and accepts no new one for a while.
    func cut(for seconds: Double) async throws {
        down()
        try await Task.sleep(for: .seconds(seconds))
        up()
    }

    func down() {
        lock.withLock {
            isDown = true
            for socket in sockets { Self.reset(socket) }
        }
    }

    func up() { lock.withLock { isDown = false } }

    /// From now on nothing is passed on of the present connections, and nobody is told. New connections are not
    /// affected.
    func stall() { lock.withLock { silent = sockets } }

    func end() {
        down()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    // MARK: Threads

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private static func reset(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let near = Glibc.accept(listener, nil, nil)
            guard near >= 0 else { break }
            let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(target)
            let isThere = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            let isTaken = lock.withLock { () -> Bool in
                guard isThere, !isDown else { return false }
                sockets.formUnion([near, far])
                return true
            }
            guard isTaken else {
                Self.reset(near)
                close(near)
                close(far)
                continue
            }
            let pair = Pair(near, far)
            for (from, to) in [(near, far), (far, near)] {
                Thread.detachNewThread { [self] in pump(from, to, pair) }
            }
        }
        close(listener)
    }

    /// Two sockets that are closed when both directions have ended.
    private final class Pair: @unchecked Sendable {
        // Safe to share: guarded by the proxy's lock.
        let sockets: [Int32]
        var ended = 0
        init(_ near: Int32, _ far: Int32) { sockets = [near, far] }
    }

    private func pump(_ from: Int32, _ to: Int32, _ pair: Pair) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if lock.withLock({ silent.contains(from) }) { continue }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes {
                    send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { break }
                sent += more
            }
            guard sent == count else { break }
        }
        lock.withLock {
            // A connection that passes nothing on does not pass on its end either.
            if !silent.contains(from) { for socket in pair.sockets { Self.reset(socket) } }
            pair.ended += 1
            guard pair.ended == 2 else { return }
            for socket in pair.sockets {
                sockets.remove(socket)
                silent.remove(socket)
                close(socket)
            }
        }
    }
}
