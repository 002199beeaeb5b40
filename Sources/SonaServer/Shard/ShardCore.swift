internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The parts of the server that a shard needs. Sendable: the durable plane, what the operator has said, and values that
/// never change.
struct ShardServices: Sendable {
    let live: LiveConfiguration
    var model: Model
    var library: Library
    var directory: RoomDirectoryService
    let banned: BannedAddresses
    let storage: StorageWatch
    let log: ServerLog
    var site: SiteSource
    let writes = UnansweredWrites()
    let history = FigureHistory()
    let backups = BackupWatch()
    let teller: NotificationTeller
    let scheduler: Scheduler
    let scrobbler: Scrobbler
    let webhooks: WebhookSender
    let mediaMeters = MediaMeters()
    let streams = StreamLedger()
    let recordings: RecordingDesk

    var radioTokens: RadioTokens { RadioTokens(key: model.accounts.mediaKey) }
    let subsonicFigures = SubsonicFigures()

    var configuration: ServerConfiguration { live.configuration }
    var gate: RequestGate { live.gate }
}

/// The whole live domain: sessions, rooms, and the responses to HTTP requests.
///
/// On the first loop only, like all classes of this folder.
final class ShardCore {
    let loop: EventLoop
    let shard: Shard
    let services: ShardServices
    let methods: Methods
    /// The loops with the clients' sockets.
    let mailboxes: [HubMailbox]

    /// The way of music apps to the library.
    private(set) lazy var subsonicDoor = SubsonicDoor(services, methods)
    /// Writes what members of rooms heard.
    private(set) lazy var hearings = HeardWriter(
        services.library, services.writes, services.scrobbler)

    private(set) var sessions: [UInt64: Session] = [:]
    private var sessionsByUser = SessionsByUser()
    /// The sessions of connections that resumed one, by the connection's number.
    var resumed: [UInt64: UInt64] = [:]
    var resumeTokens = ResumeTokens()
    var away: AwaySessions
    var isAwayAlarmSet = false
    var requestQueues = RequestQueues()
    /// Budgets of requests for each address, over all its connections.
    var requestsOfAddresses = AddressBudgets(of: TokenBucket(perSecond: Limits.requestsPerSecondAndAddress))
    private var helloDeadlines = HelloDeadlines()
    private var isHelloAlarmSet = false
    private(set) var rooms: [RoomID: RoomHome] = [:]
    /// Number of rooms woken so far.
    private var awakenings = 0
    private var recentChanges = RecentRoomChanges()
    private var lastRadioNumber: UInt64 = 0
    /// The port of speakers; `nil` if none may connect.
    var snapcast: SnapcastPort?
    private(set) lazy var audiences = AudienceWriter(
        shard, services.model.roomStorage.audiences, services.writes
    ) { [unowned self] in
        rooms[$0]?.audienceChange(now: MonotonicClock.nowMicroseconds(), wall: MonotonicClock.wallMilliseconds())
    }
    private(set) lazy var playbacks = PlaybackWriter(shard, services.model.rooms, services.writes) { [unowned self] in
        rooms[$0]?.storedPlayback
    }
    /// The rooms that play by themselves.
    private(set) lazy var autoplays = Autoplays(self)
    private(set) lazy var dataSavers = DataSavers(self)
    private(set) lazy var nowStreams = NowStreams(self)
    /// What rooms play because of their schedules just now.
    var scheduled: [RoomID: ScheduledPlay] = [:]
    /// How often visitors may ask for tracks.
    var songRequestLimits = SongRequestLimits()
    /// Who may host rooms by their schedules just now.
    var slotHosts: [RoomID: SlotHosts] = [:]
    var figures = ShardFigures()
    private(set) var isDraining = false
    /// Another process takes over: sessions are kept for it.
    private(set) var isHandingOver = false
    private var handoverBegan: Int64 = 0
    /// Rooms that were handed over, so that what still refers to them finds them.
    private var handedOver: [RoomHome] = []
    /// Whether sessions end with their connections, and with the server.
    var endsSessions: Bool { isDraining && !isHandingOver }

    init(loop: EventLoop, shard: Shard, services: ShardServices, mailboxes: [HubMailbox]) {
        self.loop = loop
        self.shard = shard
        self.services = services
        self.mailboxes = mailboxes
        away = AwaySessions(countPerAddressMax: services.configuration.connectionsPerAddressMax)
        methods = Methods(services, shard: shard)
    }

