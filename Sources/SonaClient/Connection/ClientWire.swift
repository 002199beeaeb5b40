internal import SonaEventLoop
internal import SonaWire
internal import Synchronization

/// The loop's side of a client: one WebSocket, the requests that wait for replies, the clock's probes.
///
/// States: opening → open (`webSocketOpened`) → ended (`webSocketClosed`, once). A plain class, confined to the loop.
final class ClientWire: WebSocketHandler {
    /// Told of a reply's data, or why there is none.
    typealias Answer = (Result<JSON, ClientError>) -> Void

    private struct Pending {
        var answer: Answer
        var deadline: EventLoop.Timer
    }

    private let loop: EventLoop
    private let clock: ClientClock
    private let localClock: LocalClock
    private let mailbox: Mailbox
    private var connection: WebSocketConnection?
    private var opening: ((Result<Void, ClientError>) -> Void)?
    private var openingDeadline: EventLoop.Timer?
    private var pending: [Int64: Pending] = [:]
    private var lastID: Int64 = 0
    /// Why nothing can be asked any more.
    private var end: ClientError?
    private var whenEnded: [() -> Void] = []

    private var burst = ProbeBurst()
    private var burstDeadline: EventLoop.Timer?
    private var nextBurst: EventLoop.Timer?
    /// When the last probe of a burst left, by our clock, µs.
    private var probeSentAt: Int64?
    private var whenClockIsSet: ((Bool) -> Void)?
    private var bursts = 0
    /// Our clock was set: what the burst under way finds replaces what was known.
    private var isRestarting = false

    private var wakeTimer: EventLoop.Timer?
    private var silenceTimer: EventLoop.Timer?
    private var silenceWatch: SilenceWatch?
    /// When something came, µs.
    private var lastHeard: Int64 = 0
    private var isReadingPaused = false

    init(loop: EventLoop, clock: ClientClock, localClock: LocalClock, mailbox: Mailbox) {
        self.loop = loop
        self.clock = clock
        self.localClock = localClock
        self.mailbox = mailbox
    }

    // MARK: Opening and closing

    func open(
        _ address: ServerAddress, timeout: Duration, _ done: @escaping (Result<Void, ClientError>) -> Void
    ) {
        opening = done
        // Probes bring a sign of life every ten seconds.
        let limits = WebSocketLimits(
            text: 4 << 20, binary: Limits.binaryDownBytesMax, tooSlowCode: CloseCode.tooSlow.rawValue, silence: 25)
        openingDeadline = loop.schedule(after: timeout) { [weak self] in
            guard let self, let opening = self.opening else { return }
            self.opening = nil
            self.end = ClientError(.timeout, "\(address) did not answer within \(timeout).")
            opening(.failure(self.end ?? .closed(nil, "")))
            self.connection?.cut()
        }
        connection = loop.connect(to: address.webSocketTarget, limits: limits, handler: self)
    }

    /// Says goodbye and calls `done` when the connection is gone.
    func close(_ done: @escaping () -> Void) {
        guard let connection, end == nil else { return done() }
        whenEnded.append(done)
        connection.close(CloseCode.done.rawValue, "")
    }

