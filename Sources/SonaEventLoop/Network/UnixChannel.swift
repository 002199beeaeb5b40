internal import CLibwebsockets
internal import Glibc

/// A conversation of two processes of one user on this machine: messages over a Unix socket, which may carry open
/// descriptors.
///
/// Each message is its length as four bytes, the least first, and its bytes. Every call waits, at most for the patience;
/// use it from a thread of its own. Closes its descriptor when it is dropped.
///
/// Source: unix(7), `SCM_RIGHTS`, `SO_PEERCRED`.
public final class UnixChannel: Sendable {
    /// Most bytes of one message.
    public static let bytesMax = 1 << 30
    /// Most descriptors of one message.
    public static let descriptorsMax = 64

    private let descriptor: Int32

    /// Takes an accepted connection over.
    ///
    /// - Parameters:
    ///   - descriptor: Of a Unix socket; closed by this object.
    ///   - patience: Seconds that each call waits for the other side.
    /// - Returns: `nil` if another user is at the other end. Root may be.
    public init?(accepted descriptor: Int32, patience: Int) {
        self.descriptor = descriptor
        let user = sona_peer_user(descriptor)
        guard user == Int(geteuid()) || user == 0 else { return nil }
        wait(atMost: patience)
    }

    /// Connects to a socket of the file system.
    ///
    /// - Throws: `.system` if nobody listens there, or somebody else's process does.
    public init(path: String, patience: Int) throws(EventLoopError) {
        descriptor = sona_socket(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard descriptor >= 0, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .system("Could not connect to \(path)", descriptor < 0 ? errno : ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        wait(atMost: patience)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .system("Could not connect to \(path)", errno) }
        let user = sona_peer_user(descriptor)
        guard user == Int(geteuid()) || geteuid() == 0 else { throw .system("Could not connect to \(path)", EPERM) }
    }

    deinit { close(descriptor) }

    /// How long each call waits from now on, seconds.
    public func wait(atMost seconds: Int) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    /// Sends a message. The descriptors stay open here.
    ///
    /// - Throws: `.system` if the other side has gone or does not read.
    public func send(_ message: [UInt8], descriptors: [Int32] = []) throws(EventLoopError) {
        let length = (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) }
        // The descriptors come with the first byte.
        guard sona_send_descriptors(descriptor, length, 4, descriptors, descriptors.count) == 4 else {
            throw .system("The other process does not take a message", errno)
        }
        var sent = 0
        while sent < message.count {
            let count = message.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("The other process does not take a message", errno) }
            sent += count
        }
    }

    /// Waits for a message.
    ///
    /// - Returns: Its bytes, and descriptors that are now the caller's.
    /// - Throws: `.system` if the other side has gone, says nothing, or says something of another form.
    public func receive() throws(EventLoopError) -> (message: [UInt8], descriptors: [Int32]) {
        var length = [UInt8](repeating: 0, count: 4)
        var descriptors = [Int32](repeating: -1, count: Self.descriptorsMax * 2)
        var found = 0
        guard sona_receive_descriptors(descriptor, &length, 4, &descriptors, &found) == 4 else {
            for descriptor in descriptors.prefix(found) { close(descriptor) }
            throw .system("The other process says nothing", errno)
        }
        descriptors.removeLast(descriptors.count - found)
        let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
        do throws(EventLoopError) {
            guard count <= Self.bytesMax else { throw .system("The other process says too much", EMSGSIZE) }
            return (try read(count), descriptors)
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
    }

    private func read(_ count: Int) throws(EventLoopError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, 0)
            }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { throw .system("The other process says nothing", received < 0 ? errno : EPIPE) }
            filled += received
        }
        return bytes
    }
}
