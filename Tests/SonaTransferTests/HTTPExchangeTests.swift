import Glibc
import Testing

@testable import SonaTransfer

extension TransferTests {
    struct HTTPExchangeTests {
        @Test func `a request is sent as it is, and any answer comes with the time to wait`() async throws {
            let server = HTTPTestServer { _, peer in
                peer.write(HTTPTestServer.answer("429 Too Many Requests", ["Retry-After: 7"], body: "later"))
            }
            let exchange = HTTPExchange(
                "POST", server.url + "/1/x", headers: ["Authorization: Token t"], body: Array("{}".utf8),
                mayBePrivate: true)
            let answer = try await exchange.send()
            #expect((answer.status, answer.body, answer.retryAfterSeconds) == (429, Array("later".utf8), 7))
            #expect(server.requests.first?.method == "POST")
            #expect(server.requests.first?.target == "/1/x")
        }

        @Test func `a redirect is an answer, and is not followed`() async throws {
            let server = HTTPTestServer { _, peer in
                peer.write(HTTPTestServer.answer("302 Found", ["Location: /elsewhere"]))
            }
            let answer = try await HTTPExchange("GET", server.url + "/a", mayBePrivate: true).send()
            #expect(answer.status == 302)
            #expect(server.requests.count == 1)
        }

        @Test func `an address of this machine is refused before anything is sent`() async throws {
            let server = HTTPTestServer { _, peer in peer.write(HTTPTestServer.answer(body: "secret")) }
            await #expect(throws: TransferError.forbiddenAddress) {
                _ = try await HTTPExchange("GET", server.url).send()
            }
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: [
            ("https://example.org", "https://example.org"),
            ("http://example.org:8080/a/b/", "http://example.org:8080/a/b"),
            ("HTTPS://Example.org/a", "https://Example.org/a"),
        ])
        func `an address is used without a slash at its end`(text: String, wanted: String) throws {
            #expect(try HTTPExchange.address(text) == wanted)
        }

        @Test(arguments: [
            "", "example.org", "ftp://example.org", "file:///etc/passwd", "http://ada@example.org",
            "http://example.org/?a",
            "http://example.org/#a", "http://", "http://example.org/ b", "http://example.org/\u{0}",
            "http://" + String(repeating: "a", count: 500),
        ])
        func `what is no address is refused`(text: String) {
            #expect { try HTTPExchange.address(text) } throws: { ($0 as? TransferError)?.code == .badInput }
        }

        private func isPublic(_ text: String) -> Bool? {
            var four = in_addr()
            if inet_pton(AF_INET, text, &four) == 1 {
                return NetworkAddress.isPublic(four: withUnsafeBytes(of: four) { Array($0) })
            }
            var six = in6_addr()
            guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
            return NetworkAddress.isPublic(six: withUnsafeBytes(of: six) { Array($0) })
        }

        @Test(arguments: [
            "0.0.0.0", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "169.254.169.254",
            "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.168.0.0", "192.168.255.255", "198.18.0.0",
            "198.19.255.255", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::127.0.0.1",
            "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "fc00::1",
            "fdff::1", "fe80::1", "fec0::1", "ff02::1", "5f00::1",
        ])
        func `addresses for purposes of their own are not of the internet`(text: String) {
            #expect(isPublic(text) == false)
        }

        @Test(arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "223.255.255.255", "2606:4700::1111",
            "2001:4860:4860::8888", "2a00::1", "::ffff:1.1.1.1", "64:ff9b::101:101",
        ])
        func `their neighbours are`(text: String) { #expect(isPublic(text) == true) }
    }
}
