internal import SonaAudio
package import SonaWire

/// The packets that the host sends.
extension LiveRoom {
    /// Takes one packet, gives it its place on the timeline and hands it on.
    ///
    /// O(packet). The listeners are chosen elsewhere.
    /// - Throws: `host.not_host`, `audio.wrong_epoch` (also after the epoch's last packet and after a pause),
    ///   `audio.malformed` (not an Opus packet after RFC 6716 §3.4, or `samples` that is not its duration),
    ///   `audio.too_fast` (so far ahead that the ring would lose what is still to be heard).
    package mutating func ingest(
        _ member: MemberID, _ header: AudioUp, _ packet: UnsafeRawBufferPointer, now: Int64
    ) throws(WireError) -> Ingest {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        guard let current = stream, header.epoch == current.hostEpoch else { throw WireError(.audioWrongEpoch) }
        guard let duration = try? OpusPacket.samples(inspecting: packet) else { throw WireError(.audioMalformed) }
        // Without this check packets could cost less of the timeline than of the server.
        guard header.samples == duration || (header.samples < duration && header.flags.contains(.last)) else {
            throw WireError(
                .audioMalformed, "The packet holds \(duration) samples; fewer may stand in `samples` with LAST only.")
        }
        var ingest = Ingest()
        // A packet that was sent before is not sent again: the host repeats itself, or a reply was lost.
        guard header.samplePosition >= current.hostPosition else {
            ingest.isRepeated = true
            return ingest
        }
        guard !current.isComplete else { throw WireError(.audioWrongEpoch, "The epoch is over.") }
        let gap = header.samplePosition - current.hostPosition
        guard gap <= 3600 * Limits.sampleRate else {
            throw WireError(.audioMalformed, "`sample_pos` lies an hour ahead of the packet before.")
        }
        var place = header.samplePosition - current.hostOrigin
        guard current.timeline.time(ofSample: place) - now <= ringMicroseconds else {
            throw WireError(.audioTooFast)
        }

        if gap > 0 { stream?.isBroken = true }
        switch fate(of: header, in: current, now: now) {
        case .taken: break
        case .leftOut:
            stream?.isBroken = true
            stream?.live?.isSilent = header.flags.contains(.silence)
            stream?.isComplete = header.flags.contains(.last)
            return ingest
        case .begins(let start):
            ingest.effects += shift(hostPosition: header.samplePosition, to: start, now: now)
            place = 0
        }
        guard var stream else { return ingest }
        let playAt = stream.timeline.time(ofSample: place)
        let due = stream.timeline.due(ofSample: place)
        if stream.isStarved {
            // The host skipped over the silence: its timeline goes on as if it had never run out.
            stream.isStarved = false
            let playing = playback.announce(
                .playing, anchor: due, position: stream.timeline.position(at: due), epoch: stream.info.epoch, now: now)
            ingest.effects += [.position(playing), .persist]
        }
        ingest.holdBackMicroseconds = max(0, playAt - now - leadMicroseconds - Limits.hostAheadMicrosecondsMax)
        var flags = header.flags.intersection([.silence, .last])
        if stream.isBroken { flags.insert(.discontinuity) }
        let down = AudioDown(
            flags: flags, epoch: stream.info.epoch, sequence: nextPacket, playAtMicroseconds: playAt,
            samples: header.samples)
        nextPacket &+= 1
        stream.isBroken = false
        stream.isComplete = header.flags.contains(.last)
        stream.live?.isSilent = header.flags.contains(.silence)
        stream.timeline.advance(to: place + Int64(header.samples))
        self.stream = stream
        ingest.effects.append(.chunk(AudioChunk(header: down, packet: Array(packet), due: due)))
        if tracks.isUnheard { ingest.effects += hear(now: now) }
        return ingest
    }

    /// Decides the fate of a packet.
    private mutating func fate(of header: AudioUp, in current: HostedStream, now: Int64) -> PacketFate {
        let place = header.samplePosition - current.hostOrigin
        let isLate = current.timeline.due(ofSample: place) - now < Limits.hostLateMicroseconds
        if current.pacing == .live { return liveFate(of: header, isLate: isLate, now: now) }
        return isLate ? .begins(at: now + leadMicroseconds) : .taken
    }

    /// Breaks the timeline: the host's next packet begins a new epoch at `start`, in which its sample count goes on. If
    /// `start` is later than the end of the packets sent, everybody hears the same pause.
    private mutating func shift(hostPosition: Int64, to start: Int64, now: Int64) -> [RoomEffect] {
        guard let old = stream else { return [] }
        let isHeld = old.isStarved || playback.latest.state != .playing || start <= old.timeline.edge
        let effects = isHeld ? [] : starve(now: now)
        lastEpoch &+= 1
        // Before the first audible sample the pre-skip is still to come.
        let skipped = hostPosition - old.hostOrigin
        let preSkip = max(0, Int64(old.info.preSkip) - skipped)
        let heard = max(0, skipped - Int64(old.info.preSkip))
        tracks.move(from: old.timeline.edge, to: start)
        let position =
            old.pacing == .live
            ? playback.position(at: start) : old.timeline.startPosition + Timeline.microseconds(heard)
        let info = StreamInfo(
            epoch: lastEpoch, channels: old.info.channels, preSkip: Int(preSkip), startMicroseconds: start,
            continues: !old.isBroken, gain: old.info.gain)
        var next = HostedStream(
            info: info, timeline: Timeline(start: start, preSkip: Int(preSkip), position: position),
            hostEpoch: old.hostEpoch, hostOrigin: hostPosition, pacing: old.pacing, isBroken: old.isBroken)
        next.live = old.live?.afterShift
        succeed(with: next)
        let playing = playback.announce(.playing, anchor: start, position: position, epoch: lastEpoch, now: now)
        return effects + [.event(StreamStarted(stream: info, track: track)), .position(playing), .persist]
    }
}
