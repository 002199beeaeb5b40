package import SonaAudio
package import SonaWire

/// Microseconds of a number of samples at 48 kHz, rounded down. Exact for whole packets.
///
/// A file has at most 2^24 packets of 5760 samples, so nothing overflows.
package func microseconds(samples: Int) -> Int64 { Int64(samples) * 125 / 6 }

/// The place in an item where an epoch begins, and the data about it for `host.start`.
///
/// Samples are at 48 kHz and counted from the first decoded sample of the item, its pre-skip included.
package struct EpochPlan: Sendable, Equatable {
    /// Index into the playlist.
    package var item: Int
    package var firstPacket: Int
    /// The sample at which the first packet starts.
    package var baseSample: Int
    /// Samples from there to the first audible one, at most 65535.
    package var preSkip: Int
    /// Place in the track of the first audible sample.
    package var positionMicroseconds: Int64
    /// Whether the decoder goes on from the epoch before.
    package var continues: Bool

    /// An epoch from the beginning of an item.
    package static func beginning(_ item: Int, of playlist: FileList) -> EpochPlan {
        EpochPlan(
            item: item, firstPacket: 0, baseSample: 0, preSkip: playlist.items[item].head.preSkip,
            positionMicroseconds: 0, continues: false)
    }

    /// An epoch from a packet on, for a decoder that stands just before it: after a pause or a lost connection.
    package static func goingOn(
        _ item: Int, packet: Int, of playlist: FileList
    ) throws(AudioError) -> EpochPlan {
        let base = try playlist.items[item].packet(packet).start
        let filePreSkip = playlist.items[item].head.preSkip
        let target = max(base, filePreSkip)
        return EpochPlan(
            item: item, firstPacket: packet, baseSample: base, preSkip: target - base,
            positionMicroseconds: microseconds(samples: target - filePreSkip), continues: true)
    }

    /// An epoch from a place in the item's track on. Up to eight packets before it bring a fresh decoder to that place
    /// (RFC 7845, section 4.6, asks for 80 ms).
    ///
    /// - Returns: nil if the track does not reach so far.
    package static func seeking(
        _ item: Int, to positionMicroseconds: Int64, of playlist: FileList
    ) throws(AudioError) -> EpochPlan? {
        let entry = playlist.items[item]
        guard positionMicroseconds >= 0, positionMicroseconds < microseconds(samples: entry.durationSamples) else {
            return nil
        }
        let target = Int(positionMicroseconds * 6 / 125) + entry.head.preSkip
        var plan = try prerolled(item, target: target, of: playlist)
        plan.positionMicroseconds = positionMicroseconds
        return plan
    }

    /// An epoch from a packet on, for listeners whose decoders have no earlier state.
    package static func startingOver(
        _ item: Int, packet: Int, of playlist: FileList
    ) throws(AudioError) -> EpochPlan {
        let start = try playlist.items[item].packet(packet).start
        return try prerolled(item, target: max(start, playlist.items[item].head.preSkip), of: playlist)
    }

    private static func prerolled(_ item: Int, target: Int, of playlist: FileList) throws(AudioError) -> EpochPlan {
        let entry = playlist.items[item]
        let packet = entry.file.packetIndex(stream: entry.stream, containing: target)
        let first = max(0, packet - Limits.prerollPackets)
        let base = try entry.packet(first).start
        // At most nine packets of 120 ms: 51 840 samples.
        return EpochPlan(
            item: item, firstPacket: first, baseSample: base, preSkip: target - base,
            positionMicroseconds: microseconds(samples: target - entry.head.preSkip), continues: false)
    }

    /// The packet that begins where a room's timeline stopped, for a room that stands at `positionMicroseconds` of the
    /// item's track.
    ///
    /// - Returns: `packetCount` of the item if it stopped at its end.
    package static func packet(
        _ item: Int, after positionMicroseconds: Int64, of playlist: FileList
    ) -> Int {
        let entry = playlist.items[item]
        let heard = samples(positionMicroseconds)
        guard heard < entry.durationSamples else { return entry.packetCount }
        return entry.file.packetIndex(stream: entry.stream, containing: heard + entry.head.preSkip)
    }

    /// The pacing after the server has moved this epoch: the place in the track that `playback` names sounds at its
    /// anchor.
    package func pacing(_ old: Pacing, playing playback: Playback, in playlist: FileList) -> Pacing {
        let heard = Self.samples(playback.positionMicroseconds) + playlist.items[item].head.preSkip - baseSample
        var pacing = old
        pacing.startMicroseconds = playback.anchorMicroseconds - microseconds(samples: max(0, heard - preSkip))
        return pacing
    }

    /// Samples of a position. Positions are rounded down from samples, so this rounds up: exact for a packet's end.
    private static func samples(_ microseconds: Int64) -> Int {
        let (product, overflow) = max(0, microseconds).multipliedReportingOverflow(by: 6)
        return overflow ? Int.max / 4 : Int((product + 124) / 125)
    }

    /// The `host.start` that begins this epoch.
    func request(_ playlist: FileList, command: Int64?, followsQueue: Bool) -> HostStart {
        let entry = playlist.items[item]
        return HostStart(
            stream: StreamOffer(channels: entry.head.channels, preSkip: preSkip, gain: entry.gain), pacing: .server,
            track: entry.track,
            positionMicroseconds: positionMicroseconds, continues: continues, command: command,
            followsQueue: followsQueue)
    }
}
