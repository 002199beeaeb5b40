internal import SonaModel
internal import SonaRooms

/// Conversion between the rows of a queue and the store's, which does not know their meaning.
extension PartyRows {
    init(_ stored: QueueStore.Stored) {
        self.init(
            state: stored.state, writes: stored.writes,
            entries: stored.entries.map { Entry(id: $0.id, list: List($0.list), place: $0.place, text: $0.text) },
            plays: stored.plays.map { Play(number: $0.number, text: $0.text) },
            ballots: stored.votes.map { Ballot(entry: $0.entry, user: $0.user, choice: Choice($0.choice)) })
    }
}

extension QueueStore.Change {
    init(_ change: PartyRowChange) {
        self.init(after: change.after, state: change.state)
        closedVotes = change.closedVotes
        withdrawals = change.withdrawals.map { ($0.entry, $0.user) }
        votes = change.ballots.map {
            QueueStore.Vote(entry: $0.entry, user: $0.user, choice: QueueStore.Choice($0.choice))
        }
        goneEntries = change.goneEntries
        moves = change.moves.map { ($0.id, $0.place) }
        entries = change.entries.map {
            QueueStore.Entry(id: $0.id, list: QueueStore.List($0.list), place: $0.place, text: $0.text)
        }
        firstPlay = change.firstPlay
        plays = change.plays.map { QueueStore.Play(number: $0.number, text: $0.text) }
    }
}

extension PartyRows.List {
    fileprivate init(_ list: QueueStore.List) {
        switch list {
        case .waiting: self = .waiting
        case .pending: self = .pending
        case .past: self = .past
        }
    }
}

extension PartyRows.Choice {
    fileprivate init(_ choice: QueueStore.Choice) {
        switch choice {
        case .up: self = .up
        case .down: self = .down
        case .skip: self = .skip
        }
    }
}

extension QueueStore.List {
    fileprivate init(_ list: PartyRows.List) {
        switch list {
        case .waiting: self = .waiting
        case .pending: self = .pending
        case .past: self = .past
        }
    }
}

extension QueueStore.Choice {
    fileprivate init(_ choice: PartyRows.Choice) {
        switch choice {
        case .up: self = .up
        case .down: self = .down
        case .skip: self = .skip
        }
    }
}
