package import SonaWire

/// The epoch that is being sent: the host's count of its samples on one side, the room's timeline on the other.
package struct HostedStream: Sendable, Equatable {
    package var info: StreamInfo
    package var timeline: Timeline
    /// The epoch the host writes into its frames. The room's own epoch runs ahead of it when the timeline had to be
    /// broken under a host that fell behind.
    package var hostEpoch: UInt16
    /// The host's sample position at which the room's epoch begins.
    package var hostOrigin: Int64 = 0
    package var pacing: Pacing
    /// The next packet does not follow the one before: listeners reset their decoders.
    package var isBroken: Bool
    /// Nothing more belongs to the epoch: its last packet is there, or the host has paused.
    package var isComplete = false
    /// At the edge and waiting: the host is late or away.
    package var isStarved = false
    /// Of a live host: its sound card, and what came of following it. Nil for a file.
    var live: LiveHosting?

    /// Where the next packet is expected, in the host's count.
    package var hostPosition: Int64 { hostOrigin + timeline.samples }

    /// Up to when it sounds without another packet. After a live host's SILENCE it goes on in silence for a while.
    var soundsUntil: Int64 {
        timeline.edge + (live?.isSilent == true ? Limits.liveSilenceMicroseconds : 0)
    }

    /// Up to when it has sounded, or is sure to sound.
    func edge(now: Int64) -> Int64 { max(timeline.edge, min(now, soundsUntil)) }
}
