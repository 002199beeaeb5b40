package import SonaWire

/// What is heard in a room, as a row of passages: which place of a track from which moment on.
///
/// Playbacks are announced before they take force, and may be undone by then. A passage is told once its moment has
/// come and the track that begins with it is in the history.
package struct PassageLog: Sendable, Equatable {
    /// From one moment to the next passage.
    package struct Passage: Sendable, Equatable {
        /// Server time, µs.
        package var atMicroseconds: Int64
        package var isSounding: Bool
        /// The place in the track, µs.
        package var positionMicroseconds: Int64
        /// The epoch it belongs to.
        fileprivate var epoch: UInt16
        /// A track begins with it.
        fileprivate var isBeginning = false

        fileprivate func continues(in next: Passage) -> Bool {
            guard isSounding == next.isSounding, !next.isBeginning, epoch == next.epoch else { return false }
            let place = positionMicroseconds + (isSounding ? next.atMicroseconds - atMicroseconds : 0)
            return !isSounding || abs(place - next.positionMicroseconds) <= Limits.positionNewsMicroseconds
        }
    }

    private var waiting: [Passage] = []
    private var last: Passage?
    /// The room's position where the track began that the host named in mid-epoch, µs: positions of that epoch go on
    /// counting from before it.
    private var base: Int64 = 0
    private var epoch: UInt16

    /// Passages that wait for a track that does not sound; the oldest are dropped.
    private static let waitingMax = 64

    /// Begins with what is heard at a moment.
    ///
    /// - Parameters:
    ///   - playback: In force at that moment.
    ///   - base: As the room's `trackBase`.
    package init(_ playback: Playback, base: Int64 = 0, at now: Int64) {
        epoch = playback.epoch
        self.base = base
        guard playback.state == .playing, playback.anchorMicroseconds <= now else { return }
        waiting = [
            Passage(
                atMicroseconds: now, isSounding: true, positionMicroseconds: max(0, playback.position(at: now) - base),
                epoch: playback.epoch)
        ]
    }

    /// A playback is announced. It undoes those announced for its moment or later, as for listeners.
    package mutating func announce(_ playback: Playback) {
        if playback.epoch != epoch || playback.positionMicroseconds < base { base = 0 }
        epoch = playback.epoch
        insert(
            Passage(
                atMicroseconds: playback.anchorMicroseconds, isSounding: playback.state == .playing,
                positionMicroseconds: max(0, playback.positionMicroseconds - base), epoch: playback.epoch))
    }

    /// A track has become audible.
    ///
    /// - Parameter position: The room's position at that moment, µs.
    package mutating func hear(_ track: HeardTrack, position: Int64) {
        if let index = waiting.firstIndex(where: { $0.atMicroseconds == track.atMicroseconds && $0.isSounding }) {
            waiting[index].isBeginning = true
            return
        }
        // The host named it while its sound went on.
        base = position
        let next = Passage(
            atMicroseconds: track.atMicroseconds, isSounding: true, positionMicroseconds: 0, epoch: epoch,
            isBeginning: true)
        waiting.insert(next, at: waiting.firstIndex { $0.atMicroseconds > next.atMicroseconds } ?? waiting.count)
    }

    private mutating func insert(_ passage: Passage) {
        waiting.removeAll { $0.atMicroseconds >= passage.atMicroseconds }
        waiting.append(passage)
        if waiting.count > Self.waitingMax { waiting.removeFirst() }
    }

    /// When the next passage begins, µs; `nil` if none is known.
    package var next: Int64? { waiting.first?.atMicroseconds }

    /// Takes the next passage, if its moment has come.
    ///
    /// - Returns: `nil` also for a passage in which nothing changes.
    package mutating func take(now: Int64) -> Passage? {
        while let passage = waiting.first, passage.atMicroseconds <= now {
            waiting.removeFirst()
            if let last, last.continues(in: passage) { continue }
            last = passage
            return passage
        }
        return nil
    }
}

extension LiveRoom {
    /// The position at which the present track began, if the host named it in mid-epoch, µs; else 0.
    package func trackBase(at now: Int64) -> Int64 {
        guard let since = tracks.view(at: now).current?.atMicroseconds, let start = stream?.timeline.start,
            since > start
        else { return 0 }
        return playback.position(at: since)
    }

    /// Whether all tracks that are heard up to a moment are in the history.
    package func isHistoryWritten(to time: Int64) -> Bool { tracks.isWritten(to: time) }

    /// Whether the host has said what is heard at a moment not before the last change, and it is in the history.
    package func namesTrack(at time: Int64) -> Bool { tracks.view(at: time).current?.track?.isJingle == false }
}
