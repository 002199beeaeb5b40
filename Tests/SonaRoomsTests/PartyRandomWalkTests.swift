import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

/// Goal: whatever members ask, in any order and under any rules, the queue stays consistent. Events match the state,
/// refusals are honest, and the queue can be stored and recomputed at any step.
///
/// Way: a walk of random commands. Beside the queue run a member who knows only the events (`PartyView`) and a record
/// of every ballot. Every refusal is tried again at the time it names. A walk takes some 6 s: eight are for `--long`.
@Suite struct PartyRandomWalkTests {
    @Test(arguments: 1...(TestLength.isLong ? 8 : 2) as ClosedRange<UInt64>)
    func `the queue stays whole on a random walk`(seed: UInt64) throws {
        var walk = PartyWalk(seed: seed)
        for _ in 0..<750 { try walk.step() }
        try walk.replay()
        // The walk went everywhere.
        #expect(walk.playCount > 20)
        #expect(walk.skipCount > 0)
        #expect(walk.lapseCount > 0)
        let common: Set<PartyRefusal.Rule> = [
            .notAllowed, .accountRequired, .tooNew, .full, .personLimit, .duplicate, .cooldown, .unknownEntry,
            .notApproved,
        ]
        #expect(common.subtracting(walk.refusals) == [])
        #expect(walk.liftCount > 5)
    }
}

private struct PartyWalk {
    private enum Input {
        case command(PartyCommand, PartyMember, Int64)
        case presence(UserID, isHere: Bool, Int64)
        case active(Int, Int64)
        case pass(Int64)
    }

    private let seed: UInt64
    private var generator: SeededGenerator
    private var queue = PartyQueue()
    private var view: PartyView
    private var now: Int64 = 1_000_000
    private var log: [Input] = []
    private var middle: (count: Int, stored: [UInt8])?
    /// The rows that a database has of the queue, some steps old.
    private var rows = QueueRows(state: "", writes: 0)
    private var ledger = PartyLedger()
    /// Decides when rows are written; nothing else depends on it.
    private var writes: SeededGenerator
    private var stepCount = 0
    /// The last command.
    private var last = Input.pass(0)
    private var played: [TrackReference] = []
    private let members: [PartyMember]

