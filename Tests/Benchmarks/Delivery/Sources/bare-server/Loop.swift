import CLinux
import Glibc

/// All sockets of the server.
///
/// A socket is a request, until its head is complete; then a listener, a publisher, or answered and closed. A room's
/// listeners are a flat array of descriptors, so that the loop over them touches nothing but the array and the kernel.
final class Loop {
    private enum Role {
        case request([UInt8])
        case listener(room: Int, place: Int)
        case publisher(room: Int, [UInt8])
    }

    private static let readBytesMax = 65536

    let port: UInt16
    private let acceptor: Int32
    private let poll: Int32
    private var roles: [Int32: Role] = [:]
    /// Of each room.
    private var listeners: [[Int32]] = []
    private let input = UnsafeMutablePointer<UInt8>.allocate(capacity: Loop.readBytesMax)
    /// The frame being sent: at most 4 bytes of header and 64 KiB.
    private let frame = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 + 65536)
    private var sends: UInt64 = 0
    /// Messages a full socket did not take. The benchmark is void if there are any.
    private var drops: UInt64 = 0

    init(port: UInt16) throws {
        acceptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard acceptor >= 0 else { throw Failure("open a socket") }
        var yes: Int32 = 1
        setsockopt(acceptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = acceptor
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(descriptor, name, length) == 0 && listen(descriptor, 4096) == 0
                    && getsockname(descriptor, name, &length) == 0
            }
        }
        guard bound else { throw Failure("listen on port \(port)") }
        self.port = UInt16(bigEndian: address.sin_port)
        poll = epoll_create1(0)
        guard poll >= 0 else { throw Failure("make an epoll") }
        watch(acceptor)
    }

    func run() -> Never {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while true {
            let count = epoll_wait(poll, &events, 256, -1)
            for index in 0..<max(0, Int(count)) {
                let descriptor = events[index].data.fd
                if descriptor == acceptor { acceptAll() } else { read(descriptor) }
            }
        }
    }

    private func watch(_ descriptor: Int32) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.fd = descriptor
        epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)
    }

    private func acceptAll() {
        while true {
            let descriptor = accept4(acceptor, nil, nil, Int32(SOCK_NONBLOCK.rawValue))
            if descriptor < 0 { return }
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
            roles[descriptor] = .request([])
            watch(descriptor)
        }
    }

    private func read(_ descriptor: Int32) {
        let count = recv(descriptor, input, Self.readBytesMax, 0)
        if count < 0 && errno == EAGAIN { return }
        if count <= 0 { return drop(descriptor) }
        switch roles[descriptor] {
        case .request(var bytes):
            bytes.append(contentsOf: UnsafeBufferPointer(start: input, count: count))
            roles[descriptor] = .request(bytes)
            if bytes.suffix(4) == [13, 10, 13, 10] { begin(descriptor, String(decoding: bytes, as: UTF8.self)) }
        case .publisher(let room, var bytes):
            roles[descriptor] = .publisher(room: room, [])
            bytes.append(contentsOf: UnsafeBufferPointer(start: input, count: count))
            bytes.removeFirst(publish(bytes, to: room))
            roles[descriptor] = .publisher(room: room, bytes)
        case .listener: answer(descriptor, UnsafeBufferPointer(start: input, count: count))
        case nil: break
        }
    }

    private func begin(_ descriptor: Int32, _ request: String) {
        guard let answer = Handshake.answer(request) else {
            let body = "bare_sends_total \(sends)\nbare_drops_total \(drops)\n"
            say(descriptor, "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body)
            return drop(descriptor)
        }
        say(descriptor, answer)
        let (room, publishes) = Handshake.place(request)
        while listeners.count <= room { listeners.append([]) }
        if publishes {
            roles[descriptor] = .publisher(room: room, [])
        } else {
            roles[descriptor] = .listener(room: room, place: listeners[room].count)
            listeners[room].append(descriptor)
        }
    }

    /// Says something of a usual length to each text message: the floor for `hello` and `room.join`.
    private func answer(_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        var at = 0
        while bytes.count - at >= 6 {
            let short = Int(bytes[at + 1] & 0x7F)
            guard short < 126 || bytes.count - at >= 8 else { return }
            let whole = short == 126 ? 8 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])) : 6 + short
            if bytes[at] & 0x0F == 1 {
                _ = Glibc.send(descriptor, Self.reply, Self.reply.count, Int32(MSG_NOSIGNAL))
            }
            at += whole
        }
    }

    /// As long as Sona's answer to `room.join` of a quiet room.
    private static let reply: [UInt8] = {
        let text = Array(#"{"type":"ok","id":1,"data":{"padding":""#.utf8)
        let payload = text + [UInt8](repeating: UInt8(ascii: "x"), count: 1_000 - text.count - 3) + Array(#""}}"#.utf8)
        return [0x81, 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }()

    private func say(_ descriptor: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func drop(_ descriptor: Int32) {
        if case .listener(let room, let place) = roles.removeValue(forKey: descriptor) {
            let last = listeners[room].removeLast()
            if last != descriptor {
                listeners[room][place] = last
                roles[last] = .listener(room: room, place: place)
            }
        }
        close(descriptor)
    }

    /// Sends on every complete frame.
    ///
    /// - Parameter bytes: What the publisher sent, from the beginning of a frame. Its frames are masked and whole messages.
    /// - Returns: How many bytes those frames were.
    private func publish(_ bytes: [UInt8], to room: Int) -> Int {
        var at = 0
        while bytes.count - at >= 6 {
            let short = Int(bytes[at + 1] & 0x7F)
            let header = short == 126 ? 8 : 6
            precondition(short < 127, "a message of the benchmark is at most 64 KiB")
            if bytes.count - at < header { break }
            let count = short == 126 ? Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]) : short
            if bytes.count - at < header + count { break }
            if bytes[at] & 0x0F == 2 { deliver(bytes, from: at + header, count, to: room) }
            at += header + count
        }
        return at
    }

    private func deliver(_ bytes: [UInt8], from start: Int, _ count: Int, to room: Int) {
        frame[0] = 0x82
        let header: Int
        if count < 126 {
            frame[1] = UInt8(count)
            header = 2
        } else {
            frame[1] = 126
            frame[2] = UInt8(count >> 8)
            frame[3] = UInt8(count & 0xFF)
            header = 4
        }
        // The four bytes before the payload are the mask.
        for index in 0..<count { frame[header + index] = bytes[start + index] ^ bytes[start - 4 + (index & 3)] }
        let whole = header + count
        listeners[room].withUnsafeBufferPointer { listeners in
            for descriptor in listeners {
                if Glibc.send(descriptor, frame, whole, Int32(MSG_NOSIGNAL)) != whole { drops += 1 }
            }
            sends += UInt64(listeners.count)
        }
    }
}
