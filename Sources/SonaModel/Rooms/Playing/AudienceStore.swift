internal import SonaDatabase
package import SonaWire

/// The changes of a broadcast's audience since they were stored last.
package struct AudienceChange: Sendable {
    package let audience: Audience
    /// The key of the marks; `nil` at the end of the broadcast.
    package let salt: [UInt8]?
    /// Listeners since the change before.
    package let fresh: [ListenerMark]
    package let atMilliseconds: Int64

    package init(audience: Audience, salt: [UInt8]?, fresh: [ListenerMark], atMilliseconds: Int64) {
        self.audience = audience
        self.salt = salt
        self.fresh = fresh
        self.atMilliseconds = atMilliseconds
    }
}

/// The audience of a broadcast that goes on, or went on when the server ended.
package struct OpenAudience: Sendable {
    package let audience: Audience
    package let salt: [UInt8]
    package let seen: [ListenerMark]
    package let updatedMilliseconds: Int64
}

/// How many have listened to the broadcasts of each room: the newest 1000. Off the loop.
///
/// While a broadcast goes on, its listeners are there as marks under a key of its own. With its end both go.
package struct AudienceStore: Sendable {
    private let playing: PlayingDAO

    init(_ playing: PlayingDAO) { self.playing = playing }

    /// Writes changes, those of one room in their order. Changes of rooms that are gone are left out.
    ///
    /// - Throws: `busy`, `storage`.
    package func write(_ changes: [(room: RoomID, change: AudienceChange)]) async throws(Refusal) {
        try await playing.write { db -> Void in
            for (room, change) in changes {
                guard try db.exists("SELECT 1 FROM rooms WHERE id = \(room)") else { continue }
                try Self.closeOthers(of: room, but: change.audience.fromMilliseconds, in: &db)
                try db.upsert(
                    AudienceRecord(
                        room: room, audience: change.audience, updatedMilliseconds: change.atMilliseconds,
                        salt: change.salt))
                guard change.salt != nil else {
                    try db.execute("DELETE FROM room_listener_marks WHERE room_id = \(room)")
                    try Self.prune(room, in: &db)
                    continue
                }
                for mark in change.fresh { try db.upsert(ListenerMarkRecord(room: room, mark: mark)) }
            }
        }
    }

    /// Ends broadcasts that went on when the server ended, and that no other has gone on with.
    private static func closeOthers(of room: RoomID, but from: Int64, in db: inout WriteAccess) throws {
        let closed = try db.execute(
            """
            UPDATE room_audiences SET until_ms = updated_ms, salt = NULL
            WHERE room_id = \(room) AND until_ms IS NULL AND from_ms <> \(from)
            """)
        if closed > 0 { try db.execute("DELETE FROM room_listener_marks WHERE room_id = \(room)") }
    }

    private static func prune(_ room: RoomID, in db: inout WriteAccess) throws {
        try db.execute(
            """
            DELETE FROM room_audiences WHERE room_id = \(room) AND from_ms <= (
                SELECT from_ms FROM room_audiences WHERE room_id = \(room)
                ORDER BY from_ms DESC LIMIT 1 OFFSET \(Limits.audiencesKept))
            """)
    }

    /// Ends broadcasts that have gone on with nobody to count since a time.
    ///
    /// - Returns: How many.
    /// - Throws: `busy`, `storage`.
    @discardableResult
    package func closeStale(before milliseconds: Int64) async throws(Refusal) -> Int {
        try await playing.write { db in
            let stale: SQL = "until_ms IS NULL AND updated_ms < \(milliseconds)"
            try db.execute(
                """
                DELETE FROM room_listener_marks WHERE room_id IN (SELECT room_id FROM room_audiences WHERE \(stale))
                """)
            return try db.execute("UPDATE room_audiences SET until_ms = updated_ms, salt = NULL WHERE \(stale)")
        }
    }

    // MARK: Reading

    /// The broadcast that goes on as far as is written, or went on when the server ended.
    ///
    /// - Throws: `busy`, `storage`.
    package func open(of room: RoomID) async throws(Refusal) -> OpenAudience? {
        try await playing.read { db in
            let found = try db.first(
                AudienceRecord.self, "WHERE room_id = \(room) AND until_ms IS NULL ORDER BY from_ms DESC LIMIT 1")
            guard let found, let salt = found.salt else { return nil }
            let marks = try db.all(ListenerMarkRecord.self, "WHERE room_id = \(room)")
            return OpenAudience(
                audience: found.audience, salt: salt, seen: marks.map(\.mark),
                updatedMilliseconds: found.updatedMilliseconds)
        }
    }

    /// Some broadcasts, the newest first.
    ///
    /// - Parameters:
    ///   - before: Only those that began before this time, milliseconds since 1970.
    ///   - limit: 1…100.
    /// - Throws: `busy`, `storage`.
    package func page(
        of room: RoomID, before: Int64? = nil, limit: Int = Limits.audiencePageCountDefault
    ) async throws(Refusal) -> AudiencePage {
        let limit = min(max(limit, 1), Int(Limits.audiencePageCount.upperBound))
        return try await playing.read { db in
            let found = try Self.audiences(
                "room_id = \(room) AND from_ms < \(before ?? .max) ORDER BY from_ms DESC LIMIT \(limit + 1)", in: &db)
            let page = Array(found.prefix(limit))
            return AudiencePage(audiences: page, nextBefore: found.count > limit ? page.last?.fromMilliseconds : nil)
        }
    }

    /// The audience of the broadcast that plays of a session belong to.
    ///
    /// - Returns: `nil` if it was not counted.
    /// - Throws: `busy`, `storage`.
    package func audience(of room: RoomID, session: Int64) async throws(Refusal) -> Audience? {
        try await playing.read { db in
            let first = try db.first(
                HistoryRecord.self, "WHERE room_id = \(room) AND session = \(session) ORDER BY id LIMIT 1")
            guard let first else { return nil }
            let found = try Self.audiences(
                "room_id = \(room) AND from_ms <= \(first.atMilliseconds) ORDER BY from_ms DESC LIMIT 1", in: &db)
            return found.first { $0.session == session }
        }
    }

    static func audiences(
        _ condition: SQL, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Audience] {
        try db.all(AudienceRecord.self, "WHERE \(condition)").map { record in
            var audience = record.audience
            // Its first track sounds when it has begun; the last that was announced may still sound after its end.
            let until = (audience.untilMilliseconds ?? .max - 1_000) + 1_000
            audience.session = try db.first(
                HistoryRecord.self,
                """
                WHERE room_id = \(record.room) AND at_ms >= \(audience.fromMilliseconds) AND at_ms <= \(until)
                ORDER BY at_ms, id LIMIT 1
                """)?.broadcast
            return audience
        }
    }

    /// The audiences of rooms, for the export of their owner's account, by room; the newest first.
    static func exported(
        of owner: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [RoomID: [Audience]] {
        let records = try db.all(
            AudienceRecord.self,
            "WHERE room_id IN (SELECT id FROM rooms WHERE owner_uid = \(owner)) ORDER BY from_ms DESC")
        return Dictionary(grouping: records, by: \.room).mapValues { $0.map(\.audience) }
    }
}
