package import SonaWire

/// Votes for waiting entries and against the playing one, including those of people who have left.
extension PartyQueue {
    mutating func vote(
        _ vote: Vote?, for id: QueueEntryID, by member: PartyMember
    ) throws(PartyRefusal) -> [PartyEvent] {
        var refusals = refusals(for: rules.voters, .vote, of: member)
        var place: Int?
        do {
            place = try requirePlace(of: id)
        } catch {
            refusals.append(error)
        }
        let former = place.flatMap { waiting[$0].ballots[member.uid] }
        if former == nil, vote != nil, voteCount >= Self.votesMax {
            refusals.append(PartyRefusal(.votesFull, limit: Self.votesMax))
        }
        if let refusal = PartyRefusal.longest(refusals) { throw refusal }
        guard let place, former != vote else { return [] }
        waiting[place].cast(vote, by: member.uid)
        return [waiting[place].votesChanged]
    }

    mutating func voteSkip(
        _ id: QueueEntryID, isWanted: Bool, activeListeners: Int, by member: PartyMember
    ) throws(PartyRefusal) -> [PartyEvent] {
        var refusals = refusals(for: rules.voters, .vote, of: member)
        if rules.skipPercent == 0, !member.mayControl { refusals.append(PartyRefusal(.closed)) }
        if playing?.entry.id != id { refusals.append(PartyRefusal(.unknownEntry)) }
        if let refusal = PartyRefusal.longest(refusals) { throw refusal }
        let neededBefore = skipVotesNeeded
        self.activeListeners = max(0, activeListeners)
        let isChanged =
            isWanted ? skippers.insert(member.uid).inserted : skippers.remove(member.uid) != nil
        guard isChanged || (skipVotesNeeded != neededBefore && !skippers.isEmpty) else { return [] }
        return reviewSkip()
    }

    /// Tells the number of skip votes, and skips the playing entry if they are enough.
    mutating func reviewSkip() -> [PartyEvent] {
        guard playing != nil else { return [] }
        let progress = PartyEvent.skipProgress(votes: skippers.count, needed: skipVotesNeeded)
        guard rules.skipPercent > 0, skippers.count >= skipVotesNeeded else { return [progress] }
        return [progress] + advance(repeats: false)
    }

    // MARK: Presence

    /// Everybody whose vote counts, for waiting entries or against the playing one.
    package var voters: Set<UserID> { waiting.reduce(into: skippers) { $0.formUnion($1.ballots.keys) } }

    /// The votes of one user.
    package func votes(of user: UserID) -> (up: [QueueEntryID], down: [QueueEntryID], skips: Bool) {
        let cast = { (vote: Vote) in waiting.filter { $0.ballots[user] == vote }.map(\.entry.id) }
        return (cast(.up), cast(.down), skippers.contains(user))
    }

    /// Whether `setPresence` would change anything.
    package func minds(_ user: UserID, isHere: Bool) -> Bool {
        if isHere { return departed[user] != nil }
        return departed[user] == nil && (skippers.contains(user) || waiting.contains { $0.ballots[user] != nil })
    }

    /// A user has come, or their last session here has ended. The votes of a user who left count for `graceSeconds`
    /// more.
    package mutating func setPresence(of user: UserID, isHere: Bool, now: Int64) -> [PartyEvent] {
        let events = pass(to: now)
        guard !isHere else {
            departed[user] = nil
            return events
        }
        let hasVoted = skippers.contains(user) || waiting.contains { $0.ballots[user] != nil }
        if hasVoted, departed[user] == nil { departed[user] = clock }
        forgetDeparted()
        return events + expireVotes()
    }

    /// Keeps `departed` no larger than the number of votes: the entries they voted for may have been played since.
    private mutating func forgetDeparted() {
        guard departed.count > voteCount + skippers.count else { return }
        let voters = voters
        departed = departed.filter { voters.contains($0.key) }
    }

    /// Sets the number of active listeners. With fewer of them, fewer votes are needed to skip.
    package mutating func setActiveListeners(_ count: Int, now: Int64) -> [PartyEvent] {
        let events = pass(to: now)
        let neededBefore = skipVotesNeeded
        activeListeners = max(0, count)
        guard !skippers.isEmpty, skipVotesNeeded != neededBefore else { return events }
        return events + reviewSkip()
    }

    // MARK: Time

    /// The next moment at which `pass` has something to do, if any; ms.
    package var deadline: Int64? {
        departed.values.min().map { $0 + Int64(rules.graceSeconds) * 1000 }
    }

    /// Advances the time to `now`, ms. Votes whose grace is over lapse.
    package mutating func pass(to now: Int64) -> [PartyEvent] {
        clock = max(clock, min(now, Limits.integerMax))
        return expireVotes()
    }

    private mutating func expireVotes() -> [PartyEvent] {
        let grace = Int64(rules.graceSeconds) * 1000
        let gone = Set(departed.filter { $0.value + grace <= clock }.keys)
        guard !gone.isEmpty else { return [] }
        var events: [PartyEvent] = []
        for user in gone { departed[user] = nil }
        for place in waiting.indices {
            let lapsed = waiting[place].ballots.keys.filter(gone.contains)
            guard !lapsed.isEmpty else { continue }
            for user in lapsed { waiting[place].cast(nil, by: user) }
            events.append(waiting[place].votesChanged)
        }
        if !skippers.isDisjoint(with: gone) {
            skippers.subtract(gone)
            events.append(.skipProgress(votes: skippers.count, needed: skipVotesNeeded))
        }
        return events
    }
}

extension PartyQueue.Waiting {
    /// Replaces the user's former vote, if any.
    mutating func cast(_ vote: Vote?, by user: UserID) {
        let former = ballots.updateValue(vote ?? .up, forKey: user)
        if vote == nil { ballots[user] = nil }
        count(former, -1)
        count(vote, 1)
    }

    private mutating func count(_ vote: Vote?, _ change: Int) {
        switch vote {
        case .up: entry.upvotes += change
        case .down: entry.downvotes += change
        case nil: break
        }
    }

    var votesChanged: PartyEvent {
        .votesChanged(entry.id, upvotes: entry.upvotes, downvotes: entry.downvotes)
    }
}
