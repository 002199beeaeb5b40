import Foundation
import FoundationNetworking
import Testing

/// The fate of connections that send more than they may. Source: Protocol/spec/connection.md, "Silence and haste".
@Suite(.serialized) struct ConductTests {
    /// A well-formed packet of 20 ms.
    private func packet(_ number: Int, epoch: Int = 1) -> [UInt8] {
        HeardPacket.up(epoch: epoch, number: number, packet: [0xFC] + [UInt8](repeating: 0x5A, count: 80))
    }

    /// Sends until the server has had enough.
    private func sendAll(_ count: Int, over client: SocketClient, _ send: (SocketClient, Int) throws -> Void) {
        for number in 0..<count {
            guard client.closeCode == nil, (try? send(client, number)) != nil else { return }
        }
    }

    @Test(arguments: ["1", "2"])
    func `audio from somebody who is not the host is refused, and ends the connection in the end`(
        loops: String
    ) async throws {
        let server = try await TestServer(["--loops", loops])
        let owner = try await SocketClient.newcomer(server, "conduct")
        let room = try await roomID(owner)
        let listener = try await SocketClient.guest(server)
        try await listener.call("room.join", ["room": room])
        // A few such packets are a fault that is reported.
        for number in 0..<20 { try listener.send(frame: packet(number)) }
        _ = try await SocketClient.eventually("host.not_host") { Self.error(listener, "host.not_host") ? true : nil }
        try await listener.call("room.get", ["room": room])
        #expect(listener.closeCode == nil)
        sendAll(2_000, over: listener) { try $0.send(frame: packet($1)) }
        let code = try await SocketClient.eventually("the end") { listener.closeCode }
        #expect(code == 4429)
        try await owner.call("room.get", ["room": room])
        _ = await server.stop()
    }

    @Test func `a host whose packets were on their way when it lost the seat is not punished`() async throws {
        let server = try await TestServer()
        let host = try await SocketClient.newcomer(server, "late")
        let room = try await roomID(host)
        try await host.call("room.join", ["room": room, "audio": false])
        let started = try await host.call(
            "host.start", ["stream": ["codec": "opus", "channels": 2, "pre_skip": 312], "pacing": "server"])
        let epoch = try #require(started["epoch"] as? Int)
        try host.send(frame: packet(0, epoch: epoch))
        try await host.call("host.stop")
        sendAll(1_000, over: host) { try $0.send(frame: packet($1 + 1, epoch: epoch)) }
        try await host.call("room.get", ["room": room])
        #expect(host.closeCode == nil && Self.error(host, "host.not_host"))
        // The host takes the seat again and is heard.
        let again = try await host.call(
            "host.start", ["stream": ["codec": "opus", "channels": 2, "pre_skip": 312], "pacing": "server"])
        let listener = try await SocketClient.guest(server)
        try await listener.call("room.join", ["room": room])
        for number in 0..<10 { try host.send(frame: packet(number, epoch: again["epoch"] as? Int ?? 0)) }
        _ = try await SocketClient.eventually("sound") { listener.packets.isEmpty ? nil : true }
        _ = await server.stop()
    }

    private var offer: [String: Any] {
        [
            "stream": ["codec": "opus", "channels": 2, "pre_skip": 312], "pacing": "server",
        ]
    }

    /// A host in a room of their own, with the seat.
    private func seated(_ server: TestServer, _ name: String) async throws -> (host: SocketClient, epoch: Int) {
        let host = try await SocketClient.newcomer(server, name)
        let room = try await roomID(host)
        try await host.call("room.join", ["room": room, "audio": false])
        return (host, try await host.call("host.start", offer)["epoch"] as? Int ?? 0)
    }

