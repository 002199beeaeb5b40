internal import SonaDatabase

/// Families of refresh tokens that were revoked so lately that access tokens of theirs are still within their time.
///
/// Asked without a disk at every authentication. Also kept in the database, so that a restart does not bring such
/// tokens back to life. Bounded by the life of an access token.
final class RevokedFamilies: Sendable {
    /// Until when each family has to be remembered.
    private let families: Monitor<[String: Int64]>
    private let listener = Monitor<(@Sendable (String) -> Void)?>(nil)

    init(database: DatabasePool, now: Int64) async throws(DatabaseError) {
        do {
            let rows = try await database.write { db in
                try db.execute("DELETE FROM revoked_families WHERE until_ms <= \(now)")
                return try db.all("SELECT family, until_ms FROM revoked_families") { row in
                    (try row.next(String.self), try row.next(Int64.self))
                }
            }
            families = Monitor(Dictionary(rows) { first, _ in first })
        } catch {
            throw error as? DatabaseError ?? DatabaseError(kind: .interrupted)
        }
    }

    func contains(_ family: String) -> Bool { families.withLock { $0[family] != nil } }

    /// Call it after the revocation was committed.
    func insert(_ family: String, until: Int64, now: Int64) {
        families.withLock { families in
            families = families.filter { $0.value > now }
            families[family] = until
        }
        listener.withLock { $0 }?(family)
    }

    func onInsertion(_ body: @escaping @Sendable (String) -> Void) {
        listener.withLock { $0 = body }
    }

    /// The database's half of a revocation: no token of the family refreshes any more.
    static func revoke(_ family: String, until: Int64, now: Int64, in db: inout WriteAccess) throws {
        try db.execute("DELETE FROM refresh_tokens WHERE family = \(family)")
        try db.execute("DELETE FROM revoked_families WHERE until_ms <= \(now)")
        try db.execute(
            """
            INSERT INTO revoked_families (family, until_ms) VALUES (\(family), \(until))
            ON CONFLICT (family) DO UPDATE SET until_ms = max(until_ms, excluded.until_ms)
            """)
    }
}
