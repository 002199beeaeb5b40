package import SonaAudio
package import SonaWire

/// Broadcasts uncompressed sound into a room, encoding it as it comes.
///
/// *Paced* sound is available at any time, such as a file in a pipe: packets leave by the server's clock, and the
/// source waits. *Live* sound comes when it is made. It is sent at once, the room is told once a second when a sample
/// was captured (CAPTURE), and sound that is not sent in time is lost.
///
/// States, as `FileBroadcast`: *playing*, *paused* (live sound is thrown away, paced sound waits), *away*, *over*.
///
/// Source: Protocol/spec/hosting.md, "Live hosts".
package actor PCMBroadcast: Broadcasting {
    let source: PCMSource
    let settings: PCMSettings
    let report: @Sendable (HostReport) -> Void
    let interruption = HostInterruption()

    var connection: HostConnection
    private var encoder: OpusEncoder
    var isLive = false
    var epoch: UInt16 = 0
    /// The room's own, where the server has put another in the place of ours.
    private var roomEpoch: UInt16 = 0
    private var sequence: UInt32 = 0
    var pacing = Pacing(startMicroseconds: 0, leadMicroseconds: 0, preSkip: 0)
    /// Frames of the epoch that have been encoded, and of all epochs.
    var epochFrames: Int64 = 0
    var frames: Int64 = 0
    /// Place in the track where the epoch began, µs.
    var startPosition: Int64 = 0
    var isPaused = false
    /// The server time before which live sound is thrown away: it would be too early.
    private var capturesFrom: Int64?
    var pace = LivePace(now: 0)
    private var captures = CaptureTeller()
    var sent = SentPackets()
    /// The last packet was encoded.
    private var isComplete = false
    /// Lets a live source go on while the connection is away.
    var holding: Task<Void, Never>?

    /// How often a source is looked at, µs.
    static let tick: Int64 = 10_000

    /// - Parameters:
    ///   - source: A source whose format is known; see `PCMProbe`.
    ///   - isLive: Whether the sound comes when it is made.
    ///   - client: Signed in as somebody who may host in the room, and in no room yet. Closed when the broadcast ends.
    ///   - open: Opens another connection when that one is lost.
    ///   - report: Called from the broadcast, in order.
    /// - Throws: As `OpusEncoder.init`.
    package init(
        source: sending PCMSource, isLive: Bool, settings: PCMSettings, records: Bool = false, room: RoomID,
        client: Client, open: @escaping HostOpener, report: @escaping @Sendable (HostReport) -> Void
    ) throws(AudioError) {
        encoder = try OpusEncoder(
            channels: source.channels, bitrate: settings.bitrate, frameSamples: settings.packetSamples)
        self.source = source
        self.isLive = isLive
        self.settings = settings
        connection = HostConnection(room: room, client: client, records: records, open: open)
        self.report = report
    }

    /// Ends the broadcast politely. From any thread; at most once has an effect.
    package nonisolated func interrupt() { interruption.raise() }

    /// Broadcasts until the sound is over, `interrupt` is called, or it cannot go on.
    package func run() async throws(HostError) -> HostEnding { try await broadcast() }

    func begin(in snapshot: RoomSnapshot) async throws(HostError) {
        try await begin(command: nil)
        report(.live(snapshot.room))
        if let track = settings.track { report(.track(track)) }
    }

    func woken() {}

    /// Sound from a program has no queue.
    func follow(_ changed: QueueChanged) {}

    // MARK: Epochs

    func begin(command: Int64?) async throws(HostError) {
        let position = microseconds(samples: Int(clamping: frames))
        encoder.reset()
        let started = try await call(
            HostStart(
                stream: StreamOffer(channels: encoder.channels, preSkip: encoder.lookahead),
                pacing: isLive ? .live : .server, track: settings.track, positionMicroseconds: position,
                continues: false, command: command))
        epoch = started.epoch
        roomEpoch = started.epoch
        sequence = 0
        epochFrames = 0
        startPosition = position
        pacing = Pacing(started, preSkip: encoder.lookahead)
        isPaused = false
        captures = CaptureTeller()
        sent = SentPackets()
        // The first packet is to be there a lead before it sounds, whole.
        if isLive {
            capturesFrom =
                started.startMicroseconds - started.leadMicroseconds - microseconds(samples: settings.packetSamples)
        }
    }

    /// The server has broken the timeline: what is sent now sounds at another time.
    func follow(_ playback: Playback) {
        guard !isPaused, playback.state == .playing, Int16(bitPattern: playback.epoch &- roomEpoch) > 0 else { return }
        roomEpoch = playback.epoch
        guard !isLive else {
            return report(.warning("The room's timeline was moved to keep step with this source."))
        }
        pacing.startMicroseconds = playback.anchorMicroseconds - (playback.positionMicroseconds - startPosition)
        report(.warning("The sound came too slowly for the room's lead; everybody heard a pause."))
    }

    // MARK: Sound

    /// Sends what is due and asks to be woken. True if nothing is left to send.
    func advance() throws(HostError) -> Bool {
        guard !isComplete else { return true }
        let now = connection.client.localClock.now()
        connection.client.wake(atLocal: now + Self.tick)
        do throws(AudioError) {
            if isLive { return try advanceLive(now: now) }
            return isPaused ? false : try advancePaced()
        } catch {
            throw .audio(error)
        }
    }

    private func advancePaced() throws(AudioError) -> Bool {
        while pacing.isDue(sample: Int(epochFrames), now: connection.client.serverNow) {
            if source.frames < settings.packetSamples { try source.pull() }
            if source.frames >= settings.packetSamples {
                try send(source.take(frames: settings.packetSamples))
            } else if source.isOver {
                try sendRest()
                return true
            } else {
                return false
            }
        }
        return false
    }

    private func advanceLive(now: Int64) throws(AudioError) -> Bool {
        // The last frames have to be sent before more are taken. Otherwise the program that makes the sound would never
        // have to wait.
        var stamps = source.frames < settings.packetSamples || isPaused ? try source.pull() : []
        for index in stamps.indices {
            stamps[index].readAt = connection.client.localClock.reading(atMonotonic: stamps[index].readAt)
        }
        for stamp in stamps { pace.read(at: stamp.readAt) }
        guard !isPaused else {
            source.dropAll()
            return source.isOver
        }
        if let from = capturesFrom {
            guard connection.client.serverNow >= from || source.isOver else {
                source.dropAll()
                return false
            }
            capturesFrom = nil
            pace = pace.restarted(now: now)
        }
        tellCapture(stamps)
        while true {
            if source.isOver, source.frames < settings.packetSamples {
                try sendRest()
                return true
            }
            switch pace.next(available: source.frames, packet: settings.packetSamples, now: now) {
            case .take(let count): try send(source.take(frames: count))
            case .silence(let count): try send([Float](repeating: 0, count: count * encoder.channels))
            case .leaveOut(let count): source.drop(frames: count)
            case .wait: return false
            }
        }
    }

    /// Tells, about once a second, when the last of what was read had been captured.
    private func tellCapture(_ stamps: [PCMSource.Stamp]) {
        let clock = connection.client.clock
        for stamp in stamps {
            // Where it will lie among what the decoder emits.
            let sample = epochFrames + (stamp.frames - source.framesTaken) + Int64(encoder.lookahead)
            guard sample >= 0, let best = captures.take(sample: sample, readAt: stamp.readAt) else { continue }
            let frame = CaptureFrame(
                epoch: epoch, samplePosition: best.sample,
                serverMicroseconds: clock.serverTime(fromLocal: best.readAt),
                errorMicroseconds: UInt32(clamping: clock.roundTripMicroseconds / 2 + CaptureTeller.readError))
            connection.client.send(binary: frame.encode())
        }
    }

    private func send(_ pcm: [Float], samples: Int? = nil, isLast: Bool = false) throws(AudioError) {
        let packet = try encoder.encode(pcm)
        var flags: AudioFlags = isLast ? .last : []
        if pcm.allSatisfy({ $0 == 0 }) { flags.insert(.silence) }
        let header = AudioUp(
            flags: flags, epoch: epoch, sequence: sequence, samplePosition: epochFrames,
            samples: UInt32(samples ?? settings.packetSamples))
        let frame = AudioUp.encode(header, packet: packet)
        connection.client.send(binary: frame)
        sent.append(SentPackets.Packet(samplePosition: epochFrames, samples: header.samples, frame: frame))
        sequence &+= 1
        epochFrames += Int64(settings.packetSamples)
        frames += Int64(settings.packetSamples)
    }

    /// The end: what is left, and what the encoder still holds back of it.
    private func sendRest() throws(AudioError) {
        var left = source.frames + encoder.lookahead
        while left > 0 {
            let isLast = left <= settings.packetSamples
            try send(
                source.take(frames: settings.packetSamples), samples: min(left, settings.packetSamples), isLast: isLast)
            left -= settings.packetSamples
        }
        isComplete = true
        if source.isCutOff { report(.warning("The WAV says that it is longer; what is there was sent.")) }
    }
}
