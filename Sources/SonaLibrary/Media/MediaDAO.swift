internal import SonaDatabase
internal import SonaModel

/// Facts that are derived from the sound of tracks.
struct MediaDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(TrackMeasureRecord.self) }
}
