internal import SonaDatabase
package import SonaWire

/// What could be heard in rooms: the newest 10 000 tracks of each.
package struct HistoryStore: Sendable {
    package static let keptMax: Int64 = 10_000
    package static let pageMax = 100
    package static let artworkBytes = 1...1_024

    package struct Entry: Sendable, Equatable {
        /// 1, 2, 3 … in each room, also over restarts.
        package let id: Int64
        /// When it became audible.
        package let atMilliseconds: Int64
        package let track: Track
        /// The address of a picture.
        package let artwork: String?
        /// `nil` if that account is gone, or nobody knew.
        package let host: UserID?
    }

    private let playing: PlayingDAO

    init(_ playing: PlayingDAO) { self.playing = playing }

    /// Writes down that a track can be heard from a moment on.
    ///
    /// - Parameter artwork: At most 1024 bytes.
    /// - Throws: `roomUnknown`, `invalid`, `busy`, `storage`.
    @discardableResult
    package func append(
        _ track: Track, artwork: String? = nil, at milliseconds: Int64, host: UserID?, to room: RoomID
    ) async throws(RoomMemoryError) -> Entry {
        try await playing.write(or: RoomMemoryError.storage) { db in
            let record = HistoryRecord(
                room: room, id: try PlayingDAO.nextNumber(in: room, &db), atMilliseconds: milliseconds,
                title: track.title, artist: track.artist, album: track.album,
                durationMicroseconds: track.durationMicroseconds, artwork: artwork, host: host)
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
    /// - Returns: The page, and what to ask for the next with; `nil` after the last.
    /// - Throws: `busy`, `storage`.
    package func page(
        of room: RoomID, before id: Int64? = nil, limit: Int = 50
    ) async throws(RoomMemoryError) -> (entries: [Entry], nextBefore: Int64?) {
        let limit = min(max(limit, 1), Self.pageMax)
        return try await playing.read(or: RoomMemoryError.storage) { db in
            let found = try db.all(
                HistoryRecord.self,
                "WHERE room_id = \(room) AND id < \(id ?? .max) ORDER BY id DESC LIMIT \(limit + 1)")
            let entries = found.prefix(limit).map(Entry.init)
            return (entries, found.count > limit ? entries.last?.id : nil)
        }
    }

    /// What became audible from the first moment to before the second, in order: at most what is kept.
    ///
    /// - Throws: `busy`, `storage`.
    package func recap(
        of room: RoomID, from start: Int64, to end: Int64
    ) async throws(RoomMemoryError) -> [Entry] {
        try await playing.read(or: RoomMemoryError.storage) { db in
            try db.all(
                HistoryRecord.self,
                """
                WHERE room_id = \(room) AND at_ms >= \(start) AND at_ms < \(end)
                ORDER BY at_ms, id LIMIT \(Self.keptMax)
                """
            ).map(Entry.init)
        }
    }
}

extension HistoryStore.Entry {
    init(_ record: HistoryRecord) {
        id = record.id
        atMilliseconds = record.atMilliseconds
        track = Track(
            title: record.title, artist: record.artist, album: record.album,
            durationMicroseconds: record.durationMicroseconds)
        artwork = record.artwork
        host = record.host
    }
}
