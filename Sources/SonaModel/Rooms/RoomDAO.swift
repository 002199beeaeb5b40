internal import SonaDatabase
internal import SonaWire

/// Rooms, and where each was when it was last written down.
struct RoomDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(RoomRecord.self)
        setUp.createTable(PlaybackRecord.self)
        setUp.createTable(RoomTransferRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .check = error.kind { .invalid } else { nil }
    }

    // MARK: Making and changing

    /// Adds a room. The limit is decided inside the transaction, so two at once can't both take the last place.
    ///
    /// - Throws: `limitReached`, `ownerUnknown`, `invalid`, `busy`, `storage`.
    func add(_ room: RoomRecord, maxPerOwner: Int) async throws(Refusal) -> RoomStore.StoredRoom {
        try await write { db in
            guard let owner = try db.first(UserRecord.self, key: room.owner) else {
                throw Refusal.ownerUnknown
            }
            let open = RoomRecord.filter(RoomRecord.owner == owner.uid && RoomRecord.closed == nil)
            let limits = try Plans.limits(of: owner.uid, in: &db)
            guard try db.count(open) < limits.rooms ?? maxPerOwner else {
                throw Refusal.limitReached
            }
            try db.insert(room)
            return RoomStore.StoredRoom(room, ownerUsername: owner.username, playback: nil)
        }
    }

    /// Changes an open room.
    ///
    /// - Parameters:
    ///   - first: Runs at the beginning of the transaction, and may refuse the change.
    ///   - body: Changes the record. Within the transaction.
    ///   - now: When, ms: a replay that goes on ends then, if the room is to keep none.
    /// - Returns: The room, and the number of the change.
    /// - Throws: `roomUnknown`, `roomClosed`, `invalid`, `busy`, `storage`.
    func change(
        _ id: RoomID, _ changes: ChangeCounter, now: Int64? = nil,
        first: @escaping @Sendable (inout WriteAccess) throws -> Void = { _ in },
        _ body: @escaping @Sendable (inout RoomRecord) -> Void
    ) async throws(Refusal) -> (room: RoomStore.StoredRoom, changeNumber: Int64) {
        try await write { db in
            try first(&db)
            guard let current = try db.first(RoomRecord.self, key: id) else { throw Refusal.roomUnknown }
            guard current.closedMilliseconds == nil else { throw Refusal.roomClosed }
            var changed = current
            body(&changed)
            try db.updateChanges(changed, from: current)
            if current.settings.keepsReplays, !changed.settings.keepsReplays {
                try ReplayDAO.end(in: id, at: now, &db)
            }
            if changed.closedMilliseconds != nil { try Self.clear(closed: id, in: &db) }
            let found = try db.all("\(RoomStore.StoredRoom.select) WHERE \(RoomRecord.id) = \(id)") { row in
                try RoomStore.StoredRoom(row: &row)
            }
            guard let room = found.first else { throw Refusal.roomUnknown }
            return (room, changes.next())
        }
    }

    /// Deletes what a room has no more from the moment it is closed: its picture and covers, its
    /// schedule, and an offer of it.
    static func clear(closed id: RoomID, in db: inout WriteAccess) throws {
        _ = try db.delete(RoomPictureRecord.self, key: id)
        try db.execute("DELETE FROM room_covers WHERE room_id = \(id)")
        try db.execute("DELETE FROM room_slots WHERE room_id = \(id)")
        _ = try db.delete(RoomTransferRecord.self, key: id)
    }

    /// Every open room, for the directory, and what rows can't be read: one must not keep the others away.
    ///
    /// - Throws: `busy`, `storage`.
    func allOpen() async throws(Refusal) -> RoomStore.OpenRooms {
        try await read { db in
            var open = RoomStore.OpenRooms()
            _ = try db.all("\(RoomStore.StoredRoom.select) WHERE \(RoomRecord.closed) IS NULL") { row in
                do throws(DatabaseError) {
                    open.rooms.append(try RoomStore.StoredRoom(row: &row))
                } catch {
                    guard case .badValue(let column, let wanted) = error.kind else { throw error }
                    let name = try? row.withText(0) { String(decoding: $0, as: UTF8.self) }
                    open.unreadable.append((name ?? "?", "column \(column + 1) holds no \(wanted)"))
                }
            }
            return open
        }
    }

    /// In one transaction; a record that is refused leaves the others as they are.
    ///
    /// - Returns: Those refused, each with `roomUnknown`.
    /// - Throws: `busy`, `storage`.
    func save(_ playbacks: [PlaybackRecord]) async throws(Refusal) -> [RoomID: Refusal] {
        try await write { db in
            var refused: [RoomID: Refusal] = [:]
            for playback in playbacks {
                do throws(DatabaseError) {
                    try db.upsert(playback)
                } catch {
                    // The only foreign key is the room.
                    guard case .foreignKey = error.kind else { throw error }
                    refused[playback.room] = .roomUnknown
                }
            }
            return refused
        }
    }

    /// - Throws: `roomUnknown`, `busy`, `storage`.
    func markLive(_ id: RoomID, at milliseconds: Int64) async throws(Refusal) {
        try await write { db in
            let room = try db.update(RoomRecord.self, key: id) { room in
                room.lastLiveMilliseconds = max(room.lastLiveMilliseconds ?? milliseconds, milliseconds)
            }
            if room == nil { throw Refusal.roomUnknown }
        }
    }

    /// - Throws: `roomUnknown`, `busy`, `storage`.
    func delete(_ id: RoomID) async throws(Refusal) {
        try await write { db in
            guard try db.delete(RoomRecord.self, key: id) else { throw Refusal.roomUnknown }
        }
    }

    // MARK: Finding

    /// - Throws: `busy`, `storage`.
    func find(_ id: RoomID) async throws(Refusal) -> RoomStore.StoredRoom? {
        try await all("WHERE \(RoomRecord.id) = \(id)").first
    }

    /// The rooms of the user with that name: the one that was live last first, those never live after it, newest first.
    ///
    /// - Throws: `busy`, `storage`.
    func owned(by username: Username) async throws(Refusal) -> [RoomStore.StoredRoom] {
        try await all(
            """
            WHERE \(UserRecord.usernameKey) = \(username.key) AND \(RoomRecord.closed) IS NULL
            ORDER BY \(RoomRecord.lastLive) DESC NULLS LAST, \(RoomRecord.created) DESC, \(RoomRecord.id) DESC
            """)
    }

    /// Some rooms, newest first, beginning after the one with the time and the id of `cursor`.
    ///
    /// - Throws: `busy`, `storage`.
    func page(
        publicOnly: Bool, owner: UserID?, hiddenFrom asker: UserID?, after cursor: (createdMs: Int64, id: RoomID)?,
        limit: Int
    ) async throws(Refusal) -> [RoomStore.StoredRoom] {
        try await all(
            Self.page(publicOnly: publicOnly, owner: owner, hiddenFrom: asker, after: cursor, limit: limit))
    }

    /// Each form of it runs along one of the indexes of `rooms`, and sorts nothing.
    static func page(
        publicOnly: Bool, owner: UserID?, hiddenFrom asker: UserID? = nil,
        after cursor: (createdMs: Int64, id: RoomID)?, limit: Int
    ) -> SQL {
        let (created, id) = (RoomRecord.created, RoomRecord.id)
        var condition: SQL = "\(RoomRecord.closed) IS NULL"
        if publicOnly { condition = "\(condition) AND \(RoomRecord.isPublic)" }
        if let owner { condition = "\(condition) AND \(RoomRecord.owner) = \(owner)" }
        if let asker {
            condition = """
                \(condition) AND NOT EXISTS (SELECT 1 FROM blocks b
                    WHERE b.blocker_uid = \(RoomRecord.owner) AND b.blocked_uid = \(asker))
                """
        }
        if let cursor { condition = "\(condition) AND (\(created), \(id)) < (\(cursor.createdMs), \(cursor.id))" }
        return "WHERE \(condition) ORDER BY \(created) DESC, \(id) DESC LIMIT \(limit)"
    }

    /// - Parameter rest: What follows `FROM …`.
    private func all(_ rest: SQL) async throws(Refusal) -> [RoomStore.StoredRoom] {
        try await read { db in
            try db.all("\(RoomStore.StoredRoom.select) \(rest)") { row in try RoomStore.StoredRoom(row: &row) }
        }
    }
}
