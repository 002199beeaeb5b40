internal import SonaAudio
internal import SonaBase
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire
internal import Synchronization

/// The connection there is, for the device, which outlives connections.
private final class CurrentConnection: Sendable {
    private let current: Mutex<(first: Client, stay: RoomStay?)>

    init(_ client: Client) { current = Mutex((client, nil)) }

    func follow(_ stay: RoomStay) { current.withLock { $0.stay = stay } }
    var client: Client { current.withLock { $0.stay?.client ?? $0.first } }
}

/// Epochs on their way from the task that asks for them.
private final class PastStreams: Sendable {
    private let streams = Mutex<[StreamInfo]>([])
    /// How many packets of what is to be heard first come; −1 while that is not known.
    let firstCount = Atomic(-1)

    func add(_ more: [StreamInfo]) { streams.withLock { $0 += more } }

    func take() -> [StreamInfo] {
        streams.withLock { streams in
            defer { streams = [] }
            return streams
        }
    }
}

/// One stay in a room: its packets are counted, played on a virtual device, and kept.
struct Listening {
    private let connection: CurrentConnection
    private let opusFile: RecordingFile?
    private var recorder: OpusRecorder
    private let decoder: StreamDecoder
    /// The virtual device; nil where packets are kept as they come and nobody asks for figures.
    private let player: Player?
    private var tally = SequenceTally()
    private var late: LateListening
    /// Epochs that the server told of while it was asked for what had gone by.
    private let past = PastStreams()
    private var pastCount = 0
    private var reconnects = (all: 0, resumed: 0)
    private var reporter: MeterReporter?
    private var isAway = false
    /// The clock of all server times here.
    private var clockID: UInt64?
    private var latest: RoomSnapshot?
    private var room: Room?
    /// By our clock.
    private let joinSentAt: Int64
    /// Server time of the end of the received sound, and of the end of the broadcast once that is known.
    private var heardUntil = Int64.min
    private var endsAt: Int64?
    /// By our clock.
    private let deadline: Int64?
    /// Whether the figures tell when the first sample really left the device: for simulated clocks.
    var showsTrueTime = false

    /// The answer to the last entry.
    var snapshot: RoomSnapshot {
        guard let latest else { preconditionFailure("Nobody has entered yet.") }
        return latest
    }

    /// How long after the end to wait for packets that should have come, µs.
    private static let patience: Int64 = 1_000_000

    /// - Parameters:
    ///   - opusFile: The file for the packets as they come.
    ///   - recording: The file for the output of the device.
    ///   - isMeasured: Whether somebody asks for figures.
    ///   - isLevelled: Whether each track is made as loud as the room says.
    ///   - behind: How much later than others, µs.
    ///   - seconds: How long to listen, from now.
    /// - Throws: `AudioError` if there is no decoder to be had.
    init(
        client: Client, opusFile: RecordingFile?, recording: sending WAVRecording?, isMeasured: Bool,
        isLevelled: Bool, behind: Int64, seconds: Double?
    ) throws {
        let connection = CurrentConnection(client)
        late = LateListening(by: behind)
        self.connection = connection
        joinSentAt = client.localClock.now()
        deadline = seconds.map { [joinSentAt] in joinSentAt + Int64($0 * 1_000_000) }
        self.opusFile = opusFile
        decoder = try StreamDecoder(isLevelled: isLevelled)
        recorder = OpusRecorder(isLevelled: isLevelled)
        if opusFile != nil, !isMeasured {
            player = nil
        } else {
            player = Player(
                clock: client.localClock, recording: recording, estimate: { connection.client.clock },
                whenClockIsSet: { connection.client.restartClock() })
        }
    }

    /// Enters the room; waits to be let in where that takes somebody inside.
    mutating func enter(_ client: Client, _ join: RoomJoin) async throws {
        // The device runs already when somebody presses the button.
        player?.start()
        let snapshot = try await client.enter(join, until: deadline)
        take(snapshot)
        clockID = client.welcome.clockID
        reporter = MeterReporter(client.welcome, now: client.localClock.now())
        if snapshot.stream != nil {
            let track = snapshot.nowPlaying?.track ?? snapshot.room.track
            Console.say("Listening to \"\(snapshot.room.printableTitle)\": \(track?.line ?? "live").")
        } else {
            Console.say("\"\(snapshot.room.printableTitle)\" is idle; waiting for it to begin.")
        }
    }

