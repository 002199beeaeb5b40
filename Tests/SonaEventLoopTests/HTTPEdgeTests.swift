import Glibc
import SonaEventLoop
import Testing

/// Requests at the edges of what HTTP/1.1 allows: each is answered, and in its order.
@Suite struct HTTPEdgeTests {
    private static func get(_ path: String, _ headers: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: x\r\n\(headers)\r\n"
    }

    /// Beginnings of names that libwebsockets' parser knows, on which it waited for ever.
    @Test(arguments: [
        "X-Auth", "X-Forwarded", "X-Real", "If", "Proxy", "User", "Auth", "Content", "Sec", "Cache", "Access-Control",
        "Exp",
        "Replay", "X", "A", "C", "S", "T",
    ])
    func `a header whose name begins like another one does not hide it`(name: String) async throws {
        let server = try await EchoServer()
        let answer = RawSocket.ask(server.port, Self.get("/hello", "\(name): t\r\nConnection: close\r\n"))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("hello GET\n"))
        let headers = RawSocket.plain + "\(name): t\r\nSec-WebSocket-Protocol: sona.v1\r\n"
        let socket = RawSocket(port: server.port)
        socket.send(RawSocket.upgrade(path: "/ws", headers))
        #expect(String(decoding: socket.read(until: "\r\n\r\n"), as: UTF8.self).hasPrefix("HTTP/1.1 101 "))
    }

    @Test(arguments: [
        ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501), ("TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
        ("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501), ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: x\r\nCookie: \(String(repeating: "a", count: 20000))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: x\r\n\(String(repeating: "A: b\r\n", count: 200))\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", 417),
        ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        ("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
        ("hello\r\n\r\n", 501), ("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404),
        ("GET http://y/hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200),
        ("GET /a/../hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200),
    ])
    func `every request is answered and the connection ends`(request: String, status: Int) async throws {
        let server = try await EchoServer()
        let answer = RawSocket.ask(server.port, request)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(60)): \(answer.prefix(60))")
        #expect(answer.contains("\r\nconnection: close\r\n"))
    }

    @Test func `requests sent at once are answered in order, those with bodies too`() async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        func post(_ body: String) -> String {
            "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        var all = ""
        for round in 0..<40 {
            all += post("first \(round)") + Self.get("/later") + Self.get("/hello") + post("last \(round)")
        }
        // Pieces of a size that no request has.
        var rest = Array(all.utf8)[...]
        while !rest.isEmpty {
            socket.send(Array(rest.prefix(997)))
            rest = rest.dropFirst(997)
        }
        let answers = String(decoding: socket.read(until: "last 39"), as: UTF8.self)
        let bodies = answers.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "\n" && $0 != "H" } }
        let expected = (0..<40).flatMap { ["first \($0)", "later", "hello GET", "last \($0)"] }
        #expect(bodies.map { String($0) } == expected)
    }

    @Test func `a large answer to a peer on this machine takes no steps of 40 ms`() async throws {
        let server = try await EchoServer(limits: WebSocketLimits(text: 1 << 20, binary: 4 << 20, queue: 8 << 20))
        let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
        let message = [UInt8](repeating: 7, count: 2 << 20)
        socket.send(RawSocket.frame(2, message))
        // 64 KiB after each delayed acknowledgement would be 32 steps; a busy machine makes a few by itself.
        var (left, steps, last) = (message.count + 10, 0, Int64.max)
        while left > 0, case let count = socket.read(limit: min(left, 32 * 1024)).count, count > 0 {
            left -= count
            let now = MonotonicClock.nowMicroseconds()
            if now > last, now - last > 30_000 { steps += 1 }
            last = now
        }
        #expect(left == 0 && steps < 12, "\(steps) steps")
    }

    /// Goal: an answer that is a little larger than the kernel's buffer for listeners leaves whole, without a wait for the
    /// peer's acknowledgement. Way: peers that read nothing, so that what the kernel does not hold waits in the server.
    @Test func `the kernel takes the last bytes of an answer at once, and no more of what is fanned out`() async throws
    {
        let server = try await EchoServer(limits: WebSocketLimits(text: 1 << 20, binary: 1 << 20, queue: 1 << 20))
        var sockets: [RawSocket] = []
        for kilobytes in stride(from: 56, through: 96, by: 4) {
            let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
            let message = RawSocket.frame(2, [UInt8](repeating: 7, count: kilobytes * 1000))
            sockets += [socket, RawSocket(port: server.port)]
            for socket in sockets.suffix(2) { socket.holdLittle(4096) }
            socket.send(message)
            sockets.last?.send("GET /sized?\(kilobytes * 1000) HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        var waiting = 1
        for _ in 0..<100 where waiting > 0 {
            try await Task.sleep(for: .milliseconds(20))
            waiting = try await server.loop.run { server.loop.queuedBytes }
        }
        #expect(waiting == 0, "\(waiting) bytes wait for peers that read nothing")
        let deaf = try #require(RawSocket.open(server.port, path: "/pump", protocols: nil))
        deaf.holdLittle(4096)
        try await Task.sleep(for: .milliseconds(200))
        let unsent = try await server.loop.run { server.application.value?.pump?.unsentBytes ?? -1 }
        #expect((30_000..<80_000).contains(unsent), "the kernel holds \(unsent) bytes of what is fanned out")
        withExtendedLifetime(sockets) {}
    }

    @Test func `an answer that nobody reads ends its connection, one that is read slowly does not`() async throws {
        let server = try await EchoServer()
        let deaf = RawSocket(port: server.port)
        deaf.holdLittle()
        deaf.send(Self.get("/large"))
        let slow = RawSocket(port: server.port)
        slow.holdLittle()
        slow.send(Self.get("/large"))
        var count = 0
        for _ in 0..<28 {
            count += slow.read(limit: 16384).count
            usleep(500_000)
        }
        while count < 1_000_000, case let more = slow.read(limit: 1_000_000 - count).count, more > 0 { count += more }
        #expect(count >= 1_000_000, "14 s are longer than the 10 s without progress")
        #expect(try await server.loop.run { server.loop.figures.unreadClosed } == 1)
        #expect(deaf.read().count < 1_000_000, "it was closed before it had everything")
    }

    @Test func `a body that stops coming ends its connection after ten seconds`() async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        socket.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\nsome")
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await server.loop.run { server.loop.bodyBytesComing(of: "127.0.0.1") } == 5_000_000)
        #expect(socket.read().isEmpty)
        #expect(try await server.loop.run { server.loop.bodyBytesComing } == 0)
    }
}

