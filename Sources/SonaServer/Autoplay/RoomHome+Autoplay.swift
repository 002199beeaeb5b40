internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A room that plays by itself, as its home sees it.
extension RoomHome {
    /// Somebody who controls the room has it play by itself, or leaves that to people. What the schedule says comes first.
    func setAutoplay(_ settings: Autoplay, now: Int64) {
        autoplaySettings = settings
        followAutoplay(wantedAutoplay, now: now)
    }

    /// The schedule has the room play, or leaves that to what was set.
    func setScheduled(_ play: ScheduledPlay?, now: Int64) {
        guard play != scheduled else { return }
        let former = wantedAutoplay
        scheduled = play
        // What the server took from the playlist that was up to now is over; what people chose is not.
        let leaves = wantedAutoplay.playlist != former.playlist
        if leaves { autoplay?.dropChoices() }
        followAutoplay(wantedAutoplay, now: now)
    }

    /// The room has just been woken.
    ///
    /// - Parameter stored: Where it was when it was written down last.
    func wakeAutoplay(
        _ settings: Autoplay, _ play: ScheduledPlay?, _ stored: RoomStore.StoredPlayback?, now: Int64
    ) {
        (autoplaySettings, scheduled) = (settings, play)
        guard wantedAutoplay.isOn else { return }
        followAutoplay(wantedAutoplay, stored, now: now)
    }

    private var wantedAutoplay: Autoplay {
        scheduled.map { Autoplay(isOn: true, playlist: $0.playlist, jingles: autoplaySettings.jingles) }
            ?? autoplaySettings
    }

    private func followAutoplay(_ settings: Autoplay, _ stored: RoomStore.StoredPlayback? = nil, now: Int64) {
        guard settings.isOn, queue != nil else {
            autoplay?.end()
            autoplay = nil
            update(now: now) { $0.dismissServer(now: now) }
            return
        }
        if let autoplay { return autoplay.change(to: settings) }
        let autoplay = RoomAutoplay(settings, stored, in: self)
        self.autoplay = autoplay
        update(now: now) { $0.admitServer() }
        autoplay.noteListeners(now: now)
        autoplay.followSoon()
    }

    /// What is heard now and would follow, for somebody who goes on with it alone.
    struct Heard {
        var tracks: [MusicID]
        /// Microseconds in the first.
        var position: Int64
        var isPlaying: Bool
        var repeats: PlayerRepeat
    }

    /// - Returns: `nil` if nothing of the library is heard.
    func heardNow(now: Int64) -> Heard? {
        guard let music = room.tracks.view(at: now).current?.track?.music else { return nil }
        let playback = room.playback
        let following = queue.map { queue in
            queue.queue.order.compactMap { id in queue.queue.waitingEntries.first { $0.id == id }?.music }
        }
        let repeats: PlayerRepeat =
            switch queue?.queue.repeatMode {
            case .one: .one
            case .all: .all
            default: .off
            }
        return Heard(
            tracks: [music] + (following ?? []), position: playback.position(at: now),
            isPlaying: playback.current.state == .playing, repeats: repeats)
    }

    /// Changes the room where nothing can be refused.
    func update(now: Int64, _ body: (inout LiveRoom) -> [RoomEffect]) {
        _ = try? update(now: now) { room throws(WireError) in ((), body(&room)) }
    }

    /// A track may not be played any more: what plays it goes on with the next one.
    func silence(_ music: MusicID) {
        pastFiles.removeAll { $0.music == music }
        autoplay?.silence(music)
    }

    /// Sends a packet of the server's own.
    func send(_ header: AudioUp, _ packet: UnsafeRawBufferPointer, now: Int64) {
        _ = try? update(now: now) { room throws(WireError) in
            ((), try room.ingest(HostSeat.serverMember, header, packet, now: now).effects)
        }
    }
}
