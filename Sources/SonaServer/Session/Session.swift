internal import SonaCrypto
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The stay of one client: over a WebSocket of the protocol `sona.v1`, and over further ones if a connection is lost.
/// States: connected (only `hello` and time probes) → greeted, anonymous (only `auth.*`) → signed in. `auth.sign_out`
/// leads from signed in back to anonymous. The session ends with its connection, or some time after it
/// (Session+Resume.swift).
final class Session {
    unowned let core: ShardCore  // Outlives its connections.
    /// The number of its first connection.
    let number: UInt64
    var link: ClientLink
    /// Its connection is lost.
    var isAway = false
    var account: Accounts.Account? {
        didSet { core.noteUser(of: self, from: oldValue?.uid, to: account?.uid) }
    }
    private(set) var isGreeted = false
    /// The account was banned or removed (`isExpelled`), or its tokens ended (`isSuspended`), while a request to end
    /// the tokens was under way. That request is finished, and no other is begun.
    var isExpelled = false
    var isSuspended = false
    private var budget = TokenBucket(perSecond: Limits.requestsPerSecond)

    /// The room that the session is in.
    var home: RoomHome?
    /// Whether it takes the sound of its room at a lower bit rate.
    var savesData = false
    /// Limits how often it enters the same room again.
    var resync = ResyncBudget()
    /// State that a session needs only if it does more than listen; made on first use.
    private(set) var activeState: ActiveState?

    final class ActiveState {
        /// Number of the last personal event.
        fileprivate var sequence: Int64 = 0
        /// Personal events sent lately.
        fileprivate var log = PersonalLog()
        fileprivate var parting: (frame: WebSocketFrame, sequence: Int64)?
        /// The room in whose waiting room the session is.
        fileprivate var knocksAt: RoomHome?
        var watching = WatchGenerations()
        /// Bytes of sound that a host may send, if a plan limits them.
        var hostAllowance = Allowance()
        /// Budget of reactions, and the time of the last request for the seat, µs.
        var reactionBudget = TokenBucket(perSecond: Limits.reactionsPerSecond)
        /// Budget of spans of sound that has gone by, and whether one is being read.
        var shiftBudget = TokenBucket(perSecond: Limits.shiftSpansPerSecond)
        var isShifting = false
        var seatRequestedMicroseconds: Int64 = .min
        /// Limited because each position goes to every member.
        fileprivate var positionBudget = TokenBucket(perSecond: 10)
        /// What it is called as a device that plays for its account alone.
        var playerDevice: PlayerDevice?
        fileprivate var faults = FaultCounter()
        fileprivate var floods = FloodCounter()
        /// Packets that may have been under way when their epoch ended, and until when such packets may arrive, µs.
        fileprivate var late = FloodCounter()
        fileprivate var lateUntil = Int64.min
        fileprivate var noticedAt: [ErrorCode: Int64] = [:]
        /// Requests under way that end the client's own tokens. The client then expects that its tokens end.
        var endingRequests: Set<Int64> = []
    }

    init(_ link: ClientLink, core: ShardCore) {
        self.core = core
        self.link = link
        number = link.number
    }

    func ensureActiveState() -> ActiveState {
        if let activeState { return activeState }
        let first = ActiveState()
        activeState = first
        return first
    }

    /// The room in whose waiting room the session is.
    var knocksAt: RoomHome? {
        get { activeState?.knocksAt }
        set {
            let before = activeState?.knocksAt
            if let before, before !== newValue, let uid = account?.uid { before.stopWaiting(uid, self) }
            if before !== newValue { ensureActiveState().knocksAt = newValue }
        }
    }

    var isEndingTokens: Bool { activeState.map { !$0.endingRequests.isEmpty } ?? false }

    /// Whether it can outlive its connection.
    var mayGoOn: Bool {
        isGreeted && account != nil && !isExpelled && !isSuspended && !isEndingTokens && !core.endsSessions
            && !core.requestQueues.endsOwnTokens(of: number)
    }

    // MARK: Handing over

    /// What of its state is handed to another process; nil without any.
    var handedState: (sequence: Int64, events: [KeptEvent], parting: KeptEvent?)? {
        activeState.map { state in
            let parting = state.parting.map {
                KeptEvent(sequence: $0.sequence, text: $0.frame.text, atMicroseconds: 0)
            }
            return (state.sequence, state.log.handover, parting)
        }
    }

