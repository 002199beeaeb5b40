internal import SonaAudio
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Sending what plays.
extension RoomAutoplay {
    /// The queue is told this long before the last packet of a track is sent, so that the next is chosen when it is:
    /// the change is stored first. Samples.
    private static let endingSamples: Int64 = 19_200
    /// How long before its end the track after it is opened, samples.
    private static let preparingSamples: Int64 = 20 * 48_000

    /// Sends what is due. Called some fifty times a second, of which ten have something to do: the room is looked at once
    /// in each of those, because reading it costs more than a packet.
    func tick(now: Int64) {
        guard var track = current, now >= track.dueAt, !isHeld else { return }
        if !track.isTold, now >= track.startsAt {
            track.isTold = true
            // Somebody may have chosen another one while it was on its way.
            if !track.isJingle, home.queue?.willPlay(track.entry) == true { ask(.started(track.entry)) }
        }
        let lead = lead
        // What is sent ahead by more than a lead goes out together.
        let horizon = now + lead + core.autoplays.ahead
        var edge = home.room.soundEdge ?? now
        // A room that stood still has moved the sound: what is sent is counted from where it is now.
        let moved = edge - track.edge
        while edge < horizon, track.send({ home.send($0, $1, now: now) }) { edge = track.edge + moved }
        if track.left <= Self.preparingSamples { prepare(after: track) }
        if !track.isEnding, !track.isJingle, track.left <= Self.endingSamples {
            track.isEnding = true
            ask(.finished(track.entry))
        }
        if let packet = track.wanted { read(packet, &track) }
        track.dueAt = track.isEnded || edge < horizon ? now : edge - lead
        if !track.isTold { track.dueAt = min(track.dueAt, track.startsAt) }
        current = track
        if track.isEnded { followSoon() }
    }

    /// Sends what more is to be sent ahead from now on.
    func sendAhead(now: Int64) {
        current?.dueAt = 0
        tick(now: now)
    }

    private func read(_ packet: Int, _ track: inout PlayingTrack) {
        track.isReading = true
        let (file, shard, room, number) = (track.file, core.shard, room, track.reading)
        core.autoplays.reader.run {
            let block = try? file.read(from: packet, samples: PlayingTrack.blockSamples)
            shard.postUrgently { core in core.rooms[room]?.autoplay?.take(block, number, of: file) }
        }
    }

    private func take(_ block: OpusTrackFile.Block?, _ reading: Int, of file: OpusTrackFile) {
        guard let current, current.file === file else { return }
        guard let block else {
            // The file was changed or has gone.
            if current.reading == reading, !skipJingle() { ask(.next(from: current.entry)) }
            return
        }
        self.current?.take(block, reading)
        self.current?.dueAt = 0
        tick(now: MonotonicClock.nowMicroseconds())
    }
}
