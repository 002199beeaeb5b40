internal import SonaWire

/// A list that somebody watches: the first rooms that a query finds, as they have been told of them.
///
/// ```swift
/// var list = DirectorySubscription(DirectoryQuery(hidden: blocked), limit: 50)
/// let beginning = directory.changes(for: &list, now: now)  // All added, or nil if there is nothing.
/// // From list.dueMicroseconds on, whenever it suits:
/// if let changes = directory.changes(for: &list, now: now) { send(changes) }
/// ```
package struct DirectorySubscription: Sendable {
    package static let limitMax = 100
    /// Between two differences, on average; a call that comes late does not put off the one behind it.
    static let intervalMicroseconds: Int64 = 1_000_000
    private static let latenessMicrosecondsMax: Int64 = 250_000

    /// May change, when a block comes or goes for instance: the next difference is to what it finds then.
    package var query: DirectoryQuery {
        didSet { seenRevision = nil }
    }
    package let limit: Int
    /// When the next difference can be had, µs.
    package private(set) var dueMicroseconds: Int64 = .min
    /// Of the directory when this was held against it last; nil if that was another query.
    private(set) var seenRevision: Int64?
    /// What was found then: all that matches, or all of it down to the last one here. Some more than the subscriber
    /// has, so that one that leaves the list seldom makes a search for the one that follows.
    private(set) var found: [Found] = []
    private(set) var isAll = true

    /// - Parameter limit: Brought into 1 to `limitMax`.
    package init(_ query: DirectoryQuery, limit: Int) {
        self.query = query
        self.limit = min(max(1, limit), Self.limitMax)
    }

    /// Most that are kept.
    var foundMax: Int { limit + limit / 2 + 8 }

    /// Where the rooms end that are known; nil if all that match are.
    var edge: Found? { isAll ? nil : found.last }

    /// Takes what is found now, at a revision of the directory.
    ///
    /// - Parameter isAll: Whether that is all there is.
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

    /// Nothing that this is about has changed up to a revision.
    mutating func skip(to revision: Int64) { seenRevision = revision }
}

extension RoomDirectory {
    /// What has become of a list that somebody watches since the last difference.
    ///
    /// One difference a second at most, whatever has changed how often: where it is refused for that, or there is none,
    /// the answer is nil. Called when it is due, a room that goes private is out of every list within a second.
    ///
    /// O(limit + changes since), at most 4096 of them; now and then a search.
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
        /// More has gone than is known to follow, or too much has changed.
        case unknown
    }

    private func look(_ subscription: DirectorySubscription) -> Look {
        guard let seen = subscription.seenRevision, revision - seen < Int64(Self.changedMax) else { return .unknown }
        let isTouched = subscription.found.contains { shelf.marks[Int($0.slot)].revision > seen }
        // Every room that has changed comes anew, those too that were there.
        var found = subscription.found
        if isTouched { found.removeAll { shelf.marks[Int($0.slot)].revision > seen } }
        let comers = comers(subscription, since: seen)
        if !isTouched, comers.isEmpty { return .same }
        if !comers.isEmpty { found = (found + comers).sorted(by: Found.isBefore) }
        return found.count < subscription.limit && !subscription.isAll ? .unknown : .found(found)
    }

    /// The rooms that have changed, as far as they match and stand where the subscription knows what there is.
    private func comers(_ subscription: DirectorySubscription, since seen: Int64) -> [Found] {
        let query = subscription.query
        let edge = subscription.edge
        var comers: [Found] = []
        for revision in seen + 1...revision {
            let slot = changed[Int(revision) % Self.changedMax]
            let mark = shelf.marks[Int(slot)]
            // A room that has changed again is looked at once, for the last time.
            guard mark.revision == revision else { continue }
            // The cheapest first: most rooms stand far behind.
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
