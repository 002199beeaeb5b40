internal import SonaAudio
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A room that plays its queue by itself: the server in the host seat.
///
/// It follows the queue as other hosts do: it plays the entry that was chosen, says when that sounds and when it is over,
/// and is told of what people change. It sends packets of the tracks' files a little more than a lead before they sound;
/// blocks of them are read ahead by the threads of `TrackReader`, and the next track is opened while one plays.
///
/// States:
///
///     silent ──(an entry is chosen, its file is open)──▶ playing ──(all is sent)──▶ silent or playing the next
///     playing ──(paused by somebody)──▶ held ──(play, seek, another entry)──▶ playing
///     any ──(nobody has listened for ten minutes)──▶ resting ──(somebody comes)──▶ as before
///
/// On the loop.
///
/// Source: Protocol/spec/autoplay.md.
final class RoomAutoplay {
    unowned let home: RoomHome  // Owns this.
    private let room: RoomID
    private(set) var settings: Autoplay
    private var current: PlayingTrack?
    /// The track that is likely to come next.
    private var prepared: (music: MusicID, track: LoadedTrack)?
    private var loading: MusicID?
    /// The track that was to come next could not be opened.
    private var hasFailed = false
    /// Where an entry goes on that played before the room rested, or before the server ended.
    private var resumption: Resumption?
    /// Somebody has paused it.
    private var isHeld = false
    private var isResting = false
    /// A person has, or had, the seat.
    private var wasTaken = false
    private var isAsking = false
    /// The queue is told that this entry is over.
    private var finishing: QueueEntryID?
    private var isFollowDue = false
    private var isChoosing = false
    /// Until when no further track is looked for in the playlist, µs.
    private var choosesAfter: Int64 = 0
    /// Since when nobody has listened, µs.
    private var emptySince: Int64?

    /// Where an entry goes on.
    private struct Resumption {
        var play: Int64
        var positionMicroseconds: Int64
        /// Wall time of that place in a room whose server ended, ms: its listeners would be further by now. `nil`: the
        /// place stays.
        var sinceMilliseconds: Int64?

        /// The place for an epoch that begins so much later than now, µs.
        func place(in microseconds: Int64) -> Int64 {
            guard let sinceMilliseconds else { return positionMicroseconds }
            let passed = max(0, MonotonicClock.wallMilliseconds() - sinceMilliseconds) * 1_000
            return positionMicroseconds + passed + microseconds
        }
    }

    /// By how much more than a lead packets are sent ahead, µs: those of this time go out together.
    private static let ahead: Int64 = 100_000
    /// The queue is told this long before the last packet of a track is sent, so that the next is chosen when it is:
    /// the change is stored first. Samples.
    private static let endingSamples: Int64 = 19_200
    /// How long before its end the track after it is opened, samples.
    private static let preparingSamples: Int64 = 20 * 48_000
    /// What decoders need before a place to sound right there, samples. RFC 7845 §4.6.
    private static let prerollSamples: Int64 = 3_840
    /// How long a playlist without a track to play is left alone, µs.
    private static let choosingPause: Int64 = 30_000_000

    init(_ settings: Autoplay, _ stored: RoomStore.StoredPlayback?, in home: RoomHome) {
        self.home = home
        room = home.id
        self.settings = settings
        isHeld = stored?.state == .paused
        if let stored, stored.state != .stopped, let now = home.queue?.queue.playing, now.startedMilliseconds != nil {
            resumption = Resumption(
                play: now.play, positionMicroseconds: stored.positionMicroseconds,
                sinceMilliseconds: stored.state == .playing ? stored.anchorWallMilliseconds : nil)
        }
        emptySince = MonotonicClock.nowMicroseconds()
    }

    private var core: ShardCore { home.core }
    private var lead: Int64 { home.room.leadMicroseconds }

    // MARK: What happens

    /// The settings have changed.
    func change(to settings: Autoplay) {
        self.settings = settings
        choosesAfter = 0
        followSoon()
    }

    /// The room is put to sleep, or does not play by itself any more.
    func end() {
        core.autoplays.end(room)
        current = nil
        prepared = nil
    }

    /// Somebody came in or left.
    func noteListeners(now: Int64) {
        if home.room.listenerCount > 0 {
            emptySince = nil
            if isResting {
                isResting = false
                followSoon()
            }
        } else if emptySince == nil {
            emptySince = now
            restLater()
        }
    }

