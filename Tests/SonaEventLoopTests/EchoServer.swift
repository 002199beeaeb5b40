import Glibc
import SonaBase
import SonaEventLoop
import Synchronization

/// A loop with a listening socket on port 0 that echoes WebSocket messages and answers a few paths.
final class EchoServer: Sendable {
    let loop: EventLoop
    let port: Int
    let application = LoopBox()

    init(
        limits: WebSocketLimits = WebSocketLimits(text: 65536, binary: 16384), perAddress: Int = 512,
        backend: EventLoop.Backend = .libuv, identity: TLSIdentity? = nil, clients: ClientPolicy? = nil
    ) async throws {
        var options = EventLoop.Options()
        options.backend = backend
        options.subprotocols = ["sona.v1"]
        options.identity = identity
        options.clients = clients ?? ClientPolicy(connectionsPerAddressMax: perAddress, census: ConnectionCensus())
        options.pathsWithoutTLS = ["/hello"]
        let loop = EventLoop(options)
        try loop.start()
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        try await loop.run { [application] in
            let echo = EchoApplication(limits: limits, loop: loop)
            application.value = echo
            loop.serve(echo)
            _ = try loop.accept(socket, for: [loop])
        }
        self.loop = loop
        port = socket.port
    }

    deinit { loop.stop() }
}

/// The application, for a look at it on its loop.
final class LoopBox: @unchecked Sendable {
    // Safe to share: used on the loop only.
    weak var value: EchoApplication?
}

final class EchoApplication: LoopApplication {
    let limits: WebSocketLimits
    let loop: EventLoop
    private(set) var laterCount = 0
    init(limits: WebSocketLimits, loop: EventLoop) {
        self.limits = limits
        self.loop = loop
    }

    /// The last one.
    private(set) weak var pump: Pump?
    /// The file of `/file`, and the sinks of `/sink` so far.
    var file: BodyFile?
    /// The file of `/growing`.
    var growing: GrowingFile?
    private(set) var sinks: [MemorySink] = []
    var sinkDelay: UInt32 = 0
    var sinkBytesMax = Int.max

    func received(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        switch request.path {
        case "/file":
            var response = HTTPResponse(contentType: "audio/ogg")
            guard let file else { return exchange.respond(.text(404, "no file")) }
            let range = request.query.split(separator: "-").compactMap { Int64($0) }
            response.file = FileBody(file, range: range.count == 2 ? range[0]..<range[1] : nil)
            exchange.respond(response)
        case "/growing":
            var response = HTTPResponse(contentType: "audio/ogg")
            response.growing = growing
            exchange.respond(response)
        case "/ranges":
            guard let file else { return exchange.respond(.text(404, "no file")) }
            exchange.respond(.file(file, to: request, contentType: "audio/flac", tag: "\"one\""))
        case "/sink":
            guard let sink = request.sink as? MemorySink else { return exchange.respond(.text(200, "no body")) }
            exchange.respond(.text(sink.isWhole == true ? 200 : 507, "\(sink.bytes.count)"))
        case "/hello": exchange.respond(.text(200, "hello \(request.method.rawValue)"))
        case "/later":
            laterCount += 1
            let number = exchange.number
            let loop = self.loop
            // From an iteration of the loop that is not the request's own; a task might wait for tests that block its
            // threads.
            loop.schedule(after: .milliseconds(20)) { loop.respond(to: number, .text(200, "later")) }
        case "/sized": exchange.respond(HTTPResponse(body: [UInt8](repeating: 65, count: Int(request.query) ?? 0)))
        case "/large": exchange.respond(HTTPResponse(body: [UInt8](repeating: 65, count: 1_000_000)))
        case "/upload":
            let sum = request.body.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            exchange.respond(.text(200, "\(request.body.count) \(sum)"))
        case "/body": exchange.respond(HTTPResponse(body: request.body))
        default: exchange.respond(.text(404, "nothing here"))
        }
    }

    /// As large as a photo may be.
    func body(of request: HTTPRequest, bytes: Int) -> BodyDecision {
        if request.path == "/sink" {
            let sink = MemorySink(delay: sinkDelay, bytesMax: sinkBytesMax)
            sinks.append(sink)
            return .stream(sink)
        }
        return request.path == "/upload" && bytes <= 5 << 20 ? .take : Self.ordinaryBody(bytes)
    }

    private func newPump() -> Pump {
        let new = Pump(loop)
        pump = new
        return new
    }

    func upgrade(_ request: HTTPRequest) -> UpgradeDecision {
        switch request.path {
        case "/ws" where request.subprotocols.contains("sona.v1"): .accept(Echo(), limits)
        case "/any": .acceptAnySubprotocol(Echo(), limits)
        case "/pauses": .acceptAnySubprotocol(Pausing(loop), limits)
        case "/pump": .acceptAnySubprotocol(newPump(), limits)
        case "/moved":
            .refuse(HTTPResponse(status: 308, headers: [(name: "location", value: "https://localhost:1/ws")]))
        default: .refuse(.text(404, "no WebSocket here"))
        }
    }
}

/// Sends numbered messages of changing length straight to the socket, forty each millisecond, past a peer that does not
/// read: those that don't fit are left out. Closes after 100 000 numbers.
final class Pump: WebSocketHandler {
    private let loop: EventLoop
    private var number: UInt32 = 0
    private weak var connection: WebSocketConnection?
    static let end: UInt32 = 100_000
    /// Bytes that the kernel holds.
    var unsentBytes: Int? { connection?.unsentBytes }

