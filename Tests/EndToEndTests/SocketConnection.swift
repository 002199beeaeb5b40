import Foundation

/// The socket of a `SocketClient`, with a thread that reads it.
final class SocketConnection: @unchecked Sendable {
    // Safe to share: mutable state is guarded by `lock`, and the socket's two directions are independent.
    private let socket: Int32
    private let lock = NSCondition()
    private var lastID = 0
    private var replies: [Int: SocketClient.Message] = [:]
    private var heard: [SocketClient.Message] = []
    private var packets: [SocketClient.Packet] = []
    private var binary: [(bytes: [UInt8], at: Int64)] = []
    private var hasEnded = false
    private var code: Int?

    /// Binary messages that have come, with their times of arrival, µs of CLOCK_MONOTONIC_RAW.
    var frames: [(bytes: [UInt8], at: Int64)] { lock.withLock { binary } }
    var events: [SocketClient.Message] { lock.withLock { heard } }
    var packetsHeard: [SocketClient.Packet] { lock.withLock { packets } }
    var isOver: Bool { lock.withLock { hasEnded } }
    /// The code of the server's close frame.
    var closeCode: Int? { lock.withLock { code } }

    /// - Parameter port: Port of a proxy in front of the server, if there is one.
    init(_ server: TestServer, port: String? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port ?? server.port)?.bigEndian ?? 0
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw ProgramFault(description: "connect: \(errno)") }
        try upgrade(server)
        // The thread keeps the connection alive until `end` ends the thread.
        Thread.detachNewThread { [self] in read() }
    }

    deinit { close(socket) }

    func end() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Ends the connection on purpose: an empty close frame, as a browser sends it.
    func sayGoodbye() { try? write(Self.frame(0x8, [])) }

    /// Sends nothing more, and still reads.
    func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    private func upgrade(_ server: TestServer) throws {
        try write(
            Array(
                """
                GET /v1/ws HTTP/1.1\r
                Host: 127.0.0.1:\(server.port)\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Protocol: sona.v1\r
                Sec-WebSocket-Version: 13\r
                \r

                """.utf8))
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = take(1) else { throw ProgramFault(description: "no upgrade: \(head.count) bytes") }
            head += byte
        }
        guard String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 101") else {
            throw ProgramFault(description: String(decoding: head, as: UTF8.self))
        }
    }

    // MARK: Writing

    func send(_ type: String, _ data: [String: Any]) throws -> Int {
        let id = lock.withLock { () -> Int in
            lastID += 1
            return lastID
        }
        let json = try JSONSerialization.data(withJSONObject: ["type": type, "id": id, "data": data])
        try write(Self.frame(0x1, Array(json)))
        return id
    }

    func send(frame payload: [UInt8]) throws { try write(Self.frame(0x2, payload)) }

    /// Writes a whole frame, with a mask of zeros: the mask must be there, but need not be secret.
    private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = [0x80 | opcode]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 126, UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)]
        }
        return frame + [0, 0, 0, 0] + payload
    }

    private func write(_ bytes: [UInt8]) throws {
        try lock.withLock {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { throw ProgramFault(description: "send: \(errno)") }
                rest = rest.dropFirst(count)
            }
        }
    }

    // MARK: Reading

    /// Numbers of the answers that came and that nothing has waited for.
    var untakenReplies: [Int] { lock.withLock { replies.keys.sorted() } }

    /// Takes the answer to a request out of the store, if it has come.
    func takeReply(_ id: Int) -> SocketClient.Message? { lock.withLock { replies.removeValue(forKey: id) } }

    /// Waits for the answer to a request, on this thread.
    ///
    /// - Returns: nil if the connection ends first, or after ten seconds.
    func awaitReply(_ id: Int) -> SocketClient.Message? {
        lock.withLock {
            let deadline = Date(timeIntervalSinceNow: 10)
            while replies[id] == nil, !hasEnded, lock.wait(until: deadline) {}
            return replies.removeValue(forKey: id)
        }
    }

    private func read() {
        var message: [UInt8] = []
        var isText = false
        while let head = take(2), let payload = payload(head[1] & 0x7F) {
            switch head[0] & 0x0F {
            case 0x8:
                lock.withLock { code = payload.count < 2 ? nil : Int(payload[0]) << 8 | Int(payload[1]) }
                return finish()
            case 0x9: try? write(Self.frame(0xA, payload))
            case 0x0, 0x1, 0x2:
                if head[0] & 0x0F != 0 {
                    isText = head[0] & 0x0F == 1
                    message = []
                }
                message += payload
                if head[0] & 0x80 != 0 {
                    isText ? keep(SocketClient.Message(bytes: Data(message))) : keep(binary: message)
                }
            default: break
            }
        }
        finish()
    }

    private func payload(_ short: UInt8) -> [UInt8]? {
        guard short >= 126 else { return take(Int(short)) }
        return take(short == 126 ? 2 : 8).flatMap { take($0.reduce(0) { $0 << 8 | Int($1) }) }
    }

    private func keep(_ message: SocketClient.Message) {
        let object = message.object
        lock.withLock {
            if let id = object["id"] as? Int { replies[id] = message } else { heard.append(message) }
            lock.broadcast()
        }
    }

    /// Source: Protocol/spec/audio.md, "AUDIO_DN" and "BUNDLE_DN".
    private func keep(binary bytes: [UInt8]) {
        func integer(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let now = ServerTime.now
        var found: [SocketClient.Packet] = []
        switch bytes.first {
        case 0x10:
            found = [SocketClient.Packet(sequence: integer(4, 4), flags: Int(bytes[1]), bytes: Array(bytes[20...]))]
        case 0x11:
            var offset = 17
            for index in 0..<Int(bytes[16]) {
                let length = integer(offset + 4, 2)
                // DISCONTINUITY belongs to the first packet, LAST to the last one.
                var flags = Int(bytes[1])
                if index > 0 { flags &= ~1 }
                if index < Int(bytes[16]) - 1 { flags &= ~8 }
                found.append(
                    SocketClient.Packet(
                        sequence: integer(4, 4) + index, flags: flags,
                        bytes: Array(bytes[offset + 6..<offset + 6 + length])))
                offset += 6 + length
            }
        default: break
        }
        lock.withLock {
            packets += found
            binary.append((bytes, now))
        }
    }

    private func finish() {
        lock.withLock {
            hasEnded = true
            lock.broadcast()
        }
    }

    /// - Returns: nil at the end of the connection.
    private func take(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress! + filled, count - filled, 0) }
            guard more > 0 else { return nil }
            filled += more
        }
        return bytes
    }
}