    private func restLater() {
        let seconds = core.services.configuration.autoplayRestSeconds
        if seconds > 0 { home.after(.seconds(seconds)) { $0.autoplay?.restIfEmpty() } }
    }

    private func restIfEmpty() {
        let now = MonotonicClock.nowMicroseconds()
        let seconds = core.services.configuration.autoplayRestSeconds
        guard let emptySince, seconds > 0, now - emptySince >= Int64(seconds) * 1_000_000, !isResting else { return }
        isResting = true
        if let current {
            let place = isHeld ? home.room.playback.latest.positionMicroseconds : positionAtEdge
            resumption = Resumption(play: current.play, positionMicroseconds: place)
        }
        stop(isHeld ? .paused : .buffering, now: now)
        home.forgetSoon()
    }

    /// Another host has taken the seat, or it is free again.
    func noteSeat(now: Int64) {
        switch home.room.seat {
        case .vacant: break
        case .server:
            // What played before a person took the seat, or what they played of the queue, is over.
            guard wasTaken else { break }
            wasTaken = false
            if let entry = home.queue?.queue.playing, entry.startedMilliseconds != nil {
                ask(.finished(entry.entry.id))
            }
        case .held, .away:
            core.autoplays.end(room)
            current = nil
            isHeld = false
            resumption = nil
            wasTaken = true
        }
        followSoon()
    }

    /// Looks at the queue when what happens now is done.
    func followSoon() {
        guard !isFollowDue else { return }
        isFollowDue = true
        home.after(.zero) { home in
            home.autoplay?.isFollowDue = false
            home.autoplay?.follow()
        }
    }

    // MARK: Following the queue

    private func follow() {
        guard home.room.seat == .server, !isResting, let queue = home.queue?.queue else { return }
        guard let now = queue.playing else {
            if let current, current.isEnding, !current.isEnded { return }
            resumption = nil
            if !queue.waitingEntries.isEmpty { return ask(.next(from: nil)) }
            // What sounds goes on until it is known that nothing follows it.
            guard !choose() else { return }
            if current != nil || home.room.isLive { stop(.stopped, now: MonotonicClock.nowMicroseconds()) }
            return
        }
        // It does not begin again while the queue takes it away.
        if current == nil, finishing == now.entry.id { return }
        // The last packets of the track before are sent first.
        if let current, current.play == now.play || current.isEnding && !current.isEnded { return }
        // A room that was paused before the server ended waits.
        if isHeld, current == nil, resumption?.play == now.play { return }
        begin(now)
    }

    private func begin(_ now: NowPlaying) {
        guard let music = now.entry.music else { return skip(now.entry.id) }
        guard let prepared, prepared.music == music else { return load(music) }
        self.prepared = nil
        hasFailed = false
        var place: Int64 = 0
        if let resumption, resumption.play == now.play {
            let present = MonotonicClock.nowMicroseconds()
            place = resumption.place(in: home.room.serverStart(now: present) - present)
        }
        resumption = nil
        isHeld = false
        var track = PlayingTrack(entry: now.entry.id, play: now.play, music: music, file: prepared.track.file)
        guard place * 48 / 1000 < track.file.durationSamples else {
            // It would be over by now.
            return ask(.finished(now.entry.id))
        }
        start(&track, now.entry, at: place, prepared.track.first)
    }

    /// Begins an epoch with a track.
    private func start(
        _ track: inout PlayingTrack, _ entry: QueueEntry, at position: Int64, _ first: OpusTrackFile.Block?
    ) {
        let file = track.file
        let target = Int64(file.head.preSkip) + position * 48 / 1000
        let packet = position == 0 ? 0 : file.packet(containing: max(0, target - Self.prerollSamples))
        track.move(to: packet, first)
        var told = entry.reference.track
        told.durationMicroseconds = Timeline.microseconds(file.durationSamples)
        told.music = track.music
        let request = HostStart(
            stream: StreamOffer(channels: file.head.channels, preSkip: Int(target - file.start(of: packet))),
            pacing: .server, track: told, positionMicroseconds: position, followsQueue: true)
        let now = MonotonicClock.nowMicroseconds()
        let begun = try? home.update(now: now) { room throws(WireError) in
            let (started, effects) = try room.startServer(request, now: now)
            return (started, effects)
        }
        guard let begun else { return }
        track.epoch = begun.epoch
        track.startsAt = begun.startMicroseconds
        current = track
        core.autoplays.begin(self, in: room)
        tick(now: now)
    }

