import Testing

@testable import SonaEventLoop

@Suite struct HandshakeTests {
    @Test func `a proper handshake gets 101 with the known subprotocol`() async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        socket.send(RawSocket.upgrade(path: "/ws", RawSocket.plain + "Sec-WebSocket-Protocol: nonsense, sona.v1\r\n"))
        let answer = String(decoding: socket.read(until: "\r\n\r\n"), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 101"))
        #expect(answer.lowercased().contains("sec-websocket-protocol: sona.v1\r\n"))
        // RFC 6455 §1.3 gives the answer to this very key.
        #expect(answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    }

    @Test(arguments: [
        ("h2c", "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"),
        ("unknown", "Upgrade: gopher\r\nConnection: Upgrade\r\n"),
        ("TLS", "Upgrade: TLS/1.2\r\nConnection: Upgrade\r\n"),
    ])
    func `an upgrade to anything but websocket is refused`(name: String, headers: String) async throws {
        let server = try await EchoServer()
        let answer = RawSocket.ask(server.port, RawSocket.upgrade(path: "/ws", headers))
        #expect(!answer.contains(" 101"), "\(name)")
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.0 403"))
        #expect(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1") != nil, "the server lives on")
    }

    @Test func `an HTTP2 preface is refused`() async throws {
        let server = try await EchoServer()
        let answer = RawSocket.ask(server.port, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        #expect(!answer.contains("101") && !answer.contains("\0"))
    }

    @Test(arguments: [
        ("version 8", "GET", "1.1", RawSocket.plain.replacing("Version: 13", with: "Version: 8"), "426"),
        ("no version", "GET", "1.1", RawSocket.plain.replacing("Sec-WebSocket-Version: 13\r\n", with: ""), "426"),
        ("POST", "POST", "1.1", RawSocket.plain, "405"),
        ("HTTP/1.0", "GET", "1.0", RawSocket.plain, "400"),
        ("short key", "GET", "1.1", RawSocket.plain.replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "dGhlIA=="), "400"),
        (
            "no key", "GET", "1.1",
            RawSocket.plain.replacing("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", with: ""), "400"
        ),
        (
            "no connection token", "GET", "1.1",
            RawSocket.plain.replacing("Connection: Upgrade", with: "Connection: close"), "400"
        ),
    ])
    func `a handshake against the RFC is refused`(
        name: String, method: String, version: String, headers: String, status: String
    ) async throws {
        let server = try await EchoServer()
        let request = RawSocket.upgrade(
            path: "/ws", headers + "Sec-WebSocket-Protocol: sona.v1\r\n", method: method, version: version)
        let answer = RawSocket.ask(server.port, request)
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(name): \(answer)")
    }

    @Test func `a wrong path or a missing subprotocol is answered by the application`() async throws {
        let server = try await EchoServer()
        #expect(
            RawSocket.ask(server.port, RawSocket.upgrade(path: "/nowhere", RawSocket.plain)).hasPrefix("HTTP/1.1 404"))
        #expect(RawSocket.ask(server.port, RawSocket.upgrade(path: "/ws", RawSocket.plain)).hasPrefix("HTTP/1.1 404"))
    }

    @Test(arguments: [nil, "chat", "chat, superchat", "sona.v1", "(http)"])
    func `an open path takes any subprotocol or none`(offered: String?) async throws {
        let server = try await EchoServer()
        let socket = RawSocket(port: server.port)
        let header = offered.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        socket.send(RawSocket.upgrade(path: "/any", RawSocket.plain + header))
        let answer = String(decoding: socket.read(until: "\r\n\r\n"), as: UTF8.self)
        if offered == "(http)" {
            #expect(!answer.contains("101"), "not a token, so not a subprotocol")
            return
        }
        #expect(answer.hasPrefix("HTTP/1.1 101"))
        let first = offered?.split(separator: ",").first.map(String.init)
        #expect(answer.lowercased().contains("sec-websocket-protocol") == (first != nil))
        if let first { #expect(answer.contains(first)) }
    }

    @Test func `a connection over the cap is closed and the others stay`() async throws {
        let server = try await EchoServer(perAddress: 3)
        let kept = (0..<3).compactMap { _ in RawSocket.open(server.port, path: "/ws", protocols: "sona.v1") }
        #expect(kept.count == 3)
        #expect(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1") == nil)
        kept[0].send(RawSocket.frame(1, Array("hi".utf8)))
        #expect(kept[0].read(limit: 4) == [0x81, 2, 0x68, 0x69])
    }

    @Test func `a place is free again when its connection has gone`() async throws {
        let server = try await EchoServer(perAddress: 1)
        for _ in 0..<20 {
            var socket = RawSocket.open(server.port, path: "/ws", protocols: "sona.v1")
            for _ in 0..<50 where socket == nil {
                try await Task.sleep(for: .milliseconds(20))
                socket = RawSocket.open(server.port, path: "/ws", protocols: "sona.v1")
            }
            #expect(socket != nil)
        }
    }
}
