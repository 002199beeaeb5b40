package import SonaWire

/// A room's playback: the one in force, and those announced for a moment still to come.
package struct PlaybackHistory: Sendable, Equatable, Codable {
    package private(set) var current: Playback
    package private(set) var upcoming: [Playback] = []
    /// The newest playback, in force or not. It is stored apart because it is read after each packet.
    package private(set) var latest: Playback

    /// Most announcements ahead of their time. A room that makes more loses the soonest, as its listeners do.
    static let upcomingMax = 15

    package init(_ playback: Playback) {
        current = playback
        latest = playback
    }

    package static let stopped = Playback(
        state: .stopped, anchorMicroseconds: 0, positionMicroseconds: 0, revision: 0, epoch: 0)

    /// Makes announced playbacks current when their moment has come.
    package mutating func advance(to now: Int64) {
        while let next = upcoming.first, next.anchorMicroseconds <= now {
            current = next
            upcoming.removeFirst()
        }
    }

    /// Announces the next playback. Announced ones that do not come before it are undone.
    ///
    /// - Parameter position: Held between 0 and 2^53 − 1.
    /// - Returns: The playback with its revision.
    package mutating func announce(
        _ state: PlaybackState, anchor: Int64, position: Int64, ratePPM: Int32 = 1_000_000, epoch: UInt16, now: Int64
    ) -> Playback {
        advance(to: now)
        let next = Playback(
            state: state, anchorMicroseconds: anchor, positionMicroseconds: min(max(0, position), Limits.integerMax),
            ratePPM: ratePPM, revision: latest.revision &+ 1, epoch: epoch)
        upcoming.removeAll { $0.anchorMicroseconds >= anchor }
        upcoming.append(next)
        latest = next
        if upcoming.count > Self.upcomingMax { upcoming.removeFirst() }
        advance(to: now)
        return next
    }

    /// The newest playback as of `time`: the same course with a later anchor, if it is under way.
    package func reanchored(at time: Int64) -> Playback {
        var playback = latest
        guard playback.anchorMicroseconds < time else { return playback }
        playback.positionMicroseconds = playback.position(at: time)
        playback.anchorMicroseconds = time
        return playback
    }

    package func position(at time: Int64) -> Int64 {
        let inForce = upcoming.last { $0.anchorMicroseconds <= time } ?? current
        return inForce.position(at: time)
    }
}
