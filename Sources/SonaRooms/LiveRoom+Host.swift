package import SonaWire

/// The host's actions.
extension LiveRoom {
    /// Takes the seat and begins an epoch. The host calls it again for its next file, after a seek, and after a pause.
    ///
    /// If the last epoch ends far enough ahead to be met, the new epoch begins there, so that files follow each other
    /// without a gap. Otherwise it begins a lead from now; the first epoch of a broadcast begins
    /// `gatheringMicroseconds` later still.
    /// - Parameter mayTakeOver: The connection in the seat has fallen silent; the same user may sit down elsewhere.
    /// - Returns: Besides the effects, the connection that has lost the seat, and the reason.
    /// - Throws: `room.not_joined`, `room.forbidden` (neither owner nor cohost, and not offered), `host.seat_taken`.
    package mutating func startHost(
        _ member: MemberID, _ request: HostStart, mayTakeOver: Bool, now: Int64
    ) throws(WireError) -> (result: HostStarted, effects: [RoomEffect], former: FormerHost?) {
        guard let user = members[member]?.user else { throw WireError(.roomNotJoined) }
        var effects: [RoomEffect] = []
        var former: FormerHost?
        if seat.member != member {
            (former, effects) = try clearSeat(for: user, mayTakeOver: mayTakeOver, now: now)
            claim = nil
            if seat.host?.uid != user.uid {
                offer = nil
                agreesToRecording = false
            }
            seat = .held(member, user)
            hostFollowsQueue = request.followsQueue
            effects.append(.event(seatEvent))
            if endGhost(member) { effects.append(.listenersChanged) }
        } else if hostFollowsQueue != request.followsQueue {
            hostFollowsQueue = request.followsQueue
            effects.append(.event(seatEvent))
        }
        var request = request
        // Only the server's own jingles stay out of histories.
        request.track?.jingle = nil
        let (started, more) = beginEpoch(request, now: now)
        return (started, effects + more, former)
    }

    /// Begins an epoch of whoever has the seat.
    mutating func beginEpoch(_ request: HostStart, now: Int64) -> (result: HostStarted, effects: [RoomEffect]) {
        var effects = hear(now: now)
        let edge = soundEdge(now: now)
        if request.track != nil { track = request.track }
        positionError = 0
        lastEpoch &+= 1
        guard let offer = request.stream else {
            // The room is followed by position only: the request was for the seat alone.
            effects += endStream(.finished)
            let playing = playback.announce(
                .playing, anchor: max(now, soundsUntil ?? now), position: request.positionMicroseconds,
                epoch: lastEpoch, now: now)
            effects += [.position(playing), .persist, .wentLive]
            announceTrack(request, from: edge, at: playing.anchorMicroseconds)
            effects += hear(now: now)
            return (started(playing.anchorMicroseconds), effects)
        }
        effects += begin(
            offer: offer, continues: request.continues, pacing: request.pacing,
            position: request.positionMicroseconds, now: now)
        effects.append(.wentLive)
        announceTrack(request, from: edge, at: stream?.timeline.start ?? now)
        return (started(stream?.timeline.start ?? now), effects)
    }

    /// Announces the track of the epoch that begins at `start`, after the sound that ends at `edge`.
    private mutating func announceTrack(_ request: HostStart, from edge: Int64, at start: Int64) {
        tracks.move(from: edge, to: start, isReplaced: request.track != nil)
        guard let track = request.track else { return }
        tracks.announce(track, at: start, host: seat.host?.uid, position: request.positionMicroseconds)
    }

    /// When an epoch sounds that begins now: where the last one ends, if that is far enough ahead to be met.
    func start(pacing: Pacing, now: Int64) -> Int64 {
        // Live sound has to be captured first.
        let headstart = pacing == .live ? Limits.liveHeadstartMicroseconds : 0
        let start = now + leadMicroseconds + headstart
        let soonest = pacing == .live ? start : now + leadMicroseconds / 2
        if let edge = stream?.timeline.edge ?? soundsUntil, edge >= soonest { return edge }
        return stream == nil ? max(start, now + leadMicroseconds + gatheringMicroseconds) : start
    }

