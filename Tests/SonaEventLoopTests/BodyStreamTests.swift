import Glibc
import SonaEventLoop
import SonaTestSupport
import Testing

/// Bodies that are read from files, and bodies that go to sinks.
@Suite struct BodyStreamTests {
    private let folder = TemporaryFolder()

    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    private func serve(_ bytes: [UInt8], _ identity: TLSIdentity? = nil) async throws -> EchoServer {
        let server = try await EchoServer(identity: identity)
        let path = folder.file("body")
        TemporaryFolder.write(bytes, toFile: path)
        let file = try #require(BodyFile(path: path))
        try await server.loop.run { [application = server.application] in application.value?.file = file }
        return server
    }

    private func body(_ answer: [UInt8]) -> [UInt8] {
        for index in answer.indices.dropLast(3) where answer[index..<index + 4].elementsEqual([13, 10, 13, 10]) {
            return Array(answer[(index + 4)...])
        }
        return []
    }

    private static let get = "GET /file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    // MARK: Files

    @Test(arguments: [0, 1, 32 * 1024, 32 * 1024 + 1, 64 * 1024, 5_000_003])
    func `a file arrives byte for byte, whatever its length`(count: Int) async throws {
        let bytes = Self.noise(count)
        let server = try await serve(bytes)
        let socket = RawSocket(port: server.port)
        socket.send(Self.get)
        let answer = socket.read(limit: 6_000_000)
        #expect(String(decoding: answer.prefix(400), as: UTF8.self).contains("content-length: \(count)\r\n"))
        #expect(body(answer) == bytes)
    }

