import Glibc
import SonaTestSupport
import Testing

@testable import SonaTransfer

extension TransferTests {
    struct UnixSocketHTTPTests {
        @Test func `a body of any bytes goes there and the answer comes back`() async throws {
            let folder = TemporaryFolder()
            let socket = folder.file("s")
            let server = HTTPTestServer(unixPath: socket) { request, peer in
                peer.write(HTTPTestServer.answer("201 Created", body: "\(request.body.count)"))
            }
            let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
            let answer = try await UnixSocketHTTP.post(socketPath: socket, path: "/a/../b?c=d", body: body)
            #expect(answer.status == 201)
            #expect(answer.body == Array("300000".utf8))
            let request = try #require(server.requests.first)
            #expect(request.method == "POST")
            #expect(request.target == "/a/../b?c=d")
            #expect(request.body == body)
            #expect(request.fields["content-type"] == "application/octet-stream")
            #expect(request.fields["expect"] == nil)
        }

        @Test func `an empty body and a status of failure are not thrown as errors`() async throws {
            let folder = TemporaryFolder()
            let socket = folder.file("s")
            let server = HTTPTestServer(unixPath: socket) { _, peer in
                peer.write(HTTPTestServer.answer("500 Broken", ["Location: http://127.0.0.1:1/"]))
            }
            let answer = try await UnixSocketHTTP.post(
                socketPath: socket, path: "/", body: [], contentType: "application/json")
            #expect(answer.status == 500)
            #expect(answer.body.isEmpty)
            #expect(server.requests.first?.fields["content-type"] == "application/json")
            #expect(server.requests.first?.body.isEmpty == true)
        }

        @Test func `a missing socket and a socket without a listener have errors of their own`() async throws {
            let folder = TemporaryFolder()
            let absent = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: folder.file("none"), path: "/", body: [])
            }
            #expect(absent?.code == .nobodyListens)
            #expect(absent?.errno == ENOENT)
            #expect(absent?.isTemporary == true)

            let left = folder.file("left")
            let server = LoopbackServer(unixPath: left) { _, _ in }
            server.stop()
            let abandoned = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: left, path: "/", body: [])
            }
            #expect(abandoned?.code == .nobodyListens)
            #expect(abandoned?.errno == ECONNREFUSED)

            let silent = folder.file("silent")
            let hanging = LoopbackServer(unixPath: silent) { peer, _ in peer.hang() }
            defer { hanging.stop() }
            let late = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: silent, path: "/", body: [], timeout: .milliseconds(200))
            }
            #expect(late?.code == .timedOut)

            let shut = folder.file("shut")
            let closing = LoopbackServer(unixPath: shut) { _, _ in }
            defer { closing.stop() }
            let broken = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: shut, path: "/", body: [])
            }
            #expect(broken?.code == .brokenAnswer)
        }

        @Test func `an answer beyond the limit is cut`() async throws {
            let folder = TemporaryFolder()
            let socket = folder.file("s")
            let server = HTTPTestServer(unixPath: socket) { _, peer in
                peer.write(HTTPTestServer.answer(body: "12345"))
            }
            _ = try await UnixSocketHTTP.post(socketPath: socket, path: "/", body: [], answerBytesMax: 5)
            let error = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: socket, path: "/", body: [], answerBytesMax: 4)
            }
            #expect(error?.code == .tooLarge)
            #expect(server.requests.count == 2)
        }

        @Test(arguments: ["", "x", "/a b", "/a\r\nX: y", "/a\0", "/ä"])
        func `a path that would be more than a path is refused`(path: String) async throws {
            let error = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: "/nowhere", path: path, body: [])
            }
            #expect(error?.code == .badInput)
        }

        @Test func `a socket's path has 107 bytes at most`() async throws {
            let longest = "/" + String(repeating: "n", count: 106)
            let fits = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: longest, path: "/", body: [])
            }
            #expect(fits?.code == .nobodyListens)
            for path in [longest + "n", "", "/a\0b"] {
                let error = await #expect(throws: TransferError.self) {
                    try await UnixSocketHTTP.post(socketPath: path, path: "/", body: [])
                }
                #expect(error?.code == .badInput)
            }
        }

        @Test func `a content type with a line break is refused`() async throws {
            let error = await #expect(throws: TransferError.self) {
                try await UnixSocketHTTP.post(socketPath: "/nowhere", path: "/", body: [], contentType: "a\r\nX: y")
            }
            #expect(error?.code == .badInput)
        }
    }
}
