internal import ArgumentParser
internal import Glibc
internal import SonaAudio
internal import SonaClient
internal import SonaWire

struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Listens to a room, and keeps what it hears as an Ogg Opus or WAV file.",
        discussion: """
            Waits to be let in where that takes somebody inside, waits in a room that is idle, and ends with the broadcast \
            or after --seconds. A lost server is retried for --retry seconds, and what was missed is made up for as \
            far as it can still be heard. The file begins with the first sound heard and can be played even if the program is killed. F.opus holds the packets as they came; \
            where the host seeks or changes to another file, a chained stream begins. F.wav (s16le, 48 kHz, stereo) is \
            what a sound device would have played, moment for moment: pauses and losses are silence in it. - writes \
            WAV to standard output:

              sonactl listen @ada --output - | aplay

            --stats ends standard output with one JSON object: room, packets, preroll, lost, duplicates, undecodable, \
            reconnects, resumed, first_sample_server_us, join_ms (from asking to the first sound), sync_error_us {p50, p95, max, last}, \
            underruns, resyncs, missed_ms, buffer_ms {p5, p50, min}, clock {offset_us, sigma_us, rtt_us, drift_ppm, \
            samples, restarts}.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var invite: InviteOption
    @Option(help: ArgumentHelp("File to write: Ogg Opus, or WAV if it ends in .wav.", valueName: "f.opus|f.wav|-"))
    var output: String?
    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "s")) var seconds: Double?
    @Option(help: ArgumentHelp("How long to look for a server that was lost; 0: not at all.", valueName: "s"))
    var retry: Double = 60
    @Option(
        help: ArgumentHelp(
            "Hear the room so much later than others, as far as the server has what went by.", valueName: "s"))
    var behind: Double = 0
    @Flag(help: "Take the sound at a lower bit rate, if the room offers that.") var dataSaver = false
    @Flag(help: "Print figures as JSON at the end.") var stats = false
    @Flag(inversion: .prefixedNo, help: "Play all tracks about as loud, by the gain that the room tells.")
    var loudness = true
    @Option(
        help: ArgumentHelp(
            "For tests: go by a clock that is off, drifts, and is set once after so many seconds.",
            valueName: "offset-us,ppm[,step-us,after-s]"))
    var simulateClock: SimulatedClock?

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 86_400_000) {
            throw ValidationError("--seconds must be more than 0.")
        }
        if !(0...3_600 ~= behind) { throw ValidationError("--behind takes 0 to 3600.") }
        if !(0...86_400 ~= retry) { throw ValidationError("--retry takes 0 to 86400.") }
        if let output, output != "-", !output.hasPrefix("/dev/"),
            !["opus", "ogg", "oga", "wav"].contains(where: { output.lowercased().hasSuffix(".\($0)") })
        {
            throw ValidationError(
                "--output takes a file that ends in .opus, .ogg or .wav, or - for WAV to standard output.")
        }
        if output == "-", isatty(STDOUT_FILENO) == 1 {
            throw ValidationError("Standard output is a terminal, which can't show sound: add a pipe, such as | aplay.")
        }
        if output == "-", stats {
            throw ValidationError("Standard output takes the sound or the figures, not both.")
        }
    }

    func run() async throws {
        let link = try room.link()
        var signIn = try global.signIn(link: link)
        let clock = simulateClock?.clock ?? .machine
        signIn.localClock = clock
        let opusFile = try isWAV ? nil : output.map { path throws(RecordingError) in try RecordingFile(path: path) }
        let recording = try isWAV ? openWAV() : nil
        let client = try await signIn.open(.anybody)
        Interruption.handle { client.interrupt() }
        var listening: Listening
        do {
            listening = try Listening(
                client: client, opusFile: opusFile, recording: recording, isMeasured: stats,
                isLevelled: loudness, behind: Int64(behind * 1_000_000), seconds: seconds)
        } catch {
            await client.close()
            throw error
        }
        listening.showsTrueTime = simulateClock != nil
        let join = RoomJoin(
            room: link.reference, invite: invite.code(for: room), savesData: dataSaver ? true : nil)
        let (patience, opener) = (Duration.milliseconds(Int64(retry * 1000)), signIn)
        do {
            try await listening.enter(client, join)
            let stay = RoomStay(client, in: listening.snapshot, by: join, patience: patience) {
                comeback throws(ClientError) in
                try await opener.open(.anybody, comeback: comeback)
            }
            Interruption.handle { stay.interrupt() }
            let ended = await listening.run(stay)
            await stay.close()
            try ended.get()
        } catch {
            do { try listening.finish() } catch let fault { Console.say(Console.printable("\(fault)")) }
            if stats { listening.showStatistics() }
            await client.close()
            throw error
        }
        defer { if stats { listening.showStatistics() } }
        try listening.finish()
    }

    private var isWAV: Bool { output.map { $0 == "-" || $0.lowercased().hasSuffix(".wav") } ?? false }

    private func openWAV() throws(RecordingError) -> WAVRecording? {
        guard let output else { return nil }
        return WAVRecording(output == "-" ? try .standardOutput() : try RecordingFile(path: output))
    }
}
