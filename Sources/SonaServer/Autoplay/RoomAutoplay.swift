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
    let room: RoomID
    private(set) var settings: Autoplay
    var current: PlayingTrack?
    /// The track whose epoch is being begun.
    private var beginning: PlayingTrack?
    /// The track of the epoch that was begun last.
    var sounding: PlayingTrack? { beginning ?? current }
    /// The track that is likely to come next.
    var prepared: (music: MusicID, track: LoadedTrack)?
    var loading: MusicID?
    /// The track that was to come next could not be opened.
    var hasFailed = false
    /// Where an entry goes on that played before the room rested, or before the server ended.
    var resumption: Resumption?
    /// Somebody has paused it.
    var isHeld = false
    var isResting = false
    /// The entry that plays by the queue is of another time, and is passed over.
    private var isStale = false
    /// A person has, or had, the seat.
    private var wasTaken = false
    private var isAsking = false
    /// The queue is told that this entry is over.
    private var finishing: QueueEntryID?
    private var isFollowDue = false
    /// A track of the playlist is being looked for, or is on its way into the queue: until then the queue is empty.
    var isChoosing = false
    /// Until when no further track is looked for in the playlist, µs.
    var choosesAfter: Int64 = 0
    /// Entries that the server took from the playlist.
    var choices: Set<QueueEntryID> = []
    /// The chosen entry, if it was taken from a playlist that is played no more while a person has the seat.
    var outdated: QueueEntryID?
    /// The playlist that the last of them is from.
    var choosing: MusicID?
    var jingles = JinglePlaying()
    /// Since when nobody has listened, µs.
    private var emptySince: Int64?

    /// Where an entry goes on.
    struct Resumption {
        /// The number of its play; `nil`: the first that is chosen.
        var play: Int64?
        var positionMicroseconds: Int64
        /// The server time of that place, if the sound has gone on since: it is further by now. `nil` if it stands still.
        var sinceMicroseconds: Int64?

        /// The place at a server time, µs.
        func place(at time: Int64) -> Int64 {
            guard let sinceMicroseconds else { return positionMicroseconds }
            return positionMicroseconds + max(0, time - sinceMicroseconds)
        }
    }

    /// What decoders need before a place to sound right there, samples. RFC 7845 §4.6.
    private static let prerollSamples: Int64 = 3_840

    init(_ settings: Autoplay, _ stored: RoomStore.StoredPlayback?, in home: RoomHome) {
        self.home = home
        room = home.id
        self.settings = settings
        wasTaken =
            switch home.room.seat {
            case .held, .away: true
            case .vacant, .server: false
            }
        // What a room played before its schedule woke it is over; of a server that ended just then, what the room played by
        // itself.
        if let stored, let play = home.scheduled, let playing = home.queue?.queue.playing {
            let begun = playing.startedMilliseconds ?? playing.entry.addedMilliseconds
            let isOwners = playing.entry.suggestedBy == home.room.owner.uid
            isStale = stored.anchorWallMilliseconds < play.since || begun < play.since && isOwners
            if isStale { return }
        }
        isHeld = stored?.state == .paused
        if isHeld, let now = home.queue?.queue.playing, now.startedMilliseconds == nil {
            // It was paused in the jingle before: the entry waits at its beginning.
            resumption = Resumption(play: now.play, positionMicroseconds: 0)
        }
        if let stored, stored.state != .stopped, let now = home.queue?.queue.playing, now.startedMilliseconds != nil {
            // The clock of server time began anew with the server.
            let passed = max(0, MonotonicClock.wallMilliseconds() - stored.anchorWallMilliseconds) * 1_000
            resumption = Resumption(
                play: now.play, positionMicroseconds: stored.positionMicroseconds,
                sinceMicroseconds: stored.state == .playing ? MonotonicClock.nowMicroseconds() - passed : nil)
        }
    }

    var core: ShardCore { home.core }
    var lead: Int64 { home.room.leadMicroseconds }

    // MARK: What happens

    /// The settings have changed.
    func change(to settings: Autoplay) {
        if settings.jingles?.playlist != self.settings.jingles?.playlist { jingles.prepared = nil }
        jingles.hasFailed = false
        self.settings = settings
        choosesAfter = 0
        followSoon()
    }

    /// Begins with the first entry of the queue at a place that somebody hears already.
    ///
    /// - Parameter since: Server time of that place, µs; `nil`: the room is paused there.
    func begin(at position: Int64, since: Int64?, now: Int64) {
        resumption = Resumption(play: nil, positionMicroseconds: position, sinceMicroseconds: since)
        guard since == nil else { return }
        isHeld = true
        home.update(now: now) { room in (try? room.pauseHost(HostSeat.serverMember, position: position, now: now)) ?? []
        }
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
        if let current, !current.isJingle {
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
            if let entry = home.queue?.queue.playing, entry.startedMilliseconds != nil || entry.entry.id == outdated {
                ask(.finished(entry.entry.id))
            }
            outdated = nil
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

    func follow() {
        guard home.room.seat == .server, !isResting, let queue = home.queue?.queue else { return }
        if isStale, let now = queue.playing {
            isStale = false
            return ask(.next(from: now.entry.id))
        }
        guard let now = queue.playing else {
            if let current, current.isEnding, !current.isEnded { return }
            if resumption?.play != nil { resumption = nil }
            if !queue.waitingEntries.isEmpty { return ask(.next(from: nil)) }
            // What sounds goes on until it is known that nothing follows it.
            guard !choose() else { return }
            if current != nil || home.room.isLive { stop(.stopped, now: MonotonicClock.nowMicroseconds()) }
            return
        }
        if resumption != nil, resumption?.play == nil { resumption?.play = now.play }
        // It does not begin again while the queue takes it away.
        if current == nil, finishing == now.entry.id { return }
        // The last packets of the track before are sent first.
        if let current, current.isEnding && !current.isEnded || current.play == now.play && !current.isJingleOver {
            return
        }
        // A room that was paused before the server ended waits.
        if isHeld, current == nil, resumption?.play == now.play { return }
        begin(now)
    }

    private func begin(_ now: NowPlaying) {
        guard let music = now.entry.music else { return skip(now.entry.id) }
        guard let prepared, prepared.music == music else {
            return load(music, between: current?.music, and: home.queue.flatMap { waiting(0, in: $0.queue) }?.music)
        }
        guard resumption?.play == now.play || !playsJingle(before: now) else { return }
        self.prepared = nil
        hasFailed = false
        var place: Int64 = 0
        let isContinued = resumption?.play == now.play
        if let resumption, resumption.play == now.play {
            place = resumption.place(at: home.room.serverStart(now: MonotonicClock.nowMicroseconds()))
        }
        resumption = nil
        isHeld = false
        var track = PlayingTrack(
            entry: now.entry.id, play: now.play, music: music, now.entry.reference.track, prepared.track)
        guard place * 48 / 1000 < track.file.durationSamples else {
            // It would be over by now.
            return ask(.finished(now.entry.id))
        }
        start(&track, at: place, prepared.track.first)
        if !isContinued { countForJingles() }
    }

    /// Begins an epoch with a track.
    func start(_ track: inout PlayingTrack, at position: Int64, _ first: OpusTrackFile.Block?) {
        let file = track.file
        let target = Int64(file.head.preSkip) + position * 48 / 1000
        let packet = position == 0 ? 0 : file.packet(containing: max(0, target - Self.prerollSamples))
        track.move(to: packet, hearing: target, first)
        let request = HostStart(
            stream: StreamOffer(channels: file.head.channels, preSkip: Int(track.preSkip), gain: track.gain),
            pacing: .server, track: track.told, positionMicroseconds: position, followsQueue: true)
        let now = MonotonicClock.nowMicroseconds()
        beginning = track
        defer { beginning = nil }
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
    func skip(_ entry: QueueEntryID) {
        // Not at once: a queue of nothing else, which repeats, would keep the server busy.
        home.after(.milliseconds(500)) { home in
            guard home.queue?.queue.playing?.entry.id == entry, home.room.seat == .server else { return }
            home.autoplay?.ask(.next(from: entry))
        }
    }

    func ask(_ command: PartyCommand) {
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
            if case .add = command { isChoosing = false }
            if case .finished = command { finishing = nil }
            if case .success(let done) = result {
                if case .add = command { note(choices: done.added) }
                return followSoon()
            }
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
}

extension QueueEntry {
    /// The track of the library that it names, if it does.
    var music: MusicID? {
        if case .library(let text)? = reference.source { MusicID(text) } else { nil }
    }
}
