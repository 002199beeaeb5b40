import Testing

@testable import SonaEventLoop

/// The client's address of a request, as proxies give it.
@Suite struct ClientPolicyTests {
    private let policy = ClientPolicy(
        trustedProxies: ["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"].compactMap { AddressRange($0) })

    private func client(_ peer: String, _ headers: String) -> String {
        let head = "GET / HTTP/1.1\r\nHost: x\r\n\(headers)\r\n"
        return Array(head.utf8).withUnsafeBytes { bytes in
            do throws(HTTPRequest.Fault) {
                let head = try HTTPHead(parsing: bytes, scratch: HeadScratch())
                return try policy.client(of: HTTPRequest(head, from: RemoteAddress(text: peer))).text
            } catch {
                return "\(error)"
            }
        }
    }

    @Test(arguments: [
        // Headers of an untrusted peer are ignored.
        ("192.0.2.1", "X-Forwarded-For: 203.0.113.7\r\n", "192.0.2.1"),
        ("192.0.2.1", "Forwarded: for=203.0.113.7\r\n", "192.0.2.1"),
        // The rightmost address that is not a trusted proxy's.
        ("127.0.0.1", "", "127.0.0.1"), ("127.0.0.1", "X-Forwarded-For: 203.0.113.7\r\n", "203.0.113.7"),
        ("127.0.0.1", "X-Forwarded-For: 198.51.100.1, 203.0.113.7, 10.1.2.3\r\n", "203.0.113.7"),
        ("127.0.0.1", "X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 203.0.113.7\r\n", "203.0.113.7"),
        ("127.0.0.1", "X-Forwarded-For: 10.0.0.1, 10.0.0.2\r\n", "10.0.0.1"),
        ("2001:db8::9", "X-Forwarded-For: 2001:DB9::0001\r\n", "2001:db9::1"),
        ("127.0.0.1", "X-Forwarded-For: ::ffff:203.0.113.7\r\n", "203.0.113.7"),
        ("127.0.0.1", "X-Forwarded-For: 203.0.113.7:4711\r\n", "203.0.113.7"),
        ("127.0.0.1", "X-Forwarded-For: [2001:db9::1]:4711\r\n", "2001:db9::1"),
        // An entry that is not an address ends the search at the proxy that passed it on.
        ("127.0.0.1", "X-Forwarded-For: unknown\r\n", "127.0.0.1"),
        ("127.0.0.1", "X-Forwarded-For: 203.0.113.7, nonsense, 10.0.0.2\r\n", "10.0.0.2"),
        // RFC 7239.
        ("127.0.0.1", "Forwarded: for=203.0.113.7;proto=https;by=10.0.0.1\r\n", "203.0.113.7"),
        ("127.0.0.1", "Forwarded: For=\"[2001:db9::1]:47\", for=10.0.0.1\r\n", "2001:db9::1"),
        ("127.0.0.1", "Forwarded: for=_hidden\r\n", "127.0.0.1"),
        ("127.0.0.1", "Forwarded: for=203.0.113.7\r\nX-Forwarded-For: 203.0.113.7\r\n", "203.0.113.7"),
    ])
    func `the client is the rightmost address of no trusted proxy`(peer: String, headers: String, found: String) {
        #expect(client(peer, headers) == found)
    }

    @Test func `two headers that name different clients are an error`() {
        let said = client("127.0.0.1", "Forwarded: for=203.0.113.8\r\nX-Forwarded-For: 203.0.113.7\r\n")
        #expect(said.contains("different clients"))
    }

    @Test func `a range has the addresses that begin like it`() throws {
        let range = try #require(AddressRange("192.168.4.0/22"))
        for inside in ["192.168.4.0", "192.168.7.255"] { #expect(range.contains(RemoteAddress(text: inside))) }
        for outside in ["192.168.8.0", "192.168.3.255", "::1", "local"] {
            #expect(!range.contains(RemoteAddress(text: outside)))
        }
        #expect(try #require(AddressRange("::/0")).contains(RemoteAddress(text: "2001:db8::1")))
        #expect(!(try #require(AddressRange("::/0")).contains(RemoteAddress(text: "10.0.0.1"))))
        for text in [
            "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0", "x", "10.0.0.0/8/8", "::/129", "10.0.0.0/",
        ] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }
}

/// The PROXY protocol's header, version 2.
@Suite struct ProxyHeaderTests {
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

    private static func header(_ command: UInt8, _ family: UInt8, _ payload: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }

    private func parse(_ bytes: [UInt8]) -> ProxyHeader { bytes.withUnsafeBytes { ProxyHeader.parse($0) } }

    private static let four: [UInt8] = [203, 0, 113, 7, 127, 0, 0, 1, 1, 2, 3, 4]

    @Test func `it names the client, over IPv4 and IPv6, and says whether that speaks TLS`() {
        let four = Self.header(0x21, 0x11, Self.four)
        let found = ProxyHeader.header(bytes: 28, client: RemoteAddress(text: "203.0.113.7"), isSecure: false)
        #expect(parse(four) == found && parse(four + [0x16, 3]) == found)
        let six: [UInt8] = [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9]
        let secure: [UInt8] = [0x20, 0, 5, 1, 0, 0, 0, 0]
        #expect(
            parse(Self.header(0x21, 0x21, six + six + [0, 1, 0, 2] + [4, 0, 1, 7] + secure))
                == .header(bytes: 64, client: RemoteAddress(text: "2001:db8::9"), isSecure: true))
    }

    @Test func `each prefix of it is incomplete, and a different beginning is invalid`() {
        let whole = Self.header(0x21, 0x11, Self.four)
        for count in 0..<whole.count { #expect(parse(Array(whole.prefix(count))) == .incomplete, "\(count)") }
        for place in 0..<12 {
            var other = whole
            other[place] ^= 0x20
            #expect(parse(other) == .none)
        }
        #expect(parse(Array("GET / HTTP/1.1\r\n\r\n".utf8)) == .none)
    }

    @Test func `health checks and other address families name no client, and a malformed header is an error`() {
        #expect(parse(Self.header(0x20, 0, [])) == .header(bytes: 16, client: nil, isSecure: false))
        #expect(
            parse(Self.header(0x21, 0x31, Array(repeating: 0, count: 216)))
                == .header(bytes: 232, client: nil, isSecure: false))
        #expect(parse(Self.header(0x11, 0x11, Self.four)) == .invalid, "version 1")
        #expect(parse(Self.header(0x22, 0x11, Self.four)) == .invalid, "no such command")
        #expect(parse(Self.header(0x21, 0x11, Array(Self.four.dropLast()))) == .invalid, "addresses are missing")
        #expect(parse(Self.header(0x21, 0x11, Self.four + [4, 0, 9, 1])) == .invalid, "a field longer than the header")
        #expect(parse(Self.signature + [0x21, 0x11, 0xFF, 0xFF]) == .invalid, "more than any header has")
    }
}
