import Glibc
import Testing

@testable import SonaEventLoop

/// Connections with descriptors of different ranges, which are in different contexts of libwebsockets.
@Suite(.serialized, .enabled(if: DescriptorLimit.raise() >= 19_000, "it takes 19 000 descriptors"))
struct DescriptorWindowTests {
    /// The first range, one of those made before anybody comes, and one that is made when somebody comes.
    @Test(arguments: [0, 3000, 17_000])
    func `a connection with any descriptor is served, cut, and forgotten when it ends`(lowest: Int) async throws {
        let server = try await EchoServer.prepared()
        let first = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        let kept = KeptDescriptors(below: lowest)
        defer { kept.close() }
        let limit = DescriptorLimit.current
        var sockets: [RawSocket] = []
        for _ in 0..<20 {
            sockets.append(try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1")))
        }
        let contexts = try await server.loop.run { [loop = server.loop] in
            let all = loop.core.sockets.values.sorted { $0.number < $1.number }
            let contexts = [all[0].webSocket?.context, all[20].webSocket?.context, loop.core.context]
            return contexts.map { Int(bitPattern: $0) }
        }
        #expect(Set(contexts).count == (lowest == 0 ? 2 : 3))
        for socket in sockets { socket.send(RawSocket.frame(1, Array("hello".utf8))) }
        for socket in sockets { #expect(socket.read(limit: 7) == [0x81, 5] + Array("hello".utf8)) }
        let answer = RawSocket.ask(server.port, "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(answer.contains("hello GET"))
        // Cut by a timer of the context's own.
        let last = sockets.removeLast()
        let begun = MonotonicClock.nowMicroseconds()
        try await server.loop.run { [loop = server.loop] in
            let newest = loop.core.sockets.values.filter { $0.webSocket != nil }.max { $0.number < $1.number }
            newest?.webSocket?.cut()
        }
        #expect(last.read(limit: 1).isEmpty)
        #expect(MonotonicClock.nowMicroseconds() - begun < 5_000_000)
        // Closed by this side, and by the other.
        sockets[0].send(RawSocket.frame(1, Array("close me".utf8)))
        #expect(sockets[0].read(limit: 4) == [0x88, 13, 0x11, 0x33])
        sockets.removeAll()
        first.send(RawSocket.frame(1, Array("close me".utf8)))
        #expect(first.read(limit: 4) == [0x88, 13, 0x11, 0x33])
        while try await server.loop.run({ [loop = server.loop] in loop.socketCount }) > 1 { usleep(1000) }
        #expect(DescriptorLimit.current == limit)
    }

    @Test func `the limit on descriptors is lowered for a while, by one at a time, and never raised`() async throws {
        let limit = DescriptorLimit.current
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let most = limit - number * 10 + 30
                        #expect(DescriptorLimit.lowered(to: most) { $0 } == min(most, limit))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(DescriptorLimit.lowered(to: 4000) { _ in softLimit() } == 4000)
        #expect(softLimit() == limit)
    }

    /// libwebsockets 4.1.6 crashes where it cannot open what a context needs.
    @Test func `a context for which there are no descriptors is an error`() async throws {
        let limit = softLimit()
        defer { setSoftLimit(limit) }
        // Four are left.
        setSoftLimit(try #require(DescriptorLimit.highest(ofNext: 4)) + 1)
        let loop = EventLoop()
        let failure = #expect(throws: EventLoopError.self) { try loop.start() }
        #expect(failure?.code == .system)
        setSoftLimit(limit)
        try loop.start()
        loop.stop()
    }

    /// libwebsockets closes who says nothing by a timer that it looks at when a socket of the same context was served.
    @Test func `a silent connection is closed, even if it is the only one`() async throws {
        let server = try await EchoServer.prepared()
        let kept = KeptDescriptors(below: 3000)
        defer { kept.close() }
        let socket = RawSocket(port: server.port)
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let started = MonotonicClock.nowMicroseconds()
        #expect(socket.read(limit: 1).isEmpty)
        #expect(MonotonicClock.nowMicroseconds() - started < 15_000_000)
    }
}

extension EchoServer {
    /// An acceptor that has finished its preparations before the first connection comes.
    fileprivate static func prepared() async throws -> EchoServer {
        let server = try await EchoServer()
        try await server.loop.run {}
        return server
    }
}

/// Takes the descriptors below a number, so that whatever comes next has that one or a higher one.
private final class KeptDescriptors {
    private var descriptors: [Int32] = []

    init(below lowest: Int) {
        while let next = Optional(dup(0)), next >= 0 {
            descriptors.append(next)
            if next >= lowest { break }
        }
    }

    func close() { descriptors.forEach { _ = Glibc.close($0) } }
}

private func softLimit() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
}

private func setSoftLimit(_ descriptors: Int) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = rlim_t(descriptors)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