    /// Ends what plays.
    private func stop(_ state: PlaybackState, now: Int64) {
        core.autoplays.end(room)
        current = nil
        prepared = nil
        home.update(now: now) { $0.quietServer(state, now: now) }
    }

    /// Passes over an entry that the server cannot play: an address, a file of somebody else's, a track that is gone.
    private func skip(_ entry: QueueEntryID) {
        // Not at once: a queue of nothing else, which repeats, would keep the server busy.
        home.after(.milliseconds(500)) { home in
            guard home.queue?.queue.playing?.entry.id == entry, home.room.seat == .server else { return }
            home.autoplay?.ask(.next(from: entry))
        }
    }

    private func ask(_ command: PartyCommand) {
        if case .next = command {
            guard !isAsking else { return }
            isAsking = true
        }
        if case .finished(let entry) = command { finishing = entry }
        home.queue?.perform(command, nil, as: .server(for: home.room.owner.uid), now: MonotonicClock.wallMilliseconds())
        {
            [weak self] result in
            guard let self else { return }
            isAsking = false
            if case .finished = command { finishing = nil }
            if case .success = result { return followSoon() }
            // The disk refuses writes, or somebody was faster.
            home.after(.seconds(1)) { $0.autoplay?.askAgain(command) }
        }
    }

    /// Asks once more for what could not be stored, if it still applies.
    private func askAgain(_ command: PartyCommand) {
        guard home.room.seat == .server, let queue = home.queue?.queue else { return }
        switch command {
        case .finished(let entry) where queue.playing?.entry.id == entry: ask(command)
        case .next, .add: followSoon()
        default: break
        }
    }

    // MARK: Sending

    /// Sends what is due. Called some fifty times a second.
    func tick(now: Int64) {
        guard var track = current, !isHeld else { return }
        if !track.isTold, now >= track.startsAt {
            track.isTold = true
            ask(.started(track.entry))
        }
        let horizon = now + lead + Self.ahead
        if (home.room.soundEdge ?? now) < horizon, !track.isEnded {
            while (home.room.soundEdge ?? now) < horizon, track.send({ home.send($0, $1, now: now) }) {}
            if track.left <= Self.preparingSamples { prepare(after: track) }
            if !track.isEnding, track.left <= Self.endingSamples {
                track.isEnding = true
                ask(.finished(track.entry))
            }
        }
        if let packet = track.wanted { read(packet, &track) }
        current = track
        if track.isEnded { followSoon() }
    }

    private func read(_ packet: Int, _ track: inout PlayingTrack) {
        track.isReading = true
        let (file, shard, room, number) = (track.file, core.shard, room, track.reading)
        core.autoplays.reader.run {
            let block = try? file.read(from: packet, samples: PlayingTrack.blockSamples)
            shard.postUrgently { core in core.rooms[room]?.autoplay?.take(block, number, of: file) }
        }
    }

    private func take(_ block: OpusTrackFile.Block?, _ reading: Int, of file: OpusTrackFile) {
        guard let current, current.file === file else { return }
        guard let block else {
            // The file was changed or has gone.
            if current.reading == reading { ask(.next(from: current.entry)) }
            return
        }
        self.current?.take(block, reading)
        tick(now: MonotonicClock.nowMicroseconds())
    }

    // MARK: The next track

    /// Opens the track that will play next, if nothing changes.
    private func prepare(after track: PlayingTrack) {
        guard prepared == nil, loading == nil, !hasFailed, let queue = home.queue?.queue else { return }
        switch queue.repeatMode {
        case .one: load(track.music)
        case .all where queue.waitingEntries.isEmpty: load(track.music)
        case .off, .all:
            guard let first = queue.order.first else {
                choose()
                return
            }
            if let music = queue.waitingEntries.first(where: { $0.id == first })?.music { load(music) }
        }
    }