    // MARK: Sessions

    /// Makes a session for a new connection.
    func opened(_ link: ClientLink) {
        let session = Session(link, core: self)
        sessions[session.number] = session
        session.begin()
        let due = MonotonicClock.nowMicroseconds() + Int64(Limits.helloSecondsMax) * 1_000_000
        helloDeadlines.add(session.number, due: due)
        armHelloAlarm()
    }

    /// Notes that a client has said hello.
    func greeted() {
        helloDeadlines.drop { sessions[$0]?.isGreeted ?? true }
    }

    private func armHelloAlarm() {
        guard !isHelloAlarmSet, let due = helloDeadlines.next else { return }
        isHelloAlarmSet = true
        loop.schedule(atMicroseconds: due) { [weak self] in
            guard let self else { return }
            isHelloAlarmSet = false
            let now = MonotonicClock.nowMicroseconds()
            while let number = helloDeadlines.take(now: now) { sessions[number]?.endHelloTime() }
            armHelloAlarm()
        }
    }

    func remove(_ session: Session) {
        sessions[session.number] = nil
        away.remove(session.number)
    }

    /// Moves a session to another connection. The session made for that connection is dropped.
    func move(_ session: Session, to link: ClientLink) {
        away.remove(session.number)
        sessions[link.number] = nil
        resumed[link.number] = session.number
        if link.mailbox.loop.isCurrent { link.heard = nil }
        figures.resumes &+= 1
    }

    /// Notes that a session has another user; `nil` is nobody.
    func noteUser(of session: Session, from old: UserID?, to new: UserID?) {
        guard old != new else { return }
        // A watched list belongs to its user.
        session.stopWatching()
        if let old {
            sessionsByUser.remove(session.number, of: old)
            if session.forgetPlayerDevice() { tellPlayerDevices(of: old) }
        }
        if let new {
            sessionsByUser.insert(session.number, of: new)
            // Guests have no notifications, and there may be thousands of them.
            if session.account?.isGuest == false { services.teller.tell([new]) }
        }
    }

    /// Ends the list that a session watches, unless it was asked for after this generation.
    func endWatch(_ number: UInt64, upTo generation: UInt64) {
        let directory = services.directory
        Task { await directory.unwatch(session: number, upTo: generation) }
    }

    func sessions(of uid: UserID) -> [Session] { sessionsByUser[uid].compactMap { sessions[$0] } }

    /// A number that no other listener by HTTP, and no byte stream of theirs, has had.
    func nextRadioNumber() -> UInt64 {
        lastRadioNumber += 1
        return lastRadioNumber
    }

    // MARK: Rooms

    /// The live room, woken from its stored state if it was asleep.
    ///
    /// Changes of a room are told to its home, and a room stays awake while a request that changes it is under way. So
    /// state that was read of a sleeping room is complete, unless reading it took longer than a room stays awake.
    ///
    /// - Parameter state: The stored state, read before, because the loop does not read the disk.
    /// - Throws: `room.not_found` if its owner is banned; `room.closed` if the room was closed since it was read. `server.busy` if the state is too old, or was
    ///   not read because the room was awake.
    func home(_ stored: RoomStore.StoredRoom, _ state: StoredRoomState) throws(WireError) -> RoomHome {
        // The owner may have been banned since the request found the room.
        guard !services.model.accounts.isBanned(stored.owner.uid) else { throw WireError(.roomNotFound) }
        if let home = rooms[stored.id] {
            home.noteAsked()
            return home
        }
        let newer = try recentChanges.since(stored.id)
        let now = MonotonicClock.nowMicroseconds()
        guard let readAt = state.readAt, now - readAt < RoomHome.askedMicroseconds else {
            throw WireError(.serverBusy, retryAfterMilliseconds: 100)
        }
        let room = LiveRoom(stored, state, now: now)
        let home = wake(room, stored, state)
        home.queue?.lookWhoIsHere { _ in false }
        home.wakeAutoplay(state.autoplay, scheduled[stored.id], stored.playback, now: now)
        if let newer { home.change(newer.stored, changeNumber: newer.changeNumber) }
        // Possibly nobody enters: then it must sleep again.
        home.forgetSoon()
        return home
    }

