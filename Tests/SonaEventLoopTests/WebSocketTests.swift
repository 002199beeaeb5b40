import Glibc
import Testing

@testable import SonaEventLoop

@Suite struct WebSocketTests {
    @Test func `messages come back whole, in one frame or many`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        let large = [UInt8](repeating: 0x61, count: 65536)
        socket.send(RawSocket.frame(1, large))
        var echoed: [UInt8] = []
        while echoed.count < 65536 + 10 { echoed += socket.read(limit: 65546 - echoed.count) }
        #expect(Array(echoed[10...]) == large)
        socket.send(RawSocket.frame(2, [1, 2, 3], final: false) + RawSocket.frame(0, [4, 5]))
        #expect(socket.read(limit: 7) == [0x82, 5, 1, 2, 3, 4, 5])
    }

    @Test(arguments: [(1, 65537), (2, 16385)])
    func `one byte past the limit closes with 1009`(opcode: UInt8, count: Int) async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        socket.send(RawSocket.frame(opcode, [UInt8](repeating: 0x61, count: count)))
        #expect(socket.read(limit: 4).suffix(2) == [0x03, 0xF1])
    }

    @Test func `a header that promises an exabyte closes with 1009 before anything is stored`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        socket.send([0x82, 0xFF, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 1, 2, 3])
        #expect(socket.read(limit: 4).suffix(2) == [0x03, 0xF1])
    }

    @Test(arguments: [[0xFF, 0xFE], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func `text that is not UTF-8 closes with 1007`(bytes: [UInt8]) async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        socket.send(RawSocket.frame(1, bytes))
        #expect(socket.read(limit: 4).suffix(2) == [0x03, 0xEF])
    }

    @Test(arguments: [EventLoop.Backend.libuv, .poll])
    func `a close asked for by the handler carries its code and reason`(backend: EventLoop.Backend) async throws {
        let server = try await EchoServer(backend: backend)
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        socket.send(RawSocket.frame(1, Array("close me".utf8)))
        let frame = socket.read(limit: 15)
        #expect(frame.prefix(4) == [0x88, 13, 0x11, 0x33])
        #expect(String(decoding: frame.dropFirst(4), as: UTF8.self) == "as you wish")
    }

    /// Faults in frames that libwebsockets finds (RFC 6455 §5.2, §5.5) are reported to the peer on both backends.
    @Test(
        arguments: [
            ("reserved bit", [0xC1, 0x80, 0, 0, 0, 0]), ("reserved opcode", [0x83, 0x80, 0, 0, 0, 0]),
            ("fragmented ping", [0x09, 0x80, 0, 0, 0, 0]), ("long ping", [0x89, 0xFE, 0, 126, 0, 0, 0, 0]),
            ("continuation of nothing", [0x80, 0x80, 0, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func `broken framing closes with 1002`(name: String, bytes: [UInt8]) async throws {
        for backend in [EventLoop.Backend.libuv, .poll] {
            let server = try await EchoServer(backend: backend)
            let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
            socket.send(bytes)
            let answer = socket.read(limit: 4)
            #expect(answer.first == 0x88 && answer.suffix(2) == [0x03, 0xEA], "\(name), \(backend): \(answer)")
        }
    }

    @Test(
        arguments: [
            (RawSocket.frame(8, []), [0x88, 2, 0x03, 0xE8]),
            (RawSocket.frame(8, [0x03, 0xE8]), [0x88, 2, 0x03, 0xE8]),
            (RawSocket.frame(8, [0x0F, 0xA0]), [0x88, 2, 0x0F, 0xA0]),
            (RawSocket.frame(8, [7]), [0x88, 2, 0x03, 0xEA]),
            (RawSocket.frame(8, [0x03, 0xED]), [0x88, 2, 0x03, 0xEA]),
            (RawSocket.frame(8, [0x03, 0xE8, 0xFF]), [0x88, 2, 0x03, 0xEF]),
        ] as [([UInt8], [UInt8])])
    func `a close is answered, an invalid one with the code of its fault`(sent: [UInt8], answer: [UInt8]) async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        socket.send(sent)
        #expect(socket.read() == answer, "and then the connection ends")
    }

    @Test func `text may be cut anywhere between fragments`() async throws {
        let server = try await EchoServer()
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        let text = Array("é😀ü".utf8)
        for (index, byte) in text.enumerated() {
            socket.send(RawSocket.frame(index == 0 ? 1 : 0, [byte], final: index == text.count - 1))
        }
        #expect(socket.read(limit: 2 + text.count) == [0x81, UInt8(text.count)] + text)
    }

    @Test func `a silent connection is closed`() async throws {
        let limits = WebSocketLimits(text: 100, binary: 100, tooSlowCode: 4408, silence: 0)
        let server = try await EchoServer(limits: limits)
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        // Its turn on the wheel comes within fifteen seconds, the wheel's circumference.
        let frame = socket.read(limit: 4)
        #expect(frame.suffix(2) == [0x11, 0x38])
    }

    /// Goal: of two connections that were silent for as long, the one that answered a ping stays. Way: the wheel is
    /// turned by hand, since a whole round of it takes fifteen seconds.
    @Test func `a connection that answers pings is pinged again and a silent one is closed`() async throws {
        let limits = WebSocketLimits(text: 100, binary: 100, tooSlowCode: 4408, silence: 1)
        let server = try await EchoServer(limits: limits)
        let answering = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        let silent = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        let turn = { (loop: EventLoop) in
            try await loop.run { for _ in 0..<PingWheel.interval { loop.core.pings.tick() } }
        }
        let ping: [UInt8] = [0x89, 4] + Array("sona".utf8)
        try await turn(server.loop)
        #expect(answering.read(limit: 6) == ping && silent.read(limit: 6) == ping)
        usleep(1_050_000)
        answering.send(RawSocket.frame(10, Array("sona".utf8)) + RawSocket.frame(1, [0x61]))
        #expect(answering.read(limit: 3) == [0x81, 1, 0x61], "the pong before it was read, too")
        try await turn(server.loop)
        #expect(answering.read(limit: 6) == ping)
        #expect(silent.read(limit: 4).suffix(2) == [0x11, 0x38])
    }

    @Test func `the client opens, talks and hears the end`() async throws {
        let server = try await EchoServer()
        var options = EventLoop.Options()
        options.backend = .poll
        let loop = EventLoop(options)
        try loop.start()
        defer { loop.stop() }
        let port = server.port
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        try await loop.run {
            let target = WebSocketTarget(host: "127.0.0.1", port: port, path: "/ws", subprotocol: "sona.v1")
            _ = loop.connect(
                to: target, limits: WebSocketLimits(text: 65536, binary: 65536), handler: Recorder(continuation))
        }
        var seen: [String] = []
        for await event in stream {
            seen.append(event)
            if event.hasPrefix("closed") { break }
        }
        #expect(seen == ["opened", "text 11", "binary 16000", "closed 4403 as you wish"])
    }

    @Test func `a client that finds no server reports that`() async throws {
        var options = EventLoop.Options()
        options.backend = .poll
        let loop = EventLoop(options)
        try loop.start()
        defer { loop.stop() }
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        try await loop.run {
            let target = WebSocketTarget(host: "127.0.0.1", port: 1, path: "/ws", subprotocol: "sona.v1")
            _ = loop.connect(
                to: target, limits: WebSocketLimits(text: 100, binary: 100), handler: Recorder(continuation))
        }
        var first: String?
        for await event in stream {
            first = event
            break
        }
        #expect(first?.hasPrefix("failed") == true)
    }
}

private final class Recorder: WebSocketHandler {
    let events: AsyncStream<String>.Continuation
    init(_ events: AsyncStream<String>.Continuation) { self.events = events }
    func webSocketOpened(_ connection: WebSocketConnection) {
        events.yield("opened")
        connection.send(text: Array("hello world".utf8))
        connection.sendUrgent { [UInt8](repeating: 7, count: 10002) }
        connection.sendUrgent { [] }
    }
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        if !isText, bytes.count == 10002 {
            return connection.send(binary: [UInt8](repeating: 3, count: 16000))
        }
        if !isText, bytes.count == 0 { return }
        events.yield("\(isText ? "text" : "binary") \(bytes.count)")
        if !isText { connection.send(text: Array("close me".utf8)) }
    }
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
        if let failure = ending.failure {
            events.yield("failed \(failure)")
        } else {
            events.yield("closed \(ending.code.map(String.init) ?? "-") \(ending.reason)")
        }
    }
}
