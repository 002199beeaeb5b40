internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// A room's members on one loop, and the packets they have still to hear.
///
/// Each packet is framed once. Who keeps up gets it, or a few of them, in one write (`FanOut`); who does not is left
/// aside, catches up when its socket takes more, jumps to the live edge when what it is owed is past its time, and is
/// closed after `Limits.listenerLagSecondsMax` of that. Who does not keep up and has still everything before its time,
/// as after a join with a long lead, is let be.
final class Relay {
    let room: RoomID
    private let fanOut: FanOut
    private unowned let hub: Hub  // Its table holds this.

    /// Whether it is in the hub's list of those in which some wait for their tick.
    var isWaiting = false
    /// Ticks of a round, and how many of them are left until everybody has got everything.
    private var ticks = 1
    private var ticksLeft = 0
    /// By when the first to be due of the packets that wait for a tick should have arrived, µs, or one before it.
    private var waitingDue: Int64 = 0
    /// Ticks of it that are the room's wish.
    private var ticksLeast = 1

    /// What is told a few members at a time, and who is still to hear it.
    private var inPassing: [(frame: WebSocketFrame, members: [FanOut.Member])] = []
    private static let toldInPassing = 100

    /// How many packets more than anybody can hear are kept.
    private static let forgottenTogether = 8

    private var lookedAt: Int64 = 0
    private var bytesSinceLook = 0
    /// Bytes a second of the last looks, the newest last.
    private var rates: [Int] = []
    /// Whether those behind are looked after in a moment, packet or no packet.
    private var isLookingDue = false
    /// What the kernel may hold for a listener before that is too much; `nil` where sockets are full before that.
    private var unsentBytesMax: Int?

    /// What a socket holds at most, roughly: it says so itself then, by taking no more.
    private static let socketBytes = 48 * 1024

    init(_ room: RoomID, from number: Int, hub: Hub) {
        self.room = room
        self.hub = hub
        fanOut = FanOut(on: hub.loop, from: number)
    }

    // MARK: Members

    func add(_ connection: WebSocketConnection, takesAudio: Bool) -> FanOut.Member {
        fanOut.add(connection, takesFrames: takesAudio)
    }

    func remove(_ member: FanOut.Member) {
        fanOut.remove(member)
        if fanOut.count == 0 { hub.forget(self) }
    }

    var memberCount: Int { fanOut.count }
    var behindCount: Int { fanOut.behind.count }

    func announce(_ frame: WebSocketFrame, isInOrder: Bool) {
        // What happened after a packet is not told before it.
        if isInOrder, ticksLeft > 0 { sendAll(now: MonotonicClock.nowMicroseconds()) }
        if fanOut.announce(frame) { hub.tellSoon(room) }
    }

    /// Sends what has been announced.
    func tellAll() { fanOut.tellAll() }

    /// The same to one member, before it is sent something of its own.
    func tell(_ member: FanOut.Member) { fanOut.tell(member) }

    /// Tells everybody who is here now, some in each iteration of the loop; one such thing after the other.
    func announceInPassing(_ frame: WebSocketFrame) {
        inPassing.append((frame, fanOut.members))
        if inPassing.count == 1 { tellSome() }
    }

    private func tellSome() {
        guard let frame = inPassing.first?.frame else { return }
        for _ in 0..<Self.toldInPassing {
            guard let member = inPassing[0].members.popLast() else { break }
            if member.isInside { member.connection.send(frame) }
        }
        if inPassing[0].members.isEmpty { inPassing.removeFirst() }
        guard !inPassing.isEmpty else { return }
        hub.loop.schedule(after: .zero) { [weak self] in self?.tellSome() }
    }

    /// How a member is served. Two system calls.
    func served(_ member: FanOut.Member) -> ServedListener {
        ServedListener(
            isBehind: member.behindSince != nil, skippedPackets: Int64(member.skipped),
            unsentBytes: Int64(member.connection.unsentBytes),
            roundTripMicroseconds: member.connection.smoothedRoundTripMicroseconds.map(Int64.init))
    }

    // MARK: Packets

    func deliver(_ chunk: RelayedChunk, now: Int64) {
        // What was announced before a packet is told before it.
        tellAll()
        forgetSome(now: now)
        bytesSinceLook += fanOut.append(binary: chunk.message, due: chunk.due)
        ticksLeast = chunk.isGathered ? ServerTuning.gatherTicks : 1
        if let ticks = hub.ticks(for: chunk, now: now) {
            let isWaited = ticksLeft > 0
            waitingDue = isWaited ? min(waitingDue, chunk.due) : chunk.due
            // Who waits for the very next tick does not wait longer for what comes.
            if !isWaited || self.ticks > 1 { self.ticks = ticks }
            ticksLeft = self.ticks
            hub.wait(self)
        } else {
            sendAll(now: now)
        }
        if now - lookedAt >= 1_000_000 { look(now: now) }
        if !fanOut.behind.isEmpty { lookAfterSlow(now: now) }
    }

    /// What nobody can hear any more, and what would take too much room, is forgotten. Not each time, since what has come
    /// long ago is in no cache.
    private func forgetSome(now: Int64) {
        let isTooMuch = fanOut.heldBytes > ChunkRing.bytesMax
        guard isTooMuch || fanOut.end % Self.forgottenTogether == 0 else { return }
        // That the loop is late with it is no listener's fault: it is sent first.
        if ticksLeft > 0, waitingDue < now, fanOut.firstOwed < fanOut.end { waitingDue = fanOut.due(fanOut.firstOwed) }
        if ticksLeft > 0, isTooMuch || waitingDue < now { sendAll(now: now) }
        fanOut.drop(dueBefore: now, bytesMax: ChunkRing.bytesMax)
    }

