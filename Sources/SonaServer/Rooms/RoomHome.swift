internal import SonaAudio
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A room at home: its state machine, its members' sessions, its outlet, and the code that carries out its effects.
final class RoomHome {
    private(set) var room: LiveRoom
    let outlet: RoomOutlet
    unowned let core: ShardCore  // The core's table holds this.
    /// Number of this stay awake: it differs each time that the room is woken.
    private let awakening: Int
    private var alarm: EventLoop.Timer?
    private var alarmDue: Int64?
    private var isCountDue = false
    private var isWeighingDue = false
    private var isForgetDue = false
    let commands = HostCommands()
    let history: HistoryWriter
    /// The last messages.
    var chat: ChatLog
    /// People who came and left since members were last told.
    var memberChanges = MemberChanges()
    var reactions = ReactionTally()
    var chatLimiter = ChatRateLimiter()
    var updates = UpdatePace()
    /// `nil` if the stored queue cannot be read.
    private(set) var queue: RoomQueue?
    /// `nil` while the room leaves playing to people.
    var autoplay: RoomAutoplay?
    /// What `autoplay.set` says, which holds while the schedule says nothing.
    var autoplaySettings = Autoplay(isOn: false)
    var scheduled: ScheduledPlay?
    /// What has played since the last jingle.
    var jingleProgress = JingleProgress()
    /// The state of the seat that `autoplay` was told of last.
    private var notedSeat = HostState.none
    /// Members' reports on how they hear the room; `nil` until the first.
    var meter: MeterDesk?
    /// What is kept of the present evening; `nil` in a room that keeps no replays.
    var keeping: ReplayKeeping?
    /// What members heard; `nil` until one says so.
    var heard: HeardDesk?
    /// Writes the host's sound down; `nil` while nobody agrees to it.
    var recorder: RoomRecorder?
    /// A program that hosts it by Icecast; `nil` while there is none.
    var source: SourceSeat?
    /// Listeners by HTTP; `nil` while there are none.
    var radio: RadioDesk?
    /// Players that speak Snapcast's protocol; `nil` while there are none.
    var speakers: SpeakerDesk?
    /// Who listens to the broadcast that goes on; `nil` between broadcasts.
    var audience: AudienceDesk?
    /// The last note for webhooks, which the next follows.
    var webhookNotes: Task<Void, Never>?
    /// What was counted before the server ended.
    var recalledAudience: OpenAudience?
    /// Invites revoked since the room was woken.
    var revokedInvites: Set<InviteID> = []
    /// What it has sounded, and files of tracks in it that are open for listeners.
    var past: PastSound<MusicID>
    var pastFiles: [(music: MusicID, file: OpusTrackFile)] = []
    /// Tracks that were heard after the data folder went to another process.
    private(set) var unwritten: [HeardTrack] = []
    /// Events for members who resume.
    var eventLog = RoomEventLog()

    /// When the position was last handed to the writer, µs.
    private var wroteAt: Int64 = 0
    /// Age of the last written position, µs, at which a playing room is handed to the writer again. With the writer's
    /// own wait, a killed server forgets at most five seconds.
    private static let writtenAgeMax = 5_000_000 - PlaybackWriter.gatheringMicroseconds

    /// Number of the last change of settings that was applied.
    private var settingsChangeNumber: Int64 = 0
    /// Changes of people and messages that were applied.
    var taken = TakenChanges()
    /// The session whose connection has been told that it has the seat.
    private var seated: MemberID?
    /// When a request last asked for the room, µs. The room stays awake for as long as that request may take.
    private var askedAt = MonotonicClock.nowMicroseconds()
    static let askedMicroseconds: Int64 = 30_000_000

    /// - Parameter awakening: A number that no other stay awake has.
    init(_ room: LiveRoom, chat: ChatLog, queue stored: StoredQueue, awakening: Int, core: ShardCore) {
        self.room = room
        self.awakening = awakening
        self.chat = chat
        self.core = core
        history = HistoryWriter(room.id, core.services.model.roomStorage, core.services.writes)
        past = PastSound(keptMicroseconds: room.ringMicroseconds)
        outlet = RoomOutlet(Lane(room: room.id), ringMicroseconds: room.ringMicroseconds, mailboxes: core.mailboxes)
        keeping = room.settings.keepsReplays ? ReplayKeeping(room, now: MonotonicClock.nowMicroseconds()) : nil
        guard stored.fault == nil else { return }
        queue = RoomQueue(stored, in: room.id, core: core) { [unowned self] in
            announceChat([.event($0)])
            autoplay?.followSoon()
        }
    }

