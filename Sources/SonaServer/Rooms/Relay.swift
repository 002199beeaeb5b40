internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// One listener's place in the ring.
final class Listener {
    let connection: WebSocketConnection
    /// Number of the chunk it is owed next.
    var cursor: Int
    /// Since when it has been behind without a break, µs; nil while it keeps up.
    var behindSince: Int64?
    /// Something was skipped: the next packet resets its decoder.
    var isBroken = false
    fileprivate(set) var index = 0

    init(connection: WebSocketConnection, cursor: Int) {
        self.connection = connection
        self.cursor = cursor
    }
}

/// A room's way to the members on one loop: a flat list of listeners and a ring of recent chunks.
///
/// Each chunk is framed once. Who keeps up gets it written straight to the socket; who does not falls behind in the
/// ring and costs nobody else anything: it catches up when its socket takes more, jumps to the live edge when what it
/// is owed is past its time, and is closed after `Limits.listenerLagSecondsMax` of that.
final class Relay {
    private(set) var ring: ChunkRing<WebSocketFrame>
    private var listeners: ContiguousArray<Listener> = []
    private unowned let core: ShardCore  // Owns the room's home, which owns this.

    init(ringMicroseconds: Int64, core: ShardCore) {
        ring = ChunkRing(microsecondsMax: ringMicroseconds)
        self.core = core
    }

    // MARK: Members

    /// Lets a connection listen: what it needs of the past first, then it is at the live edge.
    func add(_ connection: WebSocketConnection, isSounding: Bool, now: Int64) -> Listener {
        if isSounding {
            let plan = JoinPlan(ring, now: now)
            for message in plan.messages(ring) { connection.send(binary: message) }
            core.figures.deliveries &+= UInt64(plan.audible.count + plan.preroll.count)
        }
        let listener = Listener(connection: connection, cursor: ring.end)
        listener.index = listeners.count
        listeners.append(listener)
        return listener
    }

    func remove(_ listener: Listener) {
        let last = listeners.removeLast()
        guard last !== listener else { return }
        listeners[listener.index] = last
        last.index = listener.index
    }

    // MARK: Fan-out

    /// Sends a chunk to everybody who keeps up. O(listeners).
    func deliver(_ chunk: AudioChunk, now: Int64) {
        let frame = WebSocketFrame(binary: AudioDown.encode(chunk.header, packet: chunk.packet))
        ring.append(chunk, frame)
        let number = ring.end - 1
        var delivered: UInt64 = 0
        for listener in listeners {
            guard listener.cursor == number, !listener.isBroken else {
                noteBehind(listener, now: now)
                continue
            }
            switch listener.connection.writeNow(frame) {
            case .written:
                listener.cursor = number + 1
                delivered &+= 1
            case .blocked: noteBehind(listener, now: now)
            case .dead: break
            }
        }
        core.figures.deliveries &+= delivered
    }

    private func noteBehind(_ listener: Listener, now: Int64) {
        guard let since = listener.behindSince else {
            listener.behindSince = now
            listener.connection.requestWritable()
            return
        }
        if now - since > Int64(Limits.listenerLagSecondsMax) * 1_000_000, listener.connection.isOpen {
            core.figures.slowListenersClosed &+= 1
            listener.connection.close(
                CloseCode.tooSlow.rawValue, "the connection has been behind for \(Limits.listenerLagSecondsMax) s")
        }
    }

    /// Gives a listener whose socket takes more what it is owed, as far as it takes it.
    func catchUp(_ listener: Listener, now: Int64) {
        skipStale(listener, now: now)
        while listener.cursor < ring.end {
            let entry = ring[listener.cursor]
            let result: WebSocketConnection.WriteResult
            if listener.isBroken {
                var header = entry.chunk.header
                header.flags.insert(.discontinuity)
                result = listener.connection.writeNow(
                    WebSocketFrame(binary: AudioDown.encode(header, packet: entry.chunk.packet)))
            } else {
                result = listener.connection.writeNow(entry.frame)
            }
            switch result {
            case .written:
                listener.cursor += 1
                listener.isBroken = false
                core.figures.deliveries &+= 1
            case .blocked: return listener.connection.requestWritable()
            case .dead: return
            }
        }
        listener.behindSince = nil
    }

    /// Moves a listener forward to what can still be heard on time.
    private func skipStale(_ listener: Listener, now: Int64) {
        let isStale =
            listener.cursor < ring.first
            || (listener.cursor < ring.end && ring[listener.cursor].chunk.due < now)
        guard isStale else { return }
        let target = JoinPlan(ring, now: now).audible.lowerBound
        core.figures.skippedChunks &+= UInt64(max(0, target - listener.cursor))
        listener.cursor = target
        listener.isBroken = true
    }
}