    @Test(arguments: [
        ("audio.wrong_epoch", "wrong_epoch"), ("audio.malformed", "malformed_audio"), ("audio.too_fast", "too_fast"),
    ])
    func `a host that goes on sending refused packets is closed`(code: String, reason: String) async throws {
        let server = try await TestServer()
        let (host, epoch) = try await seated(server, "stubborn")
        /// A packet of another epoch, half an hour ahead, or not Opus.
        func refused(_ number: Int) -> [UInt8] {
            switch reason {
            case "wrong_epoch": packet(number, epoch: epoch + 1)
            case "too_fast": packet(100_000 + number, epoch: epoch)
            default: HeardPacket.up(epoch: epoch, number: number, packet: [0xFF])
            }
        }
        for number in 0..<20 { try host.send(frame: refused(number)) }
        _ = try await SocketClient.eventually(code) { Self.error(host, code) ? true : nil }
        // Packets that may have been on their way from an epoch before are ignored for five seconds.
        if reason == "wrong_epoch" { try await Task.sleep(for: .seconds(5.2)) }
        try await host.call("user.me")
        #expect(host.closeCode == nil)
        sendAll(2_000, over: host) { try $0.send(frame: refused($1 + 20)) }
        let end = try await SocketClient.eventually("the end") { host.closeCode }
        #expect(end == 4429)
        #expect(try await count(server, "sona_frames_refused_total", reason) > 300)
        #expect(try await count(server, "sona_connections_closed_for_conduct_total", "frames") == 1)
        _ = await server.stop()
    }

    @Test func `a host is not punished for packets of the last epoch that are on their way`() async throws {
        let server = try await TestServer()
        let (host, epoch) = try await seated(server, "seeker")
        try host.send(frame: packet(0, epoch: epoch))
        // As many packets as sound in five seconds, at the shortest duration.
        _ = try host.begin("host.start", offer)
        sendAll(1_800, over: host) { try $0.send(frame: packet($1 + 1, epoch: epoch)) }
        let again = try await host.call("host.start", offer)
        #expect(host.closeCode == nil && Self.error(host, "audio.wrong_epoch"))
        #expect(again["epoch"] as? Int == epoch + 2)
        // Starting anew all the time does not let a host send more of them.
        for _ in 0..<40 {
            _ = try? host.begin("host.start", offer)
            sendAll(200, over: host) { try $0.send(frame: packet($1, epoch: epoch)) }
        }
        let end = try await SocketClient.eventually("the end") { host.closeCode }
        #expect(end == 4429)
        _ = await server.stop()
    }

