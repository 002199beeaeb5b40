internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The jingle that is ready, and what is known of the next change of tracks.
struct JinglePlaying {
    var prepared: Prepared?
    /// No jingle could be had: none is looked for until the next track.
    var hasFailed = false
    fileprivate var isLoading = false
    /// Number of the play whose jingle has sounded, was skipped, or was not there in time.
    fileprivate var settled: Int64?
    /// Number of the play that waits for its jingle.
    fileprivate var awaited: Int64?

    struct Prepared: Sendable {
        let music: MusicID
        let told: Track
        let track: LoadedTrack
    }
}

/// Jingles and station ids between tracks.
///
/// A jingle is no entry: it sounds while the next one is chosen and has not begun. How many tracks have played since the
/// last is stored with each, so that a server that was killed goes on counting.
///
/// Source: Protocol/spec/autoplay.md, "Jingles".
extension RoomAutoplay {
    /// How long the room waits for a jingle that is not open yet.
    private static let patience = Duration.seconds(2)

    private func isDue(_ rule: Jingles, in milliseconds: Int64) -> Bool {
        let progress = home.jingleProgress
        if let every = rule.everyTracks, progress.tracks >= every { return true }
        guard let minutes = rule.everyMinutes, let since = progress.sinceMilliseconds else { return false }
        return MonotonicClock.wallMilliseconds() + milliseconds - since >= Int64(minutes) * 60_000
    }

    /// Opens the jingle that follows a track, if one is due then.
    func prepareJingle(after track: PlayingTrack) {
        guard !track.isJingle, let rule = settings.jingles, isDue(rule, in: track.left / 48) else { return }
        loadJingle(rule)
    }

    private func loadJingle(_ rule: Jingles) {
        guard jingles.prepared == nil, !jingles.isLoading, !jingles.hasFailed else { return }
        jingles.isLoading = true
        let (library, shard, room, owner) = (core.services.library, core.shard, room, home.room.owner.uid)
        let (reader, playlist) = (core.autoplays.reader, rule.playlist)
        let last = [home.jingleProgress.last].compactMap(\.self)
        Task {
            let chosen = try? await library.rooms.choose(
                from: playlist, for: owner, sparing: last, artist: nil, longest: Limits.jingleMillisecondsMax)
            guard var told = chosen ?? nil, let music = told.music,
                let sound = try? await library.rooms.sound(of: music, for: owner)
            else { return shard.post { $0.rooms[room]?.autoplay?.loadedJingle(nil, from: playlist) } }
            told.jingle = true
            reader.run { [told] in
                let prepared = LoadedTrack(sound, of: music).map {
                    JinglePlaying.Prepared(music: music, told: told, track: $0)
                }
                shard.postUrgently { core in core.rooms[room]?.autoplay?.loadedJingle(prepared, from: playlist) }
            }
        }
    }

    private func loadedJingle(_ prepared: JinglePlaying.Prepared?, from playlist: MusicID) {
        jingles.isLoading = false
        if settings.jingles?.playlist == playlist {
            jingles.prepared = prepared
            jingles.hasFailed = prepared == nil
        }
        if jingles.awaited != nil { followSoon() }
    }

    /// Plays a jingle before an entry, if one is due.
    ///
    /// - Returns: Whether the entry waits.
    func playsJingle(before now: NowPlaying) -> Bool {
        guard let rule = settings.jingles, jingles.settled != now.play, isDue(rule, in: 0) else { return false }
        guard let prepared = jingles.prepared else {
            loadJingle(rule)
            guard jingles.isLoading else {
                settle(now.play)
                return false
            }
            guard jingles.awaited != now.play else { return true }
            jingles.awaited = now.play
            home.after(Self.patience) { home in
                guard let autoplay = home.autoplay, autoplay.jingles.awaited == now.play else { return }
                autoplay.settle(now.play)
                autoplay.followSoon()
            }
            return true
        }
        settle(now.play)
        jingles.prepared = nil
        home.jingleProgress = JingleProgress(
            tracks: 0, sinceMilliseconds: MonotonicClock.wallMilliseconds(), last: prepared.music)
        storeProgress()
        core.figures.jingles &+= 1
        isHeld = false
        var track = PlayingTrack(
            entry: now.entry.id, play: now.play, music: prepared.music, prepared.told, prepared.track)
        start(&track, at: 0, prepared.track.first)
        return true
    }

    private func settle(_ play: Int64) {
        jingles.settled = play
        jingles.awaited = nil
        jingles.hasFailed = false
    }

    /// A track has begun.
    func countForJingles() {
        guard settings.jingles != nil else { return }
        home.jingleProgress.tracks = min(home.jingleProgress.tracks + 1, Int(Limits.jingleTracks.upperBound))
        home.jingleProgress.sinceMilliseconds =
            home.jingleProgress.sinceMilliseconds ?? MonotonicClock.wallMilliseconds()
        storeProgress()
    }

    private func storeProgress() {
        let (store, room, progress) = (core.services.model.roomStorage.autoplays, room, home.jingleProgress)
        // A jingle too many after a crash is all that comes of a failure.
        core.services.writes.run { try? await store.note(progress, in: room) }
    }

    /// Ends the jingle that sounds: the entry after it begins where the packets end that were sent.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func skipJingle() -> Bool {
        guard let current, current.isJingle, home.room.seat == .server else { return false }
        self.current = nil
        isHeld = false
        core.autoplays.end(room)
        followSoon()
        return true
    }
}

extension PlayingTrack {
    /// A jingle all of which was sent.
    var isJingleOver: Bool { isJingle && isEnded }
}
