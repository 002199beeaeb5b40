internal import SonaText
package import SonaWire

/// A part of what a search has found.
package struct DirectoryPage: Sendable, Equatable {
    package var entries: [DirectoryEntry]
    /// What to ask with for the rest, at most 32 bytes of ASCII; nil if there is none.
    package var nextCursor: String?
}

extension RoomDirectory {
    /// Finds rooms, a page at a time: every word of the query begins one of the room's.
    ///
    /// Live rooms come before idle ones, then those found by a title or a name before those found by artist or tag,
    /// then those with more listeners (in steps), then the newest.
    ///
    /// The first page is what is so now. Its order is kept for the pages behind it: through all of them no room is
    /// shown twice, and none is missing that could be found from the first page to the last. A room that has come since
    /// is not in them, and one that is gone, private or no match any more is left out. See `ResultLists` for how long.
    ///
    /// O(rooms): 0.1 ms for 10 000 if few match, 1 ms if half of them do.
    /// - Parameters:
    ///   - reader: Whose cursors these are; nobody else can use them.
    ///   - cursor: `nextCursor` of the page before, with the same words and kind of scope. Blocks, invitations and the
    ///     owners looked through may have changed; the present ones count.
    ///   - limit: At least 1 room is given, if there is one.
    ///   - now: µs.
    /// - Throws: `cursorForeign` and `cursorExpired`.
    package mutating func search(
        _ query: DirectoryQuery, reader: UserID, cursor: String? = nil, limit: Int, now: Int64
    ) throws(DirectoryError) -> DirectoryPage {
        if let cursor {
            let list = try lists.list(at: cursor, of: reader, query, now: now)
            let part = read(list.list, from: list.start, query, limit: limit)
            let next = part.rest.map { lists.bookmark($0, in: list.number) }
            return DirectoryPage(entries: part.entries, nextCursor: next)
        }
        let list = ResultList(query, reader: reader, blocks: results(query), revision: revision, now: now)
        let part = read(list, from: 0, query, limit: limit)
        let next = part.rest.map { lists.keep(list, bookmark: $0, now: now) }
        return DirectoryPage(entries: part.entries, nextCursor: next)
    }

    /// What of a list there still is to be seen.
    ///
    /// - Returns: `limit` rooms from `start` on, and where the one behind them is, if there is one.
    private func read(
        _ list: ResultList, from start: Int, _ query: DirectoryQuery, limit: Int
    ) -> (entries: [DirectoryEntry], rest: Int?) {
        var entries: [DirectoryEntry] = []
        var position = 0
        for block in list.blocks {
            defer { position += block.count }
            guard position + block.count > start else { continue }
            for index in max(0, start - position)..<block.count {
                let slot = Int(block[index])
                // Another room may have come into the place of one that is gone.
                guard shelf.marks[slot].sinceRevision <= list.revision, let record = shelf.records[slot],
                    query.admits(record), query.words.isEmpty || record.match(query.words) != nil
                else { continue }
                if entries.count >= max(1, limit) { return (entries, position + index) }
                entries.append(record.entry)
            }
        }
        return (entries, nil)
    }

    /// All that a query finds, in its order, and of the empty query what others may not see of it.
    private func results(_ query: DirectoryQuery) -> [[Int32]] {
        if query.words.isEmpty, query.scope == .all { return candidates(query).blocks }
        return [found(query, limit: .max).map(\.slot)]
    }

    /// The first `limit` rooms that a query finds, and their ranks with how they were found.
    func found(_ query: DirectoryQuery, limit: Int) -> [Found] {
        var collector = FoundCollector(limit: limit)
        for block in candidates(query).blocks {
            for slot in block {
                let mark = shelf.marks[Int(slot)]
                guard mark.signature.contains(query.signature), let record = shelf.records[Int(slot)],
                    let match = record.match(query.words), query.admits(record)
                else { continue }
                collector.take(Found(slot: slot, rank: mark.rank.found(by: match), record: record), match)
                if collector.isFull { return collector.finish() }
            }
        }
        return collector.finish()
    }

    /// Rooms in their order, all that the query may find among them: the public ones and the private ones that the one
    /// who asks may enter, or those of the owners, if they are few.
    private func candidates(_ query: DirectoryQuery) -> RankedOrder {
        if case .owners(let owners) = query.scope, owners.count <= max(16, shelf.count / 4) {
            return RankedOrder(slots(of: owners), shelf)
        }
        var candidates = order
        for room in query.admitted {
            guard let slot = shelf.slot(of: room), shelf.records[Int(slot)]?.isPublic == false else { continue }
            candidates.insert(slot, shelf)
        }
        return candidates
    }
}
