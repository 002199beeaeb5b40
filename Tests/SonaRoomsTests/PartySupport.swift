import SonaRooms
import SonaWire
import Testing

extension PartyMember {
    static let host = PartyMember("host", .host)
    static let coHost = PartyMember("cohost", [.suggest, .vote, .control])
    static let ann = PartyMember("ann")
    static let bob = PartyMember("bob")
    static let cid = PartyMember("cid")
    static let guest = PartyMember("guest", isGuest: true)

    init(_ name: String, _ rights: PartyRights = [], isGuest: Bool = false, joined: Int64 = 0) {
        guard let uid = UserID(name) else { preconditionFailure("\(name) is not a user identifier.") }
        self.init(uid: uid, isGuest: isGuest, rights: rights, joinedMilliseconds: joined)
    }
}

extension TrackReference {
    /// A track that shares no key with tracks of other names.
    static func named(_ title: String) throws -> TrackReference {
        try TrackReference(Track(title: title, artist: "Artist", durationMicroseconds: 180_000_000))
    }
}

extension QueueRules {
    /// Rules under which only the absolute bounds restrict anybody.
    static var free: QueueRules {
        var rules = QueueRules()
        rules.suggesters = .everybody
        rules.needsApproval = false
        rules.waitingPerPersonMax = 100
        rules.entriesMax = 500
        rules.shareWindow = 100
        rules.sharePlaysMax = 100
        rules.rowMax = 100
        rules.cooldownSeconds = 0
        rules.dwellSeconds = 0
        return rules
    }

    static func free(_ change: (inout QueueRules) -> Void) -> QueueRules {
        var rules = free
        change(&rules)
        return rules
    }
}

extension PartyQueue {
    /// The whole queue as the single text that versions before the rows stored, apart from its format number.
    func encoded() -> [UInt8] {
        var (ledger, rows) = (PartyLedger(), QueueRows(state: "", writes: 0))
        rows.apply(ledger.update(to: self))
        do { return try rows.joined().encoded() } catch { preconditionFailure("\(error)") }
    }

    init(stored text: [UInt8]) throws(PartyStateError) {
        try self.init(stored: QueueRows(state: String(decoding: text, as: UTF8.self), writes: 1))
    }
}

extension QueueRows {
    /// Bytes of all texts and of the voters' identifiers.
    var bytes: Int {
        state.utf8.count + entries.reduce(0) { $0 + $1.text.utf8.count } + plays.reduce(0) { $0 + $1.text.utf8.count }
            + votes.reduce(0) { $0 + $1.user.utf8.count }
    }

    /// Carries out a change as a database does, in the same order.
    mutating func apply(_ change: QueueRows.Change) {
        precondition(change.after == writes, "The change is of another state.")
        writes += 1
        state = change.state
        votes.removeAll { change.closedVotes.contains($0.entry) }
        votes.removeAll { vote in
            change.withdrawals.contains { $0.entry == vote.entry && $0.user == vote.user }
                || change.votes.contains { $0.entry == vote.entry && $0.user == vote.user }
        }
        votes += change.votes
        votes.sort { ($0.entry, $0.user) < ($1.entry, $1.user) }
        entries.removeAll { change.goneEntries.contains($0.id) }
        for move in change.moves {
            guard let index = entries.firstIndex(where: { $0.id == move.id }) else {
                preconditionFailure("\(move.id) has no row to move.")
            }
            entries[index] = Entry(
                id: move.id, list: entries[index].list, place: move.place, text: entries[index].text)
        }
        entries.removeAll { entry in change.entries.contains { $0.id == entry.id } }
        entries += change.entries
        entries.sort { ($0.list.rawValue, $0.place) < ($1.list.rawValue, $1.place) }
        if let first = change.firstPlay { plays.removeAll { $0.number < first } }
        plays += change.plays
        plays.sort { $0.number < $1.number }
    }
}

/// A queue, the time, and a member who knows only the events.
struct Party {
    var queue: PartyQueue
    /// Time, ms.
    var now: Int64 = 1_000_000
    var view: PartyView
    private var titleCount = 0

    init(_ rules: QueueRules = .free) {
        queue = PartyQueue(rules: rules)
        view = PartyView(queue)
    }

    @discardableResult
    mutating func `do`(_ command: PartyCommand, by member: PartyMember = .host) throws -> [PartyEvent] {
        try heard(try queue.apply(command, by: member, now: now))
    }

    /// The reason why a command is refused; nil if it was carried out.
    mutating func refusal(of command: PartyCommand, by member: PartyMember = .host) throws -> PartyRefusal? {
        let before = queue
        do {
            try self.do(command, by: member)
            return nil
        } catch let refusal as PartyRefusal {
            #expect(queue == before, "A refused command changes nothing.")
            return refusal
        }
    }

