package import SonaWire

/// A room's tracks: the one that is heard, those announced for a moment still to come, and the record of which are in
/// the history.
///
/// The announced times alone decide what is heard now, as they do for listeners. A track enters the history once for
/// each play, when its time has come and a packet that sounds after it has been sent. A *play* begins when a host
/// starts a track at position 0, or with another title. A host that goes on after a pause, or tells more of the same
/// track, continues the same play.
package struct TrackTimeline: Sendable, Equatable, Codable {
    private struct Entry: Sendable, Equatable, Codable {
        /// `nil`: silence from then on.
        var track: Track?
        var at: Int64
        /// Time at which the entry's play began.
        var since: Int64
        var host: UserID?
        var play: Int
        var broadcast: Int
        /// Another track replaced it before any of it was sent.
        var isSkipped = false
    }

    private var current: Entry?
    private var upcoming: [Entry] = []
    /// Numbers of the last play and broadcast announced, and of the last ones in the history.
    private var play = 0
    private(set) var broadcast = 1
    private var heardPlay = 0
    private var heardBroadcast = 0
    /// The track heard when the server ended, and the time until which it may go on.
    private var recalled: TimedTrack?

    /// Most announcements ahead of their time. Beyond that the last but one is dropped.
    static let upcomingMax = 15

    package init() {}

    // MARK: Telling

    /// The host names the track heard from a moment on. This undoes announcements for then or later.
    ///
    /// - Parameter position: Position in the track at which it begins, µs; `nil` if unknown.
    mutating func announce(_ track: Track, at time: Int64, host: UserID?, position: Int64?) {
        upcoming.removeAll { $0.at >= time }
        let before = upcoming.last ?? current
        var entry = Entry(track: track, at: time, since: time, host: host, play: play + 1, broadcast: broadcast)
        if let before, let known = before.track, before.broadcast == broadcast, known.isSamePiece(as: track),
            position.map({ $0 > 0 || time - before.since < Limits.replayMicroseconds }) ?? true
        {
            entry.play = before.play
            if !before.isSkipped { entry.since = before.since }
        } else if let recalled, let known = recalled.track, time <= recalled.atMicroseconds {
            heardBroadcast = broadcast
            // The track is in the history already: `heardPlay` is its number.
            if known.isSamePiece(as: track), position != 0 { entry.play = heardPlay }
        }
        recalled = nil
        play = max(play, entry.play)
        append(entry)
    }

    /// An epoch ends at `edge`, and the next begins at `start`. Tracks announced for its sound move there.
    ///
    /// - Parameter isReplaced: The next epoch has another track.
    mutating func move(from edge: Int64, to start: Int64, isReplaced: Bool = false) {
        let waiting = upcoming.last.flatMap { $0.at >= edge ? $0 : nil }
        upcoming.removeAll { $0.at >= edge }
        if isReplaced {
            if let at = current?.at, at >= edge { current?.isSkipped = true }
        } else if var waiting {
            if waiting.since >= edge { waiting.since = start }
            waiting.at = start
            append(waiting)
        } else if let entry = current, entry.at >= edge {
            current?.at = start
            if entry.since >= edge { current?.since = start }
        }
    }

    /// A broadcast has ended, and its sound ends at `edge`.
    mutating func end(at edge: Int64) {
        move(from: edge, to: edge, isReplaced: true)
        recalled = nil
        if (upcoming.last ?? current)?.track != nil {
            append(Entry(track: nil, at: edge, since: edge, play: 0, broadcast: broadcast))
        }
        broadcast += 1
    }

    /// The broadcast that has just ended continues with another host.
    mutating func handOver() { broadcast -= 1 }

    /// Restores the track that was heard last before the server ended. A host that goes on until then continues the
    /// same broadcast.
    package mutating func recall(_ track: Track, until time: Int64) {
        recalled = TimedTrack(track: track, atMicroseconds: time)
    }

    private mutating func append(_ entry: Entry) {
        upcoming.append(entry)
        if upcoming.count > Self.upcomingMax { upcoming.remove(at: upcoming.count - 2) }
    }

    // MARK: Hearing

    /// Whether the current track is not yet in the history.
    var isUnheard: Bool { current.map(isUnheard) ?? false }

    /// Whether all that is heard up to a moment is in the history.
    func isWritten(to time: Int64) -> Bool { !isUnheard && upcoming.first.map { $0.at > time } ?? true }

    private func isUnheard(_ entry: Entry) -> Bool {
        entry.track != nil && !entry.isSkipped && entry.play > heardPlay
    }

    /// The next moment at which `advance` has something to do, if any.
    func deadline(edge: Int64?) -> Int64? {
        if let current, isUnheard(current), edge.map({ $0 > current.at }) ?? true { return current.at }
        return upcoming.first?.at
    }

    /// Makes announced tracks current when their moment has come.
    ///
    /// - Parameter edge: Server time of the first sample that has not been sent; `nil` without audio.
    /// - Returns: The tracks that have become audible, oldest first.
    mutating func advance(to now: Int64, edge: Int64?) -> [HeardTrack] {
        var heard = take(now: now, edge: edge)
        while let next = upcoming.first, next.at <= now {
            upcoming.removeFirst()
            current = next
            heard += take(now: now, edge: edge)
        }
        return heard
    }

    private mutating func take(now: Int64, edge: Int64?) -> [HeardTrack] {
        guard let current, isUnheard(current), current.at <= now, edge.map({ $0 > current.at }) ?? true else {
            return []
        }
        // Later announcements of the same play may have more detail, so the last one is written.
        guard let track = (upcoming.last { $0.play == current.play } ?? current).track else { return [] }
        heardPlay = current.play
        // A jingle is heard and not written down; a broadcast begins with the first track after it.
        if track.isJingle { return [] }
        defer { heardBroadcast = current.broadcast }
        return [
            HeardTrack(
                track: track, atMicroseconds: current.at, host: current.host,
                beginsBroadcast: current.broadcast > heardBroadcast)
        ]
    }

    /// The track of the sound of a moment, from the one that is heard on; `nil`: none, or not known any more.
    package func track(at time: Int64) -> Track? {
        if let next = upcoming.last(where: { $0.at <= time }) { return next.track }
        return current.flatMap { $0.at <= time ? $0.track : nil }
    }

    /// When the track that is heard began to be, µs; `nil` if none has yet.
    package var currentSince: Int64? { current?.at }

    /// The track heard at a moment not before the last `advance`, and the tracks to come after it, soonest first.
    package func view(at now: Int64) -> (current: TimedTrack?, upcoming: [TimedTrack]) {
        let sounding = upcoming.last { $0.at <= now } ?? current
        return (
            sounding.flatMap { entry in
                entry.track.map { TimedTrack(track: $0, atMicroseconds: entry.since) }
            },
            upcoming.filter { $0.at > now }.map { TimedTrack(track: $0.track, atMicroseconds: $0.at) }
        )
    }
}

/// A track that has become audible.
package struct HeardTrack: Sendable, Equatable, Codable {
    package var track: Track
    /// Server time of the track's first sound.
    package var atMicroseconds: Int64
    package var host: UserID?
    /// The track is the first of its broadcast.
    package var beginsBroadcast: Bool

    package init(track: Track, atMicroseconds: Int64, host: UserID?, beginsBroadcast: Bool) {
        self.track = track
        self.atMicroseconds = atMicroseconds
        self.host = host
        self.beginsBroadcast = beginsBroadcast
    }
}

extension Track {
    /// Whether the two describe the same piece: the same title, and not two different artists.
    func isSamePiece(as other: Track) -> Bool {
        isJingle == other.isJingle && title == other.title
            && (artist == other.artist || artist == nil || other.artist == nil)
    }
}

extension LiveRoom {
    /// End of the sound: the edge of the present epoch; without one, the end of the last stream's sound, and not before
    /// now.
    func soundEdge(now: Int64) -> Int64 { stream?.timeline.edge ?? max(now, soundsUntil ?? now) }

    /// Records which tracks have become audible.
    mutating func hear(now: Int64) -> [RoomEffect] {
        tracks.advance(to: now, edge: stream?.timeline.edge).map { .heard($0) }
    }
}