    /// Goes on with the state of a session of another process. Its client is away until it resumes.
    func goOn(_ account: Accounts.Account, sequence: Int64, _ events: [KeptEvent], parting: KeptEvent?) {
        isGreeted = true
        isAway = true
        if sequence > 0 || parting != nil {
            let state = ensureActiveState()
            state.sequence = sequence
            state.log = PersonalLog(events)
            state.parting = parting.map { ($0.frame, $0.sequence) }
        }
        self.account = account
    }

    // MARK: The connection

    func begin() {
        if core.isDraining { return drain() }
    }

    /// Closes the connection if `hello` has not come in time.
    func endHelloTime() {
        guard !isGreeted else { return }
        link.close(CloseCode.tooSlow.rawValue, "no hello came in \(Limits.helloSecondsMax) s")
    }

    /// Tells the client what the operator has changed.
    func tell(_ server: ServerDescription) {
        guard isGreeted else { return }
        send(ServerChanged(server: server))
    }

    func drain() {
        if isAway { return end() }
        if isGreeted { send(ServerDraining(reconnectInMilliseconds: Int.random(in: 500...3000))) }
        link.close(CloseCode.goingAway.rawValue, "the server is going down")
    }

    // MARK: Sending

    /// A personal event.
    func send(_ event: some WireEvent) {
        let activeState = ensureActiveState()
        activeState.sequence += 1
        let frame = WebSocketFrame(text: Event.encode(event, room: nil, seq: activeState.sequence))
        // Two kinds are not repeated: a command has been refused by the time of a resume, and lists are watched anew.
        if !(event is HostCommand || event is RoomsChanged) { keep(frame) }
        if !isAway { link.send(frame) }
    }

    /// Tells the client that it is out of its room. The event is kept until the session enters a room again,
    /// because the connection may be lost already.
    ///
    /// - Parameter isTold: The event goes to all members anyway, and is not sent here.
    func part(by frame: WebSocketFrame, _ sequence: Int64, isTold: Bool) {
        ensureActiveState().parting = (frame, sequence)
        if !isAway, !isTold { link.send(frame) }
    }

    /// The event by which it left its last room, unless the client's events of the room up to a number include it.
    func parting(after sequence: Int64?) -> WebSocketFrame? {
        guard home == nil, let parting = activeState?.parting, parting.sequence > sequence ?? -1 else { return nil }
        return parting.frame
    }

    func hasEntered() { activeState?.parting = nil }

    private func keep(_ frame: WebSocketFrame) {
        guard account != nil else { return }
        let activeState = ensureActiveState()
        activeState.log.append(frame, activeState.sequence, keepsAll: isAway, now: MonotonicClock.nowMicroseconds())
    }

    /// The personal events after a number, for a client that has all up to that number.
    func missed(after sequence: Int64) -> [WebSocketFrame] { activeState?.log.frames(after: sequence) ?? [] }

    /// Whether it was sent an event lately that may not have arrived.
    func hasNews(now: Int64) -> Bool { activeState?.log.isNews(now: now) ?? false }

    func answer(_ id: Int64, _ result: some WireObject) {
        link.send(text: Reply.ok(id: id, result))
    }

    func refuse(_ id: Int64?, _ error: WireError) {
        core.count(refusal: error, RequestOrigin(address: link.address, connection: number, request: id))
        link.send(text: Reply.error(id: id, error))
    }

    func answer<Object: WireObject>(_ id: Int64, _ result: Result<Object, WireError>) {
        switch result {
        case .success(let object): answer(id, object)
        case .failure(let error): refuse(id, error)
        }
    }

    // MARK: Text

    func received(text bytes: UnsafeRawBufferPointer, now: Int64) {
        switch Request.parse(bytes) {
        case .failure(let fault):
            if isOneFaultTooMany(now: now) { return }
            refuse(fault.id, fault.error)
        case .success(let request):
            core.figures.requests &+= 1
            core.logReceived(
                request.type, RequestOrigin(address: link.address, connection: number, request: request.id))
            if let wait = haste(now: now) {
                core.figures.rateLimited &+= 1
                if isFlood(.requests, now: now) { return }
                return refuse(request.id, WireError(.requestRateLimited, retryAfterMilliseconds: wait))
            }
            dispatch(request, text: bytes, now: now)
        }
    }

    /// Takes one request from the budgets of the connection and of its address.
    ///
    /// - Returns: `nil` if the request may be made, else the milliseconds until it might.
    private func haste(now: Int64) -> Int? {
        if let wait = budget.take(now: now) { return wait }
        guard let address = link.limitedAddress else { return nil }
        return core.requestsOfAddresses.with(address, now: now) { $0.take(now: now) }
    }

