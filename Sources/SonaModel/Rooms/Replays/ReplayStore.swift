internal import SonaDatabase
package import SonaWire

/// Replays of rooms: what was heard and said in a time, to be heard and read again.
///
/// Off the loop. Whether a room keeps replays is decided with each write. Who may read them is the caller's to decide.
///
/// Source: Protocol/spec/replays.md.
package struct ReplayStore: Sendable {
    /// A change of what is heard.
    package struct Passage: Sendable, Equatable {
        /// Milliseconds since 1970, UTC.
        package var atMilliseconds: Int64
        package var isSounding: Bool
        /// Whether it is the play that the room's history got last.
        package var hasTrack: Bool
        /// The place in the track, µs.
        package var positionMicroseconds: Int64

        package init(
            atMilliseconds: Int64, isSounding: Bool, hasTrack: Bool, positionMicroseconds: Int64
        ) {
            self.atMilliseconds = atMilliseconds
            self.isSounding = isSounding
            self.hasTrack = hasTrack
            self.positionMicroseconds = positionMicroseconds
        }
    }

    /// How often a sign was sent within a second.
    package struct Reaction: Sendable, Hashable {
        /// Milliseconds since 1970, UTC, of any moment of the second.
        package var atMilliseconds: Int64
        package var emoji: String

        package init(atMilliseconds: Int64, emoji: String) {
            self.atMilliseconds = atMilliseconds
            self.emoji = emoji
        }
    }

    let dao: PlayingDAO
    let clock: WallClock
    /// How long a page may take in the database.
    let readLimit: Duration

    init(_ dao: PlayingDAO, clock: WallClock, readLimit: Duration) {
        self.dao = dao
        self.clock = clock
        self.readLimit = readLimit
    }

    // MARK: Writing

    /// Writes down that another sound is heard in a room, or none. Begins a replay where there is none to go on with.
    /// Does nothing for a room that keeps no replays.
    ///
    /// - Throws: `busy`, `storage`.
    package func append(_ passage: Passage, to room: RoomID) async throws(Refusal) {
        try await dao.write { db -> Void in
            guard let record = try db.first(RoomRecord.self, key: room), record.closedMilliseconds == nil,
                record.settings.keepsReplays
            else { return }
            let at = passage.atMilliseconds
            var current = try ReplayDAO.current(in: room, &db)
            var last = try current.flatMap { try Self.lastPassage(of: $0.id, &db) }
            let isFull = last.map { $0.number >= Limits.replayPassagesMax } ?? false
            if let replay = current, replay.isOver(at: at) || isFull {
                try ReplayDAO.end(replay, at: isFull ? at : ReplayDAO.end(of: replay, &db), &db)
                (current, last) = (nil, nil)
            }
            guard let replay = try current ?? (passage.isSounding ? Self.begin(in: room, at: at, &db) : nil) else {
                return
            }
            let play = passage.isSounding && passage.hasTrack ? try PlayingDAO.lastNumber(in: room, &db) : nil
            try db.insert(
                PassageRecord(
                    replay: replay.id, number: (last?.number ?? 0) + 1, at: max(at, last?.at ?? replay.start),
                    isSounding: passage.isSounding, play: play,
                    positionMicroseconds: max(0, passage.positionMicroseconds)))
            var changed = replay
            changed.silentSince = passage.isSounding ? nil : replay.silentSince ?? at
            try db.updateChanges(changed, from: replay)
            guard let play else { return }
            try db.execute("UPDATE room_history SET replay_id = \(replay.id) WHERE room_id = \(room) AND id = \(play)")
        }
    }

    private static func lastPassage(
        of replay: ReplayID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> PassageRecord? {
        try db.first(PassageRecord.self, "WHERE replay_id = \(replay) ORDER BY number DESC LIMIT 1")
    }

    /// Begins a replay, and forgets the oldest where the room has as many as it may.
    private static func begin(in room: RoomID, at start: Int64, _ db: inout WriteAccess) throws -> ReplayRecord {
        let replay = ReplayRecord(
            id: .random(milliseconds: start), room: room, start: start, end: nil, silentSince: nil,
            firstMessage: try ChatDAO.nextNumber(in: room, &db), reactions: 0)
        try db.insert(replay)
        let surplus = try db.all(
            ReplayRecord.self,
            "WHERE room_id = \(room) ORDER BY start_ms DESC, id DESC LIMIT 4 OFFSET \(Limits.replaysPerRoomMax)")
        for old in surplus where old.id != replay.id { try ReplayDAO.remove(old, &db) }
        return replay
    }

    /// Counts reactions. What belongs to no replay that goes on, or is too much for it, is left out.
    ///
    /// - Throws: `busy`, `storage`.
    package func count(_ reactions: [Reaction: Int], in room: RoomID) async throws(Refusal) {
        try await dao.write { db -> Void in
            guard let replay = try ReplayDAO.current(in: room, &db) else { return }
            var rows = replay.reactions
            for (reaction, count) in reactions.sorted(by: { ($1.value, $0.key.emoji) < ($0.value, $1.key.emoji) }) {
                guard !replay.isOver(at: reaction.atMilliseconds), count > 0 else { continue }
                let second = max(0, reaction.atMilliseconds - replay.start) / 1_000
                let key = ReplayReactionRecord.Key(replay.id, second, reaction.emoji)
                if var known = try db.first(ReplayReactionRecord.self, key: key) {
                    known.count += count
                    _ = try db.update(known)
                } else if rows < Limits.replayReactionsMax {
                    rows += 1
                    try db.insert(
                        ReplayReactionRecord(
                            replay: replay.id, second: second, emoji: reaction.emoji, count: count))
                }
            }
            var changed = replay
            changed.reactions = rows
            try db.updateChanges(changed, from: replay)
        }
    }

    /// Writes down, for all that went on when the server ended, that nothing is heard since. For the start of a server,
    /// before a room is awake.
    ///
    /// - Parameter rooms: Go on with this server.
    /// - Throws: `busy`, `storage`.
    package func noteEnd(except rooms: Set<RoomID> = []) async throws(Refusal) {
        try await dao.write { db -> Void in
            let sounding = try db.all(ReplayRecord.self, "WHERE end_ms IS NULL AND silent_since_ms IS NULL")
            for replay in sounding where !rooms.contains(replay.room) {
                guard let last = try Self.lastPassage(of: replay.id, &db) else { continue }
                // A room that plays writes its place down every few seconds.
                let playback = try db.first(PlaybackRecord.self, key: replay.room)?.playback
                let written = playback?.state == .playing ? playback?.anchorWallMilliseconds : nil
                let said =
                    try db.value(
                        "SELECT max(at_ms) FROM room_chat WHERE replay_id = \(replay.id)", as: Int64?.self) ?? nil
                let at = max(last.at, written ?? 0, said ?? 0)
                try db.insert(
                    PassageRecord(
                        replay: replay.id, number: last.number + 1, at: at, isSounding: false, play: nil,
                        positionMicroseconds: 0))
                var changed = replay
                changed.silentSince = at
                try db.updateChanges(changed, from: replay)
            }
        }
    }

    /// - Parameter actor: Who must own the room still.
    /// - Throws: `replayNotFound`, `forbidden`, `roomUnknown`, `roomClosed`, `busy`, `storage`.
    package func remove(_ id: ReplayID, by actor: UserID) async throws(Refusal) {
        try await dao.write { db -> Void in
            guard let replay = try db.first(ReplayRecord.self, key: id) else { throw Refusal(.replayNotFound) }
            try RoomRights.require(.manage, of: actor, in: replay.room, &db)
            try ReplayDAO.remove(replay, &db)
        }
    }

    /// Forgets replays that began too long ago, and ends those that are over. For an hourly round.
    ///
    /// - Parameter days: How long they are kept, 1 or more.
    /// - Returns: Rows that went.
    /// - Throws: `busy`, `storage`.
    @discardableResult
    package func tidy(keptDays days: Int) async throws(Refusal) -> Int {
        let now = clock.nowMilliseconds()
        let before = now - Int64(days) * 86_400_000
        var count = 0
        while true {
            let step = try await dao.write { db -> Int in
                guard
                    let replay = try db.first(
                        ReplayRecord.self, "WHERE start_ms <= \(before) ORDER BY start_ms LIMIT 1")
                else { return 0 }
                return try ReplayDAO.remove(replay, &db)
            }
            count += step
            if step == 0 { break }
        }
        try await dao.write { db -> Void in
            for replay in try db.all(ReplayRecord.self, "WHERE end_ms IS NULL") where replay.isOver(at: now) {
                try ReplayDAO.end(replay, at: ReplayDAO.end(of: replay, &db), &db)
            }
        }
        return count
    }
}
