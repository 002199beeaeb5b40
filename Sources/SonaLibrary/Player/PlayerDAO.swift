internal import SonaDatabase
internal import SonaModel

/// What accounts play alone.
struct PlayerDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(PlayerRecord.self)
        setUp.createTable(PlayerQueueRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        // The account is gone.
        case .foreignKey: .tokenInvalid
        case .check: .invalid
        default: nil
        }
    }
}
