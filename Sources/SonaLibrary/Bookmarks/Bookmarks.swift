internal import SonaBase
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Places in tracks that accounts come back to: one for each track. Players of other makers set them.
package struct Bookmarks: Sendable {
    /// A bookmark as its account sees it.
    package struct Bookmark: Sendable, Equatable {
        package let track: MusicID
        /// From the beginning of the track.
        package let positionMilliseconds: Int64
        package let comment: String?
        /// Milliseconds since 1970, as the next one.
        package let createdMilliseconds: Int64
        package let changedMilliseconds: Int64
    }

    /// Bytes of a comment. Longer ones are cut.
    package static let commentBytesMax = 500
    /// Bookmarks of an account.
    package static let countMax = 1_000

    private let dao: BookmarkDAO
    private let clock: WallClock

    init(_ dao: BookmarkDAO, clock: WallClock) {
        self.dao = dao
        self.clock = clock
    }

    /// The bookmarks of an account in tracks that it sees, the last changed first.
    ///
    /// - Throws: `busy`, `storage`.
    package func list(for listener: Listener) async throws(Refusal) -> [Bookmark] {
        guard let uid = listener.uid else { return [] }
        return try await dao.read { db in
            try db.all(
                """
                SELECT t.id, b.position_ms, b.comment, b.created_ms, b.changed_ms FROM bookmarks b
                JOIN tracks t ON t.number = b.track WHERE b.uid = \(uid) AND \(Access.condition(for: listener))
                ORDER BY b.changed_ms DESC, b.track
                """
            ) { row in
                Bookmark(
                    track: try row.next(), positionMilliseconds: try row.next(), comment: try row.next(),
                    createdMilliseconds: try row.next(), changedMilliseconds: try row.next())
            }
        }
    }

    /// Sets the bookmark of a track, in place of the one that was there.
    ///
    /// - Throws: `trackNotFound`, also if the listener does not see it; `likeLimitReached` if there are `countMax`;
    ///   `accountRequired`, `busy`, `storage`.
    package func set(
        _ track: MusicID, at position: Int64, comment: String?, for listener: Listener
    ) async throws(Refusal) {
        guard let uid = listener.uid else { throw .accountRequired }
        let kept = comment.flatMap { $0.isEmpty ? nil : $0.cut(bytes: Self.commentBytesMax) }
        let now = clock.nowMilliseconds()
        try await dao.write { db in
            let number: Int64? = try db.value(
                "SELECT t.number FROM tracks t WHERE t.id = \(track) AND \(Access.condition(for: listener))")
            guard let number else { throw Refusal(.trackNotFound) }
            let known = try db.first(BookmarkRecord.self, key: OpinionKey(uid, number))
            if known == nil {
                let count = try db.count(BookmarkRecord.filter(BookmarkRecord.uid == uid))
                guard count < Self.countMax else { throw Refusal(.likeLimitReached) }
            }
            try db.upsert(
                BookmarkRecord(
                    uid: uid, track: number, positionMilliseconds: position, comment: kept,
                    createdMilliseconds: known?.createdMilliseconds ?? now, changedMilliseconds: now))
        }
    }

    /// Removes the bookmark of a track.
    ///
    /// - Throws: `trackNotFound` if the track has no bookmark; `accountRequired`, `busy`, `storage`.
    package func remove(_ track: MusicID, for listener: Listener) async throws(Refusal) {
        guard let uid = listener.uid else { throw .accountRequired }
        try await dao.write { db in
            let number: Int64? = try db.value("SELECT number FROM tracks WHERE id = \(track)")
            guard let number, try db.delete(BookmarkRecord.self, key: OpinionKey(uid, number)) else {
                throw Refusal(.trackNotFound)
            }
        }
    }

    /// All of an account, for its export.
    static func exported(
        of uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Bookmark] {
        try db.all(
            """
            SELECT t.id, b.position_ms, b.comment, b.created_ms, b.changed_ms FROM bookmarks b
            JOIN tracks t ON t.number = b.track WHERE b.uid = \(uid) ORDER BY b.changed_ms DESC, b.track
            """
        ) { row in
            Bookmark(
                track: try row.next(), positionMilliseconds: try row.next(), comment: try row.next(),
                createdMilliseconds: try row.next(), changedMilliseconds: try row.next())
        }
    }
}
