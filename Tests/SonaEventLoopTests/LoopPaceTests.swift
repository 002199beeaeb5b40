import SonaEventLoop
import Testing

/// A slowed loop has fewer iterations, and still answers urgent sockets at once.
@Suite struct LoopPaceTests {
    private func patientSocket(_ server: EchoServer) throws -> RawSocket {
        let socket = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        socket.send(RawSocket.frame(1, Array("I can wait".utf8)))
        #expect(socket.read(limit: 12).count == 12)
        return socket
    }

    private func roundTrips(_ socket: RawSocket, _ count: Int) {
        for number in 0..<count {
            socket.send(RawSocket.frame(2, [UInt8(number)]))
            #expect(socket.read(limit: 3) == [0x82, 1, UInt8(number)])
        }
    }

    private func slowDown(_ loop: EventLoop, iterationMilliseconds: Int64, forMilliseconds span: Int64) async throws {
        try await loop.run {
            loop.slowDown(
                iterationMicroseconds: iterationMilliseconds * 1_000,
                until: MonotonicClock.nowMicroseconds() + span * 1_000)
        }
    }

    @Test(arguments: [EventLoop.Backend.libuv, .poll])
    func `connections that may wait are served an iteration at a time, until the loop is quick again`(
        backend: EventLoop.Backend
    ) async throws {
        let server = try await EchoServer(backend: backend)
        let patient = try patientSocket(server)
        try await slowDown(server.loop, iterationMilliseconds: 100, forMilliseconds: 2_000)
        let begin = ContinuousClock.now
        roundTrips(patient, 6)
        #expect(ContinuousClock.now - begin >= .milliseconds(400), "each needs an iteration of its own")

        // What is posted and timers have their turn as well.
        let rung = AsyncStream.makeStream(of: Void.self)
        server.loop.post { server.loop.schedule(after: .milliseconds(1)) { rung.continuation.finish() } }
        for await _ in rung.stream {}
        try await slowDown(server.loop, iterationMilliseconds: 5_000, forMilliseconds: 0)
        let quick = ContinuousClock.now
        roundTrips(patient, 20)
        #expect(ContinuousClock.now - quick < .seconds(10), "it is over")
    }

    @Test(arguments: [EventLoop.Backend.libuv, .poll])
    func `a connection that may not wait ends the rest, whichever came first`(backend: EventLoop.Backend) async throws {
        let server = try await EchoServer(backend: backend)
        let before = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        let patient = try patientSocket(server)
        // One whose upgrade is still to come, like those of a wave of joins.
        let late = RawSocket(port: server.port)
        roundTrips(before, 1)
        try await slowDown(server.loop, iterationMilliseconds: 10_000, forMilliseconds: 60_000)
        let begin = ContinuousClock.now
        late.send(RawSocket.upgrade(path: "/ws", RawSocket.plain + "Sec-WebSocket-Protocol: sona.v1\r\n"))
        #expect(String(decoding: late.read(limit: 12), as: UTF8.self) == "HTTP/1.1 101")
        // One that was there, and one that comes while the loop rests: those who come may not wait either.
        let since = try #require(RawSocket.open(server.port, path: "/ws", protocols: "sona.v1"))
        for _ in 0..<5 {
            patient.send(RawSocket.frame(2, [0]))
            roundTrips(before, 1)
            roundTrips(since, 1)
        }
        // Any of them alone would take ten seconds if it waited.
        #expect(ContinuousClock.now - begin < .seconds(6))
        #expect(patient.read(limit: 15).count == 15, "and the others' iteration is the same one")
        server.loop.stop()
    }

    @Test(arguments: [EventLoop.Backend.libuv, .poll])
    func `a connection that may wait is read whole in a few iterations`(backend: EventLoop.Backend) async throws {
        let server = try await EchoServer(backend: backend)
        let patient = try patientSocket(server)
        try await slowDown(server.loop, iterationMilliseconds: 200, forMilliseconds: 60_000)
        let begin = ContinuousClock.now
        // One long message is sixty reads; a hundred short ones, of which two fill a read, are fifty.
        patient.send(RawSocket.frame(2, [UInt8](repeating: 7, count: 16_000)))
        #expect(patient.read(limit: 16_004).count == 16_004)
        let short = RawSocket.frame(2, [UInt8](repeating: 5, count: 128))
        #expect(short.count == 136)
        patient.send(Array((0..<100).flatMap { _ in short }))
        #expect(patient.read(limit: 13_200).count == 13_200)
        #expect(ContinuousClock.now - begin < .seconds(6), "an iteration for each read would be twenty seconds")
        server.loop.stop()
    }
}
