internal import SonaAudio
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What somebody who controls the room asks for.
extension RoomAutoplay {
    /// Where the sound that was sent ends, µs in the track.
    var positionAtEdge: Int64 {
        guard let edge = home.room.soundEdge else { return 0 }
        return home.room.playback.position(at: edge)
    }

    /// Does what somebody who controls the room asks for.
    ///
    /// - Throws: `queue.empty` if there is nothing to play.
    func perform(
        _ action: HostCommand.Action, position: Int64?, now: Int64
    ) throws(WireError) -> PlaybackResult {
        guard var track = current, home.queue?.queue.playing?.entry.id == track.entry else {
            return try performSilently(action, position: position, now: now)
        }
        let most = max(0, Timeline.microseconds(track.file.durationSamples) - 1)
        switch action {
        case .pause:
            isHeld = true
            try hold(at: nil, now: now)
        case .seek where isHeld: try hold(at: min(position ?? 0, most), now: now)
        case .play, .seek:
            let place = position ?? (isHeld ? home.room.playback.latest.positionMicroseconds : 0)
            isHeld = false
            current = nil
            start(&track, at: min(place, most), nil)
        }
        return home.playback(now: now)
    }

    private func hold(at position: Int64?, now: Int64) throws(WireError) {
        try home.update(now: now) { room throws(WireError) in
            ((), try room.pauseHost(HostSeat.serverMember, position: position, now: now))
        }
    }

    /// The same while no file is open.
    private func performSilently(
        _ action: HostCommand.Action, position: Int64?, now: Int64
    ) throws(WireError) -> PlaybackResult {
        guard let playing = home.queue?.queue.playing else {
            guard action == .play, home.queue?.queue.waitingEntries.isEmpty == false || settings.playlist != nil else {
                throw WireError(.queueEmpty)
            }
            // The first entry is being chosen.
            isHeld = false
            followSoon()
            return home.playback(now: now)
        }
        if let position { resumption = Resumption(play: playing.play, positionMicroseconds: position) }
        switch action {
        case .pause:
            // The file of the entry is not open yet: it does not begin when it is.
            isHeld = true
            let place = resumption?.play == playing.play ? resumption?.place(at: now) : nil
            resumption = Resumption(play: playing.play, positionMicroseconds: place ?? 0)
            try hold(at: place ?? 0, now: now)
        case .play: isHeld = false
        case .seek: break
        }
        followSoon()
        return home.playback(now: now)
    }

    /// Passes over a track that may not be played any more, also where it plays. What was sent still sounds.
    func silence(_ music: MusicID) {
        if prepared?.music == music { prepared = nil }
        guard let current, current.music == music else { return }
        core.autoplays.end(room)
        self.current = nil
        ask(.next(from: current.entry))
    }
}
