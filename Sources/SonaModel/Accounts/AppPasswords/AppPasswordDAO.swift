internal import SonaDatabase
internal import SonaWire

/// Storage of app passwords.
struct AppPasswordDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(AppPasswordRecord.self) }

    /// The passwords of an account, the newest first.
    static func all(of uid: UserID, in db: inout some DatabaseAccess & ~Copyable) throws -> [AppPasswordRecord] {
        try db.all(AppPasswordRecord.self, "WHERE uid = \(uid) ORDER BY created_ms DESC, id")
    }

    /// Revokes all passwords of an account.
    static func removeAll(of uid: UserID, in db: inout WriteAccess) throws {
        try db.execute("DELETE FROM app_passwords WHERE uid = \(uid)")
    }
}