    func webSocketOpened(_ connection: WebSocketConnection) {
        if let openingDeadline { loop.cancel(openingDeadline) }
        guard let opening else { return connection.cut() }
        self.opening = nil
        opening(.success(()))
    }

    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
        let error: ClientError
        if let end {
            error = end
        } else if let failure = ending.failure {
            error = ClientError(ending.isUntrusted ? .untrusted : .unreachable, failure)
        } else {
            error = .closed(ending.code, ending.reason)
        }
        end = error
        self.connection = nil
        for timer in [openingDeadline, burstDeadline, nextBurst, wakeTimer, silenceTimer] {
            if let timer { loop.cancel(timer) }
        }
        if let opening {
            self.opening = nil
            opening(.failure(error))
        }
        whenClockIsSet?(false)
        whenClockIsSet = nil
        let waiting = pending.values
        pending = [:]
        for one in waiting {
            loop.cancel(one.deadline)
            one.answer(.failure(error))
        }
        mailbox.deliver(.closed(error))
        mailbox.finish()
        for done in whenEnded { done() }
        whenEnded = []
    }

    /// Ends a connection whose other side breaks the protocol.
    private func violated(_ what: String) {
        guard end == nil else { return }
        end = .violation(what)
        connection?.close(CloseCode.framing.rawValue, "sona.v1 was violated")
    }

    // MARK: Requests

    func call(_ encode: (Int64) -> [UInt8], timeout: Duration, _ answer: @escaping Answer) {
        if let end { return answer(.failure(end)) }
        guard let connection, connection.isOpen else { return answer(.failure(.closed(nil, ""))) }
        lastID += 1
        let id = lastID
        let deadline = loop.schedule(after: timeout) { [weak self] in
            guard let late = self?.pending.removeValue(forKey: id) else { return }
            late.answer(.failure(ClientError(.timeout, "The server did not answer in time.")))
        }
        pending[id] = Pending(answer: answer, deadline: deadline)
        connection.send(text: encode(id))
    }

    func send(binary bytes: [UInt8]) {
        connection?.send(binary: bytes)
    }

    // MARK: Receiving

    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        let now = localClock.now()
        lastHeard = MonotonicClock.nowMicroseconds()
        guard end == nil else { return }
        if isText { receivedText(bytes) } else { receivedBinary(bytes, now) }
        if !isReadingPaused, mailbox.isOverfull {
            isReadingPaused = true
            connection.pauseReading()
        }
    }

    /// The reader has caught up.
    func becameRoomy() {
        guard isReadingPaused, !mailbox.isOverfull else { return }
        isReadingPaused = false
        lastHeard = MonotonicClock.nowMicroseconds()
        connection?.resumeReading()
    }

    private func receivedText(_ bytes: UnsafeRawBufferPointer) {
        do {
            switch try ServerMessage(parsing: bytes) {
            case .ok(let id, let data): settle(id, .success(data))
            case .error(let id?, let error): settle(id, .failure(.refused(error)))
            case .error(nil, let error): mailbox.deliver(.complaint(error))
            case .event(let type, let room, let seq, let data):
                mailbox.deliver(.event(ServerEvent(type: type, data), room: room, seq: seq))
            }
        } catch {
            violated(error.description)
        }
    }

    private func settle(_ id: Int64, _ result: Result<JSON, ClientError>) {
        // One that is not there has waited too long and was given up.
        guard let request = pending.removeValue(forKey: id) else { return }
        loop.cancel(request.deadline)
        request.answer(result)
    }

    private func receivedBinary(_ bytes: UnsafeRawBufferPointer, _ now: Int64) {
        // Unknown or malformed frames are skipped (Protocol/spec/connection.md, "Binary messages").
        guard let frame = try? ServerFrame(parsing: bytes) else { return }
        switch frame {
        case .timeResponse(let response): probed(response, now)
        case .audioDown(let header, let packet): deliver(header, bytes, packet, now)
        case .bundleDown(let bundle):
            for (header, packet) in bundle.packets { deliver(header, bytes, packet, now) }
        case .position(let frame): mailbox.deliver(.position(frame))
        case .ignorable: break
        }
    }

    private func deliver(_ header: AudioDown, _ bytes: UnsafeRawBufferPointer, _ packet: Range<Int>, _ now: Int64) {
        mailbox.deliver(.audio(AudioPacket(header: header, bytes: Array(bytes[packet]), receivedAtMicroseconds: now)))
    }

    func webSocketWritable(_ connection: WebSocketConnection) {}

    // MARK: The clock

    /// Runs the first burst and keeps the clock right from then on: bursts after 1 s, after 3 s more, then every 10 s
    /// (Protocol/spec/time.md, "When to probe").
    func startClock(_ done: @escaping (Bool) -> Void) {
        guard end == nil else { return done(false) }
        whenClockIsSet = done
        beginBurst()
    }

    /// Our clock was set: forgets the estimate as soon as there is another, beginning now.
    func restartClock() {
        guard end == nil else { return }
        for timer in [burstDeadline, nextBurst] {
            if let timer { loop.cancel(timer) }
        }
        isRestarting = true
        bursts = 0
        beginBurst()
    }

    private func beginBurst() {
        bursts += 1
        probe(burst.begin())
        burstDeadline = loop.schedule(after: .seconds(2)) { [weak self] in
            guard let self, self.burst.isUnderWay else { return }
            self.endBurst(self.burst.giveUp())
        }
    }

    private func probe(_ number: UInt16) {
        connection?.sendUrgent { [weak self, localClock] in
            let sentAt = localClock.now()
            if number != Self.signOfLife { self?.probeSentAt = sentAt }
            return TimeRequest(probeID: number, clientSend: sentAt).encode()
        }
    }

    private func probed(_ response: TimeResponse, _ now: Int64) {
        // The send time is compared with our own record: an answer could carry any.
        guard response.clientSend == probeSentAt else { return }
        switch burst.take(response, receivedAt: now) {
        case .send(let number): probe(number)
        case .done(let sample): endBurst(sample)
        case .ignore: break
        }
    }

    private func endBurst(_ sample: ClockFilter.Sample?) {
        if let burstDeadline { loop.cancel(burstDeadline) }
        if let sample {
            if isRestarting { clock.restart(with: sample) } else { clock.add(sample) }
            isRestarting = false
        }
        whenClockIsSet?(sample != nil)
        whenClockIsSet = nil
        let pause: Duration = bursts == 1 ? .seconds(1) : bursts == 2 ? .seconds(3) : .seconds(10)
        nextBurst = loop.schedule(after: pause) { [weak self] in self?.beginBurst() }
    }

    // MARK: Silence

    /// Cuts the connection when nothing has come for so long. Asks for a sign of life after half of that.
    func watchSilence(_ silence: Duration) {
        if let silenceTimer { loop.cancel(silenceTimer) }
        guard end == nil else { return }
        lastHeard = max(lastHeard, MonotonicClock.nowMicroseconds())
        silenceWatch = SilenceWatch(allowedMicroseconds: Int64(silence / .microseconds(1)))
        lookAtSilence()
    }

    private func lookAtSilence() {
        let now = MonotonicClock.nowMicroseconds()
        // A client that does not read hears nothing, so the silence is not the server's.
        if isReadingPaused { lastHeard = now }
        switch silenceWatch?.look(now: now, heardAt: lastHeard, roundTrip: clock.current.roundTripMicroseconds) {
        case .over:
            end = ClientError(.closed(code: nil, reason: ""), "Nothing is heard of the server any more.")
            connection?.cut()
        case .ask(let until):
            // One that nobody waits for: that an answer comes is all there is to know.
            probe(Self.signOfLife)
            lookAgain(at: until)
        case .wait(let until): lookAgain(at: until)
        case nil: break
        }
    }

    private func lookAgain(at time: Int64) {
        silenceTimer = loop.schedule(atMicroseconds: time) { [weak self] in self?.lookAtSilence() }
    }

    /// The number of such a probe; bursts come to it once in 65 536 probes, and then an answer too many does no harm.
    private static let signOfLife: UInt16 = 0

    // MARK: Wake-ups

    /// Delivers `.wake` at a time of our clock, in place of one asked for earlier.
    func wake(at local: Int64) {
        if let wakeTimer { loop.cancel(wakeTimer) }
        guard end == nil else { return }
        wakeTimer = loop.schedule(atMicroseconds: localClock.monotonic(ofReading: local)) { [weak self] in
            self?.mailbox.deliver(.wake)
        }
    }
}

/// The clock filter of one client, read from any thread.
final class ClientClock: Sendable {
    private let filter: Mutex<ClockFilter>

    init(_ filter: ClockFilter) { self.filter = Mutex(filter) }

    var current: ClockFilter { filter.withLock { $0 } }
    func begin(clockID: UInt64) { filter.withLock { $0.begin(clockID: clockID) } }
    func add(_ sample: ClockFilter.Sample) { filter.withLock { $0.add(sample) } }
    func restart(with sample: ClockFilter.Sample) { filter.withLock { $0.restart(with: sample) } }
}
