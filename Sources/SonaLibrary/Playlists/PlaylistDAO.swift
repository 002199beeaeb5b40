internal import SonaDatabase
internal import SonaModel

/// Playlists, their entries, and who has to do with them.
struct PlaylistDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(PlaylistRecord.self)
        setUp.createTable(PlaylistEntryRecord.self)
        setUp.createTable(PlaylistRemovalRecord.self)
        setUp.createTable(PlaylistPinRecord.self)
        setUp.createTable(PlaylistCollaboratorRecord.self)
        setUp.createTable(PlaylistPictureRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        case .check: .invalid
        // The account is gone.
        case .foreignKey: .tokenInvalid
        default: nil
        }
    }
}
