internal import ArgumentParser
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Listens to a room, and keeps what it hears as an Ogg Opus file.",
        discussion: """
            Waits to be let in where that takes somebody inside, waits in a room that is idle, and ends with the broadcast or after --seconds. The file begins with the \
            first sound heard and can be played even if the program is killed; where the host seeks or changes to \
            another file, a chained stream begins. --stats ends standard output with one JSON object: room, packets, \
            preroll, lost, duplicates, first_sample_server_us, join_ms, clock {offset_us, sigma_us, rtt_us}.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var invite: InviteOption
    @Option(help: ArgumentHelp("File to write, Ogg Opus.", valueName: "f.opus")) var output: String?
    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "s")) var seconds: Double?
    @Flag(help: "Print figures as JSON at the end.") var stats = false

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 86_400_000) {
            throw ValidationError("--seconds must be more than 0.")
        }
        if output?.lowercased().hasSuffix(".wav") == true {
            throw ValidationError("Writing WAV is not built in yet; use a name that ends in .opus.")
        }
    }

    func run() async throws {
        let link = try room.link()
        let signIn = try global.signIn(link: link)
        let file = try output.map { path throws(RecordingError) in try RecordingFile(path: path) }
        defer { file?.finish() }
        let client = try await signIn.open(.anybody)
        Interruption.handle { client.interrupt() }
        var listening = Listening(client: client, file: file)
        do {
            try await listening.run(
                RoomJoin(room: link.reference, invite: invite.code(for: room)), seconds: seconds)
        } catch {
            try? listening.finish()
            if stats { listening.showStatistics() }
            await client.close()
            throw error
        }
        try listening.finish()
        if stats { listening.showStatistics() }
        await client.close()
    }
}

/// One stay in a room.
private struct Listening {
    let client: Client
    let file: RecordingFile?
    private var recorder = OpusRecorder()
    private var tally = SequenceTally()
    private var room: Room?
    private var joinSentAt: Int64 = 0
    private var joinMicroseconds: Int64?
    /// Server time of the end of what has come, and of the end of the broadcast once that is known.
    private var heardUntil = Int64.min
    private var endsAt: Int64?
    /// By our clock.
    private var deadline: Int64?

    /// How long after the end to wait for packets that should have come, µs.
    private static let patience: Int64 = 1_000_000

    init(client: Client, file: RecordingFile?) {
        self.client = client
        self.file = file
    }

    mutating func run(_ join: RoomJoin, seconds: Double?) async throws {
        joinSentAt = MonotonicClock.nowMicroseconds()
        if let seconds { deadline = joinSentAt + Int64(seconds * 1_000_000) }
        let snapshot = try await client.enter(join, until: deadline)
        room = snapshot.room
        for stream in snapshot.streams { recorder.announce(stream, track: snapshot.room.track) }
        if snapshot.stream != nil {
            let track = snapshot.nowPlaying?.track ?? snapshot.room.track
            Console.say("Listening to \"\(snapshot.room.printableTitle)\": \(track?.line ?? "live").")
        } else {
            Console.say("\"\(snapshot.room.printableTitle)\" is idle; waiting for it to begin.")
        }
        wake()
        for await incoming in client.incoming {
            switch incoming {
            case .audio(let packet): try take(packet)
            case .event(let event, _, _): try handle(event)
            case .wake:
                showStatus()
                wake()
            case .interrupted: throw Interruption.failure
            case .closed(let error): throw error
            case .position, .complaint: break
            }
            if isOver { return }
        }
    }

    private mutating func take(_ packet: AudioPacket) throws {
        guard tally.take(packet.header) else { return }
        if joinMicroseconds == nil, !packet.header.flags.contains(.preroll) {
            joinMicroseconds = packet.receivedAtMicroseconds - joinSentAt
        }
        let bytes = try recorder.take(packet)
        try file?.append(bytes)
        let end = packet.header.playAtMicroseconds + Int64(packet.header.samples) * 125 / 6
        heardUntil = max(heardUntil, end)
    }

    private mutating func handle(_ event: ServerEvent) throws {
        switch event {
        case .streamStarted(let started):
            recorder.announce(started.stream, track: started.track)
            if let track = started.track, track != room?.track { Console.say("Playing \(track.line)") }
            room?.track = started.track
        case .trackChanged(let changed):
            Console.say("Playing \(changed.track.line)")
            room?.track = changed.track
        case .streamEnded(let ended):
            endsAt = ended.atMicroseconds
            wake()
        case .roomClosed: throw Failure(66, "The room was closed.")
        case .roomRemoved(let removed): throw Failure(removed)
        default: break
        }
    }

    /// Whether the broadcast has ended and all of it is here, or the time is up.
    private var isOver: Bool {
        if let deadline, MonotonicClock.nowMicroseconds() >= deadline { return true }
        // A microsecond is lost in rounding here and there; a packet has 2500 at least.
        guard let endsAt else { return false }
        return heardUntil >= endsAt - 1000 || client.serverNow >= endsAt + Self.patience
    }

    private func wake() {
        let now = MonotonicClock.nowMicroseconds()
        var moments = [deadline, endsAt.map { client.clock.localTime(fromServer: $0 + Self.patience) }]
        if Console.isInteractive { moments.append(now + 1_000_000) }
        if let next = moments.compactMap({ $0 }).min() { client.wake(atLocal: next) }
    }

    /// Writes what the recorder still holds back.
    mutating func finish() throws {
        try file?.append(recorder.finish())
        file?.finish()
    }

    private func showStatus() {
        guard let first = recorder.firstSampleMicroseconds else { return Console.status("Waiting …") }
        let heard = max(0, client.serverNow - first)
        Console.status(
            "\(Console.time(heard))  \(tally.packets) packets, \(tally.lost) lost  \(room?.track?.line ?? "")")
    }

    func showStatistics() {
        let clock = client.clock
        Console.out { writer in
            writer.member("room", orNull: room?.id.rawValue)
            writer.member("packets", tally.packets)
            writer.member("preroll", tally.preroll)
            writer.member("lost", tally.lost)
            writer.member("duplicates", tally.duplicates)
            writer.member("first_sample_server_us", orNull: recorder.firstSampleMicroseconds)
            writer.key("join_ms")
            if let joinMicroseconds { writer.number(Double(joinMicroseconds) / 1000) } else { writer.null() }
            writer.key("clock")
            writer.object { writer in
                writer.member("offset_us", clock.offsetMicroseconds)
                writer.key("sigma_us")
                writer.number((clock.sigmaMicroseconds * 10).rounded() / 10)
                writer.member("rtt_us", clock.roundTripMicroseconds)
            }
        }
    }
}
