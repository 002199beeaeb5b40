internal import SonaDatabase
internal import SonaModel

/// Jobs.
struct JobDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(JobRecord.self) }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        // The account is gone.
        case .foreignKey: .tokenInvalid
        case .check: .invalid
        default: nil
        }
    }
}
