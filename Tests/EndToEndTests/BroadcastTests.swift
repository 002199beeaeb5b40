import Foundation
import SonaAudio
import Testing

/// One program hosts a file and others hear it: the whole way, through real sockets, files and codecs.
///
/// Each case plays a source of some seconds to a listener that is there from the start and to one that comes late. It
/// compares their recordings with the source, packet by packet.
@Suite(.serialized) struct BroadcastTests {
    struct Source: Sendable {
        var name: String
        var frame = "20"
        var channels = 2
        var isChained = false
        var isCut = false
    }

    static let sources = [
        Source(name: "20 ms stereo"), Source(name: "2.5 ms", frame: "2.5"), Source(name: "10 ms", frame: "10"),
        Source(name: "40 ms", frame: "40"), Source(name: "60 ms", frame: "60"), Source(name: "mono", channels: 1),
        Source(name: "two chained streams", isChained: true), Source(name: "cut off in a page", isCut: true),
    ]

    @Test func `a hosted file reaches an early and a late listener packet by packet`() async throws {
        // Each source plays in real time, so several play at once.
        for half in [Self.sources.prefix(4), Self.sources.dropFirst(4)] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for source in half { group.addTask { try await Self.play(source) } }
                try await group.waitForAll()
            }
        }
    }

    private static func play(_ source: Source) async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let seconds = Programs.isLong ? 14.0 : 6.0
        let music = server.file("music.opus")
        try await Sources.opus(
            music, seconds: source.isChained ? seconds / 2 : seconds, channels: source.channels, frame: source.frame)
        if source.isChained {
            let second = server.file("second.opus")
            try await Sources.opus(second, seconds: seconds / 2, channels: 1, seed: 1.4)
            let joined =
                try Data(contentsOf: URL(fileURLWithPath: music)) + Data(contentsOf: URL(fileURLWithPath: second))
            try joined.write(to: URL(fileURLWithPath: music))
        }
        if source.isCut {
            let whole = try Data(contentsOf: URL(fileURLWithPath: music))
            try whole.prefix(whole.count - 7000).write(to: URL(fileURLWithPath: music))
        }

        let host = try server.start("ada", "broadcast", music)
        let room = try await host.line()
        #expect(room.utf8.count == 20)
        let early = try server.start("bob", "listen", room, "--output", server.file("early.opus"), "--stats")
        try await Task.sleep(for: .seconds(Programs.isLong ? 5 : 2.5))
        let late = try server.start("cyd", "listen", room, "--output", server.file("late.opus"), "--stats")
        let endings = await [host.ending(), early.ending(), late.ending()]
        for ending in endings { #expect(ending.status == 0, "\(source.name): \(ending)") }

        let played = try Sources.packets(music, skippingPreroll: false)
        let whole = try Sources.packets(server.file("early.opus"), skippingPreroll: false)
        #expect(whole.count == played.count, "\(source.name)")
        #expect(whole == played, "\(source.name): every packet, in order, none twice")
        let rest = try Sources.packets(server.file("late.opus"), skippingPreroll: true)
        #expect(
            rest.count > played.count / 4 && rest.count < played.count * 9 / 10,
            "\(source.name): \(rest.count) of \(played.count)")
        #expect(
            rest == Array(played.suffix(rest.count)), "\(source.name): the late one has the rest, to the last packet")
        #expect(try await Sources.complaints(server.file("early.opus")) == [], "\(source.name)")
        #expect(try await Sources.complaints(server.file("late.opus")) == [], "\(source.name)")

        let original = try OggOpusFile(path: music)
        let heard = try OggOpusFile(path: server.file("early.opus"))
        #expect(
            heard.streams.map(\.durationSamples) == original.streams.map(\.durationSamples),
            "\(source.name): to the sample")
        #expect(heard.streams.map(\.head.channels) == original.streams.map(\.head.channels), "\(source.name)")
        #expect(heard.streams.first?.tags.title == original.streams.first?.tags.title)
        for ending in endings.dropFirst() {
            #expect(
                ending.output.contains(#""lost":0"#) && ending.output.contains(#""duplicates":0"#),
                "\(source.name): \(ending.output)")
        }
        #expect(await server.stop().status == 0)
    }

    @Test func `a listener who waits in an idle room hears the next broadcast whole, file after file`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let files = [server.file("one.opus"), server.file("two.opus")]
        try await Sources.opus(files[0], seconds: 2)
        try await Sources.opus(files[1], seconds: 2, channels: 1, seed: 1.3)
        let first = try await server.run("ada", "broadcast", files[0], "--private")
        #expect(first.status == 0)
        let room = first.output.split(separator: "\n").first.map(String.init) ?? ""

        // A private room does not exist for others, and does for its owner.
        #expect(try await server.run("bob", "listen", room).status == 66)
        let waiting = try server.start("ada", "listen", room, "--output", server.file("heard.opus"))
        try await Task.sleep(for: .seconds(1))
        #expect(waiting.output.isEmpty)
        let second = try await server.run("ada", "broadcast", files[0], files[1], "--room", room)
        #expect(second.status == 0 && second.output.hasPrefix(room), "the same room again: \(second)")
        #expect(await waiting.ending().status == 0)
        let played = try files.flatMap { try Sources.packets($0, skippingPreroll: false) }
        #expect(try Sources.packets(server.file("heard.opus"), skippingPreroll: false) == played)
        #expect(try OggOpusFile(path: server.file("heard.opus")).streams.count == 2)
        #expect(try await Sources.complaints(server.file("heard.opus")) == [])
    }

    @Test func `other kinds of sound are encoded first, and what is none is refused or left out`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let folder = server.folder.appendingPathComponent("album")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let wav = folder.appendingPathComponent("1 quiet.wav").path
        try Sources.wav(wav, seconds: 1, channels: 2)
        let mp3 = folder.appendingPathComponent("2 loud.mp3").path
        let made = try await RunningProgram(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", wav, "-metadata", "title=Loud", mp3], at: "/usr/bin/ffmpeg"
        ).ending()
        #expect(made.status == 0, "\(made)")
        try Data("#EXTM3U\n/etc/passwd\n".utf8).write(to: folder.appendingPathComponent("3 list.mp3"))
        let room = try await server.run("ada", "rooms", "create", "--title", "Album").output.split(separator: "\n")[0]
        let waiting = try server.start("ada", "listen", String(room), "--output", server.file("heard.opus"))
        try await Task.sleep(for: .seconds(1))

        let host = try await server.run("ada", "broadcast", folder.path, "--room", String(room))
        #expect(host.status == 0, "\(host)")
        #expect(host.errors.contains("Preparing \(mp3) (2 of 3)."))
        #expect(host.errors.contains("3 list.mp3 is no sound file of a known kind. It is left out."))
        #expect(host.errors.contains("Playing Loud"))
        #expect(await waiting.ending().status == 0)
        let streams = try OggOpusFile(path: server.file("heard.opus")).streams
        #expect(streams.count == 2)
        #expect(streams.allSatisfy { abs($0.durationSamples - 48_000) < 6_000 })

        let named = try await server.run("ada", "broadcast", folder.appendingPathComponent("3 list.mp3").path)
        #expect(named.status == 65, "\(named)")
        #expect(await server.stop().status == 0)
    }

    @Test(arguments: [false, true])
    func `a host who loses the seat is told so and broadcasts no longer`(isLive: Bool) async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let pipe = SoundPipe()
        var arguments = ["broadcast", "-", "--raw", "s16le:48000:2"]
        if isLive {
            pipe.play(LiveBroadcastTests.format, seconds: 30)
        } else {
            try await Sources.opus(server.file("music.opus"), seconds: 30)
            arguments = ["broadcast", server.file("music.opus")]
        }
        let host = try server.start("ada", arguments, input: pipe.reading)
        let room = try await host.line()
        let grant = try await SocketClient(server, auth: nil).call(
            "auth.sign_in", ["email": "ada@example.org", "password": "correct horse"])
        let owner = try await SocketClient(server, auth: ["token": grant["access_token"] ?? ""])
        try await owner.call("room.join", ["room": room])
        let bob = try await SocketClient.newcomer(server, "bob")
        try await bob.call("room.join", ["room": room])
        try await owner.call("host.offer", ["user": bob.uid])
        try await bob.call(
            "host.start", ["pacing": "server", "stream": ["codec": "opus", "channels": 2, "pre_skip": 312]])
        let ending = await host.ending(within: 10)
        #expect(ending.status == 77 && ending.errors.contains("handed_over"), "\(ending)")
        pipe.close()
    }

    @Test func `pause, play and seek keep everybody's position together and lose nothing`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 20)
        let host = try server.start("ada", "broadcast", music)
        let room = try await host.line()
        let early = try server.start("bob", "listen", room, "--output", server.file("early.opus"))

        func positions() async throws -> [Position] {
            async let owner = position(server, "ada", room)
            async let guest = position(server, "bob", room)
            async let stranger = position(server, "cyd", "\(server.address)/r/\(room)")
            return try await [owner, guest, stranger]
        }
        func expectAgreement(_ step: String) async throws -> Position {
            let all = try await positions()
            for one in all.dropFirst() {
                #expect(one.revision == all[0].revision && one.state == all[0].state, "\(step): \(all)")
                let moved = one.state == 1 ? one.server - all[0].server : 0
                #expect(abs(one.position - all[0].position - moved) < 5000, "\(step): \(all)")
            }
            return all[0]
        }

        // A broadcast begins to sound a second and a lead after its start.
        try await Task.sleep(for: .seconds(3))
        let playing = try await expectAgreement("playing")
        #expect(playing.state == 1 && playing.position > 500_000)
        #expect(try await server.run("ada", "pause", room).status == 0)
        try await Task.sleep(for: .seconds(1))
        let paused = try await expectAgreement("paused")
        #expect(paused.state == 2)
        try await Task.sleep(for: .seconds(0.5))
        #expect(try await position(server, "cyd", room).position == paused.position, "it stands still")
        #expect(try await server.run("ada", "play", room).status == 0)
        try await Task.sleep(for: .seconds(1.2))
        let resumed = try await expectAgreement("resumed")
        #expect(
            resumed.state == 1 && resumed.position > paused.position && resumed.position < paused.position + 3_000_000)
        #expect(try await server.run("ada", "seek", room, "15").status == 0)
        try await Task.sleep(for: .seconds(1.2))
        let sought = try await expectAgreement("after the seek")
        #expect(sought.state == 1 && sought.position > 15_000_000 && sought.position < 17_500_000, "\(sought)")
        #expect(try await server.run("bob", "pause", room).status == 77, "a listener may not")
        #expect(await host.ending(within: 30).status == 0)
        #expect(await early.ending().status == 0)

        // Up to the seek and from it on, the recording equals the file; the pause left no mark.
        let file = try OggOpusFile(path: server.file("early.opus"))
        #expect(file.streams.count == 2, "one stream up to the seek, one from it")
        let played = try Sources.packets(music, skippingPreroll: false)
        let first = try (0..<file.streams[0].packetCount).map { try file.packet(stream: 0, at: $0).bytes }
        #expect(first == Array(played.prefix(first.count)))
        #expect(try await Sources.complaints(server.file("early.opus")) == [])
    }

    struct Position: Sendable { var server: Int64, position: Int64, state: Int, revision: Int }

    private func position(_ server: TestServer, _ person: String, _ room: String) async throws -> Position {
        let ending = try await server.run(person, "position", room, "--json")
        guard ending.status == 0,
            let object = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any],
            let time = object["server_us"] as? NSNumber, let place = object["position_us"] as? NSNumber,
            let state = object["state"] as? NSNumber, let revision = object["revision"] as? NSNumber
        else { throw ProgramFault(description: "position: \(ending)") }
        return Position(
            server: time.int64Value, position: place.int64Value, state: state.intValue, revision: revision.intValue)
    }
}
