package import SonaWire

/// A queue in its stored form: rows, so that a change writes only the rows it touches.
///
/// `state` holds the single values: rules, the playing entry, counters. Every entry, every remembered play and every
/// vote has a row. `PartyLedger` says which rows a change writes.
package struct PartyRows: Sendable, Equatable {
    /// The list an entry is in. The playing entry is part of `state`.
    package enum List: String, Sendable, CaseIterable {
        case waiting
        case pending
        case past
    }

    package struct Entry: Sendable, Equatable {
        package let id: Int64
        package let list: List
        /// Rises along the list, with gaps, so that an entry moves without touching others.
        package let place: Int64
        /// A JSON object, without the row's columns and the votes.
        package let text: String

        package init(id: Int64, list: List, place: Int64, text: String) {
            self.id = id
            self.list = list
            self.place = place
            self.text = text
        }
    }

    package struct Play: Sendable, Equatable {
        /// Number of the play in its room.
        package let number: Int64
        /// A JSON object.
        package let text: String

        package init(number: Int64, text: String) {
            self.number = number
            self.text = text
        }
    }

    package enum Choice: String, Sendable, CaseIterable {
        case up
        case down
        /// A vote to skip the entry, which plays.
        case skip
    }

    package struct Ballot: Sendable, Equatable {
        package let entry: Int64
        /// A user identifier; the reader validates it.
        package let user: String
        package let choice: Choice

        package init(entry: Int64, user: String, choice: Choice) {
            self.entry = entry
            self.user = user
            self.choice = choice
        }
    }

    /// A JSON object. In format 1 it holds the whole queue, and there are no rows.
    package var state: String
    /// Number of times the queue has been written.
    package var writes: Int64
    /// Ordered by list and place.
    package var entries: [Entry]
    /// Ordered by number.
    package var plays: [Play]
    package var ballots: [Ballot]

    package init(
        state: String, writes: Int64, entries: [Entry] = [], plays: [Play] = [], ballots: [Ballot] = []
    ) {
        self.state = state
        self.writes = writes
        self.entries = entries
        self.plays = plays
        self.ballots = ballots
    }

    // MARK: One object

    /// All rows put back into lists of one object, the form of format 1.
    ///
    /// - Returns: The state alone if it is of another format.
    /// - Throws: If a text is not JSON, or a vote is for an entry that does not exist.
    package func joined() throws(PartyStateError) -> JSON {
        let state = try Self.parse(state, "")
        guard case .object(var members) = state, state["format"]?.integer == PartyQueue.format else { return state }
        var votes = try Votes(ballots)
        for list in List.allCases {
            var objects: [JSON] = []
            for entry in entries where entry.list == list {
                let id = JSON.Member(key: "id", value: .integer(entry.id))
                let text = try Self.parse(entry.text, "\(list)[\(objects.count)]")
                let cast = list == .waiting ? votes.take(for: entry.id) : []
                objects.append(text.adding([id], cast))
            }
            members.append(JSON.Member(key: list.rawValue, value: .array(objects)))
        }
        var history: [JSON] = []
        for play in plays {
            let number = JSON.Member(key: "number", value: .integer(play.number))
            history.append(try Self.parse(play.text, "history[\(history.count)]").adding([number]))
        }
        members.append(JSON.Member(key: "history", value: .array(history)))
        let skips = votes.takeSkips(of: state["now"]?["id"]?.integer)
        members.append(JSON.Member(key: "skip", value: .array(skips)))
        if let entry = votes.first { throw PartyStateError(field: "votes", reason: "are for \(entry)") }
        return .object(members)
    }

    /// Votes by entry, until the entry takes them.
    private struct Votes {
        private var cast: [Int64: [Choice: [JSON]]] = [:]

        init(_ ballots: [Ballot]) throws(PartyStateError) {
            for ballot in ballots {
                cast[ballot.entry, default: [:]][ballot.choice, default: []].append(.string(ballot.user))
            }
        }

        /// An entry whose votes were not taken, if any.
        var first: Int64? { cast.keys.min() }

        mutating func take(for entry: Int64) -> [JSON.Member] {
            var members: [JSON.Member] = []
            for choice in [Choice.up, .down] {
                guard let users = cast[entry]?.removeValue(forKey: choice) else { continue }
                members.append(JSON.Member(key: choice.rawValue, value: .array(users)))
            }
            if cast[entry]?.isEmpty == true { cast[entry] = nil }
            return members
        }

        mutating func takeSkips(of entry: Int64?) -> [JSON] {
            guard let entry, let users = cast[entry]?.removeValue(forKey: .skip) else { return [] }
            if cast[entry]?.isEmpty == true { cast[entry] = nil }
            return users
        }
    }

    private static func parse(_ text: String, _ field: String) throws(PartyStateError) -> JSON {
        do {
            return try JSON.parse(Array(text.utf8))
        } catch {
            throw PartyStateError(field: field, reason: error.description)
        }
    }
}

extension JSON {
    /// The object with further members before and after its own. Any other value stays as it is, for the reader to
    /// refuse.
    fileprivate func adding(_ before: [Member], _ after: [Member] = []) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(before + members + after)
    }
}
