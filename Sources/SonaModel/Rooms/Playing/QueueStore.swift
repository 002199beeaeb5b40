internal import SonaDatabase
package import SonaWire

/// The queue of each room as it was written down last: a text that means nothing here.
package struct QueueStore: Sendable {
    package static let stateBytesMax = 4_194_304

    private let playing: PlayingDAO

    init(_ playing: PlayingDAO) { self.playing = playing }

    /// Writes a queue down, unless a later one is there already: of two writes under way the later state stays.
    ///
    /// - Parameters:
    ///   - state: 1 to `stateBytesMax` bytes.
    ///   - revision: 0 or more, higher for a later state.
    /// - Returns: Whether it was written.
    /// - Throws: `roomUnknown`, `invalid`, `busy`, `storage`.
    @discardableResult
    package func save(
        _ state: String, revision: Int64, of room: RoomID
    ) async throws(RoomMemoryError) -> Bool {
        try await playing.write(or: RoomMemoryError.storage) { db in
            try db.execute(
                """
                INSERT INTO room_queue (room_id, state, revision) VALUES (\(room), \(state), \(revision))
                ON CONFLICT (room_id) DO UPDATE SET state = excluded.state, revision = excluded.revision
                WHERE excluded.revision >= room_queue.revision
                """) > 0
        }
    }

    /// The accounts of those users who have one.
    ///
    /// - Throws: `busy`, `storage`.
    package func people(_ uids: [UserID]) async throws(RoomMemoryError) -> [User] {
        guard !uids.isEmpty else { return [] }
        return try await playing.read(or: RoomMemoryError.storage) { db in
            try db.all(UserRecord.filter(UserRecord.uid.isIn(uids))).map {
                User(uid: $0.uid, username: $0.username, isGuest: false)
            }
        }
    }

    /// - Returns: `nil` if none was ever written down.
    /// - Throws: `busy`, `storage`.
    package func load(of room: RoomID) async throws(RoomMemoryError) -> (state: String, revision: Int64)? {
        try await playing.read(or: RoomMemoryError.storage) { db in
            guard let queue = try db.first(QueueRecord.self, key: room) else { return nil }
            return (queue.state, queue.revision)
        }
    }
}
