internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// Members whose connections are lost, and members who resume.
extension RoomHome {
    /// The data that a resuming member is sent.
    struct Comeback {
        var stay: ResumedStay
        /// The events missed, unless there is a snapshot in `stay`.
        var events: [WebSocketFrame]
        var takesAudio: Bool
        /// The audio missed, as far as it can still be heard.
        var burst: JoinBurst?
    }

    /// A member's connection is lost. The member stays; a host is away.
    func lost(_ session: Session) {
        letGo(session)
        let now = MonotonicClock.nowMicroseconds()
        _ = try? update(now: now) { room throws(WireError) in ((), room.lose(session.number, now: now)) }
    }

    /// Stops sending over the connection that a member has had.
    func letGo(_ session: Session) {
        outlet.leave(session.link)
        if room.seat.member == session.number { commands.failAll(WireError(.hostAbsent)) }
    }

    /// Collects the data a resuming member needs to go on. The caller lets the session enter the outlet after it
    /// has been sent.
    func comeBack(_ session: Session, _ resume: SessionResume, now: Int64) -> Comeback {
        _ = try? update(now: now) { room throws(WireError) in ((), room.regain(session.number)) }
        noteLink(of: session)
        let playback = playback(now: now)
        var stay = ResumedStay(
            room: id, sequence: room.sequence, playback: playback.playback, upcoming: playback.upcoming,
            host: room.hostPlace(of: session.number))
        let events = resume.roomSequence.flatMap { eventLog.frames(after: $0, last: room.sequence) }
        let member = room.members[session.number]
        if events == nil, let member {
            let wall = MonotonicClock.wallMilliseconds()
            stay.snapshot = room.snapshot(for: member.user, isGhost: member.isGhost, now: now, wall: wall)
            stay.snapshot?.chat = chat.snapshot
            stay.snapshot?.savesData = lane(of: session) === outlet ? nil : true
        }
        let takesAudio = member?.wantsAudio ?? false
        let burst =
            takesAudio
            ? lane(of: session).replay(after: resume.packetSequence, isSounding: room.isLive, now: now) : nil
        return Comeback(stay: stay, events: events ?? [], takesAudio: takesAudio, burst: burst)
    }
}
