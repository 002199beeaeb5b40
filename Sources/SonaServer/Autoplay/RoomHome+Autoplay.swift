internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A room that plays by itself, as its home sees it.
extension RoomHome {
    /// Has the room play by itself, or leaves that to people.
    ///
    /// - Parameter stored: Where the room was when it was written down last, if it has just been woken.
    func setAutoplay(_ settings: Autoplay, _ stored: RoomStore.StoredPlayback? = nil, now: Int64) {
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

    /// Changes the room where nothing can be refused.
    func update(now: Int64, _ body: (inout LiveRoom) -> [RoomEffect]) {
        _ = try? update(now: now) { room throws(WireError) in ((), body(&room)) }
    }

    /// Sends a packet of the server's own.
    func send(_ header: AudioUp, _ packet: UnsafeRawBufferPointer, now: Int64) {
        _ = try? update(now: now) { room throws(WireError) in
            ((), try room.ingest(HostSeat.serverMember, header, packet, now: now).effects)
        }
    }
}
