import SonaEventLoop
import Testing

@Suite struct HTTPTests {
    private func get(_ port: Int, _ path: String, method: String = "GET", _ headers: String = "") -> String {
        RawSocket.ask(port, "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(headers)\r\n")
    }

    @Test func `requests are answered now or later, HEAD without a body`() async throws {
        let server = try await EchoServer()
        #expect(get(server.port, "/hello").hasSuffix("\r\n\r\nhello GET\n"))
        #expect(get(server.port, "/later").hasSuffix("\r\n\r\nlater\n"))
        let head = get(server.port, "/hello", method: "HEAD")
        #expect(head.hasPrefix("HTTP/1.1 200") && head.hasSuffix("\r\n\r\n"))
        #expect(get(server.port, "/nowhere").hasPrefix("HTTP/1.1 404"))
    }

    @Test func `a large answer arrives whole`() async throws {
        let server = try await EchoServer()
        let answer = get(server.port, "/large")
        #expect(answer.utf8.count > 1_000_000)
        #expect(answer.hasSuffix(String(repeating: "A", count: 1000)))
    }

    @Test func `a body comes back and one past the limit gets 413`() async throws {
        let server = try await EchoServer()
        let body = String(repeating: "b", count: 64 * 1024)
        #expect(get(server.port, "/body", method: "POST", "Content-Length: 65536\r\n\r\n\(body)").hasSuffix("bbb"))
        #expect(get(server.port, "/body", method: "POST", "Content-Length: 65537\r\n").hasPrefix("HTTP/1.1 413"))
        #expect(get(server.port, "/body", method: "POST", "Content-Length: 0\r\n").hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [
        "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: -1\r\n", "Content-Length: 5x\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Host: other\r\n",
    ])
    func `framing that two readers could understand differently is refused`(headers: String) async throws {
        let server = try await EchoServer()
        #expect(get(server.port, "/body", method: "POST", headers).hasPrefix("HTTP/1.1 400"))
    }

    @Test func `a request without Host is refused and a chunked body wants its length`() async throws {
        let server = try await EchoServer()
        #expect(
            RawSocket.ask(server.port, "GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n").hasPrefix("HTTP/1.1 400"))
        #expect(get(server.port, "/body", method: "POST", "Transfer-Encoding: chunked\r\n").hasPrefix("HTTP/1.1 411"))
    }

    @Test func `a connection is kept for the next request`() async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        for _ in 0..<3 {
            socket.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(String(decoding: socket.read(until: "hello GET\n"), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `headers past the limit end the connection`() async throws {
        let server = try await EchoServer()
        let headers = (0..<400).map { "X-Filler-\($0): \(String(repeating: "y", count: 60))\r\n" }.joined()
        #expect(!get(server.port, "/hello", headers).contains("200 OK"))
        #expect(get(server.port, "/hello").contains("200 OK"))
    }
}

/// Bytes after or in place of a body. libwebsockets 4.1.6 goes on reading a missing body. If the bytes are in its
/// memory already, it does so without end, which blocks the whole loop.
@Suite struct HTTPBodyTests {
    private static let post = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok"
    private static let get = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test(arguments: [
        post + post, get + post, post + "x", get + "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5x\r\n\r\n",
        get + "GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
        get + "PUT /x HTTP/1.1\r\nHost: x\r\n\r\n",
        get + "POST /later HTTP/1.1\r\nHost: x\r\n\r\n" + get, post + get + post + get,
        "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n" + get,
    ])
    func `requests in one packet, well formed or not, leave the server answering`(bytes: String) async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        socket.send(bytes)
        try await Task.sleep(for: .milliseconds(200))
        let calls = try await server.loop.run { server.loop.figures.requests }
        #expect(calls <= 4, "each request is taken once")
        let other = RawSocket(port: server.port)
        other.send(Self.get)
        #expect(String(decoding: other.read(until: "hello GET\n"), as: UTF8.self).contains("200 OK"))
    }

    @Test func `two requests in one packet are both answered`() async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        socket.send(Self.get + Self.get)
        var text = ""
        while text.components(separatedBy: "hello GET\n") < 2 {
            let piece = socket.read(limit: 1)
            if piece.isEmpty { break }
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(text.components(separatedBy: "hello GET\n") == 2)
    }

    @Test func `a byte after a body does not run the request again`() async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        socket.send("POST /later HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok")
        try await Task.sleep(for: .milliseconds(2))
        for _ in 0..<5 { socket.send("x") }
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await server.loop.run { server.application.value?.laterCount ?? 0 } == 1)
    }

    @Test func `an address that asks too often gets 429 on whichever connection, an exempt one never`() async throws {
        for isLimited in [true, false] {
            let policy = ClientPolicy(exempt: isLimited ? [] : ["127.0.0.1"], requestsPerSecond: 20)
            let server = try await EchoServer(clients: policy)
            for _ in 0..<2 {
                let socket = RawSocket(port: server.port)
                for _ in 0..<10 {
                    socket.send(Self.get)
                    let answer = String(decoding: socket.read(until: "hello GET\n"), as: UTF8.self)
                    #expect(answer.hasPrefix("HTTP/1.1 200"))
                }
            }
            let answers = (0..<20).map { _ in RawSocket.ask(server.port, Self.closing) }
            #expect(answers.contains { $0.hasPrefix("HTTP/1.1 429") && $0.contains("retry-after: 1") } == isLimited)
        }
    }

    private static let closing = "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
}

extension String {
    fileprivate func components(separatedBy separator: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