    /// Makes a user suggest a track, or add it if they may.
    @discardableResult
    mutating func suggest(_ title: String? = nil, by member: PartyMember) throws -> QueueEntryID {
        titleCount += 1
        let reference = try TrackReference.named(title ?? "Track \(titleCount)")
        return try #require(try self.do(.suggest(reference), by: member).added.first?.id)
    }

    /// Makes a user suggest or add several tracks in a row.
    mutating func suggest(_ count: Int, by member: PartyMember) throws -> [QueueEntryID] {
        try (0..<count).map { _ in try suggest(by: member) }
    }

    /// The entry that plays after `next`.
    @discardableResult
    mutating func next(by member: PartyMember = .host) throws -> QueueEntryID? {
        try self.do(.next(from: nil), by: member)
        return queue.playing?.entry.id
    }

    @discardableResult
    mutating func presence(_ member: PartyMember, isHere: Bool) throws -> [PartyEvent] {
        try heard(queue.setPresence(of: member.uid, isHere: isHere, now: now))
    }

    @discardableResult
    mutating func active(_ count: Int) throws -> [PartyEvent] {
        try heard(queue.setActiveListeners(count, now: now))
    }

    @discardableResult
    mutating func pass() throws -> [PartyEvent] { try heard(queue.pass(to: now)) }

    private mutating func heard(_ events: [PartyEvent]) throws -> [PartyEvent] {
        for event in events { try view.hear(event) }
        try #require(view == PartyView(queue), "The events do not add up to the state of the queue.")
        return events
    }

    var waiting: [QueueEntryID] { queue.waitingEntries.map(\.id) }
}

extension [PartyEvent] {
    var added: [QueueEntry] {
        reduce(into: []) { if case .added(let entries, _) = $1 { $0 += entries } }
    }
}

/// A member's state, computed from the events alone.
struct PartyView: Equatable {
    struct Row: Equatable {
        var id: QueueEntryID
        var reference: TrackReference
        var upvotes: Int
        var downvotes: Int

        init(_ entry: QueueEntry) {
            id = entry.id
            reference = entry.reference
            upvotes = entry.upvotes
            downvotes = entry.downvotes
        }
    }

    struct Surprise: Error {
        var event: PartyEvent
    }

    private(set) var waiting: [Row]
    private(set) var pending: [Row]
    private(set) var playing: NowPlaying?
    private(set) var rules: QueueRules
    private(set) var repeatMode: RepeatMode
    private(set) var skipVotes: Int

    init(_ queue: PartyQueue) {
        waiting = queue.waitingEntries.map(Row.init)
        pending = queue.pending.map(Row.init)
        playing = queue.playing
        rules = queue.rules
        repeatMode = queue.repeatMode
        skipVotes = queue.skipVotes
    }

    mutating func hear(_ event: PartyEvent) throws {
        switch event {
        case .added(let entries, let id):
            guard let approval = entries.first?.approval else { throw Surprise(event: event) }
            let rows = entries.map(Row.init)
            if approval == .pending {
                guard pending.last?.id == id else { throw Surprise(event: event) }
                pending += rows
            } else {
                waiting.insert(contentsOf: rows, at: try index(after: id, event))
            }
        case .removed(let ids, _):
            guard ids.allSatisfy({ id in (waiting + pending).contains { $0.id == id } }) else {
                throw Surprise(event: event)
            }
            waiting.removeAll { ids.contains($0.id) }
            pending.removeAll { ids.contains($0.id) }
        case .approved(let id):
            guard let index = pending.firstIndex(where: { $0.id == id }) else { throw Surprise(event: event) }
            waiting.append(pending.remove(at: index))
        case .moved(let id, let after, let from):
            let old = try index(after: from, event)
            guard old < waiting.count, waiting[old].id == id else { throw Surprise(event: event) }
            let row = waiting.remove(at: old)
            waiting.insert(row, at: try index(after: after, event))
        case .reordered(let ids):
            guard ids.count == waiting.count else { throw Surprise(event: event) }
            let rows = Dictionary(uniqueKeysWithValues: waiting.map { ($0.id, $0) })
            waiting = ids.compactMap { rows[$0] }
        case .votesChanged(let id, let upvotes, let downvotes):
            guard let index = waiting.firstIndex(where: { $0.id == id }) else { throw Surprise(event: event) }
            waiting[index].upvotes = upvotes
            waiting[index].downvotes = downvotes
        case .rulesChanged(let rules): self.rules = rules
        case .repeatChanged(let mode): repeatMode = mode
        case .now(let now):
            waiting.removeAll { $0.id == now?.entry.id }
            if now?.play != playing?.play { skipVotes = 0 }
            playing = now
        case .skipProgress(let votes, _): skipVotes = votes
        }
    }

    private func index(after id: QueueEntryID?, _ event: PartyEvent) throws -> Int {
        guard let id else { return 0 }
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { throw Surprise(event: event) }
        return index + 1
    }
}