    /// Gives a room its home, without what plays by itself.
    func wake(_ room: LiveRoom, _ stored: RoomStore.StoredRoom, _ state: StoredRoomState) -> RoomHome {
        awakenings += 1
        let home = RoomHome(
            room, chat: ChatLog(state.chat), queue: state.queue, awakening: awakenings, core: self)
        rooms[stored.id] = home
        if let fault = state.queue.fault {
            services.log.log(
                .roomUnreadable, "The queue of room \(stored.id) can't be read and stays unchanged: \(fault).")
        }
        home.admit(slotHosts[stored.id] ?? SlotHosts())
        home.recalledAudience = state.audience
        home.jingleProgress = state.jingleProgress
        return home
    }

    func forget(_ home: RoomHome) {
        guard rooms[home.room.id] === home else { return }
        home.autoplay?.end()
        rooms[home.room.id] = nil
    }

    /// Applies a stored change that the owner has made to a room.
    func changed(_ stored: RoomStore.StoredRoom, changeNumber: Int64) -> Room {
        recentChanges.changed(stored, changeNumber: changeNumber, now: MonotonicClock.nowMicroseconds())
        rooms[stored.id]?.change(stored, changeNumber: changeNumber)
        return describe(stored)
    }

    /// Closes a room that has ended for good; that is already stored.
    ///
    /// - Parameter reason: As in `RoomHome.close`.
    func closed(_ id: RoomID, _ reason: String) {
        recentChanges.closed(id, now: MonotonicClock.nowMicroseconds())
        rooms[id]?.close(reason)
    }

    /// The public description of a room, awake or asleep.
    func describe(_ stored: RoomStore.StoredRoom) -> Room {
        rooms[stored.id]?.room.description() ?? LiveRoom(stored, now: 0).description()
    }

    /// The same, with the tracks that are heard in it.
    func describeNow(_ stored: RoomStore.StoredRoom) -> RoomNow {
        guard let room = rooms[stored.id]?.room else { return RoomNow(room: describe(stored)) }
        let heard = room.tracks.view(at: MonotonicClock.nowMicroseconds())
        return RoomNow(room: room.description(), nowPlaying: heard.current, upcomingTracks: heard.upcoming)
    }

    /// The room that a user is in.
    struct Place: Sendable {
        var room: Room
        /// Whether the user plays; otherwise they listen.
        var isLive: Bool
    }

    /// The places of users, in rooms that the asker may know of. O(users).
    func places(of users: Set<UserID>, visibleTo asker: User) -> [UserID: Place] {
        var places: [UserID: Place] = [:]
        for uid in users {
            for session in sessions(of: uid) {
                guard let home = session.home, home.room.isVisible(to: asker) else { continue }
                let isLive = home.room.isLive && home.room.seat.host?.uid == uid
                if isLive || places[uid] == nil { places[uid] = Place(room: home.room.description(), isLive: isLive) }
            }
        }
        return places
    }

    // MARK: The end

    /// The network addresses of a user's or guest's connections.
    func addresses(of uid: UserID) -> Set<String> {
        Set(sessions(of: uid).filter { !$0.isAway }.map(\.link.address))
    }

    /// Ends every session at an address that is banned, and whoever listens or hosts from there by other programs.
    func expelBanned() {
        let (banned, now) = (services.banned, MonotonicClock.wallMilliseconds())
        for session in sessions.values
        where banned.refusal(of: RemoteAddress(text: session.link.address), now: now) != nil { session.expel() }
        for home in rooms.values {
            home.radio?.expelBanned()
            home.expelBannedSource()
        }
        snapcast?.expelBanned()
    }

    /// Tells all clients what the operator has changed.
    func tellAll(_ description: ServerDescription) {
        for session in sessions.values { session.tell(description) }
    }

    /// Tells all clients to come back later and closes. Connections that do not close in time end with the process.
    func drain() {
        guard !isDraining || isHandingOver else { return }
        isDraining = true
        for mailbox in mailboxes { mailbox.tell { $0.drain() } }
        // A process that has handed over has nothing to write into.
        if !isHandingOver { storeForHandover() }
        isHandingOver = false
        for home in rooms.values { home.radio?.end() }
        snapcast?.close()
        for session in sessions.values { session.drain() }
        requestQueues.dropAll()
    }

    // MARK: Handing over

