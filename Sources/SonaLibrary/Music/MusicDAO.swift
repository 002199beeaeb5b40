internal import SonaDatabase
internal import SonaModel

/// Tracks, albums, artists and genres.
struct MusicDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(ArtistRecord.self)
        setUp.createTable(GenreRecord.self)
        setUp.createTable(AlbumRecord.self)
        setUp.createTable(TrackRecord.self)
        setUp.createTable(TrackArtistRecord.self)
        setUp.createTable(AlbumArtistRecord.self)
        setUp.createTable(TrackGenreRecord.self)
        setUp.createTable(TrackEditRecord.self)
        setUp.createTable(LyricsRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .check = error.kind { .invalid } else { nil }
    }
}
