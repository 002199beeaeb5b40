import Glibc
import Testing

@testable import SonaTransfer

extension TransferTests {
    struct HTTPDocumentTests {
        private let quick = TransferLimits(connect: .seconds(5), total: .milliseconds(300), bodyBytesMax: 1_000)

        @Test func `a document comes with its status, type and time to keep it`() async throws {
            let server = HTTPTestServer { _, peer in
                let fields = ["Content-Type: application/json", "Cache-Control: public, max-age=19482"]
                peer.write(HTTPTestServer.answer("200 OK", fields, body: #"{"keys":[]}"#))
            }
            let document = try await HTTPDocument.get(server.url + "/keys?x=1")
            #expect(document.status == 200)
            #expect(document.body == Array(#"{"keys":[]}"#.utf8))
            #expect(document.contentType == "application/json")
            #expect(document.maxAgeSeconds == 19_482)
            #expect(server.requests.first?.method == "GET")
            #expect(server.requests.first?.target == "/keys?x=1")
        }

        @Test func `an answer of another status is an answer too`() async throws {
            let server = HTTPTestServer { _, peer in peer.write(HTTPTestServer.answer("404 Not Found", body: "no")) }
            let document = try await HTTPDocument.get(server.url)
            #expect(document.status == 404)
            #expect(document.body == Array("no".utf8))
            #expect(document.maxAgeSeconds == nil)
            #expect(document.contentType == nil)
        }

        @Test func `a chunked body is put together, and its trailer does not count as headers`() async throws {
            let server = HTTPTestServer { _, peer in
                peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
                peer.write("3\r\nabc\r\n4\r\ndefg\r\n0\r\nCache-Control: max-age=9\r\n\r\n")
            }
            let document = try await HTTPDocument.get(server.url)
            #expect(document.body == Array("abcdefg".utf8))
            #expect(document.maxAgeSeconds == nil)
        }

        @Test(arguments: [true, false])
        func `a body at the limit comes, one byte more does not`(chunked: Bool) async throws {
            let server = HTTPTestServer { request, peer in
                let body = String(repeating: "x", count: request.target == "/1000" ? 1_000 : 1_001)
                guard chunked else {
                    peer.write(HTTPTestServer.answer(body: body))
                    return
                }
                peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                peer.write("\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
            }
            let limits = TransferLimits(bodyBytesMax: 1_000)
            #expect(try await HTTPDocument.get(server.url + "/1000", limits: limits).body.count == 1_000)
            let error = await #expect(throws: TransferError.self) {
                try await HTTPDocument.get(server.url + "/1001", limits: limits)
            }
            #expect(error?.code == .tooLarge)
            #expect(error?.isTemporary == false)
        }

        @Test func `a body or a head without an end is cut`() async throws {
            let server = HTTPTestServer { request, peer in
                peer.write("HTTP/1.1 200 OK\r\n" + (request.target == "/body" ? "\r\n" : ""))
                while peer.write("X-Filler: \(String(repeating: "y", count: 500))\r\n") {}
            }
            for target in ["/body", "/head"] {
                let error = await #expect(throws: TransferError.self) {
                    try await HTTPDocument.get(server.url + target)
                }
                #expect(error?.code == .tooLarge)
            }
        }

        @Test func `three redirects are followed, a fourth is not`() async throws {
            let server = HTTPTestServer { request, peer in
                guard let left = Int(request.target.dropFirst()), left > 0 else {
                    peer.write(HTTPTestServer.answer(body: "there"))
                    return
                }
                let fields = ["Location: /\(left - 1)", "Cache-Control: max-age=5"]
                peer.write(HTTPTestServer.answer("302 Found", fields, body: "moved"))
            }
            let document = try await HTTPDocument.get(server.url + "/3")
            #expect(document.body == Array("there".utf8))
            #expect(document.maxAgeSeconds == nil)
            let error = await #expect(throws: TransferError.self) { try await HTTPDocument.get(server.url + "/4") }
            #expect(error?.code == .badRedirect)
            #expect(server.requests.count == 8)
        }

        @Test func `a redirect in a circle ends`() async throws {
            let server = HTTPTestServer { _, peer in
                peer.write(HTTPTestServer.answer("301 Moved", ["Location: /again"]))
            }
            let error = await #expect(throws: TransferError.self) { try await HTTPDocument.get(server.url) }
            #expect(error?.code == .badRedirect)
            #expect(server.requests.count == 4)
        }

        @Test(arguments: [
            "file:///etc/passwd", "FILE:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:25/x",
            "smtp://127.0.0.1/",
            "http://user:secret@127.0.0.1/",
        ])
        func `a redirect to another protocol or with a password is refused`(target: String) async throws {
            let server = HTTPTestServer { _, peer in
                peer.write(HTTPTestServer.answer("302 Found", ["Location: \(target)"]))
            }
            let error = await #expect(throws: TransferError.self) { try await HTTPDocument.get(server.url) }
            #expect(error?.code == .badRedirect)
            #expect(error?.description.contains("secret") == false)
        }

        @Test(arguments: [
            "", "keys", "/keys", "127.0.0.1:80", "file:///etc/passwd", "ftp://127.0.0.1/", "http://",
            "http://a b/", "http://127.0.0.1:99999/", "http://user:secret@127.0.0.1/", "http://127.0.0.1/\r\nX: y",
            "http://127.0.0.1/\0x", "dict://127.0.0.1/",
        ])
        func `a URL that is not http or https is refused before anything is sent`(url: String) async throws {
            let error = await #expect(throws: TransferError.self) { try await HTTPDocument.get(url) }
            #expect(error?.code == .badInput)
            #expect(error?.isTemporary == false)
            #expect(error?.description.contains("secret") == false)
        }

        @Test func `a server that says nothing is left when the time is over`() async throws {
            let server = HTTPTestServer { _, peer in peer.hang() }
            let error = await #expect(throws: TransferError.self) {
                try await HTTPDocument.get(server.url, limits: quick)
            }
            #expect(error?.code == .timedOut)
            #expect(error?.isTemporary == true)
        }

