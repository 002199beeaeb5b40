import Foundation
import SonaAudio
import Testing

/// Sound piped into `sonactl broadcast -`, the whole way: pipe, resampler, encoder, sockets, recording, decoder.
@Suite(.serialized) struct PipedBroadcastTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var sample: PCMFormat.Sample
        var rate: Int
        var channels: Int
        var hasHeader = true
        var testDescription: String { "\(sample.rawValue):\(rate):\(channels) \(arguments.joined(separator: " "))" }
    }

    static let kinds = [
        Kind(arguments: [], sample: .s16le, rate: 44_100, channels: 2),
        Kind(arguments: ["--frame-ms", "60", "--bitrate", "96"], sample: .f32le, rate: 48_000, channels: 1),
        Kind(arguments: ["--frame-ms", "2.5", "--bitrate", "256"], sample: .s24le, rate: 96_000, channels: 2),
        Kind(arguments: ["--raw", "s32le:16000:2"], sample: .s32le, rate: 16_000, channels: 2, hasHeader: false),
    ]

    @Test(arguments: kinds) func `sound that is there at once is heard from its first sample to its last`(kind: Kind)
        async throws
    {
        let server = try await TestServer()
        try await server.signUp("ada")
        let format = try PCMFormat(sample: kind.sample, rate: kind.rate, channels: kind.channels)
        let seconds = 6.0
        let pipe = SoundPipe()
        var data = kind.hasHeader ? PipedSound.header(format) : Data()
        data += PipedSound.bytes(format, 0..<Int(seconds * Double(kind.rate)))
        pipe.write(data)
        let host = try server.start("ada", ["broadcast", "-"] + kind.arguments, input: pipe.reading)
        let room = try await host.line()
        let listener = try server.start("bob", "listen", room, "--output", server.file("heard.opus"), "--stats")
        let endings = await [host.ending(), listener.ending()]
        for ending in endings { #expect(ending.status == 0, "\(ending)") }
        #expect(endings[0].errors.contains("can wait"), "\(endings[0].errors)")
        #expect(endings[1].output.contains(#""lost":0"#))

        let heard = try PipedSound.decoded(server.file("heard.opus"))
        #expect(heard.streams == 1)
        #expect(abs(heard.left.count - Int(seconds * 48_000)) <= 1, "\(heard.left.count)")
        for second in stride(from: 0.25, to: seconds - 0.5, by: 0.5) {
            let part = heard.left[Int(second * 48_000)..<Int((second + 0.05) * 48_000)]
            let found = PipedSound.lag(part, from: second, within: 12)
            #expect(abs(found.lag) <= 1 && found.likeness > 0.98, "at \(second) s: \(found)")
            guard kind.channels == 2 else { continue }
            let right = heard.right[Int(second * 48_000)..<Int((second + 0.05) * 48_000)]
            #expect(PipedSound.likeness(right, from: second, channel: 1) > 0.98)
        }
        #expect(try await Sources.complaints(server.file("heard.opus")) == [])
    }

    @Test func `the writer of the pipe is held back`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let format = try PCMFormat(sample: .s16le, rate: 48_000, channels: 2)
        let pipe = SoundPipe()
        pipe.write(PipedSound.header(format) + PipedSound.bytes(format, 0..<8 * 48_000))
        let host = try server.start("ada", ["broadcast", "-"], input: pipe.reading)
        let ending = await host.ending()
        #expect(ending.status == 0, "\(ending)")
        let seconds = try #require(pipe.seconds)
        // A broadcast begins to sound a second after its start; a pipe, a reader and a probe hold some seconds.
        #expect(seconds > 3.5, "\(seconds) s for 8 s of sound")
    }

    @Test func `a pause holds the source, and play goes on with the next sample`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let format = try PCMFormat(sample: .s16le, rate: 48_000, channels: 2)
        let pipe = SoundPipe()
        pipe.write(PipedSound.header(format) + PipedSound.bytes(format, 0..<6 * 48_000))
        let host = try server.start("ada", ["broadcast", "-"], input: pipe.reading)
        let room = try await host.line()
        let listener = try await SocketClient.guest(server)
        try await listener.call("room.join", ["room": room])
        try await Task.sleep(for: .seconds(3))
        #expect(try await server.run("ada", "pause", room).status == 0)
        try await Task.sleep(for: .seconds(2))
        #expect(try await server.run("ada", "seek", room, "1").status != 0, "nothing can be sought in a pipe")
        #expect(try await server.run("ada", "play", room).status == 0)
        let ending = await host.ending()
        #expect(ending.status == 0, "\(ending)")
        let packets = HeardPacket.all(in: listener.frames)
        let epochs = Dictionary(grouping: packets, by: \.epoch).sorted { $0.key < $1.key }
        // If the machine is too busy for a lead, the server adds one.
        #expect(epochs.count >= 2)
        // All of the sound, and what each encoder adds at its beginning and end.
        let samples = packets.reduce(0) { $0 + $1.samples }
        #expect((6 * 48_000...6 * 48_000 + 2 * 312).contains(samples), "\(samples)")
    }

    @Test func `input that is not sound is refused before anything is live`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let inputs: [(what: String, data: Data, arguments: [String])] = [
            ("nothing", Data(), []), ("text", Data("This is no sound at all, whatever you do.".utf8), []),
            ("an Ogg file", Data("OggS".utf8) + Data(repeating: 0, count: 200), []),
            ("a header alone", Data("RIFF\u{0}\u{0}\u{0}\u{0}WAVEfmt ".utf8), []),
            ("half a frame", Data([1, 2, 3]), ["--raw", "s16le:48000:2"]),
        ]
        for (what, data, arguments) in inputs {
            let pipe = SoundPipe()
            pipe.write(data)
            let ending = await (try server.start("ada", ["broadcast", "-"] + arguments, input: pipe.reading)).ending()
            #expect(ending.status == 65, "\(what): \(ending)")
            #expect(ending.output == "" && ending.errors.contains("no sound"), "\(what): \(ending)")
        }
    }

    @Test func `meaningless options are refused`() async throws {
        let server = try await TestServer()
        for arguments in [
            ["-", "--loop"], ["-", "x.opus"], ["-", "--queue"], ["-", "--raw", "s16le"], ["-", "--raw", "s8:48000:2"],
            ["-", "--raw", "s16le:7999:2"], ["-", "--raw", "s16le:48000:9"], ["-", "--bitrate", "5"],
            ["-", "--frame-ms", "30"], ["-", "--live", "--paced"],
        ] {
            let ending = await (try server.start("ada", ["broadcast"] + arguments, input: .nullDevice)).ending()
            #expect(ending.status == 64, "\(arguments): \(ending)")
        }
    }
}
