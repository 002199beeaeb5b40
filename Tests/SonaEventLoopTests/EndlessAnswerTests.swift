import SonaEventLoop
import Testing

/// Answers that go on until their connections end (`EventLoop.stream`).
@Suite struct EndlessAnswerTests {
    /// Answers every request with an endless body, and adds its connection to a fan-out.
    private final class Application: LoopApplication, WebSocketHandler {
        private let loop: EventLoop
        let fanOut: FanOut
        private var members: [UInt64: FanOut.Member] = [:]
        private(set) var ended = 0

        init(_ loop: EventLoop) {
            self.loop = loop
            fanOut = FanOut(on: loop, from: 0)
        }

        func received(_ request: HTTPRequest, _ exchange: HTTPExchange) {
            let response = HTTPResponse(contentType: "audio/ogg")
            guard let connection = loop.stream(to: exchange.number, response, self) else { return }
            connection.send(WebSocketFrame(raw: Array("first,".utf8)))
            members[connection.number] = fanOut.add(connection, takesFrames: true)
        }

        func send(_ text: String) {
            fanOut.append(raw: Array(text.utf8), due: .max)
            _ = fanOut.send(group: nil, now: MonotonicClock.nowMicroseconds())
        }

        func end() { for member in fanOut.members { member.connection.close(1000, "") } }

        func upgrade(_ request: HTTPRequest) -> UpgradeDecision { .refuse(.text(404, "no")) }
        func webSocketOpened(_ connection: WebSocketConnection) {}
        func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
            Issue.record("what a peer sends is dropped")
        }
        func webSocketWritable(_ connection: WebSocketConnection) {}
        func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
            ended += 1
            if let member = members.removeValue(forKey: connection.number) { fanOut.remove(member) }
        }
    }

    private final class Box: @unchecked Sendable {
        // Safe to share: used on the loop only.
        var application: Application?
    }

    private func serve() async throws -> (loop: EventLoop, port: Int, box: Box) {
        let (loop, box) = (EventLoop(EventLoop.Options()), Box())
        try loop.start()
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        try await loop.run {
            let application = Application(loop)
            box.application = application
            loop.serve(application)
            _ = try loop.accept(socket, for: [loop])
        }
        return (loop, socket.port, box)
    }

    @Test func `bytes go out as they are to all, without a length, and the connection ends after the last`()
        async throws
    {
        let (loop, port, box) = try await serve()
        defer { loop.stop() }
        let sockets = (0..<3).map { _ in RawSocket(port: port) }
        for socket in sockets {
            socket.send("GET /endless HTTP/1.1\r\nHost: x\r\n\r\nGET /pipelined HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = socket.readHead()
            #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("connection: close\r\n"))
            #expect(!head.contains("content-length") && !head.contains("transfer-encoding"))
            #expect(String(decoding: socket.read(until: "first,"), as: UTF8.self) == "first,")
            // No frame of a WebSocket, and no request either.
            socket.send("\u{88}\u{80}nonsense")
        }
        try await loop.run { box.application?.send("one,") }
        try await loop.run { box.application?.send("two,") }
        for socket in sockets {
            #expect(String(decoding: socket.read(until: "two,"), as: UTF8.self) == "one,two,")
        }
        try await loop.run { box.application?.end() }
        for socket in sockets { #expect(socket.read().isEmpty, "no close frame") }
        var ended = 0
        for _ in 0..<100 where ended < 3 {
            try await Task.sleep(for: .milliseconds(50))
            ended = try await loop.run { box.application?.ended ?? 0 }
        }
        #expect(ended == 3)
        try await loop.run { box.application = nil }
    }
}
