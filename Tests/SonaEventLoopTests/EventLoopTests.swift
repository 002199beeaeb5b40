import Glibc
import SonaEventLoop
import Testing

@Suite struct EventLoopTests {
    private func start() throws -> EventLoop {
        var options = EventLoop.Options()
        options.backend = .poll
        let loop = EventLoop(options)
        try loop.start()
        return loop
    }

    @Test func `posted work runs in order on the loop`() async throws {
        let loop = try start()
        defer { loop.stop() }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<1000 { loop.post { continuation.yield(loop.isCurrent ? number : -1) } }
        loop.post { continuation.finish() }
        var seen: [Int] = []
        for await number in stream { seen.append(number) }
        #expect(seen == Array(0..<1000))
    }

    @Test func `urgent work goes ahead of what waits, in its own order`() async throws {
        let loop = try start()
        defer { loop.stop() }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        loop.post {
            for number in 0..<3 { loop.post { continuation.yield(number) } }
            for number in 10..<13 { loop.postUrgently { continuation.yield(number) } }
            loop.post { continuation.finish() }
        }
        var seen: [Int] = []
        for await number in stream { seen.append(number) }
        #expect(seen == [10, 11, 12, 0, 1, 2])
    }

    @Test func `an ordinary job never overtakes an urgent one posted before it`() async throws {
        let loop = try start()
        defer { loop.stop() }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for round in 0..<200 {
            for number in 0..<50 { loop.postUrgently { continuation.yield(round * 51 + number) } }
            loop.post { continuation.yield(round * 51 + 50) }
        }
        loop.post { continuation.finish() }
        var waiting = -1
        for await number in stream {
            // Urgent ones of later rounds may come before; of the ordinary one's own round and before, all have come.
            if number % 51 == 50 { #expect(waiting >= number - 1) } else { waiting = max(waiting, number) }
        }
        #expect(waiting == 199 * 51 + 49)
    }

    @Test func `timers ring while there is more work than an iteration takes`() async throws {
        let loop = try start()
        defer { loop.stop() }
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        loop.post {
            loop.schedule(after: .milliseconds(5)) { continuation.yield("timer") }
            // A tenth of a second of work in pieces of a millisecond.
            for _ in 0..<100 { loop.post { usleep(1000) } }
            loop.post {
                continuation.yield("work")
                continuation.finish()
            }
        }
        var seen: [String] = []
        for await word in stream { seen.append(word) }
        #expect(seen == ["timer", "work"])
    }

    @Test(arguments: [EventLoop.Backend.libuv, .poll])
    func `a job that a loop posts to itself runs soon, however quiet or unhurried the loop is`(
        backend: EventLoop.Backend
    ) async throws {
        var options = EventLoop.Options()
        options.backend = backend
        let loop = EventLoop(options)
        try loop.start()
        defer { loop.stop() }
        @Sendable func count(_ left: Int, _ done: @escaping @Sendable () -> Void) {
            guard left > 0 else { return done() }
            if left.isMultiple(of: 2) {
                loop.post { count(left - 1, done) }
            } else {
                loop.postUrgently { count(left - 1, done) }
            }
        }
        // Timers wait for an iteration; thirty iterations would be a minute.
        for iterationMilliseconds in [0, 2_000] as [Int64] {
            let begin = ContinuousClock.now
            await withCheckedContinuation { continuation in
                loop.post {
                    if iterationMilliseconds > 0 {
                        let until = MonotonicClock.nowMicroseconds() + 60_000_000
                        loop.slowDown(iterationMicroseconds: iterationMilliseconds * 1_000, until: until)
                    }
                    // From a job, and from a timer that is due when the loop comes to sleep.
                    count(30) {
                        loop.schedule(after: .zero) { count(30) { continuation.resume() } }
                        usleep(3_000)
                    }
                }
            }
            // A loop wakes once a second anyhow.
            let longest = iterationMilliseconds > 0 ? Duration.seconds(5) : .milliseconds(700)
            #expect(ContinuousClock.now - begin < longest)
        }
    }

    @Test(arguments: [EventLoop.Backend.libuv, .poll])
    func `an object released by the last job may post as it goes`(backend: EventLoop.Backend) async throws {
        final class Farewell: Sendable {
            let loop: EventLoop
            let words: @Sendable () -> Void
            init(_ loop: EventLoop, _ words: @escaping @Sendable () -> Void) { (self.loop, self.words) = (loop, words) }
            deinit { loop.post(words) }
        }
        var options = EventLoop.Options()
        options.backend = backend
        let loop = EventLoop(options)
        try loop.start()
        defer { loop.stop() }
        for _ in 0..<20 {
            await withCheckedContinuation { continuation in
                loop.post {
                    let last = Farewell(loop) { continuation.resume() }
                    for _ in 0..<3 { loop.post { withExtendedLifetime(last) {} } }
                }
            }
        }
    }

    @Test func `an actor can live on a loop`() async throws {
        let loop = try start()
        defer { loop.stop() }
        let resident = Resident(loop)
        for expected in 1...100 { #expect(await resident.count() == expected) }
    }

    @Test func `timers fire in order of their time, and cancelled ones do not`() async throws {
        let loop = try start()
        defer { loop.stop() }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        loop.post {
            loop.schedule(after: .milliseconds(60)) { continuation.yield(3) }
            loop.schedule(after: .milliseconds(20)) { continuation.yield(1) }
            let doomed = loop.schedule(after: .milliseconds(30)) { continuation.yield(99) }
            loop.schedule(after: .milliseconds(40)) { continuation.yield(2) }
            loop.schedule(after: .milliseconds(80)) { continuation.finish() }
            loop.cancel(doomed)
        }
        var seen: [Int] = []
        for await number in stream { seen.append(number) }
        #expect(seen == [1, 2, 3])
    }

    @Test func `a port in use is an error and port 0 finds a free one`() throws {
        let first = try ListeningSocket(host: "127.0.0.1", port: 0)
        defer { close(first.descriptor) }
        #expect(first.port > 0)
        do {
            _ = try ListeningSocket(host: "127.0.0.1", port: first.port)
            Issue.record("the port was bound twice")
        } catch {
            #expect(error.code == .addressInUse)
            #expect(error.detail.contains("127.0.0.1:\(first.port)"))
        }
    }

    @Test func `only the address that was named is bound`() throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        defer { close(socket.descriptor) }
        let table = try readFile("/proc/net/tcp") + readFile("/proc/net/tcp6")
        let port = String(socket.port, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 4 - port.utf8.count) + port
        let listening = table.split(separator: "\n").filter { $0.contains(":\(padded) ") && $0.contains(" 0A ") }
        #expect(listening.count == 1)
        #expect(listening.first?.contains("0100007F:\(padded)") == true)
    }

    @Test func `a client that connects before anybody accepts gets no buffer of megabytes, and need not wait`() throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        defer { close(socket.descriptor) }
        let client = RawSocket(port: socket.port)
        var accepted: Int32 = -1
        for _ in 0..<1000 where accepted < 0 {
            accepted = accept(socket.descriptor, nil, nil)
            if accepted < 0 { usleep(1000) }
        }
        try #require(accepted >= 0)
        defer { close(accepted) }
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        #expect(getsockopt(accepted, SOL_SOCKET, SO_SNDBUF, &value, &size) == 0)
        #expect(value == 64 * 1024, "the kernel doubles it")
        #expect(getsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size) == 0)
        #expect(value != 0)
        withExtendedLifetime(client) {}
    }

    @Test(arguments: ["nonexistent.invalid", "203.0.113.7"]) func `a host that is not this machine is an error`(
        host: String
    ) {
        #expect(throws: EventLoopError.self) { try ListeningSocket(host: host, port: 0) }
    }

    @Test func `loops start and stop many times in one process`() async throws {
        for _ in 0..<10 {
            let loop = try start()
            #expect(try await loop.run { 7 } == 7)
            loop.stop()
        }
    }
}

private func readFile(_ path: String) throws -> String {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { break }
        all += buffer[..<count]
    }
    return String(decoding: all, as: UTF8.self)
}

actor Resident {
    private let loop: EventLoop
    private var calls = 0
    init(_ loop: EventLoop) { self.loop = loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    func count() -> Int {
        precondition(loop.isCurrent)
        calls += 1
        return calls
    }
}
