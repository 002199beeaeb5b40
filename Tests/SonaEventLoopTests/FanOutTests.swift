import SonaEventLoop
import Testing

@Suite struct FanOutTests {
    @Test(arguments: [EventLoop.Backend.libuv, .poll])
    func `everybody gets every frame from the next one on`(backend: EventLoop.Backend) async throws {
        let hall = try await Hall(backend: backend)
        let early = try await hall.enter()
        try await hall.append(1, send: nil)
        let late = try await hall.enter()
        try await hall.append(2, send: nil)
        try await hall.append(3, send: nil)
        #expect(early.read(limit: 9) == Hall.frames([1, 2, 3]))
        #expect(late.read(limit: 6) == Hall.frames([2, 3]))
    }

    @Test func `in groups each gets in one write all that has come since`() async throws {
        let hall = try await Hall()
        let sockets = [try await hall.enter(), try await hall.enter(), try await hall.enter()]
        var writes = 0
        for number in 1...6 { writes += try await hall.append(UInt8(number), send: (number % 3, 3)).writes }
        // Six packets, three listeners, three groups in a round: two writes for each, of one to three packets.
        #expect(writes == 6)
        let rest = try await hall.send(nil)
        #expect(rest.frames == 3, "each member is owed the frames since its last send")
        for socket in sockets { #expect(socket.read(limit: 18) == Hall.frames(Array(1...6))) }
    }

    @Test func `the frames still owed begin after the oldest of the last sends`() async throws {
        let hall = try await Hall()
        #expect(try await hall.owed == 0)
        let sockets = [try await hall.enter(), try await hall.enter(takesFrames: false), try await hall.enter()]
        for number in 1...6 {
            try await hall.append(UInt8(number), send: (number % 3, 3))
            // Each group gets the frames of the two before it, so that no more than two are owed.
            if number > 2 { #expect(try await (1...2).contains(hall.owed)) }
        }
        try await hall.send(nil)
        #expect(try await hall.owed == 0)
        #expect(sockets[0].read(limit: 18) == Hall.frames(Array(1...6)))
    }

    @Test func `announcements reach those without frames, too`() async throws {
        let hall = try await Hall()
        let listener = try await hall.enter()
        let reader = try await hall.enter(takesFrames: false)
        try await hall.append(1, send: nil)
        try await hall.announce("so")
        try await hall.append(2, send: nil)
        #expect(listener.read(limit: 10) == Hall.frames([1]) + [0x81, 2, 0x73, 0x6F] + Hall.frames([2]))
        #expect(reader.read(limit: 4) == [0x81, 2, 0x73, 0x6F])
    }

    @Test func `announcements of one iteration are one write for each member`() async throws {
        let hall = try await Hall()
        let sockets = [try await hall.enter(), try await hall.enter(takesFrames: false), try await hall.enter()]
        let (told, first) = try await hall.announce(["a", "b", "c"])
        #expect(told == 3 && first == [true, false, false])
        for socket in sockets { #expect(socket.read(limit: 9) == Hall.texts(["a", "b", "c"])) }
        #expect(try await hall.announce(["d"]).first == [true], "the next is the first again")
    }

    @Test func `a member that is served early, leaves or joins gets each announcement once, in order`() async throws {
        let hall = try await Hall()
        let (asking, going, other) = (try await hall.enter(), try await hall.enter(), try await hall.enter())
        let told = try await hall.announce(["a", "b", "c"]) { index, fanOut, members in
            if index == 1 {
                fanOut.tell(members[0])
                members[0].connection.send(text: Array("!".utf8))
            } else {
                fanOut.remove(members[1])
            }
        }.told
        #expect(told == 2)
        #expect(asking.read(limit: 12) == Hall.texts(["a", "!", "b", "c"]))
        #expect(going.read(limit: 6) == Hall.texts(["a", "b"]))
        #expect(other.read(limit: 9) == Hall.texts(["a", "b", "c"]))
        let late = try await hall.enter()
        #expect(try await hall.announce(["d"]).told == 3)
        #expect(late.read(limit: 3) == Hall.texts(["d"]))
    }

    @Test func `much that is announced does not wait for the end of the iteration`() async throws {
        let hall = try await Hall()
        let socket = try await hall.enter()
        let long = (0..<20).map { String(repeating: Character(UnicodeScalar(UInt8(0x61 + $0))), count: 100) }
        let more = Array(repeating: long, count: 20).flatMap { $0 }
        let (_, first) = try await hall.announce(more)
        #expect(first.count { $0 } > 1)
        #expect(socket.read(limit: 102 * 400) == Hall.texts(more))
    }

    @Test func `a member that does not read is put aside, costs the others nothing, and goes on where its owner says`()
        async throws
    {
        let hall = try await Hall()
        let reading = try await hall.enter()
        let stuck = try await hall.enter()
        let bulk = [UInt8](repeating: 9, count: 8_000)
        var frames = 0
        for _ in 0..<400 {
            frames += try await hall.append(bulk, send: nil).frames
            _ = reading.read(limit: 8_004)
        }
        #expect(try await hall.behindCount == 1)
        #expect(frames < 2 * 400 && frames > 400, "one member should get all frames, the other as many as sockets hold")
        // What it has got is whole; from there on it is given the last only.
        try await hall.catchUp(skippingTo: 399)
        var bytes: [UInt8] = []
        while true {
            let more = stuck.read(limit: 8_004)
            bytes += more
            if try await hall.behindCount == 0 { break }
            try await hall.catchUp(skippingTo: nil)
        }
        try await hall.append(7, send: nil)
        bytes += stuck.read(limit: (frames - 400 + 1) * 8_004 + 3 - bytes.count)
        let one = [0x82, 126, UInt8(8_000 >> 8), UInt8(8_000 & 0xFF)] + bulk
        #expect(bytes == Array(repeating: one, count: frames - 400 + 1).flatMap { $0 } + Hall.frames([7]))
    }

    @Test func `a member that has lost something is put aside first, and told by its owner`() async throws {
        let hall = try await Hall()
        let listener = try await hall.enter()
        try await hall.append(1, send: nil)
        // Nothing is owed any more, and something was left out.
        try await hall.breakFirst()
        #expect(try await hall.behindCount == 0)
        #expect(try await hall.append(2, send: nil).frames == 0)
        #expect(try await hall.behindCount == 1)
        try await hall.mend([9, 9])
        try await hall.catchUp(skippingTo: nil)
        try await hall.append(3, send: nil)
        #expect(listener.read(limit: 3 + 4 + 3) == Hall.frames([1]) + [0x82, 2, 9, 9] + Hall.frames([3]))
    }

    @Test func `those who leave are left out, and the others keep their places`() async throws {
        let hall = try await Hall()
        var sockets: [RawSocket] = []
        for _ in 0..<12 { sockets.append(try await hall.enter()) }
        for number in 1...6 { try await hall.append(UInt8(number), send: (number % 6, 6)) }
        for index in [0, 11, 5] { try await hall.leave(index) }
        try await hall.send(nil)
        for (index, socket) in sockets.enumerated() where ![0, 11, 5].contains(index) {
            #expect(socket.read(limit: 18) == Hall.frames(Array(1...6)), "\(index)")
        }
        #expect(try await hall.count == 9)
    }
}

/// A loop with one fan-out, and the sockets that were let in.
private final class Hall: Sendable {
    private let loop: EventLoop
    private let port: Int
    private let stage: Stage

    init(backend: EventLoop.Backend = .libuv) async throws {
        var options = EventLoop.Options()
        options.backend = backend
        options.subprotocols = ["sona.v1"]
        let loop = EventLoop(options)
        try loop.start()
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let stage = Stage()
        try await loop.run {
            stage.fanOut = FanOut(on: loop, from: 5)
            loop.serve(stage)
            _ = try loop.accept(socket, for: [loop])
        }
        self.loop = loop
        self.stage = stage
        port = socket.port
    }

    deinit {
        let stage = self.stage
        loop.post {
            stage.members = []
            stage.fanOut = nil
        }
        loop.stop()
    }

    static func texts(_ texts: [String]) -> [UInt8] { texts.flatMap { [0x81, UInt8($0.utf8.count)] + Array($0.utf8) } }

    static func frames(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { [0x82, 1, UInt8($0)] } }

    func enter(takesFrames: Bool = true) async throws -> RawSocket {
        let stage = self.stage
        try await loop.run { stage.takesFrames = takesFrames }
        let before = try await loop.run { stage.members.count }
        let socket = try #require(RawSocket.open(port, path: "/", protocols: "sona.v1"))
        while try await loop.run({ stage.members.count }) == before { try await Task.sleep(for: .milliseconds(2)) }
        return socket
    }

    @discardableResult
    func append(_ number: UInt8, send group: (Int, Int)?) async throws -> (frames: Int, writes: Int) {
        try await append([number], send: group)
    }

    @discardableResult
    func append(_ payload: [UInt8], send group: (Int, Int)?) async throws -> (frames: Int, writes: Int) {
        let stage = self.stage
        try await loop.run { _ = stage.fanOut?.append(binary: payload, due: .max) }
        return try await send(group)
    }

    @discardableResult
    func send(_ group: (Int, Int)?) async throws -> (frames: Int, writes: Int) {
        let stage = self.stage
        return try await loop.run {
            let sent = stage.fanOut?.send(
                group: group.map { (index: $0.0, count: $0.1) }, now: MonotonicClock.nowMicroseconds())
            return (sent?.frames ?? 0, sent?.writes ?? 0)
        }
    }

    func announce(_ text: String) async throws {
        let stage = self.stage
        try await loop.run {
            _ = stage.fanOut?.announce(WebSocketFrame(text: Array(text.utf8)))
            stage.fanOut?.tellAll()
        }
    }

    /// Announces several things in one iteration of the loop.
    ///
    /// - Parameter between: What is done before each of them but the first.
    /// - Returns: How many members were written to in the end, and which announcements were the first that waited.
    func announce(
        _ texts: [String], between: @escaping @Sendable (Int, FanOut, [FanOut.Member]) -> Void = { _, _, _ in }
    ) async throws -> (told: Int, first: [Bool]) {
        let stage = self.stage
        return try await loop.run {
            guard let fanOut = stage.fanOut else { return (0, []) }
            var first: [Bool] = []
            for (index, text) in texts.enumerated() {
                if index > 0 { between(index, fanOut, stage.members) }
                first.append(fanOut.announce(WebSocketFrame(text: Array(text.utf8))))
            }
            return (fanOut.tellAll(), first)
        }
    }

    func leave(_ index: Int) async throws {
        let stage = self.stage
        try await loop.run { stage.fanOut?.remove(stage.members[index]) }
    }

    func catchUp(skippingTo place: Int?) async throws {
        let stage = self.stage
        try await loop.run {
            guard let fanOut = stage.fanOut, let member = fanOut.behind.first else { return }
            if let place { fanOut.skip(member, to: fanOut.first + place) }
            _ = fanOut.catchUp(member)
        }
    }

    func breakFirst() async throws {
        let stage = self.stage
        try await loop.run { stage.members[0].isBroken = true }
    }

    /// Sends the first of those behind something in the place of what it is owed.
    func mend(_ payload: [UInt8]) async throws {
        let stage = self.stage
        try await loop.run {
            guard let fanOut = stage.fanOut, let member = fanOut.behind.first else { return }
            if fanOut.send(WebSocketFrame(binary: payload), inPlaceOfNextTo: member) { member.isBroken = false }
        }
    }

    /// Frames that somebody has still to get.
    var owed: Int {
        get async throws {
            let stage = self.stage
            return try await loop.run { stage.fanOut.map { $0.end - $0.firstOwed } ?? 0 }
        }
    }

    var behindCount: Int {
        get async throws {
            let stage = self.stage
            return try await loop.run { stage.fanOut?.behind.count ?? 0 }
        }
    }

    var count: Int {
        get async throws {
            let stage = self.stage
            return try await loop.run { stage.fanOut?.count ?? 0 }
        }
    }
}

private final class Stage: LoopApplication, WebSocketHandler, @unchecked Sendable {
    // Safe to share: used on the loop only.
    var fanOut: FanOut?
    var members: [FanOut.Member] = []
    var takesFrames = true

    func received(_ request: HTTPRequest, _ exchange: HTTPExchange) { exchange.respond(.text(404, "nothing here")) }
    func upgrade(_ request: HTTPRequest) -> UpgradeDecision {
        .accept(self, WebSocketLimits(text: 100, binary: 100))
    }

    func webSocketOpened(_ connection: WebSocketConnection) {
        guard let fanOut else { return }
        members.append(fanOut.add(connection, takesFrames: takesFrames))
    }
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {}
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
}
