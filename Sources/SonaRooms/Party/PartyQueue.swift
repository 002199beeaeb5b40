package import SonaWire

/// The queue of a room and the rules of its party.
///
/// A state machine: every function takes the present time (wall time, ms) and what happened, changes the queue and
/// returns what members are to be told. It knows no clock, no dice and no disk: the same inputs give the same queue, so a
/// log of them can be played again. A time before one already seen counts as that one.
///
/// An entry is pending (a suggestion nobody has approved), waiting, playing, or past:
/// `suggest` → pending → `approve` → waiting → chosen by `next`, `finished` or `started` → playing → past → `previous` →
/// playing. `add`, and `suggest` where no approval is needed, begin at waiting. A play counts from the moment it is chosen.
///
/// Bounded: at most `QueueRules.entriesRange.upperBound` entries and `pastMax` that `previous` may add to them,
/// `votesMax` votes, `QueueRules.skipVotesMax` votes to skip, `historyMax` plays; their texts by `entryBytesMax` and
/// `historyBytesMax`. A command takes O(entries), and
/// O(votes) more when somebody's votes lapse.
package struct PartyQueue: Sendable, Equatable {
    struct Waiting: Sendable, Equatable {
        var entry: QueueEntry
        var ballots: [UserID: Vote] = [:]
        /// How many entries of the same person, standing behind it, were played before it.
        var passedOver = 0
        /// `previous` put it back: it plays next, whatever the votes say.
        var isRecalled = false
    }

    struct Play: Sendable, Equatable {
        /// How many there had been in the room, with this one.
        let number: Int64
        let suggestedBy: UserID
        let keys: [String]
        let milliseconds: Int64

        var bytes: Int { keys.reduce(0) { $0 + $1.utf8.count } }
    }

    struct Past: Sendable, Equatable {
        let entry: QueueEntry
        /// The entry that repetition made of it.
        let requeuedAs: QueueEntryID?
    }

    /// Votes remembered at the same time, skips not counted.
    package static let votesMax = 10_000
    /// Plays remembered; a cool-down ends early where more have come since.
    package static let historyMax = 512
    /// Bytes of what tells those plays apart, likewise.
    static let historyBytesMax = 131_072
    /// Bytes of the texts of all entries together: a queue of names of ordinary length has room for all its entries.
    package static let entryBytesMax = 262_144
    /// How often one can go back.
    package static let pastMax = 50

    package internal(set) var rules: QueueRules
    package internal(set) var repeatMode = RepeatMode.off
    package internal(set) var playing: NowPlaying?
    /// As the host has them, which `order` may not be.
    var waiting: [Waiting] = []
    /// Suggestions to approve, oldest first.
    package internal(set) var pending: [QueueEntry] = []
    /// Oldest first, like `history`.
    var past: [Past] = []
    var history: [Play] = []
    /// Those whose turn in the round under way is still to come; see `Rotation`.
    var round: Set<UserID> = []
    /// Those who want skipped what plays.
    var skippers: Set<UserID> = []
    /// Who left while a vote of theirs counts, and when.
    var departed: [UserID: Int64] = [:]
    var activeListeners = 0
    var nextID: Int64 = 1
    var playCount: Int64 = 0
    /// The latest time seen, ms.
    var clock: Int64 = 0

    package init(rules: QueueRules = QueueRules()) { self.rules = rules }

    package var waitingEntries: [QueueEntry] { waiting.map(\.entry) }
    /// Everybody of whom an entry is there.
    package var suggesters: Set<UserID> {
        Set(
            waiting.map(\.entry.suggestedBy) + pending.map(\.suggestedBy)
                + (playing.map { [$0.entry.suggestedBy] } ?? [])
                + past.map(\.entry.suggestedBy))
    }
    package var entryCount: Int { waiting.count + pending.count + (playing == nil ? 0 : 1) }
    package var skipVotes: Int { skippers.count }
    package var skipVotesNeeded: Int { rules.skipVotesNeeded(activeListeners: activeListeners) }
    var voteCount: Int { waiting.reduce(0) { $0 + $1.ballots.count } }

    // MARK: Commands

    /// Does what a member asks, all of it or nothing: a refused command leaves the queue as it was.
    ///
    /// - Parameters:
    ///   - member: Who asks; the caller vouches for their rights and the time they joined.
    ///   - now: Wall time, ms.
    /// - Returns: What members are to be told, in this order; nothing if nothing changed.
    /// - Throws: `PartyRefusal`, saying which rule stands against it and until when.
    package mutating func apply(
        _ command: PartyCommand, by member: PartyMember, now: Int64
    ) throws(PartyRefusal) -> [PartyEvent] {
        var next = self
        var events = next.pass(to: now)
        // Whoever asks for something is here, whatever was said of them.
        next.departed[member.uid] = nil
        events += try next.perform(command, by: member)
        self = next
        return events
    }

    private mutating func perform(
        _ command: PartyCommand, by member: PartyMember
    ) throws(PartyRefusal) -> [PartyEvent] {
        if let right = command.right, !member.may(right) { throw PartyRefusal(.notAllowed) }
        switch command {
        case .add(let references, let place): return try add(references, at: place, by: member)
        case .suggest(let reference): return try suggest(reference, by: member)
        case .approve(let id): return try approve(id)
        case .reject(let id): return try reject(id)
        case .remove(let id): return try remove(id, by: member)
        case .move(let id, let place): return try move(id, to: place)
        case .clear: return clear()
        case .shuffle(let seed): return shuffle(seed: seed)
        case .setRepeat(let mode): return setRepeat(mode)
        case .next(let id): return try goOn(from: id)
        case .previous: return try goBack()
        case .started(let id): return try start(id)
        case .finished(let id): return try finish(id)
        case .vote(let id, let vote): return try self.vote(vote, for: id, by: member)
        case .voteSkip(let id, let isWanted, let active):
            return try voteSkip(id, isWanted: isWanted, activeListeners: active, by: member)
        case .setRules(let rules): return try set(rules)
        case .changeRules(let change): return try set(rules.changed(change))
        }
    }

    private mutating func set(_ rules: QueueRules) throws(PartyRefusal) -> [PartyEvent] {
        if let number = rules.outOfRange { throw PartyRefusal(.invalidRules, field: number.rawValue) }
        guard rules != self.rules else { return [] }
        let neededBefore = skipVotesNeeded
        if rules.ordering != self.rules.ordering { round = [] }
        self.rules = rules
        var events: [PartyEvent] = [.rulesChanged(rules)]
        if rules.skipPercent == 0, !skippers.isEmpty {
            skippers = []
            events.append(.skipProgress(votes: 0, needed: skipVotesNeeded))
        } else if skipVotesNeeded != neededBefore {
            events += reviewSkip()
        }
        return events
    }

    // MARK: Entries

    mutating func makeID() -> QueueEntryID {
        defer { nextID += 1 }
        return QueueEntryID(nextID)
    }

    func place(of id: QueueEntryID) -> Int? { waiting.firstIndex { $0.entry.id == id } }

    /// - Throws: `queue.not_approved` for a pending entry, `queue.unknown_entry`.
    func requirePlace(of id: QueueEntryID) throws(PartyRefusal) -> Int {
        if let place = place(of: id) { return place }
        throw PartyRefusal(pending.contains { $0.id == id } ? .notApproved : .unknownEntry)
    }
}
