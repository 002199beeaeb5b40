import Glibc
import SonaEventLoop
import SonaTestSupport
import Testing

/// TLS on one port beside the little that goes without, by real handshakes.
@Suite struct TLSTests {
    static let identity: TLSIdentity = {
        let made = TestCertificate.shared
        do throws(EventLoopError) {
            return try TLSIdentity(certificateFile: made.certificate(), keyFile: made.key())
        } catch {
            fatalError(error.detail)
        }
    }()

    static let trust = TLSTrust(authorityFile: TestCertificate.shared.authority)
    static let backends = [EventLoop.Backend.libuv, .poll]

    private func server(_ backend: EventLoop.Backend = .poll) async throws -> EchoServer {
        try await EchoServer(backend: backend, identity: Self.identity)
    }

    private func get(_ path: String, _ headers: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n"
    }

    // MARK: Over TLS

    @Test(arguments: backends)
    func `requests, large answers and uploads pass through`(backend: EventLoop.Backend) async throws {
        let server = try await server(backend)
        #expect(try SecureSocket.ask(server.port, get("/hello")).hasSuffix("hello GET\n"))
        let large = try SecureSocket.ask(server.port, get("/large"))
        #expect(large.utf8.count > 1_000_000 && large.hasSuffix(String(repeating: "A", count: 1000)))

        let photo = (0..<5 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let sum = photo.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let socket = try SecureSocket(server.port)
        try socket.send(
            Array(
                "POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(photo.count)\r\n\r\n".utf8
            ))
        try socket.send(photo)
        #expect(String(decoding: try socket.readAll(), as: UTF8.self).hasSuffix("\(photo.count) \(sum)\n"))
    }

    @Test(arguments: backends)
    func `a client paused in the middle of a record holds up nobody, and is heard to the end`(
        backend: EventLoop.Backend
    ) async throws {
        let server = try await server(backend)
        let socket = try SecureSocket.open(server.port, path: "/pauses", protocols: nil)
        // One record holds them all.
        let messages = (0..<900).flatMap { RawSocket.frame(2, [UInt8($0 / 256), UInt8($0 % 256)]) }
        #expect(messages.count < 16_384)
        try socket.send(messages)
        #expect(try SecureSocket.ask(server.port, get("/hello")).hasSuffix("hello GET\n"))
        try socket.send(messages)
        let echoes = (0..<900).flatMap { number -> [UInt8] in [0x82, 2, UInt8(number / 256), UInt8(number % 256)] }
        #expect(try socket.read(echoes.count * 2) == echoes + echoes)
    }

    @Test(arguments: backends)
    func `WebSockets speak, close with their code, and answer pings`(backend: EventLoop.Backend) async throws {
        let server = try await server(backend)
        let socket = try SecureSocket.open(server.port, path: "/ws", protocols: "sona.v1")
        let large = [UInt8](repeating: 0x61, count: 65536)
        try socket.send(RawSocket.frame(1, large))
        #expect(Array(try socket.read(65546)[10...]) == large)
        try socket.send(RawSocket.frame(9, [7]))
        #expect(try socket.read(3) == [0x8A, 1, 7])
        try socket.send(RawSocket.frame(1, Array("close me".utf8)))
        #expect(try socket.read(15) == [0x88, 13, 0x11, 0x33] + Array("as you wish".utf8))
    }

    /// Frames are written to the socket past libwebsockets' own framing. Here the reader stands still while 40 000 a
    /// second are offered: what it reads afterwards must be whole frames, in order, and then the close frame.
    @Test(arguments: backends)
    func `a client that stood still reads an intact stream`(backend: EventLoop.Backend) async throws {
        let server = try await server(backend)
        let socket = try SecureSocket.open(server.port, path: "/pump", protocols: nil)
        var last: Int64 = -1
        var left = 0
        for round in 0..<2_000_000 {
            if round == 200 || round == 9000 { try await Task.sleep(for: .seconds(2)) }
            let header = try socket.read(2)
            try #require(header.count == 2)
            if header[0] == 0x88 {
                #expect(try socket.read(Int(header[1])) == [0x0F, 0xA0] + Array("that was all".utf8))
                break
            }
            try #require(header[0] == 0x82, "frame \(round) has no header")
            var count = Int(header[1])
            if count == 126 { count = try socket.read(2).reduce(0) { $0 << 8 | Int($1) } }
            let message = try socket.read(count)
            let number = message.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            try #require(message == Pump.message(number) && Int64(number) > last, "frame \(round)")
            left += Int(Int64(number) - last - 1)
            last = Int64(number)
        }
        #expect(left > 1000, "the socket was full at some time")
    }

    @Test func `only HTTP 1.1 is spoken, over TLS 1.2 or newer`() async throws {
        let server = try await server()
        let address = ["s_client", "-connect", "127.0.0.1:\(server.port)"]
        let both = TestCertificate.run(address + ["-alpn", "h2,http/1.1"])
        #expect(both.contains("ALPN protocol: http/1.1") && both.contains("TLSv1.3"))
        #expect(TestCertificate.run(address + ["-tls1_2"]).contains("Protocol  : TLSv1.2"))
        let old = TestCertificate.run(address + ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        #expect(old.contains("alert protocol version"))
    }

    @Test func `a name that is one of libwebsockets' own changes nothing`() async throws {
        let server = try await server()
        for name in ["(sona)", "(sona-tls)", "s", "other.example"] {
            let said = TestCertificate.run(
                ["s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", name, "-ign_eof"],
                input: get("/hello"))
            #expect(said.contains("hello GET"), "\(name)")
        }
    }

    // MARK: Resumption

    @Test(arguments: ["-tls1_3", "-tls1_2"])
    func `a session is resumed, on another loop too`(version: String) async throws {
        let (first, second) = try await (server(.libuv), server(.poll))
        let stranger = try await EchoServer(
            backend: .poll,
            identity: TLSIdentity(
                certificateFile: TestCertificate.shared.certificate(), keyFile: TestCertificate.shared.key()))
        let file = TestCertificate.shared.file("session\(version)")
        func visit(_ server: EchoServer, _ option: String) -> String {
            TestCertificate.run(
                [
                    "s_client", "-connect", "127.0.0.1:\(server.port)", version, option, file, "-ign_eof", "-CAfile",
                    TestCertificate.shared.authority,
                ], input: get("/hello"))
        }
        #expect(visit(first, "-sess_out").contains("New, TLS"))
        for server in [first, second] {
            let said = visit(server, "-sess_in")
            #expect(said.contains("Reused, TLS") && said.contains("hello GET"))
        }
        // The same certificate, but keys of its own: nothing is resumed, and nothing fails.
        let said = visit(stranger, "-sess_in")
        #expect(said.contains("New, TLS") && said.contains("hello GET"))
    }

    @Test func `renegotiation is refused`() async throws {
        let server = try await server()
        let said = TestCertificate.run(
            ["s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2"], input: "R\n")
        #expect(said.contains("no renegotiation") || said.contains("alert number 100"), "\(said.suffix(300))")
    }

    // MARK: Without TLS

    @Test func `plain requests are sent to the TLS address, whatever their path`() async throws {
        let server = try await server()
        func location(_ target: String, host: String = "sona.example:8443") -> String? {
            let answer = RawSocket.ask(server.port, "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            guard answer.hasPrefix("HTTP/1.1 308 ") else { return nil }
            let line = answer.split(separator: "\r\n").first { $0.hasPrefix("location: ") }
            return line.map { String($0.dropFirst(10)) }
        }
        #expect(location("/r/room") == "https://sona.example:8443/r/room")
        #expect(location("/a%20b%22?x=1%2B2&y=%C3%A9") == "https://sona.example:8443/a%20b%22?x=1%2B2&y=%C3%A9")
        #expect(location("/", host: "[::1]:1") == "https://[::1]:1/")
        let split = RawSocket.ask(server.port, "GET /a%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(!split.contains("\r\nX-Evil"))
        for host in ["a/b", "a b", "u@h", "a\\b", "x:y", "x:123456", "[::1", "[x]", "é.example", "a\"b", "?", "a,b"] {
            let answer = RawSocket.ask(server.port, "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(host): \(answer.prefix(40))")
        }
        for request in ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"] {
            #expect(RawSocket.ask(server.port, request).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `plain posts and WebSockets are refused, but local reads are not`() async throws {
        let server = try await server()
        let body = String(repeating: "x", count: 100_000)
        let post = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + body
        for request in [post, RawSocket.upgrade(path: "/ws", RawSocket.plain + "Sec-WebSocket-Protocol: sona.v1\r\n")] {
            let answer = RawSocket.ask(server.port, request)
            #expect(answer.hasPrefix("HTTP/1.1 426 ") && answer.contains("TLS is spoken here"))
        }
        #expect(RawSocket.ask(server.port, get("/hello")).hasSuffix("hello GET\n"))
        let kept = RawSocket(port: server.port)
        kept.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = kept.read(until: "hello GET\n")
        kept.send("GET /body HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(String(decoding: kept.read(), as: UTF8.self).hasPrefix("HTTP/1.1 308 "))
    }

    @Test func `a client that says nothing, or nothing sensible, is closed`() async throws {
        let server = try await server()
        let silent = RawSocket(port: server.port)
        let half = RawSocket(port: server.port)
        half.send([0x16, 3, 1])
        let nonsense = RawSocket(port: server.port)
        nonsense.send([0x16] + [UInt8](repeating: 0xFF, count: 2000))
        #expect(nonsense.read().count < 100)
        let idle = try SecureSocket.open(server.port, path: "/any", protocols: nil)
        #expect(half.read().count < 100)
        #expect(silent.read().count < 100)
        try idle.send(RawSocket.frame(1, [0x61]))
        var answer = try idle.read(2)
        // A ping may have come meanwhile.
        if answer == [0x89, 0] { answer = try idle.read(2) }
        #expect(try answer + idle.read(1) == [0x81, 1, 0x61], "who had asked for something stays")
        #expect(try await server.loop.run { server.loop.socketCount } == 1)
    }
}

/// A blocking connection with TLS.
final class SecureSocket {
    let raw: RawSocket
    private let stream: TLSStream
    private var waiting: ArraySlice<UInt8> = []

    init(_ port: Int, host: String = "localhost", trust: TLSTrust = TLSTests.trust) throws {
        raw = RawSocket(port: port)
        stream = try TLSStream(raw.descriptor, host: host, trust: trust)
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard case .bytes(let count) = try stream.write(rest), count > 0 else { throw Silence() }
            rest = rest.dropFirst(count)
        }
    }

    struct Silence: Error {}

    /// Bytes as they come; none at the end.
    private func readSome() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        guard case .bytes(let count) = try stream.read(into: &buffer) else { throw Silence() }
        return Array(buffer[..<count])
    }

    func read(_ count: Int) throws -> [UInt8] {
        while waiting.count < count {
            let more = try readSome()
            if more.isEmpty { break }
            waiting = Array(waiting)[...] + more
        }
        defer { waiting = waiting.dropFirst(count) }
        return Array(waiting.prefix(count))
    }

    func readAll() throws -> [UInt8] {
        var all = Array(waiting)
        while case let more = try readSome(), !more.isEmpty { all += more }
        return all
    }

    static func ask(_ port: Int, _ request: String) throws -> String {
        let socket = try SecureSocket(port)
        try socket.send(Array(request.utf8))
        return String(decoding: try socket.readAll(), as: UTF8.self)
    }

    static func open(_ port: Int, path: String, protocols: String?) throws -> SecureSocket {
        let socket = try SecureSocket(port)
        let offered = protocols.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        try socket.send(Array(RawSocket.upgrade(path: path, RawSocket.plain + offered).utf8))
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let next = try socket.read(1)
            if next.isEmpty { throw Silence() }
            head += next
        }
        guard String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 101") else { throw Silence() }
        return socket
    }
}
