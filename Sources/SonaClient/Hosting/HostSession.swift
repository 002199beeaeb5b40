internal import SonaAudio
package import SonaWire

/// Broadcasts a playlist into a room, by the server's clock.
///
/// States:
/// - *playing*: packets leave when they are due; after an item's last packet the next epoch is begun at once.
/// - *paused*: nothing leaves; `resume` says where to go on. Entered and left by the owner's commands.
/// - *away*: the connection is lost and being sought, for up to a minute. Left to the state before.
/// - *dry*: a host that follows the room's queue has nothing to play, and waits for something.
/// - *over*: all was sent, or `interrupt` was called; the seat is given back.
///
/// An actor because the signal handler and the task that runs it are two; nothing else calls it.
///
/// Source: Protocol/spec/hosting.md.
package actor HostSession {
    package enum Ending: Sendable {
        /// Everything was sent.
        case finished
        case interrupted
    }

    /// Opens a signed-in connection, given what is known of the server's clock.
    package typealias Opener = @Sendable (ClockFilter) async throws(ClientError) -> Client

    let playlist: Playlist
    private let room: RoomID
    private let open: Opener
    let report: @Sendable (HostReport) -> Void
    private let interruption = HostInterruption()

    private var client: Client
    private var clockID: UInt64
    /// The epoch being sent.
    var plan: EpochPlan
    /// What the room's queue says, if it is followed.
    var queue: QueueFollower?
    /// There is nothing in the queue to be played.
    var isDry = false
    private var epoch: UInt16 = 0
    private var pacing = Pacing(startMicroseconds: 0, leadMicroseconds: 0, preSkip: 0)
    /// The packet of the plan's item that leaves next.
    private var nextPacket = 0
    private var upNext: OggOpusFile.Packet?
    private var wakeAt: Int64?
    /// While paused: where to go on.
    private var resume: EpochPlan?
    /// Counts the AUDIO_UP frames of the epoch.
    private var sequence: UInt32 = 0
    /// The room's own epoch: the one being sent, or one the server has put in its place because packets came late.
    private var roomEpoch: UInt16 = 0
    /// The epochs of this room that are ours, newest last: what a room that stopped may stand in.
    private var epochs: [(epoch: UInt16, plan: EpochPlan)] = []
    private var reconnectDelay: Duration?
    private var lastComplaint: (code: ErrorCode, at: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - followsQueue: Plays those files that the room's queue names, when it does, until interrupted.
    ///   - client: Signed in as the room's owner, and in no room yet. Closed when the session ends.
    ///   - open: Opens another connection when that one is lost.
    ///   - report: Called from the session, in order.
    package init(
        playlist: Playlist, followsQueue: Bool = false, room: RoomID, client: Client, open: @escaping Opener,
        report: @escaping @Sendable (HostReport) -> Void
    ) {
        self.playlist = playlist
        queue = followsQueue ? QueueFollower(playlist) : nil
        self.room = room
        self.client = client
        self.open = open
        self.report = report
        clockID = client.welcome.clockID
        plan = .beginning(0, of: playlist)
    }

    /// Ends the broadcast politely. From any thread; at most once has an effect.
    package nonisolated func interrupt() { interruption.raise() }

    /// Broadcasts until all is sent, `interrupt` is called, or it cannot go on.
    package func run() async throws(HostError) -> Ending {
        interruption.follow(client)
        do throws(HostError) {
            let snapshot = try await call(RoomJoin(room: .id(room), wantsAudio: false))
            if queue != nil {
                report(.live(snapshot.room))
                if try await !choose() { report(.queueEmpty) }
            } else {
                try await begin(plan, command: nil)
                report(.live(snapshot.room))
                report(.track(playlist.items[plan.item].track))
            }
        } catch {
            await client.close()
            throw error
        }
        while true {
            do {
                let ending = try await serve()
                await client.close()
                return ending
            } catch {
                guard case .client(let lost) = error, Self.isWorthReturning(lost) else {
                    await client.close()
                    throw error
                }
                if try await comeBack(lost) { return .interrupted }
            }
        }
    }

    func call<R: WireRequest>(_ request: R) async throws(HostError) -> R.Response {
        do { return try await client.call(request) } catch { throw .client(error) }
    }

    // MARK: Serving

    private func serve() async throws(HostError) -> Ending {
        if try await advance() { return try await stop(.finished) }
        for await incoming in client.incoming {
            switch incoming {
            case .interrupted: return try await stop(.interrupted)
            case .closed(let error): throw .client(error)
            case .wake: wakeAt = nil
            case .event(let event, _, _): try await handle(event)
            case .complaint(let error): complain(error)
            case .position(let frame): follow(frame.playback)
            case .audio: break
            }
            if try await advance() { return try await stop(.finished) }
        }
        throw .client(.closed(nil, ""))
    }

    private func stop(_ ending: Ending) async throws(HostError) -> Ending {
        do {
            _ = try await client.call(HostStop())
        } catch {
            // Everything was sent: a room that cannot be told so ends by itself when the seat runs out.
            report(.warning("The end could not be announced: \(error.description)"))
        }
        return ending
    }

    private func handle(_ event: ServerEvent) async throws(HostError) {
        switch event {
        case .hostCommand(let command): try await carryOut(command)
        case .queueChanged(let changed): try await follow(changed)
        case .roomClosed: throw .roomClosed
        case .roomRemoved(let removed): throw .removed(removed)
        case .serverDraining(let draining):
            reconnectDelay = .milliseconds(min(draining.reconnectInMilliseconds, 30_000))
        default: break
        }
    }

    /// Says that the server could not use a packet, but not for each of many.
    private func complain(_ error: WireError) {
        let now = ContinuousClock.now
        if let lastComplaint, lastComplaint.code == error.code, now - lastComplaint.at < .seconds(10) { return }
        lastComplaint = (error.code, now)
        report(.warning("The server complains: \(error.message) (\(error.code.text))"))
    }

    // MARK: Epochs and packets

    /// Begins an epoch and makes it the one being sent.
    func begin(_ plan: EpochPlan, command: Int64?) async throws(HostError) {
        let started = try await call(plan.request(playlist, command: command))
        self.plan = plan
        epoch = started.epoch
        roomEpoch = started.epoch
        sequence = 0
        pacing = Pacing(started, preSkip: plan.preSkip)
        nextPacket = plan.firstPacket
        upNext = nil
        resume = nil
        isDry = false
        epochs.append((started.epoch, plan))
        if epochs.count > 8 { epochs.removeFirst() }
    }

    /// Takes note of a timeline that the server has broken because packets came too late: everything sounds later now.
    ///
    /// Source: Protocol/spec/hosting.md, "AUDIO_UP".
    private func follow(_ playback: Playback) {
        guard resume == nil, playback.state == .playing, Int16(bitPattern: playback.epoch &- roomEpoch) > 0 else {
            return
        }
        roomEpoch = playback.epoch
        pacing = plan.pacing(pacing, playing: playback, in: playlist)
        epochs.append((playback.epoch, plan))
        report(.warning("The line was too slow for the room's lead; everybody heard a pause."))
    }

    /// Sends what is due and asks to be woken for the next packet. True if nothing is left to send.
    private func advance() async throws(HostError) -> Bool {
        while resume == nil, !isDry {
            let item = playlist.items[plan.item]
            guard nextPacket < item.packetCount else {
                if queue != nil {
                    try await goOnInQueue()
                    continue
                }
                guard let next = playlist.index(after: plan.item) else { return true }
                try await begin(.beginning(next, of: playlist), command: nil)
                report(.track(playlist.items[next].track))
                continue
            }
            let packet = try self.packet(item)
            let sample = packet.start - plan.baseSample
            let now = client.serverNow
            guard pacing.isDue(sample: sample, now: now) else {
                let due = pacing.due(sample: sample)
                if wakeAt != due {
                    wakeAt = due
                    client.wake(atServer: due)
                }
                return false
            }
            if nextPacket > plan.firstPacket, pacing.isLost(sample: sample, now: now) {
                // This machine stood still for longer than the lead: go on from here rather than skip what was missed.
                report(.warning("This machine fell behind; the broadcast goes on where it was."))
                try await begin(goingOn(), command: nil)
                continue
            }
            send(packet, sample: sample, isLast: nextPacket == item.packetCount - 1)
        }
        return false
    }

    private func packet(_ item: Playlist.Item) throws(HostError) -> OggOpusFile.Packet {
        if let upNext { return upNext }
        do {
            let packet = try item.packet(nextPacket)
            upNext = packet
            return packet
        } catch {
            throw .audio(error)
        }
    }

    private func send(_ packet: OggOpusFile.Packet, sample: Int, isLast: Bool) {
        let header = AudioUp(
            flags: isLast ? .last : [], epoch: epoch, sequence: sequence, samplePosition: Int64(sample),
            samples: UInt32(packet.samples))
        client.send(binary: AudioUp.encode(header, packet: packet.bytes))
        sequence &+= 1
        nextPacket += 1
        upNext = nil
    }

    /// The plan that goes on with the next packet. An epoch of which nothing was sent yet is begun again as it was.
    private func goingOn() throws(HostError) -> EpochPlan {
        if let resume { return resume }
        guard nextPacket > plan.firstPacket else { return plan }
        do {
            if nextPacket < playlist.items[plan.item].packetCount {
                return try .goingOn(plan.item, packet: nextPacket, of: playlist)
            }
            // What comes next, the queue says when this is over.
            if queue != nil { return try .goingOn(plan.item, packet: nextPacket - 1, of: playlist) }
        } catch {
            throw .audio(error)
        }
        return .beginning(playlist.index(after: plan.item) ?? 0, of: playlist)
    }

    // MARK: Commands

    private func carryOut(_ command: HostCommand) async throws(HostError) {
        do throws(HostError) {
            if isDry {
                let refusal = HostReject(
                    command: command.command, code: .hostRefused, message: "The queue is empty.")
                _ = try await call(refusal)
                return
            }
            switch command.action {
            case .pause: try await pause(command.command)
            case .play:
                if let position = command.positionMicroseconds {
                    try await seek(to: position, command.command, plays: true)
                } else {
                    let plan = try goingOn()
                    try await begin(plan, command: command.command)
                    report(.playing(positionMicroseconds: plan.positionMicroseconds))
                }
            case .seek:
                try await seek(to: command.positionMicroseconds ?? 0, command.command, plays: resume == nil)
            }
        } catch {
            // The owner has been told, or has waited too long; the broadcast itself goes on.
            guard case .client(let refusal) = error, case .refused(let reason) = refusal.kind else { throw error }
            report(.warning("\(command.action.rawValue) failed: \(reason.message) (\(reason.code.text))"))
        }
    }

    private func pause(_ command: Int64) async throws(HostError) {
        let plan = try goingOn()
        _ = try await call(HostPause(command: command))
        resume = plan
        report(.paused(positionMicroseconds: plan.positionMicroseconds))
    }

    private func seek(to position: Int64, _ command: Int64, plays: Bool) async throws(HostError) {
        let found: EpochPlan?
        do {
            found = try .seeking(resume?.item ?? plan.item, to: position, of: playlist)
        } catch {
            throw .audio(error)
        }
        guard let found else {
            let refusal = HostReject(
                command: command, code: .hostRefused, message: "The track does not reach so far.")
            _ = try await call(refusal)
            return
        }
        if plays {
            try await begin(found, command: command)
            report(.playing(positionMicroseconds: position))
        } else {
            _ = try await call(HostPause(command: command, positionMicroseconds: position))
            resume = found
            report(.paused(positionMicroseconds: position))
        }
    }

    // MARK: Coming back

    private static func isWorthReturning(_ error: ClientError) -> Bool {
        switch error.kind {
        // The token may have run out in the meantime: signing in again renews it.
        case .closed(CloseCode.signInAgain.rawValue, _): true
        // A connection that was cut while the server still holds the seat for it.
        case .refused(let refusal): refusal.code == .hostSeatTaken || refusal.code.isRetryable
        default: error.isTemporary
        }
    }

    /// Looks for the server again for a minute. True if interrupted meanwhile.
    private func comeBack(_ lost: ClientError) async throws(HostError) -> Bool {
        report(.away(lost))
        let clock = client.clock
        await client.close()
        let deadline = ContinuousClock.now + .seconds(Int64(Limits.hostSeatSeconds))
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        var last = lost
        while true {
            let delay = max(backoff.next(using: &generator), reconnectDelay ?? .zero)
            reconnectDelay = nil
            guard ContinuousClock.now + delay < deadline else {
                throw .client(
                    ClientError(
                        .unreachable,
                        "The server did not come back within \(Limits.hostSeatSeconds) seconds. \(last.description)"))
            }
            if await interruption.sleep(delay) { return true }
            do throws(ClientError) {
                client = try await open(clock)
            } catch {
                guard Self.isWorthReturning(error) else { throw .client(error) }
                last = error
                continue
            }
            interruption.follow(client)
            do throws(HostError) {
                try await takeUpAgain()
                report(.back)
                return false
            } catch {
                await client.close()
                guard case .client(let failure) = error, Self.isWorthReturning(failure) else { throw error }
                last = failure
            }
        }
    }

    /// Joins the room again and goes on: after the last packet the server has, if it still knows the stream.
    private func takeUpAgain() async throws(HostError) {
        let isSameClock = client.welcome.clockID == clockID
        clockID = client.welcome.clockID
        wakeAt = nil
        let snapshot = try await call(RoomJoin(room: .id(room), wantsAudio: false))
        if isDry {
            _ = try await choose()
            return
        }
        var next = try goingOn()
        do throws(AudioError) {
            if let resume {
                // Paused before, paused again: the seat is taken by an epoch that is paused before its first packet.
                if snapshot.stream == nil || !isSameClock, resume.continues {
                    next = try .startingOver(resume.item, packet: resume.firstPacket, of: playlist)
                }
            } else if isSameClock, let stream = snapshot.stream {
                if let stopped = try stoppedAt(stream, snapshot) { next = stopped }
            } else if next.continues {
                next = try .startingOver(next.item, packet: next.firstPacket, of: playlist)
            }
        } catch {
            throw .audio(error)
        }
        let wasPaused = resume != nil
        try await begin(next, command: nil)
        if wasPaused {
            resume = next
            _ = try await call(HostPause())
        }
    }

    /// The plan that goes on exactly where the room's timeline stopped; nil if it stands in no epoch of ours, or at
    /// the end of an item.
    private func stoppedAt(_ stream: StreamInfo, _ snapshot: RoomSnapshot) throws(AudioError) -> EpochPlan? {
        let stop = PlaybackView(snapshot.playback, upcoming: snapshot.upcoming).final
        guard stop.state == .buffering || stop.state == .paused, stop.epoch == stream.epoch,
            let last = epochs.last(where: { $0.epoch == stop.epoch })?.plan
        else { return nil }
        // Nothing of it was heard: its first packets may be lost, so it begins again.
        if stop.positionMicroseconds <= last.positionMicroseconds { return last }
        let packet = EpochPlan.packet(last.item, after: stop.positionMicroseconds, of: playlist)
        guard packet < playlist.items[last.item].packetCount else {
            if queue != nil { return try .goingOn(last.item, packet: packet - 1, of: playlist) }
            return playlist.index(after: last.item).map { .beginning($0, of: playlist) }
        }
        return try .goingOn(last.item, packet: packet, of: playlist)
    }
}
