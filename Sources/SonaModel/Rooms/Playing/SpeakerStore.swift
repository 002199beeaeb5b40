internal import SonaDatabase
package import SonaWire

/// Which speakers play which rooms, and how. Off the loop.
package struct SpeakerStore: Sendable {
    private let dao: PlayingDAO
    private let clock: WallClock

    init(_ dao: PlayingDAO, clock: WallClock) {
        self.dao = dao
        self.clock = clock
    }

    /// A speaker and its room.
    package struct Stored: Sendable, Equatable {
        package var speaker: Speaker
        /// `nil`: none has it.
        package var room: RoomID?

        init(_ record: SpeakerRecord) { (speaker, room) = (record.speaker, record.room) }
    }

    // MARK: The speakers themselves

    /// A speaker has come. Of those that no room has, the last ones are remembered.
    ///
    /// - Parameter name: What its machine is called: its name until somebody gives it another.
    /// - Throws: `busy`, `storage`.
    package func came(_ id: String, name: String) async throws(Refusal) -> Stored {
        let now = clock.nowMilliseconds()
        return try await dao.write { db in
            let known = try db.first(SpeakerRecord.self, key: id)
            var record = known ?? SpeakerRecord(id, name: name)
            record.seenMilliseconds = now
            // It was given to a room before it ever came.
            if let known, known.seenMilliseconds == nil, known.name == id { record.name = name }
            try db.upsert(record)
            if known == nil {
                try db.execute(
                    """
                    DELETE FROM speakers WHERE room_id IS NULL AND id NOT IN (SELECT id FROM speakers
                        WHERE room_id IS NULL ORDER BY seen_ms DESC LIMIT \(Limits.speakersUnassignedMax))
                    """)
            }
            return Stored(record)
        }
    }

    /// A speaker's volume was changed at the speaker.
    ///
    /// - Returns: `nil` if it has been forgotten.
    /// - Throws: `busy`, `storage`.
    @discardableResult
    package func changed(_ id: String, volume: Int, isMuted: Bool) async throws(Refusal) -> Stored? {
        try await dao.write { db in
            guard var record = try db.first(SpeakerRecord.self, key: id) else { return nil }
            (record.volume, record.isMuted) = (volume, isMuted)
            try db.upsert(record)
            return Stored(record)
        }
    }

    /// - Throws: `busy`, `storage`.
    package func speaker(_ id: String) async throws(Refusal) -> Stored? {
        try await dao.read { db in try db.first(SpeakerRecord.self, key: id).map(Stored.init) }
    }

    // MARK: Rooms

    /// The speakers of a room by name; those of no room the last seen first.
    ///
    /// - Throws: `busy`, `storage`.
    package func list(of room: RoomID?) async throws(Refusal) -> [Speaker] {
        let order: SQL =
            room.map { "WHERE room_id = \($0) ORDER BY name COLLATE NOCASE, id" }
            ?? "WHERE room_id IS NULL ORDER BY seen_ms DESC LIMIT \(Limits.speakersUnassignedMax)"
        return try await dao.read { db in try db.all(SpeakerRecord.self, order).map(\.speaker) }
    }

    /// Gives a speaker to a room. It may never have come.
    ///
    /// - Parameter actor: Who must have the capability `manage` there, and in the room that has it.
    /// - Throws: `speakerTaken`, `speakerLimitReached`; `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func assign(_ id: String, to room: RoomID, by actor: UserID) async throws(Refusal) -> Stored {
        try await dao.write { db in
            try RoomRights.require(.manage, of: actor, in: room, &db)
            var record = try db.first(SpeakerRecord.self, key: id) ?? SpeakerRecord(id)
            guard record.room != room else { return Stored(record) }
            if let other = record.room {
                do { try RoomRights.require(.manage, of: actor, in: other, &db) } catch let refusal as Refusal {
                    // What a closed room has is free.
                    guard refusal.code == .roomClosed else { throw Refusal(.speakerTaken) }
                }
            }
            let count = try db.count(SpeakerRecord.filter(SpeakerRecord.room == room))
            guard count < Limits.speakersPerRoomMax else { throw Refusal(.speakerLimitReached) }
            record.room = room
            try db.upsert(record)
            return Stored(record)
        }
    }

    /// Changes how a room's speaker plays.
    ///
    /// - Parameter actor: Who must have the capability `manage`.
    /// - Throws: `speakerNotFound`; `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func update(_ request: SpeakerUpdate, in room: RoomID, by actor: UserID) async throws(Refusal) -> Stored {
        try await dao.write { db in
            try RoomRights.require(.manage, of: actor, in: room, &db)
            guard var record = try db.first(SpeakerRecord.self, key: request.speaker), record.room == room else {
                throw Refusal(.speakerNotFound)
            }
            record.name = request.name ?? record.name
            record.volume = request.volume ?? record.volume
            record.isMuted = request.isMuted ?? record.isMuted
            record.latencyMilliseconds = request.latencyMilliseconds ?? record.latencyMilliseconds
            try db.upsert(record)
            return Stored(record)
        }
    }

    /// Forgets a room's speaker. If it is connected it is one that no room has, as if it had come for the first time.
    ///
    /// - Parameter actor: Who must have the capability `manage`.
    /// - Throws: `speakerNotFound`; `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func forget(_ id: String, in room: RoomID, by actor: UserID) async throws(Refusal) {
        try await dao.write { db -> Void in
            try RoomRights.require(.manage, of: actor, in: room, &db)
            guard let record = try db.first(SpeakerRecord.self, key: id), record.room == room else {
                throw Refusal(.speakerNotFound)
            }
            _ = try db.delete(SpeakerRecord.self, key: id)
        }
    }

    /// The speakers of an owner's rooms, for the export of the account.
    static func exported(
        of owner: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [RoomID: [Speaker]] {
        let records = try db.all(
            SpeakerRecord.self, "WHERE room_id IN (SELECT id FROM rooms WHERE owner_uid = \(owner)) ORDER BY id")
        var speakers: [RoomID: [Speaker]] = [:]
        for record in records {
            if let room = record.room { speakers[room, default: []].append(record.speaker) }
        }
        return speakers
    }
}
