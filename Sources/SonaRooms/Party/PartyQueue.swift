package import SonaWire

/// The queue of a room and the rules of its party.
///
/// A state machine: every function takes the present time (wall time, ms) and an input, changes the queue and returns
/// the events for members. It knows no clock, no dice and no disk. The same inputs give the same queue, so a log of
/// them can be replayed. A time before one already seen counts as that one.
///
/// An entry is pending (a suggestion nobody has approved), waiting, playing, or past:
/// `suggest` → pending → `approve` → waiting → chosen by `next`, `finished` or `started` → playing → past → `previous` →
/// playing. `add`, and `suggest` where no approval is needed, begin at waiting. A play counts from the moment it is chosen.
///
/// Bounded: at most `QueueRules.entriesRange.upperBound` entries and `pastMax` that `previous` may add to them,
/// `votesMax` votes, `QueueRules.skipVotesMax` votes to skip, and `historyMax` plays. Their texts are bounded by
/// `entryBytesMax` and `historyBytesMax`. A command takes O(entries), and O(votes) more when somebody's votes lapse.
package struct PartyQueue: Sendable, Equatable {
    struct Waiting: Sendable, Equatable {
        var entry: QueueEntry
        var ballots: [UserID: Vote] = [:]
        /// Number of later entries of the same person that were played before it.
        var passedOver = 0
        /// `previous` put the entry back: it plays next, whatever the votes say.
        var isRecalled = false
    }

    struct Play: Sendable, Equatable {
        /// Number of plays in the room, this one included.
        let number: Int64
        let suggestedBy: UserID
        let keys: [String]
        let milliseconds: Int64

        var bytes: Int { keys.reduce(0) { $0 + $1.utf8.count } }
    }

    struct Past: Sendable, Equatable {
        let entry: QueueEntry
        /// The new entry that repetition made of it.
        let requeuedAs: QueueEntryID?
    }

    /// Most votes remembered at the same time, not counting skip votes.
    package static let votesMax = 10_000
    /// Most plays remembered. A cool-down ends early if more plays have come since.
    package static let historyMax = 512
    /// Most bytes of the keys of those plays. Here too a cool-down may end early.
    static let historyBytesMax = 131_072
    /// Most bytes of the texts of all entries together. A queue of names of ordinary length has room for all its
    /// entries.
    package static let entryBytesMax = 262_144
    /// Most steps that one can go back.
    package static let pastMax = 50

    package internal(set) var rules: QueueRules
    package internal(set) var repeatMode = RepeatMode.off
    package internal(set) var playing: NowPlaying?
    /// In the host's order, which may differ from `order`.
    var waiting: [Waiting] = []
    /// Suggestions to approve, oldest first.
    package internal(set) var pending: [QueueEntry] = []
    /// Oldest first, like `history`.
    var past: [Past] = []
    var history: [Play] = []
    /// People whose turn in the current round is still to come; see `Rotation`.
    var round: Set<UserID> = []
    /// Users who voted to skip the playing entry.
    var skippers: Set<UserID> = []
    /// Users who left while their vote still counts, with the time they left, ms.
    var departed: [UserID: Int64] = [:]
    var activeListeners = 0
    var nextID: Int64 = 1
    var playCount: Int64 = 0
    /// The latest time seen, ms.
    var clock: Int64 = 0

    package init(rules: QueueRules = QueueRules()) { self.rules = rules }

    /// The tracks that were chosen to play since a moment, the newest last. Some of the oldest may be missing.
    ///
    /// - Parameter time: Wall time, ms.
    package func tracksPlayed(since time: Int64) -> [String] {
        history.filter { $0.milliseconds >= time }.flatMap { play in
            play.keys.compactMap { $0.hasPrefix("l:") ? String($0.dropFirst(2)) : nil }
        }
    }

    package var waitingEntries: [QueueEntry] { waiting.map(\.entry) }
    /// Everybody who brought an entry that is still stored.
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

    /// Carries out a member's command, all of it or nothing: a refused command leaves the queue as it was.
    ///
    /// - Parameters:
    ///   - member: The member who asks; the caller vouches for their rights and the time they joined.
    ///   - now: Wall time, ms.
    /// - Returns: The events for members, in order; empty if nothing changed.
    /// - Throws: `PartyRefusal`, naming the rule and the time until which it stands.
    package mutating func apply(
        _ command: PartyCommand, by member: PartyMember, now: Int64
    ) throws(PartyRefusal) -> [PartyEvent] {
        var next = self
        var events = next.pass(to: now)
        // A member who sends a command is here, even if they were reported as departed.
        if member.isHere { next.departed[member.uid] = nil }
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
