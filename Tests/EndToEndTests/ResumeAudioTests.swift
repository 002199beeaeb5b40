import Foundation
import Testing

/// Audio across lost connections. Protocol/spec/resuming.md, "Audio" and "A host".
@Suite(.serialized) struct ResumeAudioTests {
    private func report(_ ending: Ending) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
    }

    /// Index of a run of packets among others; nil if they do not stand there in a row.
    private func place(of part: [[UInt8]], in whole: [[UInt8]], from begin: Int = 0) -> Int? {
        guard !part.isEmpty, whole.count >= part.count else { return nil }
        return (begin...whole.count - part.count).first { whole[$0..<$0 + part.count].elementsEqual(part) }
    }

    @Test(arguments: ["1", "4"])
    func `a connection cut for 400 ms takes nothing away and gives nothing twice`(loops: String) async throws {
        let server = try await TestServer(["--demo", "--loops", loops])
        let proxy = try CuttingProxy(to: server)
        defer { proxy.end() }
        let control = try server.start("eve", "listen", "@demo", "--output", server.file("all.opus"), "--seconds", "9")
        try await Task.sleep(for: .seconds(1))
        let listener = try server.start(
            "bob", "--server", proxy.address, "listen", "@demo", "--output", server.file("cut.opus"), "--seconds", "6",
            "--stats")
        for _ in 0..<2 {
            try await Task.sleep(for: .seconds(1.7))
            try await proxy.cut(for: 0.4)
        }
        let ending = await listener.ending()
        let figures = try report(ending)
        #expect(figures["lost"] as? Int == 0 && figures["duplicates"] as? Int == 0, "\(figures)")
        #expect(figures["reconnects"] as? Int == 2 && figures["resumed"] as? Int == 2, "\(figures)")
        #expect(await control.ending().status == 0)
        let all = try Sources.packets(server.file("all.opus"), skippingPreroll: true)
        let heard = try Sources.packets(server.file("cut.opus"), skippingPreroll: true)
        #expect(heard.count > 250 && place(of: heard, in: all) != nil, "\(heard.count) of \(all.count)")
        #expect(try await Sources.complaints(server.file("cut.opus")) == [])
    }

    @Test func `a connection cut for 3 s costs the sound that could not be heard, and no more`() async throws {
        let server = try await TestServer(["--demo", "--loops", "2"])
        let proxy = try CuttingProxy(to: server)
        defer { proxy.end() }
        let witness = try await SocketClient.guest(server)
        try await witness.call("room.join", ["room": "@demo"])
        _ = try await SocketClient.eventually("the first packet") { witness.packets.first }
        let listener = try server.start(
            "bob", "--server", proxy.address, "listen", "@demo", "--output", server.file("cut.opus"), "--seconds", "12",
            "--stats")
        try await Task.sleep(for: .seconds(2))
        try await proxy.cut(for: 3)
        let figures = try report(await listener.ending())
        let lost = try #require(figures["lost"] as? Int)
        // 3 s less the lead of 600 ms, and the time to reconnect: at most a second.
        #expect(figures["resumed"] as? Int == 1 && figures["duplicates"] as? Int == 0, "\(figures)")
        #expect((110...190).contains(lost), "\(figures)")
        #expect(witness.events("room.members_changed").allSatisfy { ($0.data["left"] as? [Any] ?? []).isEmpty })
        let all = Dictionary(witness.packets.map { ($0.bytes, $0.sequence) }) { first, _ in first }
        let numbers = try Sources.packets(server.file("cut.opus"), skippingPreroll: true).compactMap { all[$0] }
        let gaps = zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }
        #expect(numbers.count > 300)
        #expect(gaps.count <= 2, "one gap, and where the demo's melody begins again: \(gaps)")
    }

    @Test func `a silently dead connection is left after a second and a half`() async throws {
        let server = try await TestServer(["--demo"])
        let proxy = try CuttingProxy(to: server)
        defer { proxy.end() }
        let listener = try server.start(
            "bob", "--server", proxy.address, "listen", "@demo", "--output", server.file("cut.opus"), "--seconds", "8",
            "--stats")
        try await Task.sleep(for: .seconds(2))
        proxy.stall()
        let figures = try report(await listener.ending())
        #expect(figures["resumed"] as? Int == 1 && figures["duplicates"] as? Int == 0, "\(figures)")
        #expect((20...120).contains(figures["lost"] as? Int ?? -1), "1.5 s and the way back, less the lead: \(figures)")
    }

    @Test func `missed packets come with REPLAY, the late ones to be decoded only, and none twice`() async throws {
        let server = try await TestServer(["--demo", "--loops", "3"])
        let guest = try await SocketClient.guest(server)
        try await guest.call("room.join", ["room": "@demo"])
        // The melody is made when the server starts.
        _ = try await SocketClient.eventually("the first packet") { guest.packets.first }
        var last = guest
        var before = 0
        // Each connection is on the next loop.
        for pause in [0.1, 0.4, 0.7, 2] {
            try await Task.sleep(for: .seconds(0.6))
            last.breakOff()
            _ = try await SocketClient.eventually("the end") { last.isOver ? true : nil }
            before = try #require(last.packets.last?.sequence)
            try await Task.sleep(for: .seconds(pause))
            last = try await SocketClient(
                server, auth: ["token": guest.token],
                resume: ["token": guest.welcome.data["resume_token"] ?? "", "packet_seq": before])
            #expect(last.welcome.data["resumed"] as? Bool == true)
            let packets = try await SocketClient.eventually("live packets") {
                last.packets.last.map { $0.flags & 16 == 0 } == true ? last.packets : nil
            }
            let numbers = packets.map(\.sequence)
            #expect(numbers == Array(numbers[0]..<numbers[0] + numbers.count), "in order, without a gap")
            let replayed = packets.prefix { $0.flags & 16 != 0 }
            let late = replayed.prefix { $0.flags & 2 != 0 }
            #expect(packets.dropFirst(replayed.count).allSatisfy { $0.flags & (16 | 2) == 0 })
            if pause < 1 {
                #expect(
                    numbers[0] == before + 1 && late.count <= 8 && packets[0].flags & 1 == 0, "\(pause): \(late.count)")
            } else {
                #expect(numbers[0] > before + 1 && late.count == 8 && packets[0].flags & 1 == 1, "\(pause)")
            }
            if pause < 0.5 { #expect(late.isEmpty, "\(pause): \(late.count)") }
        }
    }

    @Test func `a cut of a host's connection for 400 ms is not heard`() async throws {
        let server = try await TestServer(["--loops", "2"])
        let proxy = try CuttingProxy(to: server)
        defer { proxy.end() }
        try await server.signUp("ada")
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 8)
        // A user who signed in directly is known at the proxy's address, too.
        let token = try #require(
            try await SocketClient(server, auth: nil).call(
                "auth.sign_in", ["email": "ada@example.org", "password": "correct horse"])["access_token"] as? String)
        let host = try RunningProgram(
            "sonactl", ["--server", proxy.address, "--token", token, "broadcast", music],
            environment: server.environment("ada"))
        let room = try await host.line()
        let witness = try await SocketClient.guest(server)
        let joined = try await witness.call("room.join", ["room": room, "audio": false])
        let listener = try server.start("bob", "listen", room, "--output", server.file("heard.opus"), "--stats")
        for _ in 0..<2 {
            try await Task.sleep(for: .seconds(1.5))
            try await proxy.cut(for: 0.4)
        }
        #expect(await host.ending(within: 60).status == 0, "\(host.errors)")
        let figures = try report(await listener.ending())
        #expect(figures["lost"] as? Int == 0 && figures["duplicates"] as? Int == 0, "\(figures)")
        let states = witness.events("host.changed").compactMap { $0.data["state"] as? String }
        #expect(states == ["away", "here", "away", "here", "none"])
        // The witness may have come before the first epoch began.
        let streams = [joined] + witness.events("stream.started").map(\.data)
        let epochs = Set(streams.compactMap { ($0["stream"] as? [String: Any])?["epoch"] as? Int })
        #expect(epochs.count == 1, "one epoch from beginning to end")
        let played = try Sources.packets(music, skippingPreroll: false)
        let heard = try Sources.packets(server.file("heard.opus"), skippingPreroll: true)
        #expect(heard.count > 300 && heard == Array(played.suffix(heard.count)))
        #expect(try await Sources.complaints(server.file("heard.opus")) == [])
    }

    @Test func `a server that is killed and restarted has its listener and host back in five seconds`() async throws {
        let folder = try Programs.temporaryFolder()
        let server = try await TestServer(folder: folder)
        try await server.signUp("ada")
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 25)
        let host = try server.start("ada", "broadcast", music, "--title", "Evening")
        let room = try await host.line()
        let listener = try server.start(
            "bob", "listen", room, "--output", server.file("heard.opus"), "--seconds", "14", "--stats")
        try await Task.sleep(for: .seconds(4))
        server.process.signal(SIGKILL)
        _ = await server.process.ending()
        let again = try await TestServer(folder: folder, port: server.port)
        let begin = ContinuousClock.now
        let witness = try await SocketClient.guest(again)
        let snapshot = try await SocketClient.eventually("a room that plays again", within: 6) {
            let answer = try await witness.call("room.get", ["room": room])["room"] as? [String: Any]
            return answer?["live"] as? Bool == true && answer?["listeners"] as? Int == 1 ? answer : nil
        }
        #expect(snapshot["title"] as? String == "Evening")
        #expect(ContinuousClock.now - begin < .seconds(5))
        let stay = try await witness.call("room.join", ["room": room])
        let announced = [stay["playback"]] + (stay["upcoming"] as? [Any] ?? []).map { Optional($0) }
        let playing = try #require(
            announced.compactMap { $0 as? [String: Any] }.last { $0["state"] as? Int == 1 }, "\(stay)")
        let figures = try report(await listener.ending())
        #expect(figures["reconnects"] as? Int == 1 && figures["resumed"] as? Int == 0, "\(figures)")
        #expect(figures["duplicates"] as? Int == 0, "\(figures)")
        #expect(try await Sources.complaints(server.file("heard.opus")) == [])
        // The recording goes on where it was: nothing is heard twice, and not much is missing.
        let played = try Sources.packets(music, skippingPreroll: false)
        let heard = try Sources.packets(server.file("heard.opus"), skippingPreroll: true)
        let places = Dictionary(played.enumerated().map { ($1, $0) }) { first, _ in first }
        let numbers = heard.compactMap { places[$0] }
        #expect(numbers.count == heard.count && heard.count > 300)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 > $0 }, "each once, in its order")
        let missing = try #require(numbers.last) - numbers[0] + 1 - numbers.count
        #expect(missing < 200, "\(missing) packets of 20 ms")
        // The room's position is that of the sound.
        let anchor = try #require(playing["anchor_us"] as? Int64)
        let position = try #require(playing["position_us"] as? Int64)
        let live = HeardPacket.all(in: witness.frames).filter { $0.flags & HeardPacket.preroll == 0 }
        #expect(live.count > 100)
        for packet in live {
            let sample = try #require(places[packet.packet]) * 960 - 312
            let off = position + packet.playAt - anchor - Int64(sample) * 1_000_000 / 48_000
            #expect(abs(off) < 100, "\(off) µs")
        }
        host.signal(SIGINT)
        _ = await host.ending()
    }
}
