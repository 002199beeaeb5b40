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
package actor FileBroadcast: Broadcasting {
    let playlist: FileList
    let report: @Sendable (HostReport) -> Void
    let interruption = HostInterruption()

    var connection: HostConnection
    /// The epoch being sent.
    var plan: EpochPlan
    /// The follower of the room's queue; nil if the queue is not followed.
    var queue: QueueFollower?
    /// There is nothing in the queue to be played.
    var isDry = false
    var epoch: UInt16 = 0
    private var pacing = Pacing(startMicroseconds: 0, leadMicroseconds: 0, preSkip: 0)
    /// The packet of the plan's item that leaves next.
    var nextPacket = 0
    var upNext: OggOpusFile.Packet?
    var wakeAt: Int64?
    /// While paused: where to go on.
    var resume: EpochPlan?
    /// Counts the AUDIO_UP frames of the epoch.
    var sequence: UInt32 = 0
    /// The room's own epoch: the one being sent, or one the server has put in its place because packets came late.
    private var roomEpoch: UInt16 = 0
    /// The epochs of this room that are ours, newest last: what a room that stopped may stand in.
    var epochs: [(epoch: UInt16, plan: EpochPlan)] = []

    /// - Parameters:
    ///   - followsQueue: Plays those files that the room's queue names, when it does, until interrupted.
    ///   - client: Signed in as the room's owner, and in no room yet. Closed when the broadcast ends.
    ///   - open: Opens another connection when that one is lost.
    ///   - report: Called from the broadcast, in order.
    package init(
        playlist: FileList, followsQueue: Bool = false, records: Bool = false, room: RoomID, client: Client,
        open: @escaping HostOpener,
        report: @escaping @Sendable (HostReport) -> Void
    ) {
        self.playlist = playlist
        queue = followsQueue ? QueueFollower(playlist) : nil
        connection = HostConnection(room: room, client: client, records: records, open: open)
        self.report = report
        plan = .beginning(0, of: playlist)
    }

    /// Ends the broadcast politely. From any thread; at most once has an effect.
    package nonisolated func interrupt() { interruption.raise() }

    /// Broadcasts until all is sent, `interrupt` is called, or it cannot go on.
    package func run() async throws(HostError) -> HostEnding { try await broadcast() }

    func begin(in snapshot: RoomSnapshot) async throws(HostError) {
        if queue != nil {
            let page = try await call(QueueGet(limit: 1))
            let hasSome = page.now != nil || page.waitingCount > 0
            report(hasSome ? .live(snapshot.room) : .waiting(snapshot.room))
            if try await !choose(), hasSome { report(.queueEmpty) }
        } else {
            try await begin(plan, command: nil)
            report(.live(snapshot.room))
            report(.track(playlist.items[plan.item].track))
        }
    }

    func woken() { wakeAt = nil }

    // MARK: Epochs and packets

    /// Begins an epoch and makes it the one being sent.
    func begin(_ plan: EpochPlan, command: Int64?) async throws(HostError) {
        let started = try await call(plan.request(playlist, command: command, followsQueue: queue != nil))
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
    func follow(_ playback: Playback) {
        guard resume == nil, playback.state == .playing, Int16(bitPattern: playback.epoch &- roomEpoch) > 0 else {
            return
        }
        roomEpoch = playback.epoch
        pacing = plan.pacing(pacing, playing: playback, in: playlist)
        epochs.append((playback.epoch, plan))
        report(.warning("The line was too slow for the room's lead; everybody heard a pause."))
    }

    /// Sends what is due and asks to be woken for the next packet. True if nothing is left to send.
    func advance() async throws(HostError) -> Bool {
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
            let now = connection.client.serverNow
            guard pacing.isDue(sample: sample, now: now) else {
                let due = pacing.due(sample: sample)
                if wakeAt != due {
                    wakeAt = due
                    connection.client.wake(atServer: due)
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

    private func packet(_ item: FileList.Item) throws(HostError) -> OggOpusFile.Packet {
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
        connection.client.send(binary: AudioUp.encode(header, packet: packet.bytes))
        sequence &+= 1
        nextPacket += 1
        upNext = nil
    }

    /// The plan that goes on with the next packet. An epoch of which nothing was sent yet is begun again as it was.
    func goingOn() throws(HostError) -> EpochPlan {
        if let resume { return resume }
        guard nextPacket > plan.firstPacket else { return plan }
        do {
            if nextPacket < playlist.items[plan.item].packetCount {
                return try .goingOn(plan.item, packet: nextPacket, of: playlist)
            }
            // The queue names the next track when this one is over.
            if queue != nil { return try .goingOn(plan.item, packet: nextPacket - 1, of: playlist) }
        } catch {
            throw .audio(error)
        }
        return .beginning(playlist.index(after: plan.item) ?? 0, of: playlist)
    }
}