    private func dispatch(_ request: Request, text: UnsafeRawBufferPointer, now: Int64) {
        do throws(WireError) {
            let live = Self.liveMethods[request.type]
            if isExpelled || isSuspended && live != nil { throw WireError(.authTokenInvalid) }
            if request.type == Hello.type { return try greet(request, now: now) }
            guard isGreeted else { throw WireError(.helloRequired) }
            if let live {
                if core.services.live.isInMaintenance {
                    try Maintenance.check(request.type, isLive: true, account)
                }
                if try live.call(self, request, now) { return }
            }
            guard let method = Methods.table[request.type] else {
                if isOneFaultTooMany(now: now) { return }
                throw WireError(.requestUnknown, "There is no request of type \(request.type.quoted).")
            }
            try handleDurable(request, method, text: text)
        } catch {
            refuse(request.id, error)
        }
    }

    private func greet(_ request: Request, now: Int64) throws(WireError) {
        guard !isGreeted else { throw WireError(.helloRepeated) }
        let hello = try Hello(request.data)
        var guestToken: (token: String, seconds: Int)?
        switch hello.auth {
        case nil: break
        case .guest:
            guard core.services.live.takesGuests else { throw WireError(.authAccountRequired) }
            let access = core.services.model.accounts.guest()
            account = access.account
            guestToken = (access.accessToken, access.expiresInSeconds)
        case .token(let token):
            do {
                let account = try core.services.model.accounts.authenticate(accessToken: token)
                if let resume = hello.resume, let (session, id) = core.resumable(resume.token, for: account.uid) {
                    return session.goOn(over: link, as: id, account, resume, request: request.id, now: now)
                }
                if account.isGuest, !core.services.live.takesGuests { throw WireError(.authAccountRequired) }
                self.account = account
            } catch {
                // Each attempt costs a signature check.
                if isOneFaultTooMany(now: now) { return }
                throw WireError(error)
            }
        }
        isGreeted = true
        core.greeted()
        if hello.resume != nil { core.figures.resumesRefused &+= 1 }
        var generator = SecureRandom.Generator()
        var welcome = welcome(
            .random(using: &generator), now: now, isResumed: hello.resume == nil ? nil : false, stay: nil)
        welcome.accessToken = guestToken?.token
        welcome.expiresInSeconds = guestToken?.seconds
        answer(request.id, welcome)
    }

    /// - Parameter isResumed: `nil` if the client did not ask to resume.
    func welcome(_ id: SessionID, now: Int64, isResumed: Bool?, stay: ResumedStay?) -> Welcome {
        Welcome(
            session: id, user: account.map { User($0) },
            server: Program(name: ServerVersion.name, version: ServerVersion.number),
            clockID: MonotonicClock.clockID, serverMicroseconds: now,
            features: ServerVersion.features,
            resumeToken: core.resumeTokens.sign(number, id), resumeSeconds: core.services.configuration.resumeSeconds,
            isResumed: isResumed, stay: stay)
    }

    /// Ends the session's stay if it was signed in by tokens that have ended: the client must sign in again.
    func revoke(_ family: String) {
        guard account?.family == family else { return }
        guard !isEndingTokens else {
            isSuspended = true
            return
        }
        endAsking()
        leaveRoom(isLost: false)
        if isAway { return end() }
        account = nil
        link.close(CloseCode.signInAgain.rawValue, "signed out elsewhere")
    }

    /// Removes the session: its account was banned or removed.
    func expel() {
        guard !isEndingTokens else {
            isExpelled = true
            return
        }
        endAsking()
        leaveRoom(isLost: false)
        if isAway { return end() }
        account = nil
        link.close(CloseCode.removed.rawValue, "the account was banned or removed")
    }

    // MARK: Binary

