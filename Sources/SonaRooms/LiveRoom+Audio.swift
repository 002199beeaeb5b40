internal import SonaAudio
package import SonaWire

/// What the host sends.
extension LiveRoom {
    /// A packet closer than this to its play time would reach most listeners too late.
    static let marginMicroseconds: Int64 = 20_000
    /// A host may run this far ahead of the lead before it is held back.
    static let aheadMicroseconds: Int64 = 2_000_000

    /// Takes one packet, gives it its place on the timeline and hands it on.
    ///
    /// O(packet): who hears it is decided elsewhere.
    /// - Throws: `host.not_host`, `audio.wrong_epoch`, `audio.malformed` (not an Opus packet after RFC 6716 §3.4, or
    ///   `samples` above its duration).
    package mutating func ingest(
        _ member: MemberID, _ header: AudioUp, _ packet: UnsafeRawBufferPointer, now: Int64
    ) throws(WireError) -> Ingest {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        guard let current = stream, header.epoch == current.hostEpoch else { throw WireError(.audioWrongEpoch) }
        guard let duration = try? OpusPacket.samples(inspecting: packet) else { throw WireError(.audioMalformed) }
        guard header.samples <= duration else {
            throw WireError(.audioMalformed, "The packet holds \(duration) samples, fewer than `samples`.")
        }
        var ingest = Ingest()
        // What was sent before is not sent again: a host that repeats itself, or an answer to a lost reply.
        guard header.samplePosition >= current.hostPosition else { return ingest }
        let gap = header.samplePosition - current.hostPosition
        guard gap <= 3600 * Limits.sampleRate else {
            throw WireError(.audioMalformed, "`sample_pos` lies an hour ahead of the packet before.")
        }
        if gap > 0 { stream?.isBroken = true }

        var place = header.samplePosition - current.hostOrigin
        if current.timeline.due(ofSample: place) - now < Self.marginMicroseconds {
            ingest.effects += shift(hostPosition: header.samplePosition, now: now)
            place = 0
        }
        guard var stream else { return ingest }
        let playAt = stream.timeline.time(ofSample: place)
        ingest.holdBackMicroseconds = max(0, playAt - now - leadMicroseconds - Self.aheadMicroseconds)
        var flags = header.flags.intersection([.silence, .last])
        if stream.isBroken { flags.insert(.discontinuity) }
        let down = AudioDown(
            flags: flags, epoch: stream.info.epoch, sequence: nextPacket, playAtMicroseconds: playAt,
            samples: header.samples)
        nextPacket &+= 1
        stream.isBroken = false
        stream.isComplete = header.flags.contains(.last)
        stream.timeline.advance(to: place + Int64(header.samples))
        self.stream = stream
        ingest.effects.append(.chunk(AudioChunk(header: down, packet: Array(packet), due: max(playAt, stream.timeline.start))))
        return ingest
    }

    /// The host is too late for its timeline: what it sends now begins a new epoch, a lead from now. Nothing is lost,
    /// everybody hears the same pause.
    private mutating func shift(hostPosition: Int64, now: Int64) -> [RoomEffect] {
        guard let old = stream else { return [] }
        lastEpoch &+= 1
        // Before the first audible sample the pre-skip is still to come.
        let skipped = hostPosition - old.hostOrigin
        let preSkip = max(0, Int64(old.info.preSkip) - skipped)
        let heard = max(0, skipped - Int64(old.info.preSkip))
        let start = now + leadMicroseconds
        let position = old.timeline.startPosition + Timeline.microseconds(heard)
        let info = StreamInfo(
            epoch: lastEpoch, channels: old.info.channels, preSkip: Int(preSkip), startMicroseconds: start,
            continues: !old.isBroken)
        stream = HostedStream(
            info: info, timeline: Timeline(start: start, preSkip: Int(preSkip), position: position),
            hostEpoch: old.hostEpoch, hostOrigin: hostPosition, pacing: old.pacing, isBroken: old.isBroken)
        var effects: [RoomEffect] = [.event(StreamStarted(stream: info, track: track))]
        if !old.isStarved, playback.latest.state == .playing {
            let held = playback.announce(
                .buffering, anchor: min(old.timeline.edge, now), position: old.timeline.edgePosition,
                epoch: old.info.epoch, now: now)
            effects.append(.position(held))
        }
        let playing = playback.announce(.playing, anchor: start, position: position, epoch: lastEpoch, now: now)
        effects += [.position(playing), .persist]
        return effects
    }
}
