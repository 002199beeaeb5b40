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
