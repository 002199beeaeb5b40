internal import SonaDatabase
package import SonaWire

/// The queue of each room as it was written down last, in rows of texts that mean nothing here.
package struct QueueStore: Sendable {
    /// The bytes of all rows of one queue together. The caller of `save` keeps to it.
    package static let bytesMax = 4_194_304
    /// The bytes of one entry, or of one play.
    package static let rowBytesMax = 65_536

    private let playing: PlayingDAO

    init(_ playing: PlayingDAO) { self.playing = playing }

    /// Writes a change down, if what is stored is what it changes: of two made for the same state one is written.
    ///
    /// - Parameters:
    ///   - revision: 0 or more, of the state after it.
    /// - Returns: Whether it was written: all of it, or nothing.
    /// - Throws: `roomUnknown`, `invalid`, `busy`, `storage`.
    @discardableResult
    package func save(
        _ change: QueueRows.Change, revision: Int64, of room: RoomID
    ) async throws(Refusal) -> Bool {
        try await playing.write { db in
            let isNext = try db.execute(
                """
                INSERT INTO room_queue (room_id, state, revision, writes)
                VALUES (\(room), \(change.state), \(revision), \(change.after + 1))
                ON CONFLICT (room_id) DO UPDATE
                SET state = excluded.state, revision = excluded.revision, writes = excluded.writes
                WHERE room_queue.writes = \(change.after)
                """)
            guard isNext > 0 else { return false }
            try PlayingDAO.write(change, of: room, in: &db)
            return true
        }
    }

    /// The accounts of those users who have one.
    ///
    /// - Throws: `busy`, `storage`.
    package func people(_ uids: [UserID]) async throws(Refusal) -> [User] {
        guard !uids.isEmpty else { return [] }
        return try await playing.read { db in
            try db.all(UserRecord.filter(UserRecord.uid.isIn(uids))).map {
                User(uid: $0.uid, username: $0.username, isGuest: false)
            }
        }
    }

    /// - Returns: `nil` if none was ever written down.
    /// - Throws: `busy`, `storage`.
    package func load(of room: RoomID) async throws(Refusal) -> QueueRows? {
        try await playing.read { db in
            guard let queue = try db.first(QueueRecord.self, key: room) else { return nil }
            let entries = try db.all(QueueEntryRecord.self, "WHERE room_id = \(room) ORDER BY list, place, id")
            let plays = try db.all(QueuePlayRecord.self, "WHERE room_id = \(room) ORDER BY number")
            let votes = try db.all(QueueVoteRecord.self, "WHERE room_id = \(room)")
            return QueueRows(
                state: queue.state, revision: queue.revision, writes: queue.writes, entries: entries.map(\.entry),
                plays: plays.map(\.play), votes: votes.map(\.vote))
        }
    }
}

extension PlayingDAO {
    /// Every row of a change but that of the state.
    fileprivate static func write(_ change: QueueRows.Change, of room: RoomID, in db: inout WriteAccess) throws {
        for entry in change.closedVotes {
            try db.execute("DELETE FROM room_queue_votes WHERE room_id = \(room) AND entry_id = \(entry)")
        }
        for (entry, user) in change.withdrawals {
            try db.execute(
                "DELETE FROM room_queue_votes WHERE room_id = \(room) AND entry_id = \(entry) AND uid = \(user)")
        }
        for vote in change.votes {
            try db.upsert(QueueVoteRecord(room: room, vote: vote))
        }
        for id in change.goneEntries {
            try db.execute("DELETE FROM room_queue_entries WHERE room_id = \(room) AND id = \(id)")
        }
        if !change.moves.isEmpty {
            // After a shuffle they are many.
            try db.withStatement("UPDATE room_queue_entries SET place = ? WHERE room_id = ? AND id = ?") { statement in
                for (id, place) in change.moves { try statement.execute(place, room, id) }
            }
        }
        for entry in change.entries {
            try db.upsert(QueueEntryRecord(room: room, entry: entry))
        }
        if let first = change.firstPlay {
            try db.execute("DELETE FROM room_queue_plays WHERE room_id = \(room) AND number < \(first)")
        }
        for play in change.plays {
            try db.upsert(QueuePlayRecord(room: room, play: play))
        }
    }
}
