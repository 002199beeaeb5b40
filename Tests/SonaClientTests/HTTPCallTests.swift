import Foundation
import Glibc
import Testing

@testable import SonaClient

/// Against a real socket whose other end says what the test wants.
@Suite struct HTTPCallTests {
    private func post(_ port: UInt16, body: [UInt8] = Array("picture".utf8), patience: Int = 5) throws -> HTTPCall {
        HTTPCall(
            address: try ServerAddress("127.0.0.1:\(port)"), path: "/v1/photo", token: "secret", agent: "test/1",
            body: body, patienceSeconds: patience)
    }

    @Test func `a body is sent whole under one head, and the answer comes back`() throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try OneAnswerServer(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", afterBodyBytes: body.count)
        let answer = try post(server.port, body: body).run().get()
        #expect(answer.status == 200 && answer.body == Array("ok".utf8))
        let heard = server.heard()
        let end = try #require(heard.range(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: heard[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        #expect(head.first == "POST /v1/photo HTTP/1.1")
        #expect(head.contains("Host: 127.0.0.1:\(server.port)"))
        #expect(head.contains("Authorization: Bearer secret"))
        #expect(head.contains("Content-Length: 300000"))
        #expect(Array(heard[end.upperBound...]) == body)
    }

    @Test func `an answer before the body is over is the answer`() throws {
        let server = try OneAnswerServer(
            answer: "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig",
            afterBodyBytes: 1)
        let answer = try post(server.port, body: [UInt8](repeating: 7, count: 5_000_000)).run().get()
        #expect(answer.status == 413 && answer.body == Array("big".utf8))
    }

    @Test(
        arguments: [
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length:2\r\n\r\nok", 200, "ok"),
            ("HTTP/1.0 503 Busy\r\nServer: x\r\n\r\nuntil the end", 503, "until the end"),
            ("HTTP/1.1 204 \r\nContent-Length: 0\r\n\r\n", 204, ""),
        ])
    func `answers of other forms are understood`(answer: String, status: Int, body: String) throws {
        let server = try OneAnswerServer(answer: answer)
        let result = try post(server.port).run().get()
        #expect(result.status == status && result.body == Array(body.utf8))
    }

    @Test(
        arguments: [
            "hello\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
    func `an unusable answer is a violation`(answer: String) throws {
        let server = try OneAnswerServer(answer: answer)
        let error = #expect(throws: ClientError.self) { try post(server.port).run().get() }
        #expect(error?.kind == .protocolViolation)
    }

    @Test func `an answer beyond the limit is not read to its end`() throws {
        let server = try OneAnswerServer(
            answer: "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: (1 << 20) + 1))
        let error = #expect(throws: ClientError.self) { try post(server.port).run().get() }
        #expect(error?.kind == .protocolViolation)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"])
    func `a connection that ends before the answer does is lost`(answer: String) throws {
        let server = try OneAnswerServer(answer: answer)
        let error = #expect(throws: ClientError.self) { try post(server.port).run().get() }
        #expect(error?.kind == .closed(code: nil, reason: ""))
    }

    @Test func `a server that says nothing is given up`() throws {
        let server = try OneAnswerServer(answer: nil)
        let error = #expect(throws: ClientError.self) { try post(server.port, patience: 1).run().get() }
        #expect(error?.kind == .timeout)
        server.end()
    }

    @Test func `a port where nobody listens is unreachable`() throws {
        let port = try OneAnswerServer.freePort()
        let error = #expect(throws: ClientError.self) { try post(port).run().get() }
        #expect(error?.kind == .unreachable)
        #expect(error?.description.contains("secret") == false)
    }
}

/// Takes one connection, reads a request, says one thing and closes.
private final class OneAnswerServer: @unchecked Sendable {
    // Safe to share: `received` is guarded by `lock`, the rest does not change.
    let port: UInt16
    private let listener: Int32
    private let lock = NSLock()
    private var received = Data()
    private let finished = DispatchSemaphore(value: 0)
    private let mayEnd = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - answer: nil says nothing until `end` is called.
    ///   - afterBodyBytes: Answers as soon as so many bytes of the body have come.
    init(answer: String?, afterBodyBytes: Int = 7) throws {
        (listener, port) = try Self.listen()
        Thread.detachNewThread { [self] in
            let socket = accept(listener, nil, nil)
            defer {
                close(socket)
                close(listener)
                finished.signal()
            }
            read(socket, afterBodyBytes)
            guard let answer else { return mayEnd.wait() }
            var rest = Array(answer.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
            shutdown(socket, Int32(SHUT_WR))
            // Closing on unread bytes would take the answer back.
            drain(socket)
        }
    }

    func end() { mayEnd.signal() }

    /// All that came, once the connection is over.
    func heard() -> Data {
        finished.wait()
        return lock.withLock { received }
    }

    private func read(_ socket: Int32, _ wanted: Int) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count <= 0 { return }
            let isEnough = lock.withLock {
                received.append(contentsOf: bytes[..<count])
                guard let head = received.range(of: Data("\r\n\r\n".utf8)) else { return false }
                return received.count - head.upperBound >= wanted
            }
            if isEnough { return }
        }
    }

    private func drain(_ socket: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while recv(socket, &bytes, bytes.count, 0) > 0 {}
    }

    static func freePort() throws -> UInt16 {
        let (socket, port) = try listen()
        close(socket)
        return port
    }

    private static func listen() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) == 0 && Glibc.listen(listener, 4) == 0
                    && getsockname(listener, raw, &size) == 0
            }
        }
        try #require(listener >= 0 && isBound)
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}
