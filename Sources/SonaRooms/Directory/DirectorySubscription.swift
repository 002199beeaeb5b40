internal import SonaWire

/// A watched list: the first rooms that a query finds, as the subscriber was told about them.
///
/// ```swift
/// var list = DirectorySubscription(DirectoryQuery(hidden: blocked), limit: 50)
/// let beginning = directory.changes(for: &list, now: now)  // All added, or nil if there is nothing.
/// // From list.dueMicroseconds on, whenever it suits:
/// if let changes = directory.changes(for: &list, now: now) { send(changes) }
/// ```
package struct DirectorySubscription: Sendable {
    package static let limitMax = 100
    /// Time between two differences, on average. A late call does not delay the next one.
    static let intervalMicroseconds: Int64 = 1_000_000
    private static let latenessMicrosecondsMax: Int64 = 250_000

    /// The query may change, for example when a block is set or lifted. The next difference leads to the new result.
    package var query: DirectoryQuery {
        didSet { seenRevision = nil }
    }
    package let limit: Int
    /// Earliest time of the next difference, µs.
    package private(set) var dueMicroseconds: Int64 = .min
    /// Revision of the directory at the last comparison; nil after a change of query.
    private(set) var seenRevision: Int64?
    /// The result at that revision: all matches, or all of them down to the last one here. It holds more rooms than the
    /// subscriber has, so that a room leaving the list seldom forces a new search.
    private(set) var found: [Found] = []
    private(set) var isAll = true

    /// - Parameter limit: Clamped to 1…`limitMax`.
    package init(_ query: DirectoryQuery, limit: Int) {
        self.query = query
        self.limit = min(max(1, limit), Self.limitMax)
    }

    /// Most results that are kept.
    var foundMax: Int { limit + limit / 2 + 8 }

    /// The last known match; nil if all matches are known.
    var edge: Found? { isAll ? nil : found.last }

    /// Takes the present result, at a revision of the directory.
    ///
    /// - Parameter isAll: Whether `found` holds every match.
    mutating func take(_ found: [Found], isAll: Bool, revision: Int64, now: Int64) -> DirectoryChanges {
        let changes = DirectoryChanges(from: Array(self.found.prefix(limit)), to: Array(found.prefix(limit)))
        self.found = Array(found.prefix(foundMax))
        self.isAll = isAll && found.count <= foundMax
        seenRevision = revision
        if changes.isEmpty { return changes }
        let isOnTime = dueMicroseconds != .min && now - dueMicroseconds <= Self.latenessMicrosecondsMax
        dueMicroseconds = (isOnTime ? dueMicroseconds : now) + Self.intervalMicroseconds
        return changes
    }

    /// Records that nothing relevant has changed up to a revision.
    mutating func skip(to revision: Int64) { seenRevision = revision }
}

extension RoomDirectory {
    /// The difference between a watched list as last told and as it is now.
    ///
    /// Returns nil if less than a second has passed since the last difference, or if there is none. If it is called
    /// whenever it is due, a room that turns private leaves every list within a second.
    ///
    /// O(limit + changes since), with at most 4096 changes; occasionally a search.
    package func changes(for subscription: inout DirectorySubscription, now: Int64) -> DirectoryChanges? {
        guard now >= subscription.dueMicroseconds, subscription.seenRevision != revision else { return nil }
        let found: [Found]
        let isAll: Bool
        switch look(subscription) {
        case .same:
            subscription.skip(to: revision)
            return nil
        case .found(let known):
            found = known
            isAll = subscription.isAll
        case .unknown:
            found = self.found(subscription.query, limit: subscription.foundMax)
            isAll = found.count < subscription.foundMax
        }
        let changes = subscription.take(found, isAll: isAll, revision: revision, now: now)
        return changes.isEmpty ? nil : changes
    }

    private enum Look {
        case same
        case found([Found])
        /// More rooms have left than spare results are known, or too much has changed.
        case unknown
    }

    private func look(_ subscription: DirectorySubscription) -> Look {
        guard let seen = subscription.seenRevision, revision - seen < Int64(Self.changedMax) else { return .unknown }
        let isTouched = subscription.found.contains { shelf.marks[Int($0.slot)].revision > seen }
        // Every changed room is looked at anew, including those that were in the list.
        var found = subscription.found
        if isTouched { found.removeAll { shelf.marks[Int($0.slot)].revision > seen } }
        let comers = comers(subscription, since: seen)
        if !isTouched, comers.isEmpty { return .same }
        if !comers.isEmpty { found = (found + comers).sorted(by: Found.isBefore) }
        return found.count < subscription.limit && !subscription.isAll ? .unknown : .found(found)
    }

    /// The changed rooms that match and rank within the part of the result that the subscription knows.
    private func comers(_ subscription: DirectorySubscription, since seen: Int64) -> [Found] {
        let query = subscription.query
        let edge = subscription.edge
        var comers: [Found] = []
        for revision in seen + 1...revision {
            let slot = changed[Int(revision) % Self.changedMax]
            let mark = shelf.marks[Int(slot)]
            // A room with several changes is looked at once, at its last change.
            guard mark.revision == revision else { continue }
            // The cheapest check comes first: most rooms rank far below the edge.
            if let edge, mark.rank.found(by: .name) < edge.rank { continue }
            guard mark.signature.contains(query.signature), let record = shelf.records[Int(slot)],
                query.admits(record), let match = record.match(query.words)
            else { continue }
            let comer = Found(slot: slot, rank: mark.rank.found(by: match), record: record)
            if let edge, Found.isBefore(edge, comer) { continue }
            comers.append(comer)
        }
        return comers
    }
}
