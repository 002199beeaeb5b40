package import SonaWire

/// How much a member has heard of what a room plays, by the member's own reports.
///
/// A report says how much sounded since the one before. No more of it is believed than can have sounded: not more than the
/// time that has passed, nor than the room sent sound for. What was heard before a track began belongs to the one before it.
///
/// Source: Protocol/spec/plays.md, "What is a play"; meter.md, "listening.report".
package struct HeardTally: Sendable, Equatable, Codable {
    /// One play of the room, as far as the member heard it.
    package struct Play: Sendable, Equatable, Codable {
        package let music: MusicID?
        /// What the host says it is.
        package let track: Track?
        /// When it began, µs of server time: tells it from other plays of the room.
        package let sinceMicroseconds: Int64
        package var heardMicroseconds: Int64 = 0
        /// Half of what the host says is its length, or four minutes.
        let thresholdMicroseconds: Int64
        /// How much was heard when it was last handed on to be written.
        var handedMicroseconds: Int64 = 0
        /// Whether `takeBegun` has handed it on.
        var isBegun = false

        package var heardMilliseconds: Int64 { heardMicroseconds / 1_000 }

        init(_ track: TimedTrack) {
            music = track.track?.music
            self.track = track.track
            sinceMicroseconds = track.atMicroseconds
            let most = Limits.playMilliseconds * 1_000
            thresholdMicroseconds = track.track?.durationMicroseconds.map { min(max(1, $0 / 2), most) } ?? most
        }
    }

    private var last: Int64
    private var play: Play?

    /// - Parameter start: From when on the member can have heard something, µs.
    package init(start: Int64) { last = start }

    /// Takes a report.
    ///
    /// - Parameters:
    ///   - heard: What sounded since the report before, ms.
    ///   - current: The track that is heard now.
    ///   - edge: The end of the sound that was sent, µs; `nil` if none was.
    /// - Returns: Plays to be written: one that reached its threshold, one that has ended.
    package mutating func take(heard: Int64, current: TimedTrack?, edge: Int64?, now: Int64) -> [Play] {
        let (from, elapsed) = (last, max(0, now - last))
        last = max(last, now)
        let sent = max(0, min(now, edge ?? from) - from)
        var credit = max(0, min(heard * 1_000, elapsed, sent))
        var due: [Play] = []
        if play?.sinceMicroseconds != current?.atMicroseconds {
            if var ended = play {
                if let since = current?.atMicroseconds, since > from, elapsed > 0 {
                    let before = min(credit, Int64(Double(credit) * Double(min(since, now) - from) / Double(elapsed)))
                    ended.heardMicroseconds += before
                    credit -= before
                }
                play = ended
                if let ended = end() { due.append(ended) }
            }
            play = current.map(Play.init)
        }
        guard var now = play else { return due }
        now.heardMicroseconds += credit
        if now.handedMicroseconds == 0, now.heardMicroseconds >= now.thresholdMicroseconds {
            now.handedMicroseconds = now.heardMicroseconds
            if now.track != nil { due.append(now) }
        }
        play = now
        return due
    }

    /// What is heard now, once: as soon as any of it was heard.
    package mutating func takeBegun() -> Play? {
        guard let play, play.heardMicroseconds > 0, !play.isBegun else { return nil }
        self.play?.isBegun = true
        return play
    }

    /// Ends the play that is heard: the member goes, or the track does.
    ///
    /// - Returns: The play, if more of it was heard than is written, and it may be one that counts.
    package mutating func end() -> Play? {
        defer { play = nil }
        guard let play, play.music != nil, play.heardMicroseconds > play.handedMicroseconds,
            play.handedMicroseconds > 0 || play.heardMicroseconds >= Self.leastMicroseconds
        else { return nil }
        return play
    }

    /// The host may say a wrong length, or none: the library knows better, and is asked about everything but snatches.
    private static let leastMicroseconds: Int64 = 10_000_000
}