    /// Begins nothing any more, because another process takes over. What sounds goes on; sound of the server's own is sent
    /// ahead. Requests stay unanswered.
    func prepareHandover() {
        isHandingOver = true
        isDraining = true
        handoverBegan = MonotonicClock.nowMicroseconds()
        requestQueues.dropAll()
        autoplays.sendAhead()
    }

    /// Whether a request stays unanswered, because another process takes over in a moment: the client asks again when its
    /// session goes on there.
    ///
    /// - Throws: `server.draining` if the moment is long, because the other process has migrations to do.
    func isUnanswered() throws(WireError) -> Bool {
        guard isHandingOver else { return false }
        guard MonotonicClock.nowMicroseconds() - handoverBegan < 2_000_000 else {
            throw WireError(.serverDraining, retryAfterMilliseconds: 1_000)
        }
        return true
    }

    /// Stores what goes on, before the data folder is closed.
    func storeForHandover() {
        for home in rooms.values { home.persistNow() }
        audiences.writeNow()
    }

    /// Lets go of all sessions and rooms: nothing that comes from now on changes them.
    ///
    /// Those that do not go on elsewhere are told to connect again.
    ///
    /// - Returns: The connections of those that do, hosts first.
    func letGo() -> [ClientLink] {
        let all = sessions.values.filter { !$0.isAway }
        let (kept, ending) = (all.filter(\.isHandedOver), all.filter { !$0.isHandedOver })
        for session in ending { session.comeBack() }
        for session in sessions.values { session.isExpelled = true }
        for home in rooms.values {
            home.autoplay?.end()
            home.radio?.end()
        }
        snapcast?.close()
        handedOver = Array(rooms.values)
        rooms = [:]
        sessions = [:]
        // Everybody waits for the packets of hosts.
        let hosts = kept.filter(\.isHost), others = kept.filter { !$0.isHost }
        return (hosts + others).map(\.link)
    }

    /// Adds a session of the process before.
    func take(_ session: Session) { sessions[session.number] = session }

    // MARK: Counting

    /// Counts an error that is sent to a client, and logs it.
    ///
    /// - Parameter type: The type of the request, where it is known.
    func count(refusal error: WireError, _ origin: RequestOrigin, type: String? = nil) {
        figures.requestErrors &+= 1
        if error.code.text.hasPrefix("auth.") { figures.authRefusals[error.code, default: 0] &+= 1 }
        let log = services.log
        let fields = { origin.fields + [.code(error.code.text)] + (type.map { [.type($0)] } ?? []) }
        if error.code == .serverInternal {
            log.log(.requestFailed, "A request failed by a fault of the server.", fields())
        } else if error.code.isFailedSignIn {
            log.log(.authFailed, "A password, token or code was wrong.", fields())
        } else if log.writes(.debug) {
            log.log(.requestRefused, error.message, fields())
        }
    }

    /// Logs that a request has come, if every request is logged.
    func logReceived(_ type: String, _ origin: RequestOrigin) {
        guard services.log.writes(.debug) else { return }
        services.log.log(.requestReceived, "A request has come.", origin.fields + [.type(type)])
    }
}

/// Figures for the metrics page, besides the loop's own.
struct ShardFigures: Sendable {
    var requests: UInt64 = 0
    var requestErrors: UInt64 = 0
    var rateLimited: UInt64 = 0
    var malformed: UInt64 = 0
    var chunksIn: UInt64 = 0
    var audioBytesIn: UInt64 = 0
    var joins: UInt64 = 0
    /// Times at which a slot of a schedule has begun.
    var occurrences: UInt64 = 0
    /// Tracks that visitors asked for.
    var songRequests: UInt64 = 0
    /// Jingles that were begun in rooms that play by themselves.
    var jingles: UInt64 = 0
    /// Sessions that went on over another connection, and refused attempts to do so.
    var resumes: UInt64 = 0
    var resumesRefused: UInt64 = 0
    var listening = ListeningFigures()
    /// Steps of rooms' sound that were not encoded, because the machine did not keep up.
    var radioStepsLost: UInt64 = 0
    /// Packets handed to the sockets of speakers, and speakers closed for not reading.
    var speakerDeliveries: UInt64 = 0
    var slowSpeakersClosed: UInt64 = 0
    var conduct = ConductFigures()
    /// Refusals of tokens, passwords and the like, by code. The codes are few and ours.
    var authRefusals: [ErrorCode: UInt64] = [:]
}
