internal import SonaDatabase
package import SonaWire

/// Which rooms visitors may ask for tracks. Off the loop.
package struct SongRequestsStore: Sendable {
    private let dao: PlayingDAO

    init(_ dao: PlayingDAO) { self.dao = dao }

    /// - Throws: `busy`, `storage`.
    package func settings(of room: RoomID) async throws(Refusal) -> SongRequests {
        try await dao.read { db in
            let record = try db.first(SongRequestsRecord.self, key: room)
            return SongRequests(isOn: record != nil, playlist: record?.playlist)
        }
    }

    /// - Parameter actor: Who must have the capability `control` still.
    /// - Throws: `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func set(_ settings: SongRequests, in room: RoomID, by actor: UserID) async throws(Refusal) {
        try await dao.write { db -> Void in
            try RoomRights.require(.control, of: actor, in: room, &db)
            if settings.isOn {
                try db.upsert(SongRequestsRecord(room: room, playlist: settings.playlist))
            } else {
                _ = try db.delete(SongRequestsRecord.self, key: room)
            }
        }
    }

    /// The rooms of an owner that visitors may ask, for the export of the account.
    static func exported(
        of owner: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [RoomID: SongRequests] {
        let records = try db.all(
            SongRequestsRecord.self, "WHERE room_id IN (SELECT id FROM rooms WHERE owner_uid = \(owner))")
        return Dictionary(
            records.map { ($0.room, SongRequests(isOn: true, playlist: $0.playlist)) }, uniquingKeysWith: { $1 })
    }
}