    var id: RoomID { room.id }

    // MARK: Members

    /// The sessions of its members, in no order. The room has their numbers and the core has the sessions; a table here
    /// would only add to the cost of each listener.
    var sessions: some Sequence<Session> { room.members.keys.lazy.compactMap { [core] in core.sessions[$0] } }

    func session(of member: MemberID) -> Session? { room.members[member].flatMap { _ in core.sessions[member] } }

    /// - Parameter namesRoom: The room was named by its identifier.
    /// - Throws: As `LiveRoom.join`. On `room.approval_pending` the user is in the waiting room.
    func join(
        _ session: Session, _ user: User, _ request: RoomJoin, namesRoom: Bool, now: Int64
    ) throws(WireError) -> RoomSnapshot {
        do throws(WireError) {
            let (entered, effects) = try notingPresence(of: user) { () throws(WireError) in
                try room.join(
                    session.number, user, wantsAudio: request.wantsAudio, isGhost: request.isGhost,
                    namesRoom: namesRoom, now: now, wall: MonotonicClock.wallMilliseconds())
            }
            core.figures.joins &+= 1
            queue?.setPresence(of: user.uid, isHere: true)
            apply(effects, now: now)
            noteAudience(entering: user, now: now)
            autoplay?.noteListeners(now: now)
            var snapshot = entered
            snapshot.chat = chat.snapshot
            session.savesData = request.wantsAudio && takesDataSaver(request.savesData)
            snapshot.savesData = session.savesData ? true : nil
            return snapshot
        } catch {
            if error.code == .roomApprovalPending { try knock(session, user) }
            throw error
        }
    }

    func leave(_ session: Session, isLost: Bool, now: Int64) {
        guard let user = room.members[session.number]?.user else { return }
        if room.seat.member == session.number { commands.failAll(WireError(.hostAbsent)) }
        let effects = notingPresence(of: user) { room.leave(session.number, isLost: isLost, now: now) }
        apply(effects, now: now)
        noteAudience(now: now)
        meter?.forget(session.number)
        endHearing(of: session, now: now)
        if !room.presence.contains(user.uid) { queue?.setPresence(of: user.uid, isHere: false) }
        askedAt = now
        autoplay?.noteListeners(now: now)
        if room.isIdle { forgetSoon() }
    }

    /// Keeps the room awake for as long as a request may take.
    func noteAsked() { askedAt = MonotonicClock.nowMicroseconds() }

    /// Puts the room to sleep after a minute if it is still idle then.
    func forgetSoon() {
        guard !isForgetDue else { return }
        isForgetDue = true
        after(.seconds(60)) { home in
            home.isForgetDue = false
            guard home.room.isIdle else { return }
            home.isStill ? home.core.forget(home) : home.forgetSoon()
        }
    }

    /// Whether no request has asked for the room lately and all its state is stored.
    private var isStill: Bool {
        let isAsked = MonotonicClock.nowMicroseconds() - askedAt < Self.askedMicroseconds
        return !core.playbacks.isBusy(with: id) && queue?.isStill ?? true && !isAsked
    }

    /// Runs a body later, if the room is still awake.
    ///
    /// The room is looked up at that time. A weak reference would make every other reference slower, and each
    /// packet takes some.
    @discardableResult
    func after(_ duration: Duration, _ body: @escaping (RoomHome) -> Void) -> EventLoop.Timer {
        core.loop.schedule(after: duration) { [unowned core, id, awakening] in
            if let home = core.rooms[id], home.awakening == awakening { body(home) }
        }
    }

    /// The session in the host seat, if it is here.
    var hostSession: Session? { room.seat.member.flatMap { session(of: $0) } }

    /// The seat has changed hands. Both connections are told: each refuses frames by itself while it is not seated.
    private func noteSeat() {
        if let seated { core.sessions[seated]?.link.setSeated(false) }
        seated = room.seat.member
        if let seated { core.sessions[seated]?.link.setSeated(true) }
    }

    /// A member has another connection: it is told if the member is seated.
    func noteLink(of session: Session) {
        if seated == session.number { session.link.setSeated(true) }
    }

    func room(leaving member: MemberID, isLost: Bool, now: Int64) -> [RoomEffect] {
        room.leave(member, isLost: isLost, now: now)
    }

    // MARK: The state machine

