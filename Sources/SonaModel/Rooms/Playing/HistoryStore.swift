internal import SonaDatabase
package import SonaWire

/// What could be heard in rooms: the newest 10 000 tracks of each.
package struct HistoryStore: Sendable {
    package static let keptMax: Int64 = 10_000

    package struct Entry: Sendable, Equatable {
        /// 1, 2, 3 … in each room, also over restarts.
        package let id: Int64
        /// When it became audible.
        package let atMilliseconds: Int64
        package let track: Track
        /// `nil` if that account is gone, or nobody knew.
        package let host: UserID?
        /// The `id` of the first entry of the same broadcast.
        package let broadcast: Int64
    }

    package struct Page: Sendable, Equatable {
        /// Newest first.
        package let entries: [Entry]
        /// The hosts that are still known, by the names they have now.
        package let hosts: [UserID: User]
        /// What to ask for the next page with; `nil` after the last.
        package let nextBefore: Int64?
    }

    private let playing: PlayingDAO
    /// How long a page or a recap may take in the database.
    private let readLimit: Duration

    init(_ playing: PlayingDAO, readLimit: Duration) {
        self.playing = playing
        self.readLimit = readLimit
    }

    /// Writes down that a track can be heard from a moment on.
    ///
    /// - Parameter beginsBroadcast: It is the first of a broadcast; others are of the same as the entry before.
    /// - Throws: `roomUnknown`, `invalid`, `busy`, `storage`.
    @discardableResult
    package func append(
        _ track: Track, at milliseconds: Int64, host: UserID?, beginsBroadcast: Bool = false, to room: RoomID
    ) async throws(Refusal) -> Entry {
        try await playing.write { db in
            let (id, broadcast) = try PlayingDAO.nextNumber(in: room, &db)
            let record = HistoryRecord(
                room: room, id: id, atMilliseconds: milliseconds, title: track.title, artist: track.artist,
                album: track.album, durationMicroseconds: track.durationMicroseconds, artwork: track.artwork,
                host: host, broadcast: beginsBroadcast ? id : broadcast)
            try db.insert(record)
            try PlayingDAO.prune(room, newest: record.id, in: &db)
            return Entry(record)
        }
    }

    /// Some entries, newest first.
    ///
    /// - Parameters:
    ///   - id: The page begins with the one before this; `nil`: with the newest.
    ///   - limit: 1…100.
    /// - Throws: `busy`, `storage`.
    package func page(
        of room: RoomID, before id: Int64? = nil, limit: Int = 50
    ) async throws(Refusal) -> Page {
        let limit = min(max(limit, 1), Int(Limits.historyPageCount.upperBound))
        let readLimit = self.readLimit
        return try await playing.read { db in
            let found = try db.withTimeLimit(readLimit) { db in
                try db.all(
                    HistoryRecord.self,
                    "WHERE room_id = \(room) AND id < \(id ?? .max) ORDER BY id DESC LIMIT \(limit + 1)")
            }
            let entries = found.prefix(limit).map(Entry.init)
            return Page(
                entries: entries, hosts: try PlayingDAO.users(Set(entries.compactMap(\.host)), &db),
                nextBefore: found.count > limit ? entries.last?.id : nil)
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
    ) async throws(Refusal) -> [Entry] {
        let only: SQL = if let broadcast { "AND session = \(broadcast)" } else { "" }
        let readLimit = self.readLimit
        return try await playing.read { db in
            try db.withTimeLimit(readLimit) { db in
                try db.all(
                    HistoryRecord.self,
                    """
                    WHERE room_id = \(room) AND at_ms >= \(start) AND at_ms < \(end) \(only)
                    ORDER BY at_ms, id LIMIT \(limit)
                    """
                ).map(Entry.init)
            }
        }
    }

    /// The track that was written down last.
    ///
    /// - Throws: `busy`, `storage`.
    package func last(of room: RoomID) async throws(Refusal) -> Entry? {
        try await playing.read { db in
            try db.first(HistoryRecord.self, "WHERE room_id = \(room) ORDER BY id DESC LIMIT 1").map(Entry.init)
        }
    }
}

extension HistoryStore.Entry {
    init(_ record: HistoryRecord) {
        id = record.id
        atMilliseconds = record.atMilliseconds
        track = Track(
            title: record.title, artist: record.artist, album: record.album,
            durationMicroseconds: record.durationMicroseconds, artwork: record.artwork)
        host = record.host
        broadcast = record.broadcast
    }
}
