import Glibc
import SonaBase
import SonaEventLoop
import SonaTestSupport
import Testing

/// Bodies that are read from files while those are written.
@Suite struct GrowingBodyTests {
    private let folder = TemporaryFolder()

    /// A file that the test writes, and a server that answers with it.
    private final class Writer: Sendable {
        let file: GrowingFile
        private let descriptor: Int32

        init(_ path: String) {
            descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            file = GrowingFile(taking: open(path, O_RDONLY | O_CLOEXEC))
        }

        deinit { close(descriptor) }

        func append(_ bytes: [UInt8]) throws {
            try WholeFile.write(bytes, to: descriptor)
            file.grew()
        }
    }

    private func serve() async throws -> (EchoServer, Writer) {
        let (server, writer) = (try await EchoServer(), Writer(folder.file("growing")))
        try await server.loop.run { [application = server.application] in application.value?.growing = writer.file }
        return (server, writer)
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    }

    /// The content of the chunks, and whether the last one came.
    private func content(_ answer: [UInt8]) -> (bytes: [UInt8], isWhole: Bool) {
        var (rest, bytes) = (answer[...], [UInt8]())
        while let end = rest.firstIndex(of: 13) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { break }
            rest = rest[(end + 2)...]
            if count == 0 { return (bytes, rest.elementsEqual([13, 10])) }
            guard rest.count >= count + 2 else { break }
            bytes += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        return (bytes, false)
    }

    @Test func `what is there arrives at once, the rest as it comes, and another request after it`() async throws {
        let (server, writer) = try await serve()
        let all = Self.bytes(200_000)
        try writer.append(Array(all[..<1_000]))
        let socket = RawSocket(port: server.port)
        socket.send("GET /growing HTTP/1.1\r\nHost: x\r\n\r\n")
        let head = socket.readHead()
        #expect(head.contains("transfer-encoding: chunked\r\n") && !head.contains("content-length"))
        let first = socket.read(limit: 5 + 1_000 + 2)
        #expect(
            first.prefix(5).elementsEqual("3e8\r\n".utf8)
                && first.dropFirst(5).prefix(1_000).elementsEqual(all[..<1_000]))
        try writer.append(Array(all[1_000..<150_000]))
        try await Task.sleep(for: .milliseconds(30))
        try writer.append(Array(all[150_000...]))
        writer.file.end(.whole)
        socket.send("GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let rest = socket.read(limit: 1_000_000)
        let end = try #require(rest.indices.last { rest[$0...].starts(with: Array("HTTP/1.1 200".utf8)) })
        let (bytes, isWhole) = content(Array(rest[..<end]))
        #expect(bytes == Array(all[1_000...]) && isWhole)
        #expect(rest[end...].suffix(10).elementsEqual("hello GET\n".utf8))
    }

    @Test func `a file that is not finished ends the connection without the last chunk`() async throws {
        let (server, writer) = try await serve()
        try writer.append(Self.bytes(70_000))
        let socket = RawSocket(port: server.port)
        socket.send("GET /growing HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = socket.readHead()
        writer.file.end(.failed)
        #expect(!content(socket.read(limit: 1_000_000)).isWhole)
    }

    @Test func `a client of HTTP 1.0 reads until the end of the connection`() async throws {
        let (server, writer) = try await serve()
        try writer.append(Self.bytes(50_000))
        let socket = RawSocket(port: server.port)
        socket.send("GET /growing HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let head = socket.readHead()
        #expect(head.contains("connection: close\r\n") && !head.contains("chunked"))
        writer.file.end(.whole)
        #expect(socket.read(limit: 1_000_000) == Self.bytes(50_000))
    }

    @Test func `an empty file is an empty body, and HEAD has none`() async throws {
        let (server, writer) = try await serve()
        writer.file.end(.whole)
        let socket = RawSocket(port: server.port)
        socket.send("HEAD /growing HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(socket.readHead().contains("transfer-encoding: chunked\r\n"))
        socket.send("GET /growing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        _ = socket.readHead()
        #expect(socket.read(limit: 100) == Array("0\r\n\r\n".utf8))
    }
}