    @Test func `parts of a file and other requests follow each other on one connection`() async throws {
        let bytes = Self.noise(300_000)
        let server = try await serve(bytes)
        let socket = RawSocket(port: server.port)
        for range in [0..<300_000, 100_000..<100_001, 65_536..<300_000] {
            socket.send("GET /file?\(range.lowerBound)-\(range.upperBound) HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = socket.readHead()
            #expect(head.contains("content-length: \(range.count)\r\n"))
            #expect(socket.read(limit: range.count) == Array(bytes[range]))
            socket.send("HEAD /file HTTP/1.1\r\nHost: x\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(socket.readHead().contains("content-length: 300000\r\n"))
            #expect(socket.readHead().hasPrefix("HTTP/1.1 200"))
            #expect(socket.read(limit: 10) == Array("hello GET\n".utf8))
        }
    }

    @Test func `the part that a client asks for arrives, unless it holds another file or has this one`() async throws {
        let bytes = Self.noise(100_000)
        let server = try await serve(bytes)
        func ask(_ headers: String, method: String = "GET") -> [UInt8] {
            let socket = RawSocket(port: server.port)
            socket.send("\(method) /ranges HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(headers)\r\n")
            return socket.read()
        }
        func head(_ answer: [UInt8]) -> String { String(decoding: answer.prefix(500), as: UTF8.self) }
        let part = ask("Range: bytes=1000-1999\r\n")
        #expect(
            head(part).hasPrefix("HTTP/1.1 206") && head(part).contains("content-range: bytes 1000-1999/100000\r\n"))
        #expect(body(part) == Array(bytes[1000..<2000]))
        let same = ask("Range: bytes=-5\r\nIf-Range: \"one\"\r\n")
        #expect(head(same).hasPrefix("HTTP/1.1 206") && body(same) == Array(bytes.suffix(5)))
        for other in ["\"two\"", "W/\"one\"", "Wed, 25 Nov 2026 20:00:00 GMT"] {
            let whole = ask("Range: bytes=-5\r\nIf-Range: \(other)\r\n")
            #expect(head(whole).hasPrefix("HTTP/1.1 200") && body(whole) == bytes)
        }
        let beyond = ask("Range: bytes=100000-\r\n")
        #expect(head(beyond).hasPrefix("HTTP/1.1 416") && head(beyond).contains("content-range: bytes */100000\r\n"))
        #expect(head(ask("If-None-Match: \"x\", W/\"one\"\r\n")).hasPrefix("HTTP/1.1 304"))
        let asked = ask("Range: bytes=0-1\r\n", method: "HEAD")
        #expect(head(asked).hasPrefix("HTTP/1.1 200") && head(asked).contains("accept-ranges: bytes\r\n"))
        #expect(body(asked).isEmpty)
    }

    @Test func `a file that becomes shorter ends the connection`() async throws {
        let server = try await serve(Self.noise(4_000_000))
        let socket = RawSocket(port: server.port)
        socket.holdLittle()
        socket.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = socket.read(limit: 1000)
        truncate(folder.file("body"), 1_000_000)
        #expect(socket.read(limit: 4_000_000).count < 3_000_000)
    }

    /// Goal: many who take a file slowly hold little of it, and delay nobody else.
    @Test func `two hundred who do not read hold no more than their windows`() async throws {
        let server = try await serve(Self.noise(4_000_000))
        let sockets = (0..<200).map { _ in RawSocket(port: server.port) }
        for socket in sockets {
            socket.holdLittle()
            socket.send(Self.get)
        }
        try await Task.sleep(for: .milliseconds(500))
        let waiting = try await server.loop.run { server.loop.queuedBytes }
        #expect(waiting <= 200 * 64 * 1024 && waiting > 0, "\(waiting)")
        let clock = ContinuousClock()
        let time = clock.measure { #expect(RawSocket.ask(server.port, Self.hello).hasSuffix("hello GET\n")) }
        #expect(time < .seconds(2))
        // They are not forgotten: one of them reads all of it.
        #expect(body(sockets[100].read(limit: 5_000_000)) == Self.noise(4_000_000))
    }

    private static let hello = "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    @Test func `eight who read at once all get the whole file`() async throws {
        let bytes = Self.noise(3_000_000)
        let server = try await serve(bytes)
        let port = server.port
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let socket = RawSocket(port: port)
                    socket.send(Self.get)
                    return socket.read(limit: 4_000_000).suffix(bytes.count).elementsEqual(bytes)
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
        #expect(try await server.loop.run { server.loop.figures.fileBytesOut } >= 8 * 3_000_000)
    }

    // MARK: Sinks

    private func post(_ count: Int) -> String { "PUT /sink HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n" }

    private func sink(_ server: EchoServer) async throws -> MemorySink? {
        try await server.loop.run { server.application.value?.sinks.last }
    }

    @Test(arguments: [1, 65_535, 65_536, 65_537, 3_000_001])
    func `a body goes to its sink, in order and in pieces`(count: Int) async throws {
        let server = try await EchoServer()
        let bytes = Self.noise(count)
        let socket = RawSocket(port: server.port)
        socket.send(Array(post(count).utf8) + bytes + Array(Self.hello.utf8))
        let answer = String(decoding: socket.read(), as: UTF8.self)
        #expect(answer.contains("\r\n\r\n\(count)\n") && answer.hasSuffix("hello GET\n"))
        let sink = try #require(try await sink(server))
        #expect(sink.bytes == bytes)
        #expect(sink.isWhole == true)
        #expect(sink.pieces.allSatisfy { $0 <= 192 * 1024 })
    }

    @Test func `a slow sink holds the network back, and gets all of it`() async throws {
        let server = try await EchoServer()
        try await server.loop.run { server.application.value?.sinkDelay = 5_000 }
        let bytes = Self.noise(8_000_000)
        let socket = RawSocket(port: server.port)
        socket.send(Array(post(bytes.count).utf8) + bytes)
        #expect(String(decoding: socket.read(until: "8000000\n"), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        let sink = try #require(try await sink(server))
        #expect(sink.bytes == bytes)
        #expect(sink.pieces.allSatisfy { $0 <= 192 * 1024 }, "\(sink.pieces.max() ?? 0)")
    }

    @Test func `a connection that ends leaves the sink what came`() async throws {
        let server = try await EchoServer()
        let bytes = Self.noise(200_000)
        do {
            let socket = RawSocket(port: server.port)
            socket.send(Array(post(300_000).utf8) + bytes)
            try await Task.sleep(for: .milliseconds(200))
        }
        let sink = try #require(try await sink(server))
        for _ in 0..<100 where sink.isWhole == nil { try await Task.sleep(for: .milliseconds(20)) }
        #expect(sink.isWhole == false)
        #expect(sink.bytes == bytes)
    }

    @Test func `a sink that takes no more has the request answered and the connection ended`() async throws {
        let server = try await EchoServer()
        try await server.loop.run { server.application.value?.sinkBytesMax = 100_000 }
        let socket = RawSocket(port: server.port)
        socket.send(Array(post(1_000_000).utf8) + Self.noise(1_000_000))
        let answer = String(decoding: socket.read(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 507") && answer.contains("connection: close"))
        #expect(try await sink(server)?.isWhole == false)
    }

    @Test func `a body without bytes has no sink`() async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        socket.send("PUT /sink HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: socket.read(), as: UTF8.self).hasSuffix("no body\n"))
    }
}

extension RawSocket {
    /// The head of the next answer.
    func readHead() -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = read(limit: 1)
            if byte.isEmpty { break }
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }
}