    private var known: Set<QueueEntryID> = []
    private var ballots: [QueueEntryID: [UserID: Vote]] = [:]
    private var left: [UserID: Int64] = [:]
    private(set) var refusals: Set<PartyRefusal.Rule> = []
    private(set) var liftCount = 0
    private(set) var skipCount = 0
    private(set) var lapseCount = 0
    private(set) var playCount: Int64 = 0

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        writes = SeededGenerator(seed: ~seed)
        view = PartyView(queue)
        members =
            [.host, .host, .host, .host, .coHost, PartyMember("mute", [])]
            + (0..<9).map { PartyMember("m\($0)", isGuest: $0 % 3 == 0, joined: $0 == 8 ? 1_400_000 : 0) }
    }

    private func check(_ condition: Bool, _ claim: String) throws {
        guard !condition else { return }
        // `#require` is called only after a failure, because it takes longer than the step.
        try #require(condition, "seed \(seed), step \(stepCount), \(last): \(claim)")
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func record(_ input: Input) {
        last = input
        log.append(input)
    }

    // MARK: Inputs

    mutating func step() throws {
        defer { playCount = max(playCount, queue.playing?.play ?? 0) }
        stepCount += 1
        now += Int64(number(0...(chance(5) ? 200_000 : 4_000)))
        if stepCount == 400 { middle = (log.count, queue.encoded()) }
        switch number(0...99) {
        case ..<4: try command(.suggest(try track()), by: newcomer())
        case ..<8:
            let again = try played.suffix(5).randomElement(using: &generator) ?? track()
            try command(.suggest(again), by: newcomer(seconds: 60))
        case ..<88: try command(randomCommand(), by: member())
        case ..<94: try presence()
        case ..<97: try active()
        default: try pass()
        }
        try checkQueue()
        if Int.random(in: 0..<4, using: &writes) == 0 { try checkRows() }
    }

    private mutating func newcomer(seconds: Int = 0) -> PartyMember {
        PartyMember("new\(number(0...1_000))", joined: now - Int64(seconds) * 1_000)
    }

    private mutating func member() -> PartyMember {
        var member = members.randomElement(using: &generator) ?? .host
        // Now and then a new member comes in.
        if chance(8) { member.joinedMilliseconds = now - Int64(number(0...20_000)) }
        return member
    }

    private mutating func track() throws -> TrackReference {
        if chance(30), let again = played.suffix(8).randomElement(using: &generator) { return again }
        let number = number(0...150)
        let source = number % 5 == 0 ? "https://radio.example/\(number % 60)" : nil
        return try TrackReference(Track(title: "Title \(number)", artist: chance(50) ? "X" : "x "), source: source)
    }

    private mutating func id() -> QueueEntryID {
        let ids = queue.waitingEntries.map(\.id) + queue.pending.map(\.id) + (queue.playing.map { [$0.entry.id] } ?? [])
        if chance(4) { return QueueEntryID(Int64(number(-1...400))) }
        return ids.randomElement(using: &generator) ?? QueueEntryID(1)
    }

    private mutating func place() -> QueuePlace {
        switch number(0...3) {
        case 0: .first
        case 1: .last
        case 2: .before(id())
        default: .after(id())
        }
    }

    private mutating func randomCommand() throws -> PartyCommand {
        let playing = queue.playing?.entry.id ?? QueueEntryID(1)
        switch number(0...99) {
        case ..<30: return .suggest(try track())
        case ..<34: return .add(try (0..<number(0...3)).map { _ in try track() }, at: place())
        case ..<40: return .approve(queue.pending.first?.id ?? id())
        case ..<42: return .reject(id())
        case ..<45: return .remove(id())
        case ..<48: return .move(id(), to: place())
        case ..<49: return chance(40) ? .clear : .shuffle(seed: UInt64(number(0...9)))
        case ..<51: return .setRepeat(RepeatMode.allCases.randomElement(using: &generator) ?? .off)
        case ..<56: return .next(from: chance(50) ? nil : playing)
        case ..<58: return .previous
        case ..<62: return .started(chance(70) ? playing : id())
        case ..<68: return .finished(chance(90) ? playing : id())
        case ..<82: return .vote(id(), [.up, .down, nil].randomElement(using: &generator) ?? nil)
        case ..<96: return .voteSkip(playing, isWanted: chance(85), activeListeners: number(0...9))
        default: return .setRules(randomRules())
        }
    }

    private mutating func randomRules() -> QueueRules {
        var rules = QueueRules()
        rules.ordering = chance(60) ? .votes : .manual
        rules.suggesters = chance(5) ? .nobody : chance(50) ? .members : .everybody
        rules.voters = chance(5) ? .nobody : chance(30) ? .members : .everybody
        rules.needsApproval = chance(40)
        rules.waitingPerPersonMax = number(1...5)
        rules.entriesMax = number(4...40)
        rules.shareWindow = number(4...20)
        rules.sharePlaysMax = number(1...8)
        rules.rowMax = number(1...3)
        rules.cooldownSeconds = number(0...900)
        rules.dwellSeconds = chance(4) ? -1 : number(0...20)
        rules.skipPercent = chance(10) ? 0 : number(1...100)
        rules.graceSeconds = number(0...40)
        return rules
    }

    private mutating func presence() throws {
        let user = member().uid
        let isHere = chance(40)
        record(.presence(user, isHere: isHere, now))
        lapse()
        if isHere { left[user] = nil } else { left[user] = left[user] ?? now }
        lapse()
        try hear(queue.setPresence(of: user, isHere: isHere, now: now))
    }

    private mutating func active() throws {
        let count = number(0...9)
        record(.active(count, now))
        lapse()
        try hear(queue.setActiveListeners(count, now: now))
    }

    private mutating func pass() throws {
        if let deadline = queue.deadline, chance(50) { now = max(now, deadline) }
        record(.pass(now))
        lapse()
        try hear(queue.pass(to: now))
        try check(queue.deadline ?? .max > now, "what was due is done")
        try check(queue.pass(to: now) == [], "and done once")
    }

    private mutating func command(_ command: PartyCommand, by member: PartyMember) throws {
        record(.command(command, member, now))
        let before = queue
        let skipped = queue.playing
        do {
            let events = try queue.apply(command, by: member, now: now)
            lapse(before.rules)
            left[member.uid] = nil
            if case .vote(let id, let vote) = command { ballots[id, default: [:]][member.uid] = vote }
            try hear(events)
            try checkLimits(command, by: member, before: before)
            if case .voteSkip = command, queue.playing != skipped { skipCount += 1 }
        } catch let refusal as PartyRefusal {
            try check(queue == before, "a refused command changes nothing")
            refusals.insert(refusal.rule)
            try checkHonesty(refusal, command, by: member)
        }
    }

    // MARK: Checks

    private mutating func hear(_ events: [PartyEvent]) throws {
        for event in events {
            try view.hear(event)
            // Entries that `previous` puts back are known already.
            for entry in [event].added where !known.contains(entry.id) {
                try check(known.count + 1 == entry.id.rawValue, "identifiers rise by one")
                known.insert(entry.id)
            }
            if case .now(let now?) = event, now.startedMilliseconds == nil { played.append(now.entry.reference) }
        }
        try check(view == PartyView(queue), "what is told is what is")
    }

    /// At the named time the same command passes, and not a millisecond sooner. Without a time, waiting alone does not
    /// help.
    private mutating func checkHonesty(
        _ refusal: PartyRefusal, _ command: PartyCommand, by member: PartyMember
    ) throws {
        func result(at time: Int64) -> PartyRefusal? {
            var copy = queue
            do {
                _ = try copy.apply(command, by: member, now: time)
                return nil
            } catch { return error }
        }
        guard let lifts = refusal.liftsAtMilliseconds else {
            try check(result(at: now + 1_000_000_000) != nil, "\(refusal.rule) stands until somebody does something")
            return
        }
        liftCount += 1
        try check(lifts > now, "\(refusal.rule) lifts in future")
        try check(result(at: lifts) == nil, "\(refusal.rule) lifts when it says")
        try check(result(at: lifts - 1) == refusal, "\(refusal.rule) stands until then")
    }

    private func checkLimits(_ command: PartyCommand, by member: PartyMember, before: PartyQueue) throws {
        let rules = before.rules
        switch command {
        case .add(let references, _) where !references.isEmpty:
            try check(queue.entryCount <= rules.entriesMax, "nobody overfills the queue")
        case .suggest(let reference):
            try check(queue.entryCount <= rules.entriesMax, "nobody overfills the queue")
            guard !member.rights.contains(.control) else { return }
            let mine = (queue.waitingEntries + queue.pending).count { $0.suggestedBy == member.uid }
            try check(mine <= rules.waitingPerPersonMax, "nobody has more waiting than they may")
            let others = before.waitingEntries + before.pending + (before.playing.map { [$0.entry] } ?? [])
            try check(!others.contains { $0.reference.isSame(as: reference) }, "no track waits twice")
        default: break
        }
    }

    /// Votes lapse when their grace is over, by the rules in force at that time.
    private mutating func lapse(_ rules: QueueRules? = nil) {
        let grace = Int64((rules ?? queue.rules).graceSeconds) * 1000
        for (user, time) in left where time + grace <= now {
            left[user] = nil
            for id in ballots.keys where ballots[id]?.removeValue(forKey: user) != nil { lapseCount += 1 }
        }
    }

    private mutating func checkQueue() throws {
        let waiting = queue.waitingEntries
        let ids = (waiting + queue.pending).map(\.id) + (queue.playing.map { [$0.entry.id] } ?? [])
        try check(Set(ids).count == ids.count && known.isSuperset(of: ids), "no identifier twice")
        try check(waiting.allSatisfy { $0.approval == .approved }, "what waits is approved")
        try check(queue.pending.allSatisfy { $0.approval == .pending }, "what is pending is not")
        try check(queue.entryCount <= 550, "the queue is bounded")
        ballots = ballots.filter { id, _ in waiting.contains { $0.id == id } }
        for entry in waiting {
            let votes = ballots[entry.id]?.values.map { $0 } ?? []
            let counted = (votes.count { $0 == .up }, votes.count { $0 == .down })
            try check(counted == (entry.upvotes, entry.downvotes), "votes are counted right")
        }
        try check(queue.order.sorted() == waiting.map(\.id).sorted(), "all that waits has a place")
        let stored = queue.encoded()
        let read = try PartyQueue(stored: stored)
        try check(read == queue, "what is stored is read again")
        try check(read.encoded() == stored, "and stored alike")
        if stepCount % 50 == 0 { try checkOrder() }
    }

    /// Several steps are written as one change. Now and then a new server has read the rows.
    private mutating func checkRows() throws {
        rows.apply(ledger.update(to: queue))
        try check(try PartyQueue(stored: rows) == queue, "the rows are the queue")
        try check(ledger.bytes == rows.bytes, "\(ledger.bytes) bytes are \(rows.bytes)")
        try check(ledger.updated(to: queue).isOnlyState, "what is stored is not written again")
        let read = PartyLedger(rows, of: queue)
        try check(read.updated(to: queue).isOnlyState && read.bytes == rows.bytes, "nor by who has read it")
        if Bool.random(using: &writes) { ledger = read }
    }

    /// The predicted order comes true if nothing else happens and nothing repeats.
    private func checkOrder() throws {
        var copy = queue
        _ = try copy.apply(.setRepeat(.off), by: .host, now: now)
        for id in copy.order {
            _ = try copy.apply(.next(from: nil), by: .host, now: now)
            try check(copy.playing?.entry.id == id, "the order foretold is the order played")
        }
    }

    /// The same inputs give the same queue, from the beginning and from stored states on the way.
    func replay() throws {
        let middle = try #require(middle)
        let stored = try PartyQueue(stored: middle.stored)
        for (start, inputs) in [(PartyQueue(), log[...]), (stored, log[middle.count...])] {
            var again = start
            for input in inputs {
                switch input {
                case .command(let command, let member, let time):
                    _ = try? again.apply(command, by: member, now: time)
                case .presence(let user, let isHere, let time):
                    _ = again.setPresence(of: user, isHere: isHere, now: time)
                case .active(let count, let time): _ = again.setActiveListeners(count, now: time)
                case .pass(let time): _ = again.pass(to: time)
                }
            }
            #expect(again == queue, "seed \(seed)")
            #expect(again.encoded() == queue.encoded(), "seed \(seed)")
        }
    }
}

extension QueueRows.Change {
    var isOnlyState: Bool {
        closedVotes.isEmpty && withdrawals.isEmpty && votes.isEmpty && goneEntries.isEmpty && moves.isEmpty
            && entries.isEmpty && firstPlay == nil && plays.isEmpty
    }
}

extension PartyLedger {
    func updated(to queue: PartyQueue) -> QueueRows.Change {
        var ledger = self
        return ledger.update(to: queue)
    }
}