    @Test func `time probes beyond fifty in a second are not answered, and end the connection in the end`() async throws
    {
        let server = try await TestServer()
        let client = try await SocketClient.guest(server)
        func probe(_ client: SocketClient, _ number: Int) throws {
            let head = [1, 0, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
            try client.send(frame: head + [UInt8](repeating: 0, count: 8))
        }
        func answers() -> Int { client.frames.count { $0.bytes.first == 2 } }
        let began = ContinuousClock.now
        sendAll(50, over: client, probe)
        _ = try await SocketClient.eventually("fifty answers") { answers() == 50 ? true : nil }
        sendAll(200, over: client, probe)
        try await client.call("user.me")
        let allowed = 51 + Int((ContinuousClock.now - began) / .milliseconds(20))
        #expect(answers() <= allowed, "\(answers()) of \(allowed)")
        // The connection stays and is answered again.
        try await Task.sleep(for: .milliseconds(300))
        let before = answers()
        try probe(client, 9)
        _ = try await SocketClient.eventually("an answer") { answers() > before ? true : nil }
        #expect(client.closeCode == nil)
        sendAll(2_000, over: client, probe)
        let end = try await SocketClient.eventually("the end") { client.closeCode }
        #expect(end == 4429)
        #expect(try await count(server, "sona_frames_refused_total", "probe") > 300)
        _ = await server.stop()
    }

    @Test func `refusals at the gate are counted by their code`() async throws {
        let server = try await TestServer()
        func ask(_ headers: [String: String]) async throws -> Int? {
            var request = URLRequest(url: try #require(URL(string: server.address + "/v1/rpc/room.list")))
            request.httpMethod = "POST"
            request.httpBody = Data("{}".utf8)
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
        }
        let json = ["Content-Type": "application/json"]
        #expect(try await ask(json.merging(["Origin": "https://elsewhere.example"]) { $1 }) == 403)
        #expect(try await ask(["Content-Type": "text/plain"]) == 415)
        #expect(try await ask(["Content-Type": "text/plain"]) == 415)
        let name = "sona_http_requests_refused_total"
        #expect(try await count(server, name, "request.origin_forbidden") == 1)
        #expect(try await count(server, name, "request.media_type") == 2)
        #expect(try await count(server, name, "request.host_unknown") == 0)
        _ = await server.stop()
    }

    /// A counter of `/metrics` with one label.
    private func count(_ server: TestServer, _ name: String, _ value: String) async throws -> Int {
        let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: server.metrics)))
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name + "{") {
            guard line.contains("\"\(value)\"") else { continue }
            return line.split(separator: " ").last.flatMap { Double($0) }.map(Int.init) ?? -1
        }
        return -1
    }

    @Test func `text beyond a connection's limit is not read, and ends the connection if it goes on`() async throws {
        let server = try await TestServer(["--exempt", "127.0.0.1"])
        let flooder = try await SocketClient.guest(server)
        let other = try await SocketClient.guest(server)
        let padding = String(repeating: "x", count: 65_000)
        // At most 13 MB: the connection is closed once six have been read.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                sendAll(200, over: flooder) { client, _ in _ = try client.begin("user.me", ["x": padding]) }
                continuation.resume()
            }
        }
        let code = try await SocketClient.eventually("the end", within: 30) { flooder.closeCode }
        #expect(code == 4429)
        try await other.call("user.me")
        _ = await server.stop()
    }

    @Test func `all connections of an address share its budget of requests`() async throws {
        let server = try await TestServer()
        var clients: [SocketClient] = []
        for _ in 0..<40 { clients.append(try await .guest(server)) }
        // 2320 requests in all, below the budget of each connection.
        let asked = try clients.map { client in try (0..<58).map { _ in try client.begin("user.me", [:]) } }
        var limited = 0
        for (client, ids) in zip(clients, asked) {
            for id in ids {
                do { try await client.reply(id) } catch let refusal as SocketClient.Refusal {
                    #expect(refusal.code == "request.rate_limited" && refusal.retryAfterMilliseconds ?? 0 > 0)
                    limited += 1
                }
            }
        }
        #expect(limited > 0)
        _ = await server.stop()
    }

    @Test func `a room that changes all the time is reported seldom, and at the end in its final state`() async throws {
        let server = try await TestServer(["--exempt", "127.0.0.1"])
        let owner = try await SocketClient.newcomer(server, "busybody")
        let room = try await roomID(owner)
        let listener = try await SocketClient.guest(server)
        try await listener.call("room.join", ["room": room])
        let began = ContinuousClock.now
        for number in 1...40 { try await owner.call("room.update", ["room": room, "title": "Title \(number)"]) }
        let took = ContinuousClock.now - began
        func titles() -> [String] {
            listener.events("room.updated").compactMap { ($0.data["room"] as? [String: Any])?["title"] as? String }
        }
        _ = try await SocketClient.eventually("the last title") { titles().last == "Title 40" ? true : nil }
        #expect(titles().count <= Int(took / .milliseconds(500)) + 3, "\(titles()) in \(took)")
        #expect(titles().first == "Title 1")
        let sequences = listener.events.compactMap(\.sequence)
        for (one, next) in zip(sequences, sequences.dropFirst()) { #expect(next == one + 1) }
        _ = await server.stop()
    }

    @Test func `events to many go out in order, and answers do not overtake them`() async throws {
        let server = try await TestServer(["--exempt", "127.0.0.1", "--loops", "2"])
        let owner = try await SocketClient.newcomer(server, "speaker")
        let room = try await roomID(owner)
        var people = [owner]
        for _ in 0..<6 { people.append(try await .guest(server)) }
        for person in people { try await person.call("room.join", ["room": room]) }
        // Each of these requests makes an event to all and an answer to its sender, all in one burst.
        for _ in 0..<20 {
            _ = try owner.begin(
                "host.start", ["pacing": "live", "stream": ["codec": "opus", "channels": 2, "pre_skip": 312]])
            _ = try owner.begin("host.pause", [:])
        }
        try await owner.call("host.stop")
        let own = owner.events.compactMap(\.sequence).max() ?? 0
        #expect(own > 20)
        for person in people {
            _ = try await SocketClient.eventually("all events") {
                person.events.compactMap(\.sequence).max() ?? 0 >= own ? true : nil
            }
            let sequences = person.events.filter { $0.object["room"] != nil }.compactMap(\.sequence)
            for (one, next) in zip(sequences, sequences.dropFirst()) { #expect(next == one + 1) }
            #expect(sequences.max() == own, "nothing was announced before an answer and came behind it")
        }
        _ = await server.stop()
    }

    private func roomID(_ host: SocketClient) async throws -> String {
        let created = try await host.call("room.create", ["title": "Conduct"])
        return (created["room"] as? [String: Any])?["id"] as? String ?? ""
    }

    private static func error(_ client: SocketClient, _ code: String) -> Bool {
        client.events.contains { ($0.object["error"] as? [String: Any])?["code"] as? String == code }
    }
}