/// WebSocket frames where order matters.
@Suite struct WebSocketOrderTests {
    @Test func `a ping within a fragmented message is answered before the message`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
        socket.send(
            RawSocket.frame(1, Array("a".utf8), final: false) + RawSocket.frame(9, [1])
                + RawSocket.frame(0, Array("b".utf8)))
        #expect(socket.read(limit: 7) == [0x8A, 1, 1, 0x81, 2, 0x61, 0x62])
    }

    @Test func `after an error one close frame comes and nothing else`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
        socket.send(RawSocket.frame(1, [0xC3, 0x28]) + RawSocket.frame(11, []) + RawSocket.frame(1, [0x61]))
        let answer = socket.read()
        #expect(Array(answer.prefix(4)) == [0x88, answer[1], 0x03, 0xEF])
        #expect(answer.count == 2 + Int(answer[1]))
    }

    @Test(arguments: [
        [0xC1, 0x8D, 0x82, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 13),
        RawSocket.frame(8, [3, 232] + [UInt8](repeating: 42, count: 124)),
        RawSocket.frame(1, [0xC3, 0x28]),
    ])
    func `after an error the server ends the connection, whatever the peer sends then`(frame: [UInt8]) async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
        for byte in frame { socket.send([byte]) }
        let before = MonotonicClock.nowMicroseconds()
        let answer = socket.read()
        #expect(answer[0] == 0x88 && answer.count == 2 + Int(answer[1]))
        #expect(MonotonicClock.nowMicroseconds() - before < 2_500_000, "it does not wait three seconds to be answered")
    }

    @Test func `a peer's close is answered, and the server ends the connection`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
        socket.send(RawSocket.frame(1, [0x61]) + RawSocket.frame(8, [0x03, 0xE8]) + RawSocket.frame(1, [0x62]))
        #expect(socket.read() == [0x81, 1, 0x61, 0x88, 2, 0x03, 0xE8])
    }

    @Test func `frames cut in any way give the same messages`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
        let messages = [0, 1, 125, 126, 127, 4000, 16000].map { count in
            (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        }
        let frames = messages.flatMap { RawSocket.frame(2, $0, mask: [0x11, 0x22, 0x33, 0x44]) }
        let echoes = messages.flatMap { Array(WebSocketFrameBytes.unmasked($0)) }
        for size in [1, 2, 3, 5, 7, 8, 13, 1000, 40_000] {
            var rest = frames[...]
            while !rest.isEmpty {
                socket.send(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(socket.read(limit: echoes.count) == echoes, "pieces of \(size)")
        }
    }

    @Test func `a message whose end does not come closes its connection`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/any", protocols: nil))
        socket.waitLonger()
        socket.send(RawSocket.frame(1, [0x61], final: false))
        var bytes: [UInt8] = []
        for _ in 0..<40 {
            bytes = socket.read(limit: 4)
            guard bytes.first == 0x89 else { break }
            socket.send(RawSocket.frame(10, Array("sona".utf8)))
            _ = socket.read(limit: 2)
        }
        #expect(Array(bytes.prefix(1)) == [0x88] && Array(bytes.suffix(2)) == [0x03, 0xF0], "1008 after half a minute")
    }
}

/// A frame of a server, for what is expected.
private enum WebSocketFrameBytes {
    static func unmasked(_ payload: [UInt8]) -> [UInt8] {
        payload.count < 126
            ? [0x82, UInt8(payload.count)] + payload
            : [0x82, 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }
}