    init(_ loop: EventLoop) { self.loop = loop }

    func webSocketOpened(_ connection: WebSocketConnection) {
        self.connection = connection
        step()
    }

    private func step() {
        guard let connection, connection.isOpen else { return }
        for _ in 0..<40 {
            guard number < Self.end else { return connection.close(4000, "that was all") }
            // The library finishes a message that a full socket has begun. The next message is not begun.
            _ = connection.writeNow(WebSocketFrame(binary: Self.message(number)))
            number += 1
        }
        loop.schedule(after: .milliseconds(1)) { [self] in step() }
    }

    static func message(_ number: UInt32) -> [UInt8] {
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return bytes + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Int(number % 400))
    }

    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {}
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
}

/// Echoes, and takes a breath of 10 ms at every hundredth message.
final class Pausing: WebSocketHandler {
    private let loop: EventLoop
    private var count = 0

    init(_ loop: EventLoop) { self.loop = loop }

    func webSocketOpened(_ connection: WebSocketConnection) {}
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        connection.send(binary: Array(bytes))
        count += 1
        guard count % 100 == 0 else { return }
        connection.pauseReading()
        loop.schedule(after: .milliseconds(10)) { [weak connection] in connection?.resumeReading() }
    }
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
}

final class Echo: WebSocketHandler {
    func webSocketOpened(_ connection: WebSocketConnection) {}
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        if isText, bytes.elementsEqual("close me".utf8) { return connection.close(4403, "as you wish") }
        if isText, bytes.elementsEqual("I can wait".utf8) { connection.mayWait = true }
        isText ? connection.send(text: Array(bytes)) : connection.send(binary: Array(bytes))
    }
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
}

/// A blocking TCP connection for saying things no proper client would.
final class RawSocket {
    let descriptor: Int32

    init(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // Longer than the fifteen seconds after which the ping wheel has come round.
        var timeout = timeval(tv_sec: 25, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Has the kernel take little that is not read. Before anything has been sent.
    func holdLittle(_ bytes: Int32 = 65536) {
        var bytes = bytes
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits for up to a minute for something to read.
    func waitLonger() {
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Has the end come as a reset, not as a polite one.
    func resetAtClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Returns the bytes received until the other side closed, `limit` bytes were there or `marker` was seen.
    func read(until marker: String? = nil, limit: Int = 4_000_000) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while all.count < limit {
            let count = recv(descriptor, &buffer, min(buffer.count, limit - all.count), 0)
            guard count > 0 else { break }
            all += buffer[..<count]
            if let marker, String(decoding: all, as: UTF8.self).contains(marker) { break }
        }
        return all
    }

    /// One exchange; the answer as text.
    static func ask(_ port: Int, _ request: String) -> String {
        let socket = RawSocket(port: port)
        socket.send(request)
        return String(decoding: socket.read(), as: UTF8.self)
    }

    static func upgrade(path: String, _ headers: String, method: String = "GET", version: String = "1.1") -> String {
        "\(method) \(path) HTTP/\(version)\r\nHost: localhost\r\n\(headers)\r\n"
    }

    static let plain =
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    /// A client's frame.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8], final: Bool = true, mask: [UInt8] = [0, 0, 0, 0]
    ) -> [UInt8] {
        var frame: [UInt8] = [(final ? 0x80 : 0) | opcode]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else if payload.count < 65536 {
            frame += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            frame.append(0xFF)
            frame += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return frame + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    /// Opens a WebSocket and returns it after the handshake's answer.
    static func open(_ port: Int, path: String, protocols: String?) -> RawSocket? {
        let socket = RawSocket(port: port)
        let offered = protocols.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        socket.send(upgrade(path: path, plain + offered))
        var head: [UInt8] = []
        while !String(decoding: head, as: UTF8.self).hasSuffix("\r\n\r\n") {
            let next = socket.read(limit: 1)
            if next.isEmpty { return nil }
            head += next
        }
        return String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 101") ? socket : nil
    }
}

/// Keeps what comes, slowly and up to a limit if asked.
final class MemorySink: BodySink {
    private let state = Mutex(State())

    private struct State {
        var kept: [UInt8] = []
        var end: Bool?
        var sizes: [Int] = []
    }

    private let delay: UInt32
    private let bytesMax: Int

    struct Full: Error {}

    init(delay: UInt32, bytesMax: Int) {
        self.delay = delay
        self.bytesMax = bytesMax
    }

    var bytes: [UInt8] { state.withLock { $0.kept } }
    /// `nil` until it has been told of the end.
    var isWhole: Bool? { state.withLock { $0.end } }
    var pieces: [Int] { state.withLock { $0.sizes } }

    func write(_ bytes: [UInt8]) throws {
        if delay > 0 { usleep(delay) }
        try state.withLock { state in
            guard state.end == nil, state.kept.count + bytes.count <= bytesMax else { throw Full() }
            state.kept += bytes
            state.sizes.append(bytes.count)
        }
    }

    func finish(isWhole: Bool) {
        state.withLock { state in
            precondition(state.end == nil, "A sink is told of its end once.")
            state.end = isWhole
        }
    }
}