    /// Listens until the broadcast or the time is over, or something else ends it.
    mutating func run(_ stay: RoomStay) async -> Result<Void, any Error> {
        connection.follow(stay)
        let asking = askForPast(stay)
        defer { asking?.cancel() }
        do {
            wake(stay)
            for await arrival in stay.arrivals {
                switch arrival {
                case .incoming(.audio(let packet)): try arrive(packet, stay)
                case .incoming(.event(let event, _, _)): try handle(event, stay)
                case .incoming(.wake):
                    try release(stay)
                    showStatus()
                    report(stay)
                    wake(stay)
                case .incoming(.interrupted): throw Interruption.failure
                case .incoming(.position), .incoming(.complaint), .incoming(.closed): break
                case .away(let error):
                    isAway = true
                    Console.say("\(Console.printable(error.description)) Looking for the server again.")
                case .back(let back): cameBack(back, stay)
                case .closed(let error): throw error
                }
                if isOver { break }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private mutating func cameBack(_ back: RoomStay.Return, _ stay: RoomStay) {
        Console.say("The server is back.")
        isAway = false
        reconnects.all += 1
        if back.isResumed {
            reconnects.resumed += 1
        } else {
            // The room counts its packets anew if its server has, and may play something else.
            tally.restart()
            if endsAt == nil { player?.noteGap() }
            endsAt = nil
            if stay.client.welcome.clockID != clockID { heardUntil = .min }
            clockID = stay.client.welcome.clockID
        }
        if let snapshot = back.snapshot {
            take(snapshot)
            // The end was told meanwhile, and is not told again.
            if back.isResumed, snapshot.stream == nil, endsAt == nil, heardUntil > .min { endsAt = heardUntil }
        }
        wake(stay)
    }

    private mutating func take(_ snapshot: RoomSnapshot) {
        latest = snapshot
        room = snapshot.room
        for stream in snapshot.streams { announce(stream, track: snapshot.room.track) }
    }

    /// Sends the measurements to the server when a report is due.
    private mutating func report(_ stay: RoomStay) {
        let now = stay.localClock.now()
        // Figures that could not be sent now stay for the next report.
        guard !isAway, let due = reporter?.dueMicroseconds, now >= due else { return }
        var totals = ListeningTotals(lost: tally.lost)
        if let player {
            let (figures, recent) = (player.statistics, player.takeRecent())
            totals.underruns = figures.underruns
            totals.resyncs = figures.resyncs
            totals.syncErrorsMicroseconds = recent.errors
            totals.bufferMilliseconds = recent.bufferMilliseconds
        }
        if let report = reporter?.report(totals, stay.clock, now: now) { stay.client.tell(report) }
    }

    private mutating func announce(_ stream: StreamInfo, track: Track?) {
        let stream = late.moved(stream)
        recorder.announce(stream, track: track)
        decoder.announce(stream)
    }

    /// Asks for what is to be heard first, if the room is heard later than others hear it.
    private func askForPast(_ stay: RoomStay) -> Task<Void, Never>? {
        guard late.by > 0, latest?.stream != nil else {
            past.firstCount.store(0, ordering: .relaxed)
            return nil
        }
        let spans = late.spans(now: stay.serverNow, edge: stay.serverNow + 60_000)
        let (by, past) = (late.by / 1000, past)
        return Task {
            for (place, span) in spans.enumerated() {
                let request = RoomShift(
                    byMilliseconds: by, fromMicroseconds: span.lowerBound, toMicroseconds: span.upperBound)
                let answer = try? await stay.client.call(request)
                past.add(answer?.streams ?? [])
                if place == 0 { past.firstCount.store(Int(answer?.packetCount ?? 0), ordering: .relaxed) }
                guard let answer else { return }
                if answer.packetCount == 0 { continue }
                // The first are wanted at once.
                if place > 0 { try? await Task.sleep(for: .milliseconds(600)) }
            }
        }
    }

    private mutating func arrive(_ packet: AudioPacket, _ stay: RoomStay) throws {
        guard late.by > 0 else { return try take(packet) }
        if packet.header.flags.contains(.shifted) { pastCount += 1 }
        late.take(packet)
        try release(stay)
    }

    /// Plays what is due of a room that is heard later.
    private mutating func release(_ stay: RoomStay) throws {
        let first = past.firstCount.load(ordering: .relaxed)
        // What comes by itself is held back until what is heard before it is there.
        guard late.by > 0, first >= 0, pastCount >= first else { return }
        for stream in past.take() { announce(stream, track: room?.track) }
        for packet in late.due(at: stay.serverNow) { try take(packet) }
    }

    private mutating func take(_ packet: AudioPacket) throws {
        let lostBefore = tally.lost
        guard tally.take(packet.header) else { return }
        if tally.lost > lostBefore { player?.noteGap() }
        if let opusFile { try opusFile.append(recorder.take(packet)) }
        if let player, let piece = decoder.take(packet) { player.insert(piece) }
        let end = packet.header.playAtMicroseconds + Int64(packet.header.samples) * 125 / 6
        heardUntil = max(heardUntil, end)
    }

    private mutating func handle(_ event: ServerEvent, _ stay: RoomStay) throws {
        switch event {
        case .streamStarted(let started):
            announce(started.stream, track: started.track)
            if let track = started.track, track != room?.track { Console.say("Playing \(track.line)") }
            room?.track = started.track
        case .trackChanged(let changed):
            Console.say("Playing \(changed.track.line)")
            room?.track = changed.track
        case .streamEnded(let ended):
            endsAt = ended.atMicroseconds + late.by
            wake(stay)
        case .roomClosed: throw Failure(66, "The room was closed.")
        case .roomRemoved(let removed): throw Failure(removed)
        default: break
        }
    }

    /// Whether the broadcast has ended and all of it is here, and has sounded if there is a device; or the time is up.
    private var isOver: Bool {
        if let deadline, connection.client.localClock.now() >= deadline { return true }
        if player?.failure != nil { return true }
        guard let endsAt else { return false }
        let now = connection.client.serverNow
        // A microsecond is lost in rounding here and there; a packet has 2500 at least.
        let isHere = heardUntil >= endsAt - 1000
        return isHere && (player == nil || now >= endsAt) || now >= endsAt + Self.patience
    }

    private func wake(_ stay: RoomStay) {
        let now = stay.localClock.now()
        var moments = [deadline, isAway ? nil : reporter?.dueMicroseconds]
        for end in [endsAt, endsAt.map { $0 + Self.patience }] {
            // A clock that is estimated anew may have it a little later.
            moments.append(end.map { max(now + 1_000, stay.clock.localTime(fromServer: $0)) })
        }
        if Console.isInteractive || player != nil { moments.append(now + 1_000_000) }
        if let next = moments.compactMap({ $0 }).min() { stay.wake(atLocal: next) }
    }

    /// Ends the device, and writes the data still held back.
    mutating func finish() throws {
        let played = Result { () throws(RecordingError) in try player?.stop() }
        defer { opusFile?.finish() }
        try opusFile?.append(recorder.finish())
        try played.get()
    }

    private func showStatus() {
        guard let first = player?.statistics.first?.server ?? recorder.firstSampleMicroseconds else {
            return Console.status("Waiting …")
        }
        let heard = max(0, connection.client.serverNow - first)
        Console.status(
            "\(Console.time(heard))  \(tally.packets) packets, \(tally.lost) lost  \(room?.track?.line ?? "")")
    }

    // MARK: Figures

    func showStatistics() {
        let clock = connection.client.clock
        let figures = player?.statistics ?? PlayerStatistics()
        Console.out { writer in
            writer.member("room", orNull: room?.id.rawValue)
            writer.member("packets", tally.packets)
            writer.member("preroll", tally.preroll)
            writer.member("lost", tally.lost)
            writer.member("duplicates", tally.duplicates)
            writer.member("undecodable", decoder.undecodable)
            writer.member("reconnects", reconnects.all)
            writer.member("resumed", reconnects.resumed)
            writer.member(
                "first_sample_server_us",
                orNull: opusFile == nil ? figures.first?.server : recorder.firstSampleMicroseconds)
            writer.key("join_ms")
            if let first = figures.first {
                writer.number(Double(first.local - joinSentAt) / 1000)
            } else {
                writer.null()
            }
            writer.figures(figures)
            writer.key("clock")
            writer.object { writer in
                writer.member("offset_us", clock.offsetMicroseconds)
                writer.key("sigma_us")
                writer.number((clock.sigmaMicroseconds * 10).rounded() / 10)
                writer.member("rtt_us", clock.roundTripMicroseconds)
                writer.key("drift_ppm")
                writer.number((clock.driftPPM * 1000).rounded() / 1000)
                writer.member("samples", clock.count)
                writer.member("restarts", clock.restarts)
            }
            if showsTrueTime {
                writer.key("simulated")
                writer.object { writer in
                    writer.member("first_sample_true_us", orNull: figures.first?.monotonic)
                    writer.member("clock_steps", figures.clockSteps)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func figures(_ figures: PlayerStatistics) {
        key("sync_error_us")
        object { writer in
            writer.member("p50", orNull: figures.errors.percentile(0.5))
            writer.member("p95", orNull: figures.errors.percentile(0.95))
            writer.member("max", orNull: figures.errors.max)
            writer.member("last", orNull: figures.lastError.map { Int($0.rounded()) })
        }
        member("underruns", figures.underruns)
        member("resyncs", figures.resyncs)
        member("missed_ms", figures.missedFrames / 48)
        key("buffer_ms")
        object { writer in
            writer.member("p5", orNull: figures.buffer.percentile(0.05))
            writer.member("p50", orNull: figures.buffer.percentile(0.5))
            writer.member("min", orNull: figures.buffer.min)
        }
    }
}
