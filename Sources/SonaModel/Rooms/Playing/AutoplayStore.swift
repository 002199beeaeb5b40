internal import SonaDatabase
package import SonaWire

/// Which rooms play by themselves. Off the loop.
package struct AutoplayStore: Sendable {
    private let dao: PlayingDAO
    private let changes = ChangeCounter()

    init(_ dao: PlayingDAO) { self.dao = dao }

    /// - Throws: `busy`, `storage`.
    package func autoplay(of room: RoomID) async throws(Refusal) -> Autoplay {
        try await dao.read { db in
            let record = try db.first(AutoplayRecord.self, key: room)
            let jingles = try db.first(JingleRecord.self, key: room)?.jingles
            return Autoplay(isOn: record != nil, playlist: record?.playlist, jingles: jingles)
        }
    }

    /// How many tracks and minutes a room has played since its last jingle, as stored.
    ///
    /// - Throws: `busy`, `storage`.
    package func jingleProgress(of room: RoomID) async throws(Refusal) -> JingleProgress {
        try await dao.read { db in try db.first(JingleRecord.self, key: room)?.progress ?? JingleProgress() }
    }

    /// Notes what has played since the last jingle. Nothing is noted of a room without jingles.
    ///
    /// - Throws: `busy`, `storage`.
    package func note(_ progress: JingleProgress, in room: RoomID) async throws(Refusal) {
        try await dao.write { db -> Void in
            try db.execute(
                """
                UPDATE room_jingles SET tracks = \(progress.tracks), since_ms = \(progress.sinceMilliseconds),
                    last_track = \(progress.last)
                WHERE room_id = \(room)
                """)
        }
    }

    /// - Parameter actor: Who must have the capability `control` still.
    /// - Returns: The number of the change.
    /// - Throws: `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func set(_ autoplay: Autoplay, in room: RoomID, by actor: UserID) async throws(Refusal) -> Int64 {
        let changes = changes
        return try await dao.write { db in
            try RoomRights.require(.control, of: actor, in: room, &db)
            if autoplay.isOn {
                try db.upsert(AutoplayRecord(room: room, playlist: autoplay.playlist))
            } else {
                _ = try db.delete(AutoplayRecord.self, key: room)
            }
            if let jingles = autoplay.jingles {
                let progress = try db.first(JingleRecord.self, key: room)?.progress ?? JingleProgress()
                try db.upsert(JingleRecord(room: room, jingles: jingles, progress: progress))
            } else {
                _ = try db.delete(JingleRecord.self, key: room)
            }
            return changes.next()
        }
    }

    /// The open rooms that played by themselves when they were last written down, and may have listeners who come back.
    ///
    /// - Throws: `busy`, `storage`.
    package func playing() async throws(Refusal) -> [RoomID] {
        try await dao.read { db in
            try db.values(
                """
                SELECT a.room_id FROM room_autoplay a
                JOIN rooms r ON r.id = a.room_id AND r.closed_ms IS NULL
                JOIN room_playback p ON p.room_id = a.room_id
                WHERE p.state = \(PlaybackState.playing)
                """, as: RoomID.self)
        }
    }
}