    /// Sends what has come to those whose tick it is.
    ///
    /// - Returns: Whether everybody has got everything now.
    func serve(tick: Int, now: Int64) -> Bool {
        guard ticksLeft > 0 else { return true }
        hub.sent(fanOut.send(group: (index: tick % ticks, count: ticks), now: now), least: ticksLeast)
        ticksLeft -= 1
        return ticksLeft == 0
    }

    private func sendAll(now: Int64) {
        ticksLeft = 0
        hub.sent(fanOut.send(group: nil, now: now), least: ticksLeast)
    }

    // MARK: Those behind

    /// Gives a listener whose socket takes more what it is owed, as far as it takes it.
    func catchUp(_ member: FanOut.Member, now: Int64) {
        guard member.behindSince != nil else { return }
        // Of those for whom the kernel holds too much none is told when it holds less.
        if let unsentBytesMax, member.connection.unsentBytes > unsentBytesMax { return lookSoon() }
        skipStale(member, now: now)
        if member.isBroken, fanOut.next(of: member) < fanOut.end {
            let frame = fanOut.withFrame(fanOut.next(of: member)) { Self.afterGap($0) }
            guard fanOut.send(frame, inPlaceOfNextTo: member) else { return member.connection.requestWritable() }
            member.isBroken = false
            hub.count(FanOut.Sent(frames: 1, writes: 1))
        }
        hub.count(fanOut.catchUp(member))
    }

    /// Has those behind take what they can even if no packet comes any more.
    private func lookSoon() {
        guard !isLookingDue else { return }
        isLookingDue = true
        hub.loop.schedule(after: Self.lookInterval) { [weak self] in
            guard let self else { return }
            isLookingDue = false
            let now = MonotonicClock.nowMicroseconds()
            for member in fanOut.behind { catchUp(member, now: now) }
        }
    }

    private static let lookInterval = Duration.milliseconds(250)

    /// Moves a listener forward to what can still be heard on time.
    private func skipStale(_ member: FanOut.Member, now: Int64) {
        let next = fanOut.next(of: member)
        guard next < fanOut.first || (next < fanOut.end && fanOut.due(next) < now) else { return }
        var target = max(next, fanOut.first)
        while target < fanOut.end, fanOut.due(target) < now + Limits.joinMarginMicroseconds { target += 1 }
        hub.figures.skippedChunks &+= UInt64(target - next)
        member.skipped &+= UInt32(truncatingIfNeeded: target - next)
        fanOut.skip(member, to: target)
        member.isBroken = true
    }

    /// A packet that follows on a gap: the same, with the mark that resets the decoder.
    private static func afterGap(_ frame: UnsafeBufferPointer<UInt8>) -> WebSocketFrame {
        var message = Array(frame.dropFirst(frame[1] < 126 ? 2 : frame[1] == 126 ? 4 : 10))
        message[1] |= AudioFlags.discontinuity.rawValue
        return WebSocketFrame(binary: message)
    }

    private func lookAfterSlow(now: Int64) {
        for member in fanOut.behind {
            if unsentBytesMax != nil { catchUp(member, now: now) }
            guard let since = member.behindSince, member.connection.isOpen,
                now - since > Int64(Limits.listenerLagSecondsMax) * 1_000_000, isLate(member, now: now)
            else { continue }
            hub.figures.slowListenersClosed &+= 1
            member.connection.close(
                CloseCode.tooSlow.rawValue, "the connection has been behind for \(Limits.listenerLagSecondsMax) s")
        }
    }

    /// Whether something was left out for it since it fell behind, or has to be now.
    private func isLate(_ member: FanOut.Member, now: Int64) -> Bool {
        let next = fanOut.next(of: member)
        return member.hasSkipped || next < fanOut.first || (next < fanOut.end && fanOut.due(next) < now)
    }

    /// Looks once a second for listeners to whom the kernel has much to send: at a low bit rate their sockets take in
    /// minutes before they are full.
    private func look(now: Int64) {
        let elapsed = now - lookedAt
        defer {
            lookedAt = now
            bytesSinceLook = 0
        }
        // After a pause there is no rate to go by.
        guard elapsed < 5_000_000 else { return rates.removeAll(keepingCapacity: true) }
        // What is on its way is of the last seconds, in which there may have been more to send than in this one.
        if rates.count == ServerTuning.unsentSecondsMax { rates.removeFirst() }
        rates.append(Int(Int64(bytesSinceLook) * 1_000_000 / elapsed))
        let allowed = max(ServerTuning.unsentBytesMin, (rates.max() ?? 0) * ServerTuning.unsentSecondsMax)
        let wasLookedAfter = unsentBytesMax != nil
        unsentBytesMax = allowed < Self.socketBytes ? allowed : nil
        guard unsentBytesMax != nil else {
            // From now on sockets say themselves when they take more.
            if wasLookedAfter { for member in fanOut.behind { member.connection.requestWritable() } }
            return
        }
        fanOut.forEachSteady { member in
            // It has been behind for as long as so much takes to play; not all of it need be packets.
            if member.connection.unsentBytes > allowed {
                fanOut.putAside(member, since: now - Int64(ServerTuning.unsentSecondsMax) * 1_000_000)
            }
        }
        if !fanOut.behind.isEmpty { lookSoon() }
    }
}