        @Test func `a server that trickles is left when the time is over`() async throws {
            let server = HTTPTestServer { _, peer in
                peer.write("HTTP/1.1 200 OK\r\n\r\n")
                while peer.write(".") { usleep(20_000) }
            }
            let error = await #expect(throws: TransferError.self) {
                try await HTTPDocument.get(server.url, limits: quick)
            }
            #expect(error?.code == .timedOut)
        }

        @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "SSH-2.0-OpenSSH_9.2\r\n"])
        func `a broken or malformed answer is reported as such`(answer: String) async throws {
            let server = HTTPTestServer { _, peer in peer.write(answer) }
            let error = await #expect(throws: TransferError.self) { try await HTTPDocument.get(server.url) }
            #expect(error?.code == .brokenAnswer)
            #expect(error?.isTemporary == true)
        }

        @Test func `a port without a server is reported as nobodyListens`() async throws {
            let server = LoopbackServer { _, _ in }
            server.stop()
            let url = "http://127.0.0.1:\(server.port)/"
            // The listener's thread closes the socket when it has noticed.
            while server.isListening { try await Task.sleep(for: .milliseconds(5)) }
            let error = await #expect(throws: TransferError.self) { try await HTTPDocument.get(url) }
            #expect(error?.code == .nobodyListens)
            #expect(error?.isTemporary == true)
        }

        @Test func `a host name without an address has an error of its own`() async throws {
            let error = await #expect(throws: TransferError.self) {
                try await HTTPDocument.get("http://nowhere.invalid/")
            }
            #expect(error?.code == .unreachable || error?.code == .timedOut)
        }

        @Test func `https to a port without TLS fails`() async throws {
            let server = LoopbackServer { peer, _ in
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                peer.hang()
            }
            defer { server.stop() }
            let error = await #expect(throws: TransferError.self) {
                try await HTTPDocument.get("https://127.0.0.1:\(server.port)/")
            }
            #expect(error?.code == .insecure)
        }

        @Test func `a cancelled task stops waiting for a server that says nothing`() async throws {
            let (asked, told) = AsyncStream.makeStream(of: Void.self)
            let server = HTTPTestServer { _, peer in
                told.yield()
                peer.hang()
            }
            let url = server.url
            let fetching = Task {
                try await HTTPDocument.get(url, limits: TransferLimits(total: .seconds(3_600)))
            }
            for await _ in asked.prefix(1) { fetching.cancel() }
            let error = await #expect(throws: TransferError.self) { try await fetching.value }
            #expect(error?.code == .cancelled)
        }

        /// In a process of its own, since the environment belongs to all threads.
        @Test func `the proxy of the environment is not asked`() async {
            await #expect(processExitsWith: .success) {
                let proxy = LoopbackServer { _, _ in }
                let server = HTTPTestServer { _, peer in peer.write(HTTPTestServer.answer(body: "direct")) }
                for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                    setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
                }
                let document = try await HTTPDocument.get(server.url, limits: TransferLimits(total: .seconds(10)))
                exit(document.body == Array("direct".utf8) && proxy.connections == 0 ? 0 : 1)
            }
        }
    }
}