    private func load(_ music: MusicID) {
        guard loading != music else { return }
        loading = music
        let (library, shard, room, owner) = (core.services.library, core.shard, room, home.room.owner.uid)
        let reader = core.autoplays.reader
        Task {
            let sound = try? await library.rooms.sound(of: music, for: owner)
            guard let sound else { return shard.post { $0.rooms[room]?.autoplay?.loaded(nil, music) } }
            reader.run {
                var track: LoadedTrack?
                if let file = try? OpusTrackFile(descriptor: sound.descriptor, name: "track \(music.rawValue)"),
                    let first = try? file.read(from: 0, samples: PlayingTrack.blockSamples)
                {
                    track = LoadedTrack(file: file, first: first)
                }
                shard.postUrgently { [track] core in core.rooms[room]?.autoplay?.loaded(track, music) }
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
    private func choose() -> Bool {
        let now = MonotonicClock.nowMicroseconds()
        guard !isChoosing else { return true }
        guard let playlist = settings.playlist, now >= choosesAfter, let queue = home.queue?.queue else { return false }
        isChoosing = true
        choosesAfter = now + Self.choosingPause
        let wall = MonotonicClock.wallMilliseconds()
        let cooldown = Int64(max(queue.rules.cooldownSeconds, 60)) * 1_000
        let played = queue.tracksPlayed(since: wall - cooldown).compactMap { MusicID($0) }
        let artist = queue.playing?.entry.reference.track.artist ?? home.room.track?.artist
        let (library, shard, room, owner) = (core.services.library, core.shard, room, home.room.owner.uid)
        Task {
            let track = try? await library.rooms.choose(from: playlist, for: owner, sparing: played, artist: artist)
            await shard.perform { $0.rooms[room]?.autoplay?.chosen(track) }
        }
        return true
    }

    private func chosen(_ track: Track?) {
        isChoosing = false
        guard home.room.seat == .server, !isResting, home.queue?.queue.waitingEntries.isEmpty == true else {
            return followSoon()
        }
        guard let track, let music = track.music, let reference = try? TrackReference(track, source: music.rawValue) else {
            // The playlist may have something to play later.
            home.after(.microseconds(Self.choosingPause)) { $0.autoplay?.followSoon() }
            return followSoon()
        }
        choosesAfter = 0
        ask(.add([reference], at: .last))
    }

    // MARK: Commands

    /// Where the sound that was sent ends, µs in the track.
    private var positionAtEdge: Int64 {
        guard let edge = home.room.soundEdge else { return 0 }
        return home.room.playback.position(at: edge)
    }

    /// Does what somebody who controls the room asks for.
    ///
    /// - Throws: `queue.empty` if there is nothing to play.
    func perform(
        _ action: HostCommand.Action, position: Int64?, now: Int64
    ) throws(WireError) -> PlaybackResult {
        guard var track = current, let entry = home.queue?.queue.playing?.entry, entry.id == track.entry else {
            return try performSilently(action, position: position, now: now)
        }
        let most = max(0, Timeline.microseconds(track.file.durationSamples) - 1)
        switch action {
        case .pause:
            isHeld = true
            try hold(at: nil, now: now)
        case .seek where isHeld: try hold(at: min(position ?? 0, most), now: now)
        case .play, .seek:
            let place = position ?? (isHeld ? home.room.playback.latest.positionMicroseconds : 0)
            isHeld = false
            current = nil
            start(&track, entry, at: min(place, most), nil)
        }
        return home.playback(now: now)
    }

    private func hold(at position: Int64?, now: Int64) throws(WireError) {
        try home.update(now: now) { room throws(WireError) in
            ((), try room.pauseHost(HostSeat.serverMember, position: position, now: now))
        }
    }

    /// The same while no file is open.
    private func performSilently(
        _ action: HostCommand.Action, position: Int64?, now: Int64
    ) throws(WireError) -> PlaybackResult {
        guard let playing = home.queue?.queue.playing else {
            guard action == .play, home.queue?.queue.waitingEntries.isEmpty == false || settings.playlist != nil else {
                throw WireError(.queueEmpty)
            }
            followSoon()
            return home.playback(now: now)
        }
        if let position { resumption = Resumption(play: playing.play, positionMicroseconds: position) }
        switch action {
        case .pause: isHeld = true
        case .play: isHeld = false
        case .seek: break
        }
        followSoon()
        return home.playback(now: now)
    }
}

extension QueueEntry {
    /// The track of the library that it names, if it does.
    var music: MusicID? {
        if case .library(let text)? = reference.source { MusicID(text) } else { nil }
    }
}
