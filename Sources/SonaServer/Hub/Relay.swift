internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// A room's members on one loop, and the packets they have yet to hear.
///
/// Each packet is framed once. Members that keep up get it, or a few packets, in one write (`FanOut`). Slow members are
/// skipped there and catch up when their sockets take more. They jump to the live edge if the packets they are owed are
/// past their time, and are closed after `Limits.listenerLagSecondsMax` of being late. A slow member whose packets
/// are all before their time, as after a join with a long lead, is left alone.
final class Relay {
    let lane: Lane
    var room: RoomID { lane.room }
    private let fanOut: FanOut
    private unowned let hub: Hub  // Its table holds this.

    /// Whether it is in the hub's list of relays that wait for a tick.
    var isWaiting = false
    /// Ticks of a round, and how many are left until all members have everything.
    private var ticks = 1
    private var ticksLeft = 0
    /// Due time of the earliest packet that waits for a tick, or of one before it, µs.
    private var waitingDue: Int64 = 0
    /// Ticks for which the room's delivery gathers anyway.
    private var ticksLeast = 1

    /// Messages told to a few members at a time, with the members who have yet to get them.
    private var inPassing: [(frame: WebSocketFrame, members: [FanOut.Member])] = []
    private static let toldInPassing = 100

    /// Stale packets are dropped so many at a time.
    private static let forgottenTogether = 8

    private var lookedAt: Int64 = 0
    private var bytesSinceLook = 0
    /// Rates of the last looks, bytes a second, the newest last.
    private var rates: [Int] = []
    /// Whether a look after slow members is scheduled, with or without a packet.
    private var isLookingDue = false
    /// Bytes that the kernel may hold for a listener; `nil` if a socket is full before that.
    private var unsentBytesMax: Int?

    /// Bytes that a socket holds at most, roughly. When it is full it takes no more, so that it need not be watched.
    private static let socketBytes = 48 * 1024

    init(_ lane: Lane, from number: Int, hub: Hub) {
        self.lane = lane
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
        // An event that follows a packet is not told before it.
        if isInOrder, ticksLeft > 0 { sendAll(now: MonotonicClock.nowMicroseconds()) }
        if fanOut.announce(frame) { hub.tellSoon(lane) }
    }

    /// Sends what has been announced.
    func tellAll() { fanOut.tellAll() }

    /// Sends one member the announcements, before it is sent something of its own.
    func tell(_ member: FanOut.Member) { fanOut.tell(member) }

    /// Tells all present members, some in each iteration of the loop; one message after the other.
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
        // Announcements made before a packet go out before it.
        tellAll()
        forgetSome(now: now)
        bytesSinceLook += fanOut.append(binary: chunk.message, due: chunk.due)
        ticksLeast = chunk.isGathered ? ServerTuning.gatherTicks : 1
        if let ticks = hub.ticks(for: chunk, now: now) {
            let isWaited = ticksLeft > 0
            waitingDue = isWaited ? min(waitingDue, chunk.due) : chunk.due
            // Members who wait for the very next tick do not wait longer because of this packet.
            if !isWaited || self.ticks > 1 { self.ticks = ticks }
            ticksLeft = self.ticks
            hub.wait(self)
        } else {
            sendAll(now: now)
        }
        if now - lookedAt >= 1_000_000 { look(now: now) }
        if !fanOut.behind.isEmpty { lookAfterSlow(now: now) }
    }

    /// Drops packets that nobody can hear any more, and packets beyond the memory limit. Not at each packet, because
    /// old packets are no longer in a cache.
    private func forgetSome(now: Int64) {
        let isTooMuch = fanOut.heldBytes > ChunkRing.bytesMax
        guard isTooMuch || fanOut.end % Self.forgottenTogether == 0 else { return }
        // If the loop is late, that is no listener's fault: the waiting packets are sent before they are dropped.
        if ticksLeft > 0, waitingDue < now, fanOut.firstOwed < fanOut.end { waitingDue = fanOut.due(fanOut.firstOwed) }
        if ticksLeft > 0, isTooMuch || waitingDue < now { sendAll(now: now) }
        fanOut.drop(dueBefore: now, bytesMax: ChunkRing.bytesMax)
    }

    /// Sends the waiting packets to the members whose tick it is.
    ///
    /// - Returns: Whether all members have everything now.
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

    // MARK: Slow members

    /// Sends a slow listener the packets it is owed, as far as its socket takes them.
    func catchUp(_ member: FanOut.Member, now: Int64) {
        guard member.behindSince != nil else { return }
        // A socket does not report when the kernel holds less again, so such a listener is looked at later.
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

    /// Schedules a look after slow members, in case no packet comes any more.
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

    /// Moves a listener forward to the first packet that can still arrive in time.
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

    /// The packet after a gap, with the mark that resets the decoder.
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

    /// Whether packets were skipped for it since it fell behind, or have to be now.
    private func isLate(_ member: FanOut.Member, now: Int64) -> Bool {
        let next = fanOut.next(of: member)
        return member.hasSkipped || next < fanOut.first || (next < fanOut.end && fanOut.due(next) < now)
    }

    /// Looks once a second for listeners to whom the kernel has much to send: at a low bit rate a socket takes minutes
    /// of audio before it is full.
    private func look(now: Int64) {
        let elapsed = now - lookedAt
        defer {
            lookedAt = now
            bytesSinceLook = 0
        }
        // After a pause there is no rate to compare with.
        guard elapsed < 5_000_000 else { return rates.removeAll(keepingCapacity: true) }
        // The kernel holds data of the last seconds, when the rate may have been higher than now.
        if rates.count == ServerTuning.unsentSecondsMax { rates.removeFirst() }
        rates.append(Int(Int64(bytesSinceLook) * 1_000_000 / elapsed))
        let allowed = max(ServerTuning.unsentBytesMin, (rates.max() ?? 0) * ServerTuning.unsentSecondsMax)
        let wasLookedAfter = unsentBytesMax != nil
        unsentBytesMax = allowed < Self.socketBytes ? allowed : nil
        guard unsentBytesMax != nil else {
            // From now on sockets themselves report when they take more.
            if wasLookedAfter { for member in fanOut.behind { member.connection.requestWritable() } }
            return
        }
        fanOut.forEachSteady { member in
            // It counts as behind for as long as so many bytes take to play, although not all of them need be packets.
            if member.connection.unsentBytes > allowed {
                fanOut.putAside(member, since: now - Int64(ServerTuning.unsentSecondsMax) * 1_000_000)
            }
        }
        if !fanOut.behind.isEmpty { lookSoon() }
    }
}