    /// Changes the room and does what that entails. The result is the body's.
    func update<Result>(
        now: Int64, _ body: (inout LiveRoom) throws(WireError) -> (Result, [RoomEffect])
    ) throws(WireError) -> Result {
        let (result, effects) = try body(&room)
        apply(effects, now: now)
        return result
    }

    /// Who may host by the schedule from now on.
    func admit(_ hosts: SlotHosts) { room.slotHosts = hosts }

    func playbackNow() -> PlaybackResult { playback(now: MonotonicClock.nowMicroseconds()) }

    func playback(now: Int64) -> PlaybackResult {
        if let deadline = room.deadline, deadline <= now { apply(room.tick(now: now), now: now) }
        var history = room.playback
        history.advance(to: now)
        return PlaybackResult(playback: history.current, upcoming: history.upcoming, serverMicroseconds: now)
    }

    func apply(_ effects: [RoomEffect], now: Int64) {
        var isNews = false
        if room.seat.member != seated { noteSeat() }
        setRecording()
        for effect in effects {
            switch effect {
            case .chunk(let chunk):
                outlet.deliver(chunk, room.settings.delivery, now: now)
                record(chunk, now: now)
                radio?.take(chunk, now: now)
                speakers?.take(chunk, now: now)
                if now - wroteAt >= Self.writtenAgeMax { persist(isUrgent: false) }
            case .event(is RoomUpdated): noteUpdate(now: now)
            case .event(let event):
                remember(event)
                tell(event, now: now, isInOrder: true)
            case .position(let playback):
                past.note(playback)
                outlet.announce(
                    WebSocketFrame(
                        binary: PositionFrame(playback: playback, errorMicroseconds: room.positionError).encode()),
                    isInOrder: true)
                keep(playback, now: now)
            case .persist: persist(isUrgent: true)
            case .wentLive: markLive()
            case .heard(let track):
                if core.isHandingOver { unwritten.append(track) }
                history.add(.play(track), at: track.atMicroseconds, now: now)
                keeping?.passages.hear(track, position: room.playback.position(at: track.atMicroseconds))
            case .listenersChanged:
                weighSoon()
                countSoon()
            }
            if case .event = effect { isNews = true }
        }
        if keeping != nil { keepPassages(now: now) }
        if isNews {
            core.services.directory.note(room.description())
            noteAudience(now: now)
        }
        armAlarm(now: now)
        if room.seat.state != notedSeat {
            notedSeat = room.seat.state
            outlet.reach(back: room.ringMicroseconds)
            autoplay?.noteSeat(now: now)
        }
    }

    /// Tells all members an event, numbered, and keeps it for members who resume.
    ///
    /// - Parameter isInOrder: As in `RoomOutlet.announce`.
    @discardableResult
    func tell(_ event: any WireEvent, now: Int64, isInOrder: Bool = false) -> WebSocketFrame {
        let sequence = room.nextSequence()
        let frame = WebSocketFrame(text: Event.encode(event, room: id, seq: sequence))
        eventLog.append(frame, sequence, now: now)
        outlet.announce(frame, isInOrder: isInOrder)
        return frame
    }

    func announce(_ frame: WebSocketFrame) {
        outlet.announce(frame)
    }

    private func armAlarm(now: Int64) {
        let deadline = room.deadline
        // While packets flow the deadline only moves later: the alarm that is set checks again when it fires.
        if let alarmDue, let deadline, alarmDue <= deadline { return }
        if deadline == nil && alarmDue == nil { return }
        if let alarm { core.loop.cancel(alarm) }
        alarm = nil
        alarmDue = deadline
        guard let deadline else { return }
        alarm = after(.microseconds(deadline - MonotonicClock.nowMicroseconds())) { home in
            home.alarm = nil
            home.alarmDue = nil
            let now = MonotonicClock.nowMicroseconds()
            home.apply(home.room.tick(now: now), now: now)
            if home.room.isIdle { home.forgetSoon() }
        }
    }

    /// Passes the number of listeners to the queue, for its votes, after a second.
    private func weighSoon() {
        guard !isWeighingDue else { return }
        isWeighingDue = true
        after(.seconds(1)) { home in
            home.isWeighingDue = false
            home.queue?.setActiveListeners(home.activeListeners)
        }
    }

