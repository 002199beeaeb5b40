internal import SonaDatabase
internal import SonaModel

/// Music folders, and the files in them and among the uploads.
struct FolderDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(MusicFolderRecord.self)
        setUp.createTable(FolderUserRecord.self)
        setUp.createTable(MusicDirectoryRecord.self)
        setUp.createTable(MusicFileRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .check = error.kind { .invalid } else { nil }
    }
}
