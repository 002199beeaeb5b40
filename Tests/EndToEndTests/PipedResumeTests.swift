import Foundation
import SonaAudio
import Testing

/// A host on standard input whose connection is cut, and the effect on its listeners.
@Suite(.serialized) struct PipedResumeTests {
    private struct Party {
        var server: TestServer
        var proxy: CuttingProxy
        var host: RunningProgram
        var listener: SocketClient
        var recorder: RunningProgram
    }

    private static let format = try! PCMFormat(sample: .s16le, rate: 48_000, channels: 2)

    private func party(isLive: Bool, seconds: Double) async throws -> Party {
        let server = try await TestServer()
        let proxy = try CuttingProxy(to: server)
        try await server.signUp("ada")
        let token = try #require(
            try await SocketClient(server, auth: nil).call(
                "auth.sign_in", ["email": "ada@example.org", "password": "correct horse"])["access_token"] as? String)
        let pipe = SoundPipe()
        if isLive {
            pipe.play(Self.format, seconds: seconds)
        } else {
            pipe.write(PipedSound.bytes(Self.format, 0..<Int(seconds * 48_000)))
        }
        let host = try RunningProgram(
            "sonactl",
            [
                "--server", proxy.address, "--token", token, "broadcast", "-", "--raw", "s16le:48000:2", "--delivery",
                "interactive",
            ], environment: server.environment("ada"), input: pipe.reading)
        let room = try await host.line()
        let listener = try await SocketClient.guest(server)
        try await listener.call("room.join", ["room": room])
        let recorder = try server.start("bob", "listen", room, "--output", server.file("heard.opus"), "--stats")
        return Party(server: server, proxy: proxy, host: host, listener: listener, recorder: recorder)
    }

    @Test(arguments: [true, false])
    func `a cut of 400 ms is not heard`(isLive: Bool) async throws {
        let party = try await party(isLive: isLive, seconds: 8)
        defer { party.proxy.end() }
        for _ in 0..<2 {
            try await Task.sleep(for: .seconds(2))
            try await party.proxy.cut(for: 0.4)
        }
        #expect(await party.host.ending(within: 60).status == 0, "\(party.host.errors)")
        #expect(await party.recorder.ending().status == 0)

        let states = party.listener.events("host.changed").compactMap { $0.data["state"] as? String }
        #expect(states == ["away", "here", "away", "here", "none"])
        let packets = HeardPacket.all(in: party.listener.frames)
        #expect(packets.count > 280 && Set(packets.map(\.epoch)).count == 1, "\(packets.count)")
        for (one, next) in zip(packets, packets.dropFirst()) {
            #expect(next.sequence == one.sequence &+ 1 && next.flags & HeardPacket.discontinuity == 0)
        }
        let heard = try PipedSound.decoded(party.server.file("heard.opus"))
        #expect(heard.streams == 1)
        let offset = try #require(PipedSound.offset(of: heard.left))
        for second in stride(from: 1.0, to: Double(heard.left.count) / 48_000 - 1, by: 0.1) {
            let part = heard.left[Int(second * 48_000)..<Int((second + 0.05) * 48_000)]
            let found = PipedSound.lag(part, from: second + offset, within: 12)
            #expect(abs(found.lag) <= 1 && found.likeness > 0.98, "at \(second) s: \(found)")
        }
    }

    @Test func `after a cut of 3 s a live source goes on at its own time, with nothing twice`() async throws {
        let party = try await party(isLive: true, seconds: 12)
        defer { party.proxy.end() }
        try await Task.sleep(for: .seconds(3))
        try await party.proxy.cut(for: 3)
        #expect(await party.host.ending(within: 60).status == 0, "\(party.host.errors)")
        #expect(await party.recorder.ending().status == 0)
        let packets = HeardPacket.all(in: party.listener.frames)
        for (one, next) in zip(packets, packets.dropFirst()) { #expect(next.sequence == one.sequence &+ 1) }
        let live = packets.filter { !$0.isBundled }
        // The cut costs 3 s and the time to reconnect, less the lead. Nobody hears the rest later than before.
        let gaps = zip(packets, packets.dropFirst()).map { one, next in
            next.playAt - one.playAt - Int64(one.samples) * 125 / 6
        }
        #expect((2_000_000...3_700_000).contains(gaps.max() ?? 0), "\(gaps.max() ?? 0); \(party.host.errors)")
        #expect(gaps.filter { $0 > 1_000 }.count == 1)
        let inHand = live.suffix(150).map(\.margin).max() ?? 0
        #expect(abs(inHand - LiveBroadcastTests.lead) < 60_000, "\(inHand)")
        #expect(Set(packets.map(\.epoch)).count <= 2)
    }

    @Test(arguments: [true, false])
    func `a silently dead connection is given up soon`(isLive: Bool) async throws {
        let party = try await party(isLive: isLive, seconds: 9)
        defer { party.proxy.end() }
        try await Task.sleep(for: .seconds(3))
        party.proxy.stall()
        #expect(await party.host.ending(within: 60).status == 0, "\(party.host.errors)")
        #expect(party.host.errors.contains("The server is back."), "\(party.host.errors)")
        #expect(await party.recorder.ending().status == 0)
        let packets = HeardPacket.all(in: party.listener.frames)
        for (one, next) in zip(packets, packets.dropFirst()) { #expect(next.sequence == one.sequence &+ 1) }
        let seconds = Double(packets.reduce(0) { $0 + $1.samples }) / 48_000
        // A source that can wait is heard whole.
        if isLive { #expect(seconds > 5, "\(seconds) s") } else { #expect(seconds > 8.5, "\(seconds) s") }
    }
}
