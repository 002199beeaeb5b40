internal import SonaDatabase
internal import SonaModel

/// Likes and ratings.
struct LikeDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(TrackOpinionRecord.self)
        setUp.createTable(AlbumOpinionRecord.self)
        setUp.createTable(ArtistOpinionRecord.self)
        setUp.createTable(PlaylistOpinionRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        // The account is gone: the thing was looked up in the same transaction.
        case .foreignKey: .tokenInvalid
        case .check: .invalid
        default: nil
        }
    }
}
