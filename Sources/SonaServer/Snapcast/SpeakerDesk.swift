internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The speakers that hear one room. On the room's loop.
///
/// A chunk is made once and goes to all of them. Its time is a buffer before it sounds, so that a speaker which adds its
/// buffer plays it when all members do.
final class SpeakerDesk {
    private unowned let home: RoomHome  // Owns this.
    private var timeline = SnapcastTimeline()
    private var members: [UInt64: (link: SnapcastLink, way: SpeakerWay)] = [:]
    /// What was sent and may still be to sound, for speakers that come: when it sounds to its end, µs, and its message.
    private var recent: [(end: Int64, frame: WebSocketFrame)] = []
    private var isFlushDue = false
    /// How much later than its time a chunk sounds, ms.
    let bufferMilliseconds: Int

    /// Outputs of players are late by up to some 300 ms, and they refuse a buffer shorter than that.
    static let bufferMillisecondsMin = 1_000
    /// Decoders need some packets before the first that is heard, µs.
    private static let preroll: Int64 = 100_000

    var id: RoomID { home.id }

    /// The desk of a room, made if there is none.
    static func of(_ home: RoomHome) -> SpeakerDesk {
        if let desk = home.speakers { return desk }
        let desk = SpeakerDesk(home, now: MonotonicClock.nowMicroseconds())
        home.speakers = desk
        return desk
    }

    private init(_ home: RoomHome, now: Int64) {
        self.home = home
        bufferMilliseconds = max(Self.bufferMillisecondsMin, Int(home.room.leadMicroseconds / 1_000))
        for chunk in home.outlet.recent(from: now - Self.preroll, to: .max) {
            guard let info = home.room.streamInfo(of: chunk.header.epoch) else { continue }
            keep(timeline.take(chunk, info, now: now), now: now)
        }
        flushLater(now: now)
    }

    // MARK: Speakers

    var count: Int { members.count }
    var audience: [RadioAudience] { members.values.compactMap(\.link.hello).map { .speaker($0.speaker) } }

    /// Lets a speaker hear the room: it gets what is to sound from now on.
    ///
    /// - Throws: `room.not_found` if it may not; `room.full`.
    func enter(_ link: SnapcastLink, _ way: SpeakerWay, now: Int64) throws(WireError) {
        defer { if members.isEmpty { home.speakers = nil } }
        guard admits(way) else { throw WireError(.roomNotFound) }
        guard count + home.room.members.count < Limits.listenersPerRoomMax else { throw WireError(.roomFull) }
        members[link.number] = (link, way)
        link.desk = self
        link.begin()
        for entry in recent where entry.end > now - Self.preroll { link.send(entry.frame) }
        if let hello = link.hello { home.noteAudience(entering: .speaker(hello.speaker)) }
        home.noteRadio(now: now)
        home.core.services.log.log(
            .speakerStarted, "The speaker \(link.hello?.speaker ?? "") hears room \(id).", [.address(link.remote.text)])
    }

    func change(_ link: SnapcastLink, _ way: SpeakerWay) {
        if members[link.number] != nil { members[link.number] = (link, way) }
    }

    func leave(_ link: SnapcastLink) {
        guard members.removeValue(forKey: link.number) != nil else { return }
        link.desk = nil
        if members.isEmpty { home.speakers = nil }
        home.noteRadio(now: MonotonicClock.nowMicroseconds())
    }

    /// The room has ended: its speakers wait for another.
    func end() {
        for (link, _) in members.values {
            leave(link)
            link.begin()
        }
    }

    private func admits(_ way: SpeakerWay) -> Bool {
        switch way {
        case .assigned: true
        case .open: home.room.isOpenToAll && home.core.services.live.takesGuests
        case .account(let account):
            (!account.isGuest || home.core.services.live.takesGuests)
                && home.room.admits(User(account), wall: MonotonicClock.wallMilliseconds())
        }
    }

    /// Looks for another room for those who may not hear this one any more.
    func check() {
        for (link, way) in members.values {
            guard admits(way) else {
                home.core.snapcast?.move(link)
                continue
            }
            guard case .account(let account) = way else { continue }
            let (shard, accounts, room, number) = (home.core.shard, home.core.services.model.accounts, id, link.number)
            Task {
                // What cannot be read now is looked at again.
                let lasts = (try? accounts.current(account)) != nil
                guard let isKept = try? await accounts.lasts(account), !(lasts && isKept) else { return }
                await shard.perform { core in
                    guard let link = core.rooms[room]?.speakers?.members[number]?.link else { return }
                    core.snapcast?.move(link)
                }
            }
        }
    }

    // MARK: Sound

    /// Takes a packet that the room has been sent.
    func take(_ chunk: AudioChunk, now: Int64) {
        guard let info = home.room.streamInfo(of: chunk.header.epoch) else { return }
        deliver(timeline.take(chunk, info, now: now), now: now)
        flushLater(now: now)
    }

    private func flushLater(now: Int64) {
        guard !isFlushDue, let due = timeline.due else { return }
        isFlushDue = true
        home.after(.microseconds(max(1_000, due - now))) { home in
            guard let desk = home.speakers else { return }
            desk.isFlushDue = false
            let now = MonotonicClock.nowMicroseconds()
            if let due = desk.timeline.due, due <= now { desk.deliver(desk.timeline.flush(), now: now) }
            desk.flushLater(now: now)
        }
    }

    private func deliver(_ steps: [SnapcastTimeline.Step], now: Int64) {
        guard !steps.isEmpty else { return }
        let frames = keep(steps, now: now)
        for frame in frames {
            for (link, _) in members.values { link.send(frame) }
        }
        home.core.figures.speakerDeliveries &+= UInt64(frames.count * members.count)
    }

    /// The messages of some steps, which are kept for those who come.
    @discardableResult
    private func keep(_ steps: [SnapcastTimeline.Step], now: Int64) -> [WebSocketFrame] {
        if let first = recent.first, first.end < now - Self.preroll {
            recent.removeAll { $0.end < now - Self.preroll }
        }
        var frames: [WebSocketFrame] = []
        for step in steps {
            switch step {
            case .restart:
                recent = []
                frames.append(WebSocketFrame(raw: SnapcastMessage.opus(now: now)))
            case .packet(let packet, let time, let samples):
                let at = time - Int64(bufferMilliseconds) * 1_000
                let frame = WebSocketFrame(raw: SnapcastMessage.chunk(packet, at: at, now: now))
                recent.append((time + Int64(samples) * 1_000 / 48, frame))
                frames.append(frame)
            }
        }
        return frames
    }
}

extension RoomHome {
    /// Players that know nothing of rooms have come or gone: those by HTTP, and speakers.
    func noteRadio(now: Int64) {
        let count = (radio?.count ?? 0) + (speakers?.count ?? 0)
        update(now: now) { $0.setRadioListeners(count) }
        noteAudience(now: now)
        autoplay?.noteListeners(now: now)
        if count == 0, room.isIdle { forgetSoon() }
    }
}