    private mutating func begin(
        offer: StreamOffer, continues: Bool, pacing: Pacing, position: Int64, now: Int64
    ) -> [RoomEffect] {
        var effects: [RoomEffect] = []
        let start = start(pacing: pacing, now: now)
        if let stream, start != stream.timeline.edge, !stream.isStarved, playback.latest.state == .playing {
            // Nothing is heard between the two epochs, so the position waits. Otherwise it would run on and jump back.
            effects += starve(now: now)
        }
        // An epoch that sent nothing passes its reset on to the next.
        let isBroken = !continues || (stream?.isBroken ?? true)
        let info = StreamInfo(
            epoch: lastEpoch, channels: offer.channels, preSkip: offer.preSkip, startMicroseconds: start,
            continues: !isBroken, gain: offer.gain)
        let timeline = Timeline(start: start, preSkip: offer.preSkip, position: position)
        var next = HostedStream(
            info: info, timeline: timeline, hostEpoch: lastEpoch, pacing: pacing, isBroken: isBroken)
        if pacing == .live { next.live = LiveHosting() }
        succeed(with: next)
        let playing = playback.announce(
            .playing, anchor: start, position: timeline.startPosition, epoch: lastEpoch, now: now)
        return effects + [.event(StreamStarted(stream: info, track: track)), .position(playing), .persist]
    }

    private func started(_ start: Int64) -> HostStarted {
        HostStarted(
            epoch: lastEpoch, startMicroseconds: start, leadMicroseconds: leadMicroseconds,
            playback: playback.current, upcoming: playback.upcoming)
    }

    /// Stops the timeline after the last packet that was sent; all of it is still heard. The epoch ends.
    ///
    /// If a pause is in force or announced already, only a `position` changes anything.
    /// - Parameter position: The position from which to go on later, if it differs from where the timeline stops, µs.
    /// - Throws: `host.not_host`.
    package mutating func pauseHost(
        _ member: MemberID, position: Int64? = nil, now: Int64
    ) throws(WireError) -> [RoomEffect] {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        playback.advance(to: now)
        let place: (anchor: Int64, position: Int64)
        let latest = playback.latest
        if latest.state == .paused {
            guard position != nil else { return [] }
            place = (max(now, latest.anchorMicroseconds), latest.positionMicroseconds)
        } else if let stream {
            let edge = stream.edge(now: now)
            place = (edge, stream.timeline.position(at: edge))
        } else {
            let anchor = max(now, soundsUntil ?? now)
            place = (anchor, playback.position(at: anchor))
        }
        stream?.isComplete = true
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
        var track = track
        track.jingle = nil
        self.track = track
        // A packet sent now is heard at the edge, and the title changes with the sound.
        let time = stream.map { max(now, $0.timeline.edge) } ?? now
        let heard = hear(now: now)
        tracks.announce(track, at: time, host: seat.host?.uid, position: nil)
        return heard + [.event(TrackChanged(track: track, atMicroseconds: time))] + hear(now: now)
    }

    // MARK: Position without audio

    /// Longest time between passing on two reports that only confirm the position. Reports come every 5 s, so listeners
    /// hear at least every 15 s.
    static let positionRefreshMicroseconds: Int64 = 10_000_000

    /// Takes a position report from a host that is followed and not heard.
    ///
    /// A report that agrees with the prediction within `Limits.positionNewsMicroseconds` only confirms it and is
    /// usually not passed on.
    /// - Parameter error: The host's own estimate of its largest error, µs; passed on with the position.
    /// - Throws: `host.not_host`, `frame.malformed` (an anchor too far from `now`), `audio.wrong_epoch`.
    ///
    /// Source: Protocol/spec/playback.md, "POSITION".
    package mutating func reportPosition(
        _ member: MemberID, _ report: Playback, error: UInt32 = 0, now: Int64
    ) throws(WireError) -> [RoomEffect] {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        // In a room with audio the audio gives the position.
        guard stream == nil else { return [] }
        let anchor = report.anchorMicroseconds
        let farthest = Limits.hostAnchorMicrosecondsMax
        guard now - farthest...now + farthest ~= anchor else {
            throw WireError(.frameMalformed, "`anchor_us` lies more than \(farthest / 1_000_000) s from server time.")
        }
        guard report.epoch == lastEpoch else { throw WireError(.audioWrongEpoch) }
        let latest = playback.latest
        let difference = abs(playback.position(at: anchor) - report.position(at: anchor))
        let isNews =
            latest.state != report.state || latest.ratePPM != report.ratePPM
            || difference > Limits.positionNewsMicroseconds
        let isDue =
            report.state == .playing && anchor - Self.positionRefreshMicroseconds >= latest.anchorMicroseconds
        guard isNews || isDue else { return [] }
        positionError = error
        let announced = playback.announce(
            report.state, anchor: anchor, position: report.positionMicroseconds, ratePPM: report.ratePPM,
            epoch: lastEpoch, now: now)
        return isNews ? [.position(announced), .persist] : [.position(announced)]
    }
}
