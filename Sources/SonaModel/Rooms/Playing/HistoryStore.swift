internal import SonaDatabase
package import SonaWire

/// What could be heard in rooms: the newest 10 000 tracks of each.
package struct HistoryStore: Sendable {
    package static let keptMax: Int64 = 10_000

    private let playing: PlayingDAO
    private let notifications: Notifications
    /// How long a page or a recap may take in the database.
    private let readLimit: Duration

    init(_ playing: PlayingDAO, notifications: Notifications, readLimit: Duration) {
        self.notifications = notifications
        self.playing = playing
        self.readLimit = readLimit
    }

    /// Writes down that a track can be heard from a moment on. The first of a broadcast is told to the followers of its
    /// host.
    ///
    /// - Parameter beginsBroadcast: It is the first of a broadcast; others are of the same as the play before.
    /// - Throws: `roomUnknown`, `invalid`, `busy`, `storage`.
    package func append(
        _ track: Track, at milliseconds: Int64, host: UserID?, beginsBroadcast: Bool = false, to room: RoomID
    ) async throws(Refusal) {
        let number = try await playing.write { db in
            let (id, broadcast) = try PlayingDAO.nextNumber(in: room, &db)
            let record = HistoryRecord(
                room: room, id: id, atMilliseconds: milliseconds, title: track.title, artist: track.artist,
                album: track.album, durationMicroseconds: track.durationMicroseconds, artwork: track.artwork,
                host: host, broadcast: beginsBroadcast ? id : broadcast, music: track.music, replay: nil)
            try db.insert(record)
            try PlayingDAO.prune(room, newest: record.id, in: &db)
            return id
        }
        guard beginsBroadcast, let host else { return }
        // The track is written: a failure here is not one of this function.
        try? await notifications.announce(host, in: room, broadcast: number, now: milliseconds)
    }

    /// Some plays, newest first.
    ///
    /// - Parameters:
    ///   - id: The page begins with the one before this; `nil`: with the newest.
    ///   - limit: 1…100.
    /// - Throws: `busy`, `storage`.
    package func page(
        of room: RoomID, before id: Int64? = nil, limit: Int = 50
    ) async throws(Refusal) -> PlayPage {
        let limit = min(max(limit, 1), Int(Limits.historyPageCount.upperBound))
        let readLimit = self.readLimit
        return try await playing.read { db in
            let found = try db.withTimeLimit(readLimit) { db in
                try PlayingDAO.plays(
                    "WHERE h.room_id = \(room) AND h.id < \(id ?? .max) ORDER BY h.id DESC LIMIT \(limit + 1)", &db)
            }
            let plays = Array(found.prefix(limit))
            return PlayPage(plays: plays, nextBefore: found.count > limit ? plays.last?.id : nil)
        }
    }

    /// What became audible from the first moment to before the second, in order.
    ///
    /// - Parameters:
    ///   - broadcast: Only of this broadcast.
    ///   - limit: At most so many, the oldest.
    /// - Throws: `busy`, `storage`.
    package func recap(
        of room: RoomID, broadcast: Int64? = nil, from start: Int64 = .min, to end: Int64 = .max,
        limit: Int = Int(keptMax)
    ) async throws(Refusal) -> [RoomPlay] {
        let only: SQL = if let broadcast { "AND h.session = \(broadcast)" } else { "" }
        let readLimit = self.readLimit
        return try await playing.read { db in
            try db.withTimeLimit(readLimit) { db in
                try PlayingDAO.plays(
                    """
                    WHERE h.room_id = \(room) AND h.at_ms >= \(start) AND h.at_ms < \(end) \(only)
                    ORDER BY h.at_ms, h.id LIMIT \(limit)
                    """, &db)
            }
        }
    }

    /// The track that was written down last.
    ///
    /// - Throws: `busy`, `storage`.
    package func last(of room: RoomID) async throws(Refusal) -> RoomPlay? {
        try await playing.read { db in
            try PlayingDAO.plays("WHERE h.room_id = \(room) ORDER BY h.id DESC LIMIT 1", &db).first
        }
    }
}

extension RoomPlay {
    /// What `init(row:)` reads, of plays `h` and the hosts that are still known, `u`.
    static let select: SQL = """
        SELECT h.id, h.session, h.at_ms, h.title, h.artist, h.album, h.duration_us, h.artwork, h.music, u.uid,
            u.username
        FROM room_history h LEFT JOIN users u ON u.uid = h.host_uid
        """

    init(row: inout Row) throws(DatabaseError) {
        self.init(
            id: try row.next(), session: try row.next(), atMilliseconds: max(0, try row.next()),
            track: Track(
                title: try row.next(), artist: try row.next(), album: try row.next(),
                durationMicroseconds: try row.next(), artwork: try row.next(), music: try row.next()),
            host: try User(accountIn: &row))
    }
}
