internal import SonaAudio
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The track that comes next: opening it, and choosing one from the playlist.
extension RoomAutoplay {
    /// How long a playlist without a track to play is left alone, µs.
    private static let choosingPause: Int64 = 30_000_000

    /// Opens the track that will play next, if nothing changes.
    func prepare(after track: PlayingTrack) {
        prepareJingle(after: track)
        guard prepared == nil, loading == nil, !hasFailed, let queue = home.queue?.queue else { return }
        if track.isJingle {
            if let music = queue.playing?.entry.music { load(music, between: nil, and: waiting(0, in: queue)?.music) }
            return
        }
        switch queue.repeatMode {
        case .one: load(track.music, between: nil, and: nil)
        case .all where queue.waitingEntries.isEmpty: load(track.music, between: nil, and: nil)
        case .off, .all:
            guard let next = waiting(0, in: queue) else {
                choose()
                return
            }
            if let music = next.music { load(music, between: track.music, and: waiting(1, in: queue)?.music) }
        }
    }

    /// The entry that plays so many after the present one, if nothing changes.
    func waiting(_ place: Int, in queue: PartyQueue) -> QueueEntry? {
        guard place < queue.order.count else { return nil }
        let id = queue.order[place]
        return queue.waitingEntries.first { $0.id == id }
    }

    /// Opens a track.
    ///
    /// - Parameters:
    ///   - before: The track that is heard before it.
    ///   - after: The track that is likely to follow.
    func load(_ music: MusicID, between before: MusicID?, and after: MusicID?) {
        guard loading != music else { return }
        loading = music
        let (library, shard, room, owner) = (core.services.library, core.shard, room, home.room.owner.uid)
        let reader = core.autoplays.reader
        Task {
            let sound = try? await library.rooms.sound(of: music, between: before, and: after, for: owner)
            guard let sound else { return shard.post { $0.rooms[room]?.autoplay?.loaded(nil, music) } }
            reader.run {
                let track = LoadedTrack(sound, of: music)
                shard.postUrgently { core in core.rooms[room]?.autoplay?.loaded(track, music) }
            }
        }
    }

    private func loaded(_ track: LoadedTrack?, _ music: MusicID) {
        if loading == music { loading = nil }
        guard home.room.seat == .server else { return }
        hasFailed = track == nil
        if let track {
            prepared = (music, track)
            follow()
        } else if let now = home.queue?.queue.playing, now.play != current?.play, now.entry.music == music {
            skip(now.entry.id)
        }
    }

    /// Takes a track of the playlist into the queue: one that has not played within the cool-down, and of somebody else
    /// than the last one, where there is a choice.
    ///
    /// - Returns: Whether one is looked for.
    @discardableResult
    func choose() -> Bool {
        let now = MonotonicClock.nowMicroseconds()
        guard !isChoosing else { return true }
        guard let playlist = settings.playlist, now >= choosesAfter, let queue = home.queue?.queue else { return false }
        isChoosing = true
        let wall = MonotonicClock.wallMilliseconds()
        let cooldown = Int64(max(queue.rules.cooldownSeconds, 60)) * 1_000
        // A track that is about to sound is not among those that were played.
        let coming = [current?.music, queue.playing?.entry.music].compactMap(\.self)
        let played = queue.tracksPlayed(since: wall - cooldown).compactMap { MusicID($0) } + coming
        let artist = queue.playing?.entry.reference.track.artist ?? home.room.track?.artist
        let (library, shard, room, owner) = (core.services.library, core.shard, room, home.room.owner.uid)
        Task {
            let track = try? await library.rooms.choose(from: playlist, for: owner, sparing: played, artist: artist)
            await shard.perform { $0.rooms[room]?.autoplay?.chosen(track, from: playlist) }
        }
        return true
    }

    private func chosen(_ track: Track?, from playlist: MusicID) {
        isChoosing = false
        guard settings.playlist == playlist else {
            choosesAfter = 0
            return followSoon()
        }
        guard home.room.seat == .server, !isResting, home.queue?.queue.waitingEntries.isEmpty == true else {
            return followSoon()
        }
        guard let track, let music = track.music, let reference = try? TrackReference(track, source: music.rawValue)
        else {
            // The playlist may have something to play later.
            choosesAfter = MonotonicClock.nowMicroseconds() + Self.choosingPause
            home.after(.microseconds(Self.choosingPause)) { $0.autoplay?.followSoon() }
            return followSoon()
        }
        choosing = playlist
        isChoosing = true
        ask(.add([reference], at: .last))
    }

    /// Entries that were taken from the playlist.
    func note(choices added: [QueuedTrack]) {
        guard let queue = home.queue?.queue else { return }
        // Those that have gone are of no more interest.
        choices.formIntersection(queue.waitingEntries.map(\.id) + [queue.playing?.entry.id].compactMap { $0 })
        choices.formUnion(added.map { QueueEntryID($0.id) })
        // Another playlist is played since it was taken.
        if choosing != settings.playlist { for entry in added { ask(.remove(QueueEntryID(entry.id))) } }
    }

    /// Gives up what was taken from the playlist, since another one is played from now on.
    func dropChoices() {
        guard let queue = home.queue?.queue else { return }
        let (dropped, playing) = (choices, queue.playing?.entry.id)
        choices = []
        for entry in queue.waitingEntries where dropped.contains(entry.id) { ask(.remove(entry.id)) }
        guard let playing, dropped.contains(playing) else { return }
        guard home.room.seat == .server else {
            outdated = playing
            return
        }
        isHeld = false
        ask(.next(from: playing))
    }
}
