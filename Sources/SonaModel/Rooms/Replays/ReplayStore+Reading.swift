internal import SonaDatabase
package import SonaWire

extension ReplayStore {
    /// Some replays of a room, the newest first.
    ///
    /// - Parameters:
    ///   - id: Only older ones.
    ///   - limit: 1…50.
    /// - Throws: `busy`, `storage`.
    package func page(
        of room: RoomID, before id: ReplayID? = nil, limit: Int = Limits.replayPageCountDefault
    ) async throws(Refusal) -> ReplayPage {
        let (now, older) = (clock.nowMilliseconds(), id.map { "AND id < \($0)" as SQL } ?? "")
        return try await read { db in
            let found = try db.all(
                ReplayRecord.self, "WHERE room_id = \(room) \(older) ORDER BY id DESC LIMIT \(limit + 1)")
            var replays: [Replay] = []
            for record in found.prefix(limit) { replays.append(try ReplayDAO.wire(record, now: now, &db)) }
            return ReplayPage(replays: replays, nextBefore: found.count > limit ? replays.last?.id : nil)
        }
    }

    /// - Throws: `replayNotFound`, `busy`, `storage`.
    package func replay(_ id: ReplayID) async throws(Refusal) -> Replay {
        let now = clock.nowMilliseconds()
        return try await read { db in try ReplayDAO.wire(try Self.find(id, &db), now: now, &db) }
    }

    private static func find(
        _ id: ReplayID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> ReplayRecord {
        guard let record = try db.first(ReplayRecord.self, key: id) else { throw Refusal(.replayNotFound) }
        return record
    }

    /// Some passages, in order, with the plays that they name.
    ///
    /// - Parameters:
    ///   - number: Only those after this one.
    ///   - limit: 1…200.
    /// - Throws: `replayNotFound`, `busy`, `storage`.
    package func passages(
        of id: ReplayID, after number: Int64? = nil, limit: Int = Limits.passagePageCountDefault
    ) async throws(Refusal) -> PassagePage {
        try await read { db in
            let replay = try Self.find(id, &db)
            let found = try db.all(
                PassageRecord.self,
                "WHERE replay_id = \(id) AND number > \(number ?? 0) ORDER BY number LIMIT \(limit + 1)")
            let page = Array(found.prefix(limit))
            var plays: [RoomPlay] = []
            if let first = page.compactMap(\.play).min(), let last = page.compactMap(\.play).max() {
                let named = Set(page.compactMap(\.play))
                plays = try PlayingDAO.plays(
                    "WHERE h.room_id = \(replay.room) AND h.id BETWEEN \(first) AND \(last) ORDER BY h.id", &db
                ).filter { named.contains($0.id) }
            }
            let passages = page.map { passage in
                ReplayPassage(
                    atMilliseconds: max(0, passage.at - replay.start), isSounding: passage.isSounding,
                    play: passage.play, positionMicroseconds: passage.positionMicroseconds)
            }
            return PassagePage(
                passages: passages, plays: plays, nextAfter: found.count > limit ? page.last?.number : nil)
        }
    }

    /// What was said, and the reactions, from one moment to before another.
    ///
    /// - Parameters:
    ///   - from: Milliseconds since the replay's start, like `to`.
    ///   - limit: At most so many messages, 1…100.
    /// - Throws: `replayNotFound`, `busy`, `storage`.
    package func moments(
        of id: ReplayID, from: Int64, to: Int64?, limit: Int = Limits.momentPageCountDefault
    ) async throws(Refusal) -> MomentPage {
        try await read { db in
            let start = try Self.find(id, &db).start
            // No replay is longer.
            let (from, to) = (min(from, Self.farthest), min(to ?? Self.farthest, Self.farthest))
            let records = try db.all(
                ChatRecord.self,
                """
                WHERE replay_id = \(id) AND at_ms >= \(start + from) AND at_ms < \(start + to) AND deleted_ms IS NULL
                ORDER BY at_ms, id LIMIT \(limit + 1)
                """)
            let countsMax = Limits.momentReactionsCount * Limits.reactionKinds.upperBound
            let counts = try db.all(
                ReplayReactionRecord.self,
                """
                WHERE replay_id = \(id) AND at_s >= \((from + 999) / 1_000) AND at_s < \((to + 999) / 1_000)
                ORDER BY at_s, count DESC, emoji LIMIT \(countsMax)
                """)
            return MomentPage(start: start, records, limit: limit, counts, areAllCounts: counts.count < countsMax)
        }
    }

    private static let farthest: Int64 = 2 * Limits.replayLengthMilliseconds

    /// How many replays there are in all.
    ///
    /// - Throws: `busy`, `storage`.
    package func count() async throws(Refusal) -> Int {
        try await read { db in try db.value("SELECT count(*) FROM room_replays") ?? 0 }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        let readLimit = readLimit
        return try await dao.read { db in try db.withTimeLimit(readLimit) { db in try body(&db) } }
    }
}

extension MomentPage {
    /// Cuts what was read to what is told whole: the page ends before the first message or second that is not in it.
    fileprivate init(
        start: Int64, _ records: [ChatRecord], limit: Int, _ counts: [ReplayReactionRecord], areAllCounts: Bool
    ) {
        var next: Int64 = .max
        var messages = records
        if records.count > limit {
            let cut = records[limit].atMilliseconds
            messages = records.filter { $0.atMilliseconds < cut }
            // A crowd in one millisecond: the rest of it is left out, so that there is a next page.
            if messages.isEmpty { messages = Array(records.prefix(limit)) }
            next = messages.last.map { max(cut, $0.atMilliseconds + 1) - start } ?? .max
        }
        var seconds: [ReplayReactions] = []
        for row in counts {
            let count = ReactionCount(emoji: row.emoji, count: row.count)
            if seconds.last?.atMilliseconds == row.second * 1_000 {
                if seconds[seconds.count - 1].counts.count < Limits.reactionKinds.upperBound {
                    seconds[seconds.count - 1].counts.append(count)
                }
            } else {
                seconds.append(ReplayReactions(atMilliseconds: row.second * 1_000, counts: [count]))
            }
        }
        let most = Limits.momentReactionsCount
        if seconds.count > most || !areAllCounts, seconds.count > 1 {
            let cut = seconds[min(most, seconds.count - 1)].atMilliseconds
            next = min(next, cut)
        }
        self.init(
            messages: messages.map { ChatMessage($0) }.filter { $0.atMilliseconds - start < next },
            reactions: Array(seconds.filter { $0.atMilliseconds < next }.prefix(most)),
            nextMilliseconds: next == .max ? nil : max(0, next))
    }
}