    func received(frame bytes: UnsafeRawBufferPointer, now: Int64) {
        if isExpelled { return }
        do throws(WireError) {
            guard isGreeted || ClientFrame.mayPrecedeHello(bytes) else { throw WireError(.helloRequired) }
            switch try ClientFrame(parsing: bytes) {
            // Time probes are answered where they arrive.
            case .timeRequest, .ignorable: break
            case .audioUp(let header, let packet):
                try receivedAudio(header, UnsafeRawBufferPointer(rebasing: bytes[packet]), now: now)
            case .position(let frame): try receivedPosition(frame, now: now)
            case .capture(let frame):
                try hosted().update(now: now) { room throws(WireError) in
                    (try room.noteCapture(number, frame, now: now), [])
                }
            }
        } catch {
            switch error.code {
            case .frameMalformed, .frameUnknown:
                if isOneFaultTooMany(now: now) { return }
                refuse(nil, error)
            default:
                if let reason = RefusedFrame(error.code) {
                    core.figures.conduct.count(reason)
                    if !isLate(reason, now: now), isFlood(.frames, now: now) { return }
                }
                notice(error, now: now)
            }
        }
    }

    /// Notes that the session has ended its own epoch by a request: packets of it may still be under way.
    func noteEpochEnd(now: Int64) { ensureActiveState().lateUntil = now + FloodCounter.lateMicroseconds }

    /// Whether a refused frame may have been under way when its epoch ended.
    private func isLate(_ reason: RefusedFrame, now: Int64) -> Bool {
        guard reason == .wrongEpoch, let activeState, now <= activeState.lateUntil else { return false }
        return !activeState.late.add(now: now, .late)
    }

    /// How much sound the account may send, by its plan. A lock and a look-up for each packet of a host.
    private var hostRule: Allowance.Rule? {
        guard let uid = account?.uid, let rate = core.services.model.plans.bitRate(of: uid) else { return nil }
        return Allowance.Rule(bytesPerSecond: Int64(rate) * 1_000 / 8, secondsHeld: 10)
    }

    private func receivedAudio(_ header: AudioUp, _ packet: UnsafeRawBufferPointer, now: Int64) throws(WireError) {
        let home = try hosted()
        core.figures.chunksIn &+= 1
        core.figures.audioBytesIn &+= UInt64(packet.count)
        if let rule = hostRule {
            let wait = ensureActiveState().hostAllowance.use(packet.count, of: rule, now: now)
            if wait > 0 { throw WireError(.quotaBitRate, retryAfterMilliseconds: Int(wait / 1_000) + 1) }
        }
        let ingest = try home.update(now: now) { room throws(WireError) in
            let ingest = try room.ingest(number, header, packet, now: now)
            return (ingest, ingest.effects)
        }
        if ingest.isRepeated, ensureActiveState().late.add(now: now, .late), isFlood(.frames, now: now) { return }
        // The server stops reading from a host that is far ahead of the sound, for a while.
        if ingest.holdBackMicroseconds > 0 { link.holdBack(microseconds: min(ingest.holdBackMicroseconds, 5_000_000)) }
    }

    private func receivedPosition(_ frame: PositionFrame, now: Int64) throws(WireError) {
        if let wait = ensureActiveState().positionBudget.take(now: now) {
            throw WireError(.requestRateLimited, retryAfterMilliseconds: wait)
        }
        try hosted().update(now: now) { room throws(WireError) in
            let effects = try room.reportPosition(number, frame.playback, error: frame.errorMicroseconds, now: now)
            return ((), effects)
        }
    }

    /// The room that a host's frames belong to. A connection that is in no room cannot be a host.
    private func hosted() throws(WireError) -> RoomHome {
        guard let home else { throw WireError(.hostNotHost) }
        return home
    }

    /// Tells a client what is wrong with its frames, each code at most once a second.
    private func notice(_ error: WireError, now: Int64) {
        if let last = activeState?.noticedAt[error.code], now - last < 1_000_000 { return }
        ensureActiveState().noticedAt[error.code] = now
        refuse(nil, error)
    }

    // MARK: Misbehaviour

    /// Counts a message that could not be understood, and closes the connection at the limit.
    private func isOneFaultTooMany(now: Int64) -> Bool {
        core.figures.malformed &+= 1
        guard ensureActiveState().faults.add(now: now) else { return false }
        if link.isOpen { core.figures.conduct.count(.malformed) }
        link.close(CloseCode.malformed.rawValue, "too many messages that could not be understood")
        return true
    }

    /// Counts a message that was sent in spite of a limit, and closes the connection if there are too many.
    private func isFlood(_ end: ConductEnd, now: Int64) -> Bool {
        guard ensureActiveState().floods.add(now: now) else { return false }
        if link.isOpen { core.figures.conduct.count(end) }
        link.close(CloseCode.flood.rawValue, "too many messages beyond the limits")
        return true
    }
}

extension String {
    /// Shortened and in quotation marks, for repeating client input in a message.
    var quoted: String { "\"\(prefix(64))\"" }
}
