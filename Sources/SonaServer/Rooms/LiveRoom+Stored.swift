internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

extension LiveRoom {
    /// Wakes a room from its stored state.
    ///
    /// If the same clock still runs, a room that plays without audio goes on as if nothing had happened. A room whose
    /// host sent audio waits, paused, for the host at the place it had reached. After a restart of the machine every
    /// playing room does.
    init(_ stored: RoomStore.StoredRoom, _ state: StoredRoomState = StoredRoomState(), now: Int64) {
        self.init(
            stored.id, of: stored.owner, createdMilliseconds: stored.createdMilliseconds, stored.settings,
            picture: stored.picture, roster: state.roster,
            playback: PlaybackHistory(stored.playback?.restored(now: now) ?? .init(stopped: 0)),
            gatheringMicroseconds: 1_000_000)
        if let track = state.lastHeard, let written = stored.playback, self.playback.latest.state != .stopped {
            let age = MonotonicClock.wallMilliseconds() - written.anchorWallMilliseconds
            tracks.recall(track, until: now + (Self.recallMilliseconds - age) * 1_000)
            // Counted from now, because the time at which the server ended is unknown.
            if let host = state.lastHost {
                recallHost(host, until: now + Int64(Limits.hostSeatSeconds) * 1_000_000)
            }
        }
    }

    /// How long after the last stored position a host who returns goes on with the same broadcast, ms.
    private static let recallMilliseconds: Int64 = 600_000
}

extension RoomStore.StoredPlayback {
    init(_ playback: Playback, hasAudio: Bool) {
        let wall = MonotonicClock.wallMilliseconds()
        let age = MonotonicClock.nowMicroseconds() - playback.anchorMicroseconds
        self.init(
            state: playback.state, positionMicroseconds: playback.positionMicroseconds,
            ratePPM: Int(playback.ratePPM), anchorMonotonicMicroseconds: playback.anchorMicroseconds,
            clockID: String(MonotonicClock.clockID, radix: 16), anchorWallMilliseconds: wall - age / 1000,
            revision: playback.revision, hasAudio: hasAudio)
    }

    fileprivate func restored(now: Int64) -> Playback {
        let isSameClock = clockID == String(MonotonicClock.clockID, radix: 16)
        var playback = Playback(
            state: state, anchorMicroseconds: isSameClock ? anchorMonotonicMicroseconds : now,
            positionMicroseconds: max(0, positionMicroseconds), ratePPM: Int32(clamping: ratePPM),
            revision: revision &+ 1, epoch: 0)
        switch state {
        case .playing where hasAudio || !isSameClock, .buffering:
            playback.state = .paused
        case .stopped, .playing, .paused: break
        }
        return playback
    }
}

extension Playback {
    fileprivate init(stopped position: Int64) {
        self.init(
            state: .stopped, anchorMicroseconds: 0, positionMicroseconds: position, revision: 0, epoch: 0)
    }
}
