internal import SonaDatabase
internal import SonaModel

/// Plays, and what is kept of them.
struct PlayDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(PlayRecord.self)
        setUp.createTable(PlaySettingsRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        // The account is gone: the track was looked up in the same transaction.
        case .foreignKey: .tokenInvalid
        case .check: .invalid
        default: nil
        }
    }
}
