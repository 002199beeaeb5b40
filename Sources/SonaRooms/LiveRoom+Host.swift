package import SonaWire

/// What the host does.
extension LiveRoom {
    /// Takes the seat and begins an epoch. Called again by the host for its next file, after a seek, after a pause.
    ///
    /// The epoch begins where the one before ends, if that is still ahead by enough to be met, so that files follow
    /// each other without a gap; else a lead from now.
    /// - Parameter mayTakeOver: The connection in the seat has fallen silent; the same user may sit down elsewhere.
    /// - Throws: `room.not_joined`, `room.forbidden` (not the owner), `host.seat_taken`.
    package mutating func startHost(
        _ member: MemberID, _ request: HostStart, mayTakeOver: Bool, now: Int64
    ) throws(WireError) -> (result: HostStarted, effects: [RoomEffect]) {
        guard let user = members[member]?.user else { throw WireError(.roomNotJoined) }
        guard role(of: user) == .owner else { throw WireError(.roomForbidden) }
        if let holder = seat.member, holder != member, !mayTakeOver { throw WireError(.hostSeatTaken) }
        var effects: [RoomEffect] = []
        if seat.member != member {
            seat = .held(member, user)
            effects.append(.event(HostChanged(host: user, state: .here)))
        }
        if request.track != nil { track = request.track }
        lastEpoch &+= 1
        guard let offer = request.stream else {
            // Followed by position only: the seat is what was asked for.
            if let stream {
                effects.append(
                    .event(
                        StreamEnded(
                            epoch: stream.info.epoch, atMicroseconds: stream.timeline.edge, reason: .finished)))
                self.stream = nil
            }
            let playing = playback.announce(
                .playing, anchor: now, position: request.positionMicroseconds, epoch: lastEpoch, now: now)
            effects += [.position(playing), .persist, .wentLive]
            return (started(playing.anchorMicroseconds), effects)
        }
        let continues = request.continues && stream != nil
        effects += begin(
            offer: offer, continues: continues, pacing: request.pacing, position: request.positionMicroseconds, now: now)
        effects.append(.wentLive)
        return (started(stream?.timeline.start ?? now), effects)
    }

    private mutating func begin(
        offer: StreamOffer, continues: Bool, pacing: Pacing, position: Int64, now: Int64
    ) -> [RoomEffect] {
        var start = now + leadMicroseconds
        if let edge = stream?.timeline.edge, edge - now >= leadMicroseconds / 2 { start = edge }
        let info = StreamInfo(
            epoch: lastEpoch, channels: offer.channels, preSkip: offer.preSkip, startMicroseconds: start,
            continues: continues)
        stream = HostedStream(
            info: info, timeline: Timeline(start: start, preSkip: offer.preSkip, position: position),
            hostEpoch: lastEpoch, pacing: pacing, isBroken: !continues)
        let playing = playback.announce(.playing, anchor: start, position: position, epoch: lastEpoch, now: now)
        return [.event(StreamStarted(stream: info, track: track)), .position(playing), .persist]
    }

    private func started(_ start: Int64) -> HostStarted {
        HostStarted(
            epoch: lastEpoch, startMicroseconds: start, leadMicroseconds: leadMicroseconds,
            playback: playback.current, upcoming: playback.upcoming)
    }

    /// Stops the timeline after the last packet that was sent; all of it is still heard.
    ///
    /// - Parameter position: Where to go on from later, if that is another place than where it stops, µs.
    /// - Throws: `host.not_host`.
    package mutating func pauseHost(
        _ member: MemberID, position: Int64? = nil, now: Int64
    ) throws(WireError) -> [RoomEffect] {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        playback.advance(to: now)
        let place: (anchor: Int64, position: Int64)
        if playback.latest.state == .paused {
            place = (now, playback.latest.positionMicroseconds)
        } else if let stream {
            place = (stream.timeline.edge, stream.timeline.edgePosition)
        } else {
            place = (now, playback.position(at: now))
        }
        let paused = playback.announce(
            .paused, anchor: place.anchor, position: position ?? place.position, epoch: lastEpoch, now: now)
        return [.position(paused), .persist]
    }

    /// Ends the broadcast after the last packet that was sent.
    ///
    /// - Throws: `host.not_host`.
    package mutating func stopHost(_ member: MemberID, now: Int64) throws(WireError) -> [RoomEffect] {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        return vacate(.finished, now: now)
    }

    /// - Throws: `host.not_host`.
    package mutating func setTrack(
        _ member: MemberID, _ track: Track, now: Int64
    ) throws(WireError) -> [RoomEffect] {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        self.track = track
        // What is sent now is heard at the edge; a title changes when the sound does.
        let time = stream.map { max(now, $0.timeline.edge) } ?? now
        return [.event(TrackChanged(track: track, atMicroseconds: time))]
    }

    // MARK: Position without audio

    /// A host that is followed, not heard, says where it is.
    ///
    /// Reports that agree with the prediction within 30 ms only confirm it, so that nobody is told twice.
    /// - Throws: `host.not_host`.
    package mutating func reportPosition(
        _ member: MemberID, _ report: Playback, now: Int64
    ) throws(WireError) -> [RoomEffect] {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        // Where there is audio, that gives the position.
        guard stream == nil else { return [] }
        let anchor = min(max(report.anchorMicroseconds, now - 60_000_000), now + 20_000_000)
        let place = Playback(
            state: report.state, anchorMicroseconds: report.anchorMicroseconds,
            positionMicroseconds: report.positionMicroseconds, ratePPM: report.ratePPM, revision: 0, epoch: 0
        ).position(at: anchor)
        let latest = playback.latest
        let isPredicted =
            latest.state == report.state && latest.ratePPM == report.ratePPM
            && abs(playback.position(at: anchor) - place) <= 30_000
        if isPredicted { return [] }
        let announced = playback.announce(
            report.state, anchor: anchor, position: place, ratePPM: report.ratePPM, epoch: lastEpoch, now: now)
        return [.position(announced), .persist]
    }
}
