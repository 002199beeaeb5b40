import Foundation
import Glibc
import Synchronization

/// A server of blocking sockets on 127.0.0.1 or in the file system: a thread listens, another serves each connection.
///
/// `stop` ends both and waits for the listening one; a connection ends with its client, or after 20 seconds of silence.
final class LoopbackServer: Sendable {
    /// 0 for a socket in the file system.
    let port: Int
    private let listener: Int32
    private let accepted = Mutex(0)

    var connections: Int { accepted.withLock { $0 } }

    /// - Parameter serve: Gets each connection and its number, from 1.
    init(unixPath: String? = nil, serve: @escaping @Sendable (Peer, Int) -> Void) {
        (listener, port) = unixPath.map { (Self.listen($0), 0) } ?? Self.listen()
        Thread.detachNewThread { [self] in
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                let number = accepted.withLock { count in
                    count += 1
                    return count
                }
                Thread.detachNewThread { serve(Peer(socket), number) }
            }
            close(listener)
        }
    }

    /// Wakes the thread that accepts, which then closes the socket.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Whether somebody could connect.
    var isListening: Bool {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = Self.loopback(port: port)
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    private static func listen() -> (Int32, Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        precondition(isBound, "There is no port for the test's server.")
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func listen(_ path: String) -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && Glibc.listen(listener, 64) == 0
            }
        }
        precondition(isBound, "The test's server cannot have its socket.")
        return listener
    }
}

/// The server's side of one connection.
final class Peer {
    private let socket: Int32
    private var ahead: [UInt8] = []

    init(_ socket: Int32) {
        self.socket = socket
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// Without its CRLF; `nil` when the client has gone.
    func line() -> String? {
        while true {
            if let end = ahead.firstIndex(of: UInt8(ascii: "\n")) {
                let line = ahead[..<end]
                ahead.removeFirst(end + 1)
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    func bytes(_ count: Int) -> [UInt8] {
        while ahead.count < count, fill() {}
        defer { ahead.removeFirst(min(count, ahead.count)) }
        return Array(ahead.prefix(count))
    }

    /// Says nothing until the client has gone.
    func hang() {
        while fill() {}
    }

    /// - Returns: False when the client has gone.
    @discardableResult
    func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func fill() -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = read(socket, &part, part.count)
        ahead += part.prefix(max(0, count))
        return count > 0
    }
}
