internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What a room that keeps replays notes of the present evening, until it is handed to the writer.
struct ReplayKeeping {
    var passages: PassageLog
    /// Reactions that were not handed over yet.
    var reactions: [ReplayStore.Reaction: Int] = [:]

    /// How long reactions wait to be written with others, seconds.
    static let gatheringSeconds = 2
    /// Most different ones of that time.
    static let reactionsMax = 256

    init(_ room: LiveRoom, now: Int64) {
        var playback = room.playback
        playback.advance(to: now)
        passages = PassageLog(playback.current, base: room.trackBase(at: now), at: now)
        for next in playback.upcoming { passages.announce(next) }
    }
}

extension RoomHome {
    /// Begins or ends to keep replays, as the room's settings say.
    func setKeeping(now: Int64) {
        guard room.settings.keepsReplays != (keeping != nil) else { return }
        keeping = room.settings.keepsReplays ? ReplayKeeping(room, now: now) : nil
        if keeping != nil { keepPassages(now: now) }
    }

    /// Notes a playback that was announced.
    func keep(_ playback: Playback, now: Int64) {
        guard keeping != nil else { return }
        keeping?.passages.announce(playback)
        let wait = playback.anchorMicroseconds - now
        // A room that falls silent has no more packets that would bring this about.
        if wait > 0 {
            after(.microseconds(wait + 1_000)) { $0.keepPassages(now: MonotonicClock.nowMicroseconds()) }
        }
    }

    /// Hands the passages that have begun to the writer.
    func keepPassages(now: Int64) {
        while let next = keeping?.passages.next, next <= now, room.isHistoryWritten(to: next) {
            guard let passage = keeping?.passages.take(now: now) else { return }
            let hasTrack = room.namesTrack(at: passage.atMicroseconds)
            history.add(.passage(passage, hasTrack: hasTrack), at: passage.atMicroseconds, now: now)
        }
    }

    /// Counts a reaction for the replay.
    ///
    /// - Parameter microseconds: The server time of the sound that it belongs to.
    func keepReaction(_ emoji: String, at microseconds: Int64) {
        guard keeping != nil else { return }
        let wall = MonotonicClock.wallMilliseconds() - (MonotonicClock.nowMicroseconds() - microseconds) / 1_000
        let reaction = ReplayStore.Reaction(atMilliseconds: wall / 250 * 250, emoji: emoji)
        let known = keeping?.reactions[reaction]
        guard known != nil || keeping?.reactions.count ?? 0 < ReplayKeeping.reactionsMax else { return }
        if keeping?.reactions.isEmpty == true {
            after(.seconds(ReplayKeeping.gatheringSeconds)) { home in
                guard let reactions = home.keeping?.reactions, !reactions.isEmpty else { return }
                home.keeping?.reactions = [:]
                let now = MonotonicClock.nowMicroseconds()
                home.history.add(.reactions(reactions), at: now, now: now)
            }
        }
        keeping?.reactions[reaction] = (known ?? 0) + 1
    }
}
