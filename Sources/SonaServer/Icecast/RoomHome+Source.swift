internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A program that speaks Icecast and has the host seat, or had it.
struct SourceSeat {
    let member: MemberID
    let account: Accounts.Account
    /// Where it is.
    let address: String
    /// When its last packet came, µs.
    var heardAt: Int64
}

/// Programs that host a room without a session.
extension RoomHome {
    /// Whether the connection in the seat is silent, so that the same user may sit down elsewhere.
    func isHostSilent(now: Int64) -> Bool {
        if let session = hostSession { return session.isSilent(in: self, now: now) }
        guard let source, room.seat.member == source.member else { return true }
        return now - source.heardAt > 5_000_000
    }

    /// Says what taking the seat would throw; takes nothing.
    ///
    /// - Throws: As `startSource`.
    func trySource(_ user: User, now: Int64) throws(WireError) {
        var trial = room
        let wall = MonotonicClock.wallMilliseconds()
        _ = try trial.join(.max, user, wantsAudio: false, now: now, wall: wall)
        let request = HostStart(stream: StreamOffer(channels: 2, preSkip: 0), pacing: .server)
        _ = try trial.startHost(.max, request, mayTakeOver: isHostSilent(now: now), now: now)
    }

    /// Takes the seat, or begins another epoch in it.
    ///
    /// - Throws: As `LiveRoom.join` and `LiveRoom.startHost`.
    func startSource(
        _ member: MemberID, _ account: Accounts.Account, from address: String, _ request: HostStart, now: Int64
    ) throws(WireError) -> HostStarted {
        let (user, mayTakeOver) = (User(account), isHostSilent(now: now))
        let wall = MonotonicClock.wallMilliseconds()
        let former: LiveRoom.FormerHost?
        let started: HostStarted
        do throws(WireError) {
            (started, former) = try notingPresence(of: user) { () throws(WireError) in
                try update(now: now) { room throws(WireError) in
                    var effects: [RoomEffect] = []
                    if room.members[member] == nil {
                        effects += try room.join(member, user, wantsAudio: false, now: now, wall: wall).effects
                    }
                    let (started, more, former) = try room.startHost(
                        member, request, mayTakeOver: mayTakeOver, now: now)
                    return ((started, former), effects + more)
                }
            }
        } catch {
            // It may have come in before the seat was refused.
            leaveSource(member, isLost: false, now: now)
            throw error
        }
        source = SourceSeat(member: member, account: account, address: address, heardAt: now)
        queue?.setPresence(of: user.uid, isHere: true)
        noteAudience(now: now)
        if let former { lostSeat(former.member, former.reason) }
        return started
    }

    /// Takes a packet of the source.
    ///
    /// - Returns: For how long nothing is to be read from it, µs.
    /// - Throws: As `LiveRoom.ingest`.
    func ingestSource(
        _ member: MemberID, _ header: AudioUp, _ packet: [UInt8], now: Int64
    ) throws(WireError) -> Int64 {
        let wait = try update(now: now) { room throws(WireError) in
            let ingest = try packet.withUnsafeBytes { bytes in
                Result { () throws(WireError) in try room.ingest(member, header, bytes, now: now) }
            }.get()
            return (ingest.holdBackMicroseconds, ingest.effects)
        }
        if source?.member == member { source?.heardAt = now }
        core.figures.chunksIn &+= 1
        core.figures.audioBytesIn &+= UInt64(packet.count)
        return wait
    }

    /// The source goes.
    ///
    /// - Parameter isLost: Its connection broke: the seat is kept for it for a while.
    func leaveSource(_ member: MemberID, isLost: Bool, now: Int64) {
        guard let user = room.members[member]?.user else { return }
        if source?.member == member { source = nil }
        let effects = notingPresence(of: user) { room(leaving: member, isLost: isLost, now: now) }
        apply(effects, now: now)
        noteAudience(now: now)
        if !room.presence.contains(user.uid) { queue?.setPresence(of: user.uid, isHere: false) }
        noteAsked()
        autoplay?.noteListeners(now: now)
        if room.isIdle { forgetSoon() }
    }

    /// Ends the source, because its key is good no longer.
    func endSource() {
        guard let source else { return }
        leaveSource(source.member, isLost: false, now: MonotonicClock.nowMicroseconds())
    }

    /// Ends the source if its address is banned. Its connection ends with its next read.
    func expelBannedSource() {
        guard let source else { return }
        let address = RemoteAddress(text: source.address)
        if core.services.banned.refusal(of: address, now: MonotonicClock.wallMilliseconds()) != nil { endSource() }
    }

    /// What the source says it plays.
    ///
    /// - Throws: `host.not_host` if none has the seat.
    func tellSource(_ track: Track, now: Int64) throws(WireError) {
        guard let member = source?.member else { throw WireError(.hostNotHost) }
        try update(now: now) { room throws(WireError) in ((), try room.setTrack(member, track, now: now)) }
    }
}
