internal import CLoad
internal import Glibc
package import SonaBase
internal import SonaWire
internal import Synchronization

/// Hosts and listeners of one run, on one thread.
///
/// It has to cost less than what it measures: one `recv` per readable socket, frames found where they lie, no allocation and
/// no reference counted per packet, and one wait for all of it.
///
///     openHosts → play → joinBefore → begin → run → drain → settle → closeAll
///
/// Confined to the thread that made it; `stop` alone may be set from others.
package final class Engine {
    private static let eventsMax = 256
    static let inputBytesMax = 1 << 19
    /// Most listeners that may be joining at once before the measurement.
    static let joinWindow = 64
    /// How long a leaver, and the end of the run, wait for packets under way, ns.
    static let patience: UInt64 = 5_000_000_000
    /// An attempt to get in fails after this long without an answer, ns.
    static let openingTimeout: UInt64 = 20_000_000_000

    let target: Target
    let sessions: SecureSessions?
    package let plan: LoadPlan
    let scenario: Scenario
    let bank: PacketBank
    let rooms: [LoadRoom]
    /// Number of this run, in the stamps of its packets.
    let run: UInt16
    /// Set by Ctrl-C: the measurement ends.
    let stop: StopFlag

    // Held by pointer, so that the loop over them needs no checks of exclusive access.
    let clients: UnsafeMutablePointer<LoadClient>
    let clientCount: Int
    /// Tallies by kind of reader.
    let tallies: UnsafeMutablePointer<Tally>
    let counts: UnsafeMutablePointer<Counts>
    /// Delays of the current second.
    let delays: UnsafeMutablePointer<Histogram>
    let input: UnsafeMutablePointer<UInt8>
    let poll: Int32

    var agenda = Agenda()
    var generator: SeededGenerator
    /// Missing packets, by client: only of those that miss any.
    var gaps: [Int: [Gap]] = [:]
    /// Bytes that a socket did not take, by client.
    var outboxes: [Int: [UInt8]] = [:]
    /// Tokens to resume sessions with, by client.
    var resumeTokens: [Int: String] = [:]
    /// Guests' tokens, so that a client that comes back is the same guest.
    var guestTokens: [Int: String] = [:]
    var signUps: [Int: SignUpAttempt] = [:]
    var probers: [Int: Prober] = [:]
    /// Accounts that sign-ups have made, to be removed.
    package internal(set) var accounts: [ThrowawayAccount] = []
    /// Times that are no delays of packets.
    package internal(set) var times = Times()
    /// How often each error came.
    package internal(set) var errors: [String: Int] = [:]
    /// The first sentence of each error.
    package internal(set) var sentences: [String: String] = [:]
    /// Name and version, as the welcome says.
    package internal(set) var serverProgram: String?

    /// Listeners in their rooms.
    package internal(set) var present = 0
    package internal(set) var presentMax = 0
    /// Clients between their first step and getting in.
    var opening = 0
    /// Clients that have tried often enough.
    package internal(set) var givenUp = 0
    /// The end of the run: hosts send nothing more.
    var hostsAreDone = false
    var leavers: [Int] = []
    let slowSlots: [Int]
    var nextEvent = 0
    /// Microseconds to add to `LoadClock` to get the server's clock, roughly.
    var clockOffset: Int64 = 0
    /// When the measurement began; 0 before.
    package internal(set) var began: UInt64 = 0
    /// Called when a second is over.
    var onSecond: (() -> Void)?
    let made = LoadClock.now

    /// Distributions beside that of the delays.
    package struct Times: Sendable {
        /// Times from the planned moment of joining to the first packet of sound.
        package var joins = Histogram()
        /// Times from the loss of a connection to the next packet.
        package var reconnects = Histogram()
        package var chat = Histogram()
        package var signUps = Histogram()
        /// How far listeners' estimates of the server's clock lie from their median.
        package var syncErrors = Histogram()
        /// How late things that were due were done.
        package var lag = Histogram()
        /// How late packets of hosts left.
        package var sendLateness = Histogram()
        /// Lengths of the rounds of reading: the last data of a round has waited that long.
        package var rounds = Histogram()
    }

    /// - Throws: `load.machine`, `load.unreadable`.
    package init(
        target: Target, scenario: Scenario, plan: LoadPlan, bank: PacketBank, rooms: [Room], stop: StopFlag
    ) throws(LoadError) {
        self.target = target
        self.scenario = scenario
        self.plan = plan
        self.bank = bank
        self.stop = stop
        self.rooms = rooms.map { LoadRoom($0, bank: bank) }
        run = UInt16.random(in: 0...UInt16.max)
        generator = SeededGenerator(seed: scenario.seed ^ 0x5EED)
        sessions = try target.secureSessions()
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw .system(.machine, "make an epoll") }
        clientCount = rooms.count + plan.listeners.count + plan.signUps
        clients = .allocate(capacity: max(1, clientCount))
        clients.initialize(repeating: LoadClient(), count: clientCount)
        tallies = .allocate(capacity: LoadPlan.Reader.allCases.count)
        tallies.initialize(repeating: Tally(), count: LoadPlan.Reader.allCases.count)
        counts = .allocate(capacity: 1)
        counts.initialize(to: Counts())
        delays = .allocate(capacity: 1)
        delays.initialize(to: Histogram())
        input = .allocate(capacity: Self.inputBytesMax)
        for room in 0..<rooms.count {
            clients[room].role = .host
            clients[room].room = Int32(room)
        }
        for (number, listener) in plan.listeners.enumerated() {
            clients[rooms.count + number].room = Int32(listener.room)
            clients[rooms.count + number].reader = listener.reader
        }
        slowSlots = plan.listeners.indices.filter { plan.listeners[$0].reader == .slow }.map { rooms.count + $0 }
        for number in 0..<plan.signUps { clients[rooms.count + plan.listeners.count + number].role = .signUp }
    }

    deinit {
        for slot in 0..<clientCount { release(slot) }
        close(poll)
        clients.deinitialize(count: clientCount).deallocate()
        tallies.deinitialize(count: LoadPlan.Reader.allCases.count).deallocate()
        counts.deinitialize(count: 1).deallocate()
        delays.deinitialize(count: 1).deallocate()
        input.deallocate()
    }

    /// The counts of ordinary, slow or dead readers.
    package func tally(_ reader: LoadPlan.Reader) -> Tally { tallies[Int(reader.rawValue)] }
    package var counted: Counts { counts.pointee }

    func slot(ofListener number: Int) -> Int { rooms.count + number }
    func slot(ofSignUp number: Int) -> Int { rooms.count + plan.listeners.count + number }

    // MARK: The loop

    /// Performs due work and reads incoming data until `end`, or until `done` returns true (asked after each round).
    func work(until end: UInt64, unless done: () -> Bool = { false }) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsMax) { events in
            var now = LoadClock.now
            while !done() {
                if agenda.next <= now {
                    doWhatIsDue(atMost: Self.eventsMax)
                    now = LoadClock.now
                }
                if now >= end { return }
                let count = wait(events.baseAddress!, until: min(agenda.next, end), now)
                now = LoadClock.now
                guard count > 0 else { continue }
                let woke = now
                for index in 0..<count {
                    // The clock is read for every eighth socket: reading it for each costs what a hundredth of a packet does,
                    // and eight take some 30 µs. A whole round takes longer than a packet may be late.
                    if index & 7 == 7 {
                        now = LoadClock.now
                        if now >= agenda.next {
                            doWhatIsDue(atMost: 8)
                            now = LoadClock.now
                        }
                    }
                    let event = events[index]
                    let slot = Int(event.data.u64 & 0xFFFF_FFFF)
                    if clients[slot].generation == UInt32(event.data.u64 >> 32) { handle(slot, event.events, now) }
                }
                now = LoadClock.now
                if began > 0 { times.rounds.record(nanoseconds: now - woke) }
            }
        }
    }

    /// Sleeps until something comes, or the time; a tenth of a second at most, since Ctrl-C wakes nobody.
    private func wait(_ events: UnsafeMutablePointer<epoll_event>, until time: UInt64, _ now: UInt64) -> Int {
        let nanoseconds = time > now ? min(time - now, 100_000_000) : 0
        var span = timespec(tv_sec: 0, tv_nsec: Int(nanoseconds))
        let count = epoll_pwait2(poll, events, Int32(Self.eventsMax), &span, nil)
        if count < 0 && errno == ENOSYS {
            // Before Linux 5.11.
            return Int(
                max(0, epoll_wait(poll, events, Int32(Self.eventsMax), Int32((nanoseconds + 999_999) / 1_000_000))))
        }
        return Int(max(0, count))
    }

    /// - Parameter most: Where more is due all the time than can be done, reading must go on all the same, and
    ///   the run its end.
    private func doWhatIsDue(atMost most: Int) {
        for _ in 0..<most {
            let now = LoadClock.now
            guard let entry = agenda.take(until: now) else { return }
            let late = now - entry.at
            if began > 0 { times.lag.record(nanoseconds: late) }
            let who = Int(entry.who)
            switch entry.kind {
            case .packet: sendPacket(who, due: entry.at, now)
            case .plan: followPlan(now)
            case .returning: comeBack(who)
            case .slowReading: readSlowly(now)
            case .probe: probe(who, now)
            case .second: second(entry.at)
            case .sweep: sweep(now)
            }
        }
    }

    private func second(_ at: UInt64) {
        agenda.add(.second, at: at + 1_000_000_000)
        compareClocks()
        chooseProbers(LoadClock.now)
        onSecond?()
    }

    func watch(_ slot: Int, _ kinds: UInt32, _ operation: Int32) {
        var event = epoll_event()
        event.events = kinds
        event.data.u64 = UInt64(slot) | UInt64(clients[slot].generation) << 32
        epoll_ctl(poll, operation, clients[slot].descriptor, &event)
    }

    func note(_ code: String, _ sentence: @autoclosure () -> String) {
        errors[code, default: 0] += 1
        if sentences[code] == nil { sentences[code] = sentence() }
    }
}

/// Kinds of events that are waited for. By edges: a socket that was read empty is not asked again until something
/// comes, which saves the kernel a look at each.
enum Watch {
    static let reading = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    static let writingToo = reading | EPOLLOUT.rawValue
    static let endAlone = EPOLLRDHUP.rawValue | EPOLLET.rawValue
    static let end = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
}
