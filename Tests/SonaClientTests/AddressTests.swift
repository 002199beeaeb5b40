import SonaClient
import SonaWire
import Testing

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8337", "127.0.0.1", 8337), ("http://example.org", "example.org", 80),
        ("http://example.org/", "example.org", 80), ("HTTP://a-b.c:1", "a-b.c", 1),
        ("localhost:65535", "localhost", 65535),
        ("localhost", "localhost", 8337), ("[::1]:9000", "::1", 9000), ("http://[fe80::1]", "fe80::1", 80),
        ("https://example.org", "example.org", 443), ("HTTPS://example.org:8443/", "example.org", 8443),
        ("https://[::1]:9000", "::1", 9000),
    ])
    func `addresses are understood`(text: String, host: String, port: Int) throws {
        let address = try ServerAddress(text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isSecure == text.lowercased().hasPrefix("https:"))
        #expect(try ServerAddress(address.description) == address)
    }

    @Test func `credentials for a server over TLS are kept apart from those without`() throws {
        let store = try #require(CredentialStore(environment: ["HOME": "/home/ada"]))
        let (secure, plain) = (try ServerAddress("https://h:8337"), try ServerAddress("http://h:8337"))
        #expect(secure != plain && store.path(secure) != store.path(plain))
    }

    @Test(arguments: [
        "", ":", ":80", "http://", "http://:80", "ftp://a", "a:0", "a:65536", "a:x", "a:", "a:+1", "a:１", "a b",
        "a\r\nX: y",
        "http://a/path", "http://user@host", "[::1", "[::1]x", "http://a:80:90",
    ])
    func `a text that is not an address is refused`(text: String) {
        #expect(throws: ServerAddress.Invalid.self) { try ServerAddress(text) }
    }

    @Test func `Unix sockets are refused with a reason`() {
        let error = #expect(throws: ServerAddress.Invalid.self) { try ServerAddress("unix:/run/sona/admin.sock") }
        #expect(error?.description.contains("the operator's socket") == true)
    }

    @Test func `the standard is where the server listens by default`() {
        #expect(ServerAddress.standard.description == "http://127.0.0.1:8337")
    }
}

@Suite struct RoomLinkTests {
    private static let id = "k2Vb7nQx0ZrT5mLp9sWd"

    @Test(arguments: [
        (id, id, nil), ("@ada", "@ada", nil), ("/r/\(id)", id, nil), ("r/\(id)", id, nil),
        ("http://h:1/r/\(id)", id, "http://h:1"), ("http://h/r/\(id)/?a=b#c", id, "http://h"),
        ("h:1/r/\(id)", id, "h:1"),
        ("https://h/r/\(id)", id, "https://h"), ("http://h/r/@ada", "@ada", "http://h"),
    ])
    func `rooms are named in several ways`(text: String, reference: String, server: String?) throws {
        let link = try #require(RoomLink(text))
        #expect(link.reference.text == reference)
        #expect(link.server == server)
    }

    @Test(arguments: [
        "", "demo", "@", "@x", "http://h/x/\(id)", "http://h/r/", "http://h/r/\(id)x", "/r/../\(id)", "\(id)/r",
    ])
    func `anything else names none`(text: String) {
        #expect(RoomLink(text) == nil)
    }
}

@Suite struct ClientErrorTests {
    @Test(
        arguments: [
            (ErrorCode.roomNotFound, 66), (.roomClosed, 66), (.roomForbidden, 77), (.hostNotHost, 77),
            (.hostSeatTaken, 77),
            (.authRequired, 77), (.authCredentialsInvalid, 77), (.authBusy, 75), (.authRateLimited, 75),
            (.serverDraining, 75),
            (.requestRateLimited, 75), (.hostTimeout, 75), (.hostAbsent, 69), (.roomFull, 69), (.requestInvalid, 69),
            (.other("new.code"), 69),
        ] as [(ErrorCode, Int32)])
    func `a refusal has its exit code`(code: ErrorCode, exitCode: Int32) {
        #expect(ClientError(.refused(WireError(code)), "").exitCode == exitCode)
    }

    @Test(
        arguments: [
            (nil, 69, true), (1001, 75, true), (1012, 75, true), (4408, 75, true), (4400, 69, false), (4401, 77, false),
            (4403, 77, false), (4404, 66, false), (4999, 69, false),
        ] as [(UInt16?, Int32, Bool)])
    func `a close has its exit code`(code: UInt16?, exitCode: Int32, isTemporary: Bool) {
        let error = ClientError(.closed(code: code, reason: ""), "")
        #expect(error.exitCode == exitCode)
        #expect(error.isTemporary == isTemporary)
    }

    @Test func `a server that cannot be reached is reported as such`() async throws {
        let address = try ServerAddress("127.0.0.1:1")
        let program = Program(name: "test", version: "1")
        let error = await #expect(throws: ClientError.self) {
            try await Client.connect(to: address, auth: .guest, program: program)
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.exitCode == 69)
        #expect(error?.description.hasPrefix("http://127.0.0.1:1 cannot be reached: ") == true)
    }
}
