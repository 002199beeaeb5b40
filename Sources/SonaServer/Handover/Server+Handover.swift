internal import FoundationEssentials
internal import SonaBase
internal import SonaCrypto
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A server that hands over to another process, and one that takes over.
///
/// The two talk over a Unix socket in the data folder:
///
///     successor                              predecessor
///     its version                     ─▶
///                                     ◀─     its listening sockets
///     prepared                        ─▶     accepts nobody, begins nothing, finishes what it writes
///                                     ◀─     the data folder is free; sound goes on
///     opens the folder; ready         ─▶
///                                     ◀─     sessions, rooms and the last packets; it sends nothing more
///     accepts clients                 ─▶     cuts its connections, and ends
///
/// Clients resume their sessions (Protocol/spec/resuming.md) and find their rooms with the same epochs, events and
/// packets. Connections that come meanwhile wait in the kernel's queue, which both processes share.
extension Server {
    // MARK: The successor

    /// Reads what is stored of rooms that will be handed over: nobody writes now, and then it is there when they come.
    func read(_ rooms: [RoomID]) async {
        for room in rooms { awaited[room] = await stored(room) }
    }

    private func stored(_ room: RoomID) async -> (RoomStore.StoredRoom, StoredRoomState)? {
        guard let model, let stored = try? await model.rooms.room(room), stored.closedMilliseconds == nil,
            let state = try? await StoredRoomState(room, model.roomStorage)
        else { return nil }
        return (stored, state)
    }

    func takeOver(_ handover: ServerHandover) async {
        if let keys = handover.ticketKeys.flatMap({ Base64.decode($0.utf8) }), let end = handover.ticketKeysEnd {
            configuration.identity?.takeTicketKeys(keys, end: end)
        }
        let rooms = handover.rooms.compactMap(\.value)
        try? await model?.roomStorage.replays.noteEnd(except: Set(rooms.map(\.room.room)))
        let last = handover.lastConnections.max() ?? 0
        for loop in loops { _ = try? await loop.run { loop.number(after: last) } }
        await shard.perform { $0.takeOver(handover) }
        for handed in rooms {
            var found = awaited[handed.room.room]
            if found == nil { found = await stored(handed.room.room) }
            guard let (stored, state) = found else { continue }
            await shard.perform { $0.takeOver(handed, stored, state) }
        }
        awaited = [:]
        configuration.log.log(
            .serverTakenOver,
            "This process has taken over \(handover.sessions.count) sessions and \(handover.rooms.count) rooms.")
    }

    // MARK: The predecessor

    /// Hands over to a process that has come. If it goes away before it was given the data folder, nothing has changed;
    /// after that this server ends in any case.
    func handOver(over channel: UnixChannel) async {
        let log = configuration.log
        do {
            guard try await offer(to: channel) else { return }
        } catch {
            return log.log(.handoverFailed, "A process wanted to take over and went away. This server goes on.")
        }
        // Somebody may have ended the server meanwhile.
        guard stage == .running else { return }
        stage = .handingOver
        log.log(.handoverBegun, "Another process takes over.")
        let closing = Task { await close() }
        self.closing = closing
        await closing.value
        do {
            try await handLive(to: channel)
        } catch {
            log.log(.handoverFailed, "The process that was to take over has failed: \(error). This server ends.")
            configuration.mustEnd?()
        }
    }

    /// - Returns: Whether it is prepared to take over.
    private func offer(to channel: UnixChannel) async throws -> Bool {
        var offer = HandoverOffer(version: ServerVersion.number, refusal: nil, sockets: [])
        let request = try JSONDecoder().decode(
            HandoverRequest.self, from: Data(try await HandoverThread.run { try channel.receive().message }))
        if request.format != ServerHandover.format {
            offer.refusal = "version \(ServerVersion.number) runs, which hands over in another way"
        }
        if stage != .running { offer.refusal = "it has just begun, or is ending" }
        var descriptors: [Int32] = []
        if offer.refusal == nil {
            for (use, socket) in sockets {
                offer.sockets.append(
                    HandedSocket(use: use.rawValue, host: socket.host, port: socket.port, isLocal: socket.isLocal))
                descriptors.append(socket.descriptor)
            }
        }
        let (message, sent) = (Array(try JSONEncoder().encode(offer)), descriptors)
        try await HandoverThread.run { try channel.send(message, descriptors: sent) }
        guard offer.refusal == nil else { return false }
        return try await HandoverThread.run { try channel.receive().message == [HandoverStep.prepared.rawValue] }
    }

    /// Closes the durable plane. The live plane goes on.
    private func close() async {
        let loop = loops[0]
        stopWork()
        _ = try? await loop.run { loop.restAccepting() }
        await shard.perform { $0.prepareHandover() }
        for mailbox in await shard.perform({ $0.mailboxes }) { await mailbox.ask { $0.drain() } }
        // Requests under way are finished.
        for _ in 0..<200 {
            if await shard.perform({ $0.requestQueues.isEmpty }) { break }
            try? await Task.sleep(for: .milliseconds(10))
        }
        await shard.perform { $0.storeForHandover() }
        let writes = await shard.perform { $0.services.writes }
        writes.stop()
        _ = await writes.end(within: .seconds(configuration.writingSecondsMax))
        await mailer?.close()
        await shard.perform { $0.services.recordings }.close()
        await library?.close()
        await model?.close()
    }

    /// Hands over what is live, and cuts the connections once the successor accepts them.
    private func handLive(to channel: UnixChannel) async throws {
        let rooms = await shard.perform { core in core.rooms.values.filter { !$0.room.isIdle }.map(\.id) }
        let list = Array(try JSONEncoder().encode(rooms))
        try await HandoverThread.run { try channel.send([HandoverStep.folderIsFree.rawValue] + list) }
        // Migrations may take their time: sound goes on.
        channel.wait(atMost: 600)
        guard try await HandoverThread.run({ try channel.receive().message }) == [HandoverStep.ready.rawValue] else {
            throw EventLoopError(.system, "it says something else")
        }
        channel.wait(atMost: 60)
        var lasts: [UInt64] = []
        for loop in loops { lasts.append(try await loop.run { loop.lastConnection }) }
        let (live, kept) = await shard.perform { core in (core.handover(), core.letGo()) }
        var handover = live
        // Some were accepted before the others rest.
        handover.lastConnections = lasts.map { $0 + 1_000 }
        if let keys = configuration.identity?.ticketKeys {
            handover.ticketKeys = Base64.encode(keys.bytes)
            handover.ticketKeysEnd = keys.end
        }
        let message = try handover.encoded()
        try await HandoverThread.run {
            try channel.send(message)
            guard try channel.receive().message == [HandoverStep.accepting.rawValue] else {
                throw EventLoopError(.system, "it accepts nobody")
            }
        }
        for link in kept { link.cut() }
        await finishBodies()
        configuration.log.log(.handoverDone, "Another process has taken over.")
        configuration.handedOver?()
    }

    /// Waits until what is being sent of the library is sent, at most as long as for connections to close.
    private func finishBodies() async {
        let meters = await shard.perform { $0.services.mediaMeters }
        // Close frames and answers are still on their way.
        try? await Task.sleep(for: .seconds(1))
        for _ in 0..<configuration.drainSecondsMax * 20 {
            if meters.all.allSatisfy({ $0.meter.openCount == 0 }) { break }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}

extension Session {
    /// Tells a client in no room to connect again, each at another moment.
    func comeBack() {
        if isGreeted { send(ServerDraining(reconnectInMilliseconds: Int.random(in: 500...3000))) }
        link.close(CloseCode.restart.rawValue, "the server starts anew")
    }
}
