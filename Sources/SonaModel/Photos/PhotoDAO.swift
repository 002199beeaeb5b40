internal import SonaDatabase
internal import SonaWire

/// Storage of photos of profiles, pictures of rooms, and covers of tracks.
struct PhotoDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(PhotoRecord.self)
        setUp.createTable(RoomPictureRecord.self)
        setUp.createTable(RoomCoverRecord.self)
    }

    /// A foreign key fails only if the account was removed meanwhile.
    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .foreignKey = error.kind { .refused(.userNotFound) } else { nil }
    }

    /// Reads one size of a photo.
    ///
    /// - Returns: `nil` if there is no photo of that name.
    /// - Throws: `server.busy`, `server.storage_failed`.
    func bytes(_ id: PhotoID, _ size: PhotoSize) async throws(Refusal) -> [UInt8]? {
        let column: SQL =
            switch size {
            case .small: "\(PhotoRecord.px32)"
            case .medium: "\(PhotoRecord.px64)"
            case .full: "\(PhotoRecord.full)"
            }
        return try await read { db in
            try db.value("SELECT \(column) FROM \(PhotoRecord.table) WHERE \(PhotoRecord.id) = \(id.rawValue)")
                ?? db.value(
                    "SELECT \(column) FROM \(RoomPictureRecord.table) WHERE \(RoomPictureRecord.id) = \(id.rawValue)")
                ?? db.value(
                    "SELECT \(column) FROM \(RoomCoverRecord.table) WHERE \(RoomCoverRecord.id) = \(id.rawValue)")
        }
    }
}
