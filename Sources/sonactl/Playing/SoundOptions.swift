internal import ArgumentParser
internal import Glibc
internal import SonaAudio
internal import SonaClient
internal import SonaWire

/// Options of a broadcast that comes on standard input.
struct SoundOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With -: samples without a header, such as s16le:48000:2 (s16le, s24le, s32le or f32le; samples a second; "
                + "channels).", valueName: "format"))
    var raw: RawFormat?
    @Option(help: ArgumentHelp("kbit/s of the Opus that is made, 6 to 510.", valueName: "n"))
    var bitrate = 128
    @Option(
        help: ArgumentHelp(
            "With -: milliseconds in a packet: 2.5, 5, 10, 20, 40, 60, 80, 100 or 120.", valueName: "ms"))
    var frameMs = 20.0
    @Flag(help: "With -: the sound comes when it is made, as from a microphone.") var live = false
    @Flag(help: "With -: the sound can wait, as that of a file.") var paced = false

    func validate() throws {
        guard 6...510 ~= bitrate else { throw ValidationError("--bitrate takes 6 to 510.") }
        guard packetSamples != nil else {
            throw ValidationError("--frame-ms takes 2.5, 5, 10, 20, 40, 60, 80, 100 or 120.")
        }
        if live, paced { throw ValidationError("--live and --paced contradict each other.") }
    }

    private var packetSamples: Int? { OpusEncoder.frameSamplesAllowed.first { Double($0) == frameMs * 48 } }

    func settings(_ track: Track?) -> PCMSettings {
        PCMSettings(bitrate: bitrate * 1000, packetSamples: packetSamples ?? 960, track: track)
    }

    /// Opens standard input and finds out what kind of sound it brings.
    ///
    /// - Returns: The source, and whether its sound comes when it is made.
    /// - Throws: `Failure` 64 if it is a terminal, 65 if there is no sound in it.
    func open() async throws -> (source: PCMSource, isLive: Bool) {
        guard isatty(STDIN_FILENO) == 0 else {
            throw Failure(64, "Standard input is a terminal. Pipe sound into it: arecord -f cd | sonactl broadcast -")
        }
        let source: PCMSource
        do {
            source = try PCMSource(descriptor: STDIN_FILENO, format: raw?.format)
        } catch { throw Self.failure(error) }
        return (source, try await isLive(source))
    }

    private func isLive(_ source: PCMSource) async throws -> Bool {
        let waiting = { Console.say("Waiting for sound on standard input.") }
        let isKnown = live || paced || Self.isFile
        do {
            if !isKnown { return try await PCMProbe.isLive(source, waiting: waiting) }
            try await PCMProbe.begin(source, waiting)
            return live
        } catch { throw Self.failure(error) }
    }

    static func failure(_ error: AudioError) -> Failure {
        if case .io = error.code { return Failure(74, Console.printable(error.description)) }
        var sentence = "Standard input has no sound that can be sent. \(error.description)"
        if error.code == .notWAV { sentence += " For samples without a header say what they are with --raw." }
        return Failure(65, Console.printable(sentence))
    }

    /// A file can wait, however fast it is read.
    private static var isFile: Bool {
        var status = stat()
        return fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// `s16le:48000:2`.
struct RawFormat: ExpressibleByArgument {
    var format: PCMFormat

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let sample = PCMFormat.Sample(rawValue: String(parts[0])), let rate = Int(parts[1]),
            let channels = Int(parts[2]),
            let format = try? PCMFormat(sample: sample, rate: rate, channels: channels)
        else { return nil }
        self.format = format
    }
}
