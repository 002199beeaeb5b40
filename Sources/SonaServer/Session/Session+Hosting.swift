internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `host.*`: requests of hosts, and changes of the host seat.
extension Session {
    // MARK: Hosting

    func hostStart(_ start: HostStart, _ asker: LiveAsker) throws(WireError) {
        let (now, home) = (asker.now, try joined())
        // Not the permission of the message: outside any room the answer is `room.not_joined`, whoever asks.
        try asker.account.require(.roomsControl)
        var start = start
        start.track = start.track.map { filtered($0, asker) }
        let request = start
        let isSilent = home.isHostSilent(now: now)
        let (started, former) = try home.notingPresence(of: asker.user) { () throws(WireError) in
            try home.update(now: now) { room throws(WireError) in
                let (started, effects, former) = try room.startHost(number, request, mayTakeOver: isSilent, now: now)
                return ((started, former), effects)
            }
        }
        noteEpochEnd(now: now)
        if let former { home.lostSeat(former.member, former.reason) }
        answer(asker.request, started)
        if let command = start.command { home.commands.complete(command, .success(home.playback(now: now))) }
    }

    /// Whether the host has been silent for so long that the same user may host from another connection.
    func isSilent(in home: RoomHome, now: Int64) -> Bool {
        let patience: Int64 = home.room.playback.latest.state == .playing ? 5_000_000 : 20_000_000
        guard link.isOpen else { return true }
        return now - link.lastHeardMicroseconds > patience
    }

    func hostPause(_ pause: HostPause, _ asker: LiveAsker) throws(WireError) {
        let (now, home) = (asker.now, try joined())
        try home.update(now: now) { room throws(WireError) in
            ((), try room.pauseHost(number, position: pause.positionMicroseconds, now: now))
        }
        noteEpochEnd(now: now)
        let result = home.playback(now: now)
        answer(asker.request, result)
        if let command = pause.command { home.commands.complete(command, .success(result)) }
    }

    func hostTrack(_ request: HostTrack, _ asker: LiveAsker) throws(WireError) -> Empty {
        let (home, track) = (try joined(), filtered(request.track, asker))
        try home.update(now: asker.now) { room throws(WireError) in
            ((), try room.setTrack(number, track, now: asker.now))
        }
        return Empty()
    }

    /// The track as everybody may read it, by the filter of words.
    private func filtered(_ track: Track, _ asker: LiveAsker) -> Track {
        let model = core.services.model
        var texts = FilteredTexts(model.words)
        let shown = texts.mask(track)
        if !texts.flagged.isEmpty {
            let (flagged, uid) = (texts.flagged, asker.user.uid)
            Task { await model.reports.flag(flagged, track.names, about: .user(uid), by: uid) }
        }
        return shown
    }

    func hostStop(_: HostStop, _ asker: LiveAsker) throws(WireError) -> Empty {
        let home = try joined()
        try home.update(now: asker.now) { room throws(WireError) in ((), try room.stopHost(number, now: asker.now)) }
        home.commands.failAll(WireError(.hostAbsent))
        return Empty()
    }

    func hostReject(_ reject: HostReject, _: LiveAsker) throws(WireError) -> Empty {
        let home = try joined()
        guard home.room.seat.member == number else { throw WireError(.hostNotHost) }
        home.commands.complete(reject.command, .failure(WireError(reject.code, reject.message)))
        return Empty()
    }

    // MARK: The seat

    func requestSeat(_: HostRequest, _ asker: LiveAsker) throws(WireError) -> Empty {
        let (now, home) = (asker.now, try joined())
        let requested = ensureActiveState().seatRequestedMicroseconds
        let wait = requested.addingReportingOverflow(Int64(Limits.hostRequestSeconds) * 1_000_000)
        // The same session's wish is announced once per interval only.
        if requested == .min || wait.overflow || wait.partialValue <= now {
            ensureActiveState().seatRequestedMicroseconds = now
            let event = HostRequested(room: home.id, user: asker.user)
            let givers = Set([home.room.owner.uid, home.room.seat.host?.uid].compactMap { $0 })
            for session in home.sessions where session.account.map({ givers.contains($0.uid) }) == true {
                session.send(event)
            }
        }
        return Empty()
    }

    func offerSeat(_ offer: HostOffer, _ asker: LiveAsker) throws(WireError) -> Empty {
        let home = try joined()
        let uid: UserID
        switch offer.user {
        case .id(let id): uid = id
        case .username(let name):
            let known = home.room.members.values.first { $0.user.username?.key == name.key }
            guard let known else { throw WireError(.userNotFound) }
            uid = known.user.uid
        }
        let by = try home.update(now: asker.now) { room throws(WireError) in
            (try room.offerSeat(to: uid, by: number, now: asker.now), [])
        }
        // Nobody offers the host a seat that they have.
        for session in home.sessions where session.account?.uid == uid && home.room.seat.host?.uid != uid {
            session.send(HostOffered(room: home.id, by: by))
        }
        return Empty()
    }

    func takeBackSeat(_: HostTakeBack, _ asker: LiveAsker) throws(WireError) -> Empty {
        let home = try joined()
        let former = try home.update(now: asker.now) { room throws(WireError) in
            let (former, effects) = try room.takeBackSeat(by: number, now: asker.now)
            return (former, effects)
        }
        home.commands.failAll(WireError(.hostAbsent))
        if let former, former != number { home.lostSeat(former, HostLostSeat.takenBack) }
        return Empty()
    }
}

extension RoomHome {
    /// Tells a host that it has lost the seat.
    func lostSeat(_ member: MemberID, _ reason: String) {
        session(of: member)?.send(HostLostSeat(room: id, reason: reason))
    }
}
