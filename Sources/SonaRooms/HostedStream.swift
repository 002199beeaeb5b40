package import SonaWire

/// The epoch that is being sent: the host's count of its samples on one side, the room's timeline on the other.
package struct HostedStream: Sendable, Equatable, Codable {
    package var info: StreamInfo
    package var timeline: Timeline
    /// The epoch number in the host's frames. The room's own epoch number is ahead of it after the timeline had to be
    /// broken because the host fell behind.
    package var hostEpoch: UInt16
    /// The host's sample position at which the room's epoch begins.
    package var hostOrigin: Int64 = 0
    package var pacing: Pacing
    /// The next packet does not continue the one before: listeners reset their decoders.
    package var isBroken: Bool
    /// No more packets belong to the epoch: its last packet is here, or the host has paused.
    package var isComplete = false
    /// The timeline waits at its edge: the host is late or away.
    package var isStarved = false
    /// Tracking of a live host's sound card; nil for a file.
    var live: LiveHosting?

    // A live host's sound card is tracked anew by whoever takes the room over; how the timeline bends stays.
    private enum CodingKeys: String, CodingKey {
        case info, timeline, hostEpoch, hostOrigin, pacing, isBroken, isComplete, isStarved
    }

    /// The sample position of the next expected packet, in the host's count.
    package var hostPosition: Int64 { hostOrigin + timeline.samples }

    /// Time until which the stream sounds without another packet. After a live host's SILENCE it goes on in silence for
    /// a while.
    var soundsUntil: Int64 {
        timeline.edge + (live?.isSilent == true ? Limits.liveSilenceMicroseconds : 0)
    }

    /// Time until which the stream has sounded, or is sure to sound.
    func edge(now: Int64) -> Int64 { max(timeline.edge, min(now, soundsUntil)) }
}
