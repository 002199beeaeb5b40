package import SonaWire

extension QueueRows {
    /// All rows put back into lists of one object, the form of format 1.
    ///
    /// - Returns: The state alone if it is of another format.
    /// - Throws: If a text is not JSON, or a vote is for an entry that does not exist.
    package func joined() throws(PartyStateError) -> JSON {
        let state = try Self.parse(state, "")
        guard case .object(var members) = state, state["format"]?.integer == PartyQueue.format else { return state }
        var cast = CastVotes(votes)
        for list in List.allCases {
            var objects: [JSON] = []
            for entry in entries where entry.list == list {
                let id = JSON.Member(key: "id", value: .integer(entry.id))
                let text = try Self.parse(entry.text, "\(list)[\(objects.count)]")
                let votes = list == .waiting ? cast.take(for: entry.id) : []
                objects.append(text.adding([id], votes))
            }
            members.append(JSON.Member(key: list.rawValue, value: .array(objects)))
        }
        var history: [JSON] = []
        for play in plays {
            let number = JSON.Member(key: "number", value: .integer(play.number))
            history.append(try Self.parse(play.text, "history[\(history.count)]").adding([number]))
        }
        members.append(JSON.Member(key: "history", value: .array(history)))
        let skips = cast.takeSkips(of: state["now"]?["id"]?.integer)
        members.append(JSON.Member(key: "skip", value: .array(skips)))
        if let entry = cast.first { throw PartyStateError(field: "votes", reason: "are for \(entry)") }
        return .object(members)
    }

    /// Votes by entry, until the entry takes them.
    private struct CastVotes {
        private var cast: [Int64: [Choice: [JSON]]] = [:]

        init(_ votes: [Vote]) {
            for vote in votes {
                cast[vote.entry, default: [:]][vote.choice, default: []].append(.string(vote.user))
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
