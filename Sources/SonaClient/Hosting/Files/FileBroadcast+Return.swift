internal import SonaAudio
internal import SonaWire

/// How a host of files goes on over another connection.
extension FileBroadcast {
    func wentAway() {}

    func cameBack() { wakeAt = nil }

    /// Goes on with the first sample that the server has not got.
    func goOn(in stay: ResumedStay, _ host: ResumedStay.HostPlace) throws(HostError) -> Bool {
        guard host.epoch == epoch, let sample = host.samplePosition else { return false }
        let latest = PlaybackView(stay.playback, upcoming: stay.upcoming).final
        // The server may have done the request that was in flight when the connection was lost.
        guard (latest.state == .paused) == (resume != nil || isDry) else { return false }
        let item = playlist.items[plan.item]
        let place = plan.baseSample + Int(sample)
        var next = nextPacket
        do throws(AudioError) {
            while next > plan.firstPacket, try item.packet(next - 1).start >= place { next -= 1 }
            let begin = try next < item.packetCount ? item.packet(next).start : place
            guard begin == place else { return false }
        } catch {
            throw .audio(error)
        }
        sequence &-= UInt32(nextPacket - next)
        nextPacket = next
        upNext = nil
        return true
    }

    /// Goes on after the last packet the server has, if it still knows the stream.
    func takeUpAgain(_ snapshot: RoomSnapshot, isSameClock: Bool) async throws(HostError) {
        if isDry {
            _ = try await choose()
            return
        }
        var next = try goingOn()
        do throws(AudioError) {
            if let resume {
                // Paused before, paused again: the seat is taken by an epoch that is paused before its first packet.
                if snapshot.stream == nil || !isSameClock, resume.continues {
                    next = try .startingOver(resume.item, packet: resume.firstPacket, of: playlist)
                }
            } else if isSameClock, let stream = snapshot.stream {
                if let stopped = try stoppedAt(stream, snapshot) { next = stopped }
            } else if next.continues {
                next = try .startingOver(next.item, packet: next.firstPacket, of: playlist)
            }
        } catch {
            throw .audio(error)
        }
        let wasPaused = resume != nil
        try await begin(next, command: nil)
        if wasPaused {
            resume = next
            _ = try await call(HostPause())
        }
    }

    /// The plan that goes on exactly where the room's timeline stopped; nil if it stands in no epoch of ours, or at
    /// the end of an item.
    private func stoppedAt(_ stream: StreamInfo, _ snapshot: RoomSnapshot) throws(AudioError) -> EpochPlan? {
        let stop = PlaybackView(snapshot.playback, upcoming: snapshot.upcoming).final
        guard stop.state == .buffering || stop.state == .paused, stop.epoch == stream.epoch,
            let last = epochs.last(where: { $0.epoch == stop.epoch })?.plan
        else { return nil }
        // Nothing of it was heard: its first packets may be lost, so it begins again.
        if stop.positionMicroseconds <= last.positionMicroseconds { return last }
        let packet = EpochPlan.packet(last.item, after: stop.positionMicroseconds, of: playlist)
        guard packet < playlist.items[last.item].packetCount else {
            if queue != nil { return try .goingOn(last.item, packet: packet - 1, of: playlist) }
            return playlist.index(after: last.item).map { .beginning($0, of: playlist) }
        }
        return try .goingOn(last.item, packet: packet, of: playlist)
    }
}
