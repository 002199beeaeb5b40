import SonaEventLoop
import SonaTestSupport
import Testing

/// The authorities that clients trust, and the certificates that a server can start with.
@Suite struct TLSTrustTests {
    /// The ending of a WebSocket of ours; nil if it opened.
    private func connect(_ target: WebSocketTarget, opensTLS: Bool = true) async throws -> WebSocketEnding? {
        var options = EventLoop.Options()
        options.name = "client"
        options.backend = .poll
        options.opensTLS = opensTLS
        let loop = EventLoop(options)
        try loop.start()
        defer { loop.stop() }
        return await withCheckedContinuation { continuation in
            loop.post {
                let visitor = Visitor { continuation.resume(returning: $0) }
                _ = loop.connect(to: target, limits: WebSocketLimits(text: 1000, binary: 1000), handler: visitor)
            }
        }
    }

    private func target(_ server: EchoServer, host: String = "127.0.0.1", _ trust: TLSTrust?) -> WebSocketTarget {
        var target = WebSocketTarget(host: host, port: server.port, path: "/ws", subprotocol: "sona.v1")
        target.trust = trust
        return target
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a server is believed by name and by address`(host: String) async throws {
        let server = try await EchoServer(backend: .poll, identity: TLSTests.identity)
        #expect(try await connect(target(server, host: host, TLSTests.trust)) == nil)
    }

    @Test func `an unknown authority, another name and other speech are refused`() async throws {
        let made = TestCertificate.shared
        made.sign("elsewhere", for: "DNS:elsewhere.example,IP:127.0.0.2")
        made.sign("rsa", for: "DNS:localhost", key: ["-newkey", "rsa:2048", "-nodes"])
        let elsewhere = try await EchoServer(
            backend: .poll,
            identity: TLSIdentity(certificateFile: made.certificate("elsewhere"), keyFile: made.key("elsewhere")))
        let server = try await EchoServer(backend: .poll, identity: TLSTests.identity)
        let rsa = try await EchoServer(
            backend: .poll, identity: TLSIdentity(certificateFile: made.certificate("rsa"), keyFile: made.key("rsa")))
        let plain = try await EchoServer(backend: .poll)

        #expect(try await connect(target(rsa, host: "localhost", TLSTests.trust)) == nil)
        for (server, host, trust) in [
            (server, "127.0.0.1", TLSTrust()), (elsewhere, "127.0.0.1", TLSTests.trust),
            (elsewhere, "localhost", TLSTests.trust), (rsa, "127.0.0.1", TLSTests.trust),
            (server, "localhost", TLSTrust(authorityFile: made.key())),
        ] {
            let ending = try #require(try await connect(target(server, host: host, trust)))
            #expect(ending.isUntrusted && ending.failure?.contains("certificate") == true, "\(ending)")
            let error = #expect(throws: EventLoopError.self) {
                try SecureSocket(server.port, host: host, trust: trust).send([1])
            }
            #expect(error?.code == (trust.authorityFile == made.key() ? .badCertificate : .untrusted))
        }
        let deaf = try #require(try await connect(target(plain, TLSTests.trust)))
        #expect(!deaf.isUntrusted && deaf.failure?.contains("http://") == true, "\(deaf)")
        let open = try #require(try await connect(target(server, nil), opensTLS: false))
        #expect(open.failure?.contains("https://") == true, "\(open)")
    }

    @Test(arguments: [nil, TLSTests.trust])
    func `a client does not follow redirects`(trust: TLSTrust?) async throws {
        let server = try await EchoServer(backend: .poll, identity: trust == nil ? nil : TLSTests.identity)
        var target = target(server, trust)
        target.path = "/moved"
        let ending = try #require(try await connect(target))
        #expect(ending.failure?.contains("elsewhere") == true, "\(ending)")
    }

    @Test func `unusable certificate and key files are named with their fault`() throws {
        let made = TestCertificate.shared
        made.sign("other", for: "DNS:localhost")
        TestCertificate.run([
            "ec", "-in", made.key(), "-aes128", "-passout", "pass:secret", "-out", made.file("protected.key"),
        ])
        made.sign("weak", for: "DNS:localhost", key: ["-newkey", "rsa:512", "-nodes"])
        TemporaryFolder.write(Array("nothing\n".utf8), toFile: made.file("text"))
        let whole = try #require(TemporaryFolder.bytes(ofFile: made.certificate()))
        TemporaryFolder.write(Array(whole.dropLast(120)), toFile: made.file("cut.pem"))
        func fault(_ certificate: String, _ key: String) -> String? {
            do throws(EventLoopError) {
                _ = try TLSIdentity(certificateFile: certificate, keyFile: key)
                return nil
            } catch {
                return error.code == .badCertificate ? error.detail : nil
            }
        }
        let (certificate, key) = (made.certificate(), made.key())
        #expect(fault(certificate, key) == nil)
        #expect(fault(made.file("none"), key)?.contains("No such file") == true)
        #expect(fault(certificate, made.file("none"))?.contains("No such file") == true)
        #expect(fault("/tmp", key)?.contains("Is a directory") == true)
        #expect(fault(made.file("text"), key)?.contains("no PEM certificate") == true)
        #expect(fault(made.file("cut.pem"), key)?.contains("damaged") == true)
        #expect(fault(key, key)?.contains("no PEM certificate") == true)
        #expect(fault(certificate, certificate)?.contains("no usable PEM private key") == true)
        #expect(fault(certificate, made.key("other"))?.contains("does not belong") == true)
        #expect(fault(certificate, made.file("protected.key"))?.contains("passphrase") == true)
        #expect(fault(made.certificate("weak"), made.key("weak"))?.contains("can't be used") == true)
    }
}

private final class Visitor: WebSocketHandler {
    private var report: ((WebSocketEnding?) -> Void)?
    init(_ report: @escaping (WebSocketEnding?) -> Void) { self.report = report }

    func webSocketOpened(_ connection: WebSocketConnection) { tell(nil) }
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {}
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) { tell(ending) }

    private func tell(_ ending: WebSocketEnding?) {
        report?(ending)
        report = nil
    }
}