    /// Tells members who came, who left and how many listen, after a second and in one write, however many changes
    /// there were. Large rooms are told less often, so that it stays cheap.
    private func countSoon() {
        guard !isCountDue else { return }
        isCountDue = true
        let seconds = min(max(1, room.members.count / Limits.membersToldPerSecond), Limits.membersIntervalSecondsMax)
        after(.seconds(seconds)) { home in
            home.isCountDue = false
            home.tellCount()
        }
    }

    private func tellCount() {
        let count = RoomListeners(count: room.listenerCount)
        var frames = [WebSocketFrame(text: Event.encode(count, room: id, seq: nil))]
        if let changed = memberChanges.take(count: room.presence.count, ghostCount: room.presence.ghostCount) {
            frames.insert(WebSocketFrame(text: Event.encode(changed, room: id, seq: nil)), at: 0)
        }
        outlet.announceInPassing(WebSocketFrame(of: frames))
        core.services.directory.note(room.description())
    }

    // MARK: The owner

    /// Renames a user. O(members given).
    ///
    /// - Parameter members: At least the user's own.
    func rename(_ user: User, as members: [MemberID]) {
        queue?.rename(user)
        let effects = room.rename(user, as: members + [Self.localMember])
        if !effects.isEmpty { apply(effects, now: MonotonicClock.nowMicroseconds()) }
    }

    /// Applies settings that the owner has changed and stored.
    ///
    /// - Parameter changeNumber: Number of the change. It is ignored unless it is newer than the last one applied.
    func change(_ stored: RoomStore.StoredRoom, changeNumber: Int64) {
        guard changeNumber > settingsChangeNumber else { return }
        settingsChangeNumber = changeNumber
        let now = MonotonicClock.nowMicroseconds()
        if stored.owner.uid != room.owner.uid { apply(room.transfer(to: stored.owner), now: now) }
        let (effects, leaving) = room.change(to: stored.settings, picture: stored.picture)
        outlet.reach(back: room.ringMicroseconds)
        setKeeping(now: now)
        setRecording()
        radio?.checkListeners()
        speakers?.check()
        // Members who leave get this event in place of the one that those who stay get under the same number.
        let sequence = room.sequence + 1
        let closed = WebSocketFrame(
            text: Event.encode(RoomClosed(reason: "went_private"), room: id, seq: sequence))
        for member in leaving {
            guard let session = session(of: member) else { continue }
            session.part(by: closed, sequence, isTold: false)
            session.leaveRoom(isLost: false)
        }
        if leaving.isEmpty {
            apply(effects, now: now)
        } else {
            // The same number that the leaving members' event has.
            tellUpdateAtOnce(now: now)
            apply(effects.filter { if case .event(is RoomUpdated) = $0 { false } else { true } }, now: now)
            core.services.directory.note(room.description())
        }
        if !room.settings.hasWaitingRoom { answerAll(isAdmitted: room.settings.visibility == .public) }
    }

    /// Ends the room, or this stay awake of a room that nobody may enter for now.
    ///
    /// - Parameter reason: A word of the protocol, as in `RoomClosed`.
    func close(_ reason: String) {
        let now = MonotonicClock.nowMicroseconds()
        apply(room.end(now: now), now: now)
        let closed = tell(RoomClosed(reason: reason), now: now)
        radio?.end()
        speakers?.end()
        commands.failAll(WireError(.roomClosed))
        queue?.refuseAll(WireError(.roomClosed))
        for session in Array(sessions) {
            session.part(by: closed, room.sequence, isTold: true)
            session.leaveRoom(isLost: false)
        }
        answerAll(isAdmitted: false)
        if let alarm { core.loop.cancel(alarm) }
        alarm = nil
        alarmDue = nil
        autoplay?.end()
        autoplay = nil
        recorder?.close()
        core.forget(self)
    }

    // MARK: The durable side

    func persistNow() {
        if room.playback.latest.state != .stopped { persist(isUrgent: true) }
    }

    private func persist(isUrgent: Bool) {
        wroteAt = MonotonicClock.nowMicroseconds()
        core.playbacks.write(id, isUrgent: isUrgent)
    }

    /// The room's position now, in the form that is stored.
    var storedPlayback: RoomStore.StoredPlayback {
        RoomStore.StoredPlayback(
            room.playback.reanchored(at: MonotonicClock.nowMicroseconds()), hasAudio: room.stream != nil)
    }

    private func markLive() {
        let (model, id) = (core.services.model, self.id)
        core.services.writes.run { try? await model.rooms.markLive(id, at: MonotonicClock.wallMilliseconds()) }
    }
}
