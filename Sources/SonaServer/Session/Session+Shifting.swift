internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// Hearing a room later than others do.
extension Session {
    /// Answers `room.shift`. Packets of the room's ring are sent at once, those of a file when it has been read.
    func shift(_ request: RoomShift, _ asker: LiveAsker) throws(WireError) {
        let home = try joined()
        if request.fromMicroseconds != nil {
            guard !ensureActiveState().isShifting else {
                throw WireError(.requestRateLimited, retryAfterMilliseconds: 250)
            }
            if let wait = ensureActiveState().shiftBudget.take(now: asker.now) {
                throw WireError(.requestRateLimited, retryAfterMilliseconds: wait)
            }
        }
        try home.update(now: asker.now) { room throws(WireError) in
            ((), try room.shift(self.number, isShifted: request.byMilliseconds > 0))
        }
        let shifted = home.shifted(request, now: asker.now)
        guard !shifted.pieces.isEmpty else { return send(shifted, [], asker.request) }
        ensureActiveState().isShifting = true
        let reading = PastReading(
            library: core.services.library, reader: core.autoplays.reader, owner: home.room.owner.uid,
            open: home.openFiles)
        let (shard, number, link, room) = (core.shard, self.number, self.link.number, home.id)
        Task {
            let found = await reading.read(shifted.pieces)
            await shard.perform { core in
                core.sessions[number]?.activeState?.isShifting = false
                core.rooms[room]?.keep(found.opened)
                guard let session = core.session(onLink: link) else { return }
                guard session.home?.id == room else {
                    return session.refuse(asker.request, WireError(.roomNotJoined))
                }
                session.send(shifted, found.chunks, asker.request)
            }
        }
    }

    /// Sends packets, those that were read first, and then the answer.
    private func send(_ shifted: RoomHome.Shifted, _ read: [AudioChunk], _ request: Int64) {
        // A packet that was in the ring as well is sent once.
        let recent = shifted.recent.drop { chunk in
            read.last.map { Int32(bitPattern: chunk.header.sequence &- $0.header.sequence) <= 0 } ?? false
        }
        let chunks = read + recent
        for message in OpenBundle.messages(chunks) { link.send(WebSocketFrame(binary: message)) }
        var result = shifted.answer
        result.packetCount = Int64(chunks.count)
        answer(request, result)
    }
}
