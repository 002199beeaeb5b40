package import SonaWire

/// The server in the host seat.
extension LiveRoom {
    /// Has the server take the seat whenever nobody has it.
    package mutating func admitServer() -> [RoomEffect] {
        hasServer = true
        guard seat == .vacant else { return [] }
        seat = .server
        agreesToRecording = false
        hostFollowsQueue = true
        return [.event(seatEvent)]
    }

    /// Leaves playing to people. What was sent still sounds.
    package mutating func dismissServer(now: Int64) -> [RoomEffect] {
        hasServer = false
        guard seat == .server else { return [] }
        return vacate(.finished, now: now)
    }

    /// The host leaves, and the server plays on: listeners hear the next track where the host's packets end.
    mutating func passSeatToServer(now: Int64) -> [RoomEffect] {
        let effects = hear(now: now)
        seat = .server
        agreesToRecording = false
        hostFollowsQueue = true
        positionError = 0
        stream?.isComplete = true
        endOfferWithoutGiver()
        return effects + [.event(seatEvent)]
    }

    /// Begins an epoch: the next track, or another place of one.
    ///
    /// - Throws: `host.not_host` unless the server has the seat.
    package mutating func startServer(
        _ request: HostStart, now: Int64
    ) throws(WireError) -> (result: HostStarted, effects: [RoomEffect]) {
        guard seat == .server else { throw WireError(.hostNotHost) }
        return beginEpoch(request, now: now)
    }

    /// When an epoch would sound that the server begins now, µs.
    package func serverStart(now: Int64) -> Int64 { start(pacing: .server, now: now) }

    /// Ends the epoch where its packets end, and keeps the seat.
    ///
    /// - Parameter state: `.buffering`: the room rests, and goes on from where it is. `.stopped`: nothing is left to
    ///   play.
    package mutating func quietServer(_ state: PlaybackState, now: Int64) -> [RoomEffect] {
        guard seat == .server else { return [] }
        playback.advance(to: now)
        guard playback.latest.state != state || stream != nil else { return [] }
        var place = (time: max(now, playback.latest.anchorMicroseconds), position: playback.latest.positionMicroseconds)
        if let stream, playback.latest.state == .playing {
            let edge = stream.edge(now: now)
            place = (max(now, edge), stream.timeline.position(at: edge))
        }
        let edge = max(now, soundEdge(now: now))
        var effects = hear(now: now) + endStream(.finished)
        track = nil
        tracks.end(at: edge)
        let held = playback.announce(state, anchor: place.time, position: place.position, epoch: lastEpoch, now: now)
        effects += [.event(RoomUpdated(room: description())), .position(held), .persist]
        return effects
    }
}
