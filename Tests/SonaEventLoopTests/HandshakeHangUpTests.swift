import Foundation
import SonaEventLoop
import SonaTestSupport
import Testing

/// Connections whose peers go away before the TLS handshake is over, as port scanners and health checks do.
@Suite struct HandshakeHangUpTests {
    /// The first flight of a real client, as it comes over the wire.
    private static let hello: [UInt8] = {
        let listener = RawListener()
        let port = listener.port
        Thread.detachNewThread { TestCertificate.run(["s_client", "-connect", "127.0.0.1:\(port)"]) }
        return listener.firstBytes()
    }()

    @Test(arguments: TLSTests.backends, [false, true])
    func `a peer that hangs up in the handshake ends only its own connection`(
        backend: EventLoop.Backend, resets: Bool
    ) async throws {
        let server = try await EchoServer(backend: backend, identity: TLSTests.identity)
        let witness = try SecureSocket.open(server.port, path: "/any", protocols: nil)
        #expect(Self.hello.count > 200 && Self.hello[0] == 0x16, "there is a ClientHello to be cut")
        let nonsense: [UInt8] = [0x16, 3, 1, 0, 5] + Array("hello".utf8)
        for round in 0..<400 {
            let socket = RawSocket(port: server.port)
            switch round % 4 {
            case 0: break
            case 1: socket.send(Array(Self.hello.prefix(round * Self.hello.count / 400)))
            case 2: socket.send(Self.hello)
            default: socket.send(nonsense)
            }
            // The server sees it in one iteration with the end, or iterations later.
            if round % 8 > 3 { usleep(500) }
            if resets { socket.resetAtClose() }
        }
        try witness.send(RawSocket.frame(1, [0x61]))
        #expect(try witness.read(3) == [0x81, 1, 0x61])
        for _ in 0..<200 where try await server.loop.run({ server.loop.socketCount }) > 1 { usleep(10_000) }
        #expect(try await server.loop.run { server.loop.socketCount } == 1, "nothing is kept of those that have gone")
    }
}

/// A socket that takes one connection and reads what it says first.
private final class RawListener {
    private let listening: ListeningSocket
    var port: Int { listening.port }

    init() {
        do { listening = try ListeningSocket(host: "127.0.0.1", port: 0) } catch { fatalError(error.detail) }
    }

    func firstBytes() -> [UInt8] {
        var descriptor: Int32 = -1
        for _ in 0..<500 where descriptor < 0 {
            descriptor = accept(listening.descriptor, nil, nil)
            if descriptor < 0 { usleep(10_000) }
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }
}
