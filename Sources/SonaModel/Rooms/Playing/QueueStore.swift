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
        _ change: Change, revision: Int64, of room: RoomID
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
    package func load(of room: RoomID) async throws(Refusal) -> Stored? {
        try await playing.read { db in
            guard let queue = try db.first(QueueRecord.self, key: room) else { return nil }
            let entries = try db.all(QueueEntryRecord.self, "WHERE room_id = \(room) ORDER BY list, place, id")
            let plays = try db.all(QueuePlayRecord.self, "WHERE room_id = \(room) ORDER BY number")
            let votes = try db.all(QueueVoteRecord.self, "WHERE room_id = \(room)")
            return Stored(
                state: queue.state, revision: queue.revision, writes: queue.writes,
                entries: entries.map { Entry(id: $0.id, list: $0.list, place: $0.place, text: $0.text) },
                plays: plays.map { Play(number: $0.number, text: $0.text) },
                votes: votes.map { Vote(entry: $0.entry, user: $0.user, choice: $0.choice) })
        }
    }
}

/// What the rows are.
extension QueueStore {
    package enum List: String, Sendable, CaseIterable {
        case waiting
        case pending
        case past
    }

    package enum Choice: String, Sendable, CaseIterable {
        case up
        case down
        case skip
    }

    package struct Entry: Sendable, Equatable {
        /// 1 or more.
        package let id: Int64
        package let list: List
        /// Rises along the list.
        package let place: Int64
        /// 1 to `rowBytesMax` bytes.
        package let text: String

        package init(id: Int64, list: List, place: Int64, text: String) {
            self.id = id
            self.list = list
            self.place = place
            self.text = text
        }
    }

    package struct Play: Sendable, Equatable {
        package let number: Int64
        /// 1 to `rowBytesMax` bytes.
        package let text: String

        package init(number: Int64, text: String) {
            self.number = number
            self.text = text
        }
    }

    package struct Vote: Sendable, Equatable {
        package let entry: Int64
        package let user: String
        package let choice: Choice

        package init(entry: Int64, user: String, choice: Choice) {
            self.entry = entry
            self.user = user
            self.choice = choice
        }
    }

    package struct Stored: Sendable, Equatable {
        package let state: String
        package let revision: Int64
        /// The number of times the queue was written.
        package let writes: Int64
        /// By list and place.
        package let entries: [Entry]
        /// By number.
        package let plays: [Play]
        package let votes: [Vote]
    }

    /// What is done to the rows, in the order of these properties.
    package struct Change: Sendable {
        /// The number of writes of the state that is changed; 0 where there is none.
        package var after: Int64
        /// 1 to `bytesMax` bytes.
        package var state: String
        /// Entries all of whose votes go.
        package var closedVotes: [Int64] = []
        package var withdrawals: [(entry: Int64, user: String)] = []
        /// New ones, and those that are others now.
        package var votes: [Vote] = []
        package var goneEntries: [Int64] = []
        package var moves: [(id: Int64, place: Int64)] = []
        /// New ones, and those that are others now.
        package var entries: [Entry] = []
        /// Plays of lower numbers go; `nil`: none do.
        package var firstPlay: Int64?
        package var plays: [Play] = []

        package init(after: Int64, state: String) {
            self.after = after
            self.state = state
        }
    }
}

extension PlayingDAO {
    /// Every row of a change but that of the state.
    fileprivate static func write(_ change: QueueStore.Change, of room: RoomID, in db: inout WriteAccess) throws {
        for entry in change.closedVotes {
            try db.execute("DELETE FROM room_queue_votes WHERE room_id = \(room) AND entry_id = \(entry)")
        }
        for (entry, user) in change.withdrawals {
            try db.execute(
                "DELETE FROM room_queue_votes WHERE room_id = \(room) AND entry_id = \(entry) AND uid = \(user)")
        }
        for vote in change.votes {
            try db.upsert(QueueVoteRecord(room: room, entry: vote.entry, user: vote.user, choice: vote.choice))
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
            try db.upsert(
                QueueEntryRecord(room: room, id: entry.id, list: entry.list, place: entry.place, text: entry.text))
        }
        if let first = change.firstPlay {
            try db.execute("DELETE FROM room_queue_plays WHERE room_id = \(room) AND number < \(first)")
        }
        for play in change.plays {
            try db.upsert(QueuePlayRecord(room: room, number: play.number, text: play.text))
        }
    }
}
