internal import SonaBase
internal import SonaDatabase

/// Families of tokens that were revoked so lately that access tokens of theirs are still within their time.
///
/// Asked without a disk at every authentication. Also kept in the database, so that a restart does not bring such
/// tokens back to life. Bounded by the life of an access token.
final class RevokedFamilies: Sendable {
    /// Until when each family has to be remembered.
    private let families: Monitor<[String: Int64]>

    /// - Parameter stored: What the database remembers of the time before the restart.
    init(_ stored: [RevokedFamilyRecord]) {
        families = Monitor(Dictionary(stored.map { ($0.family, $0.untilMilliseconds) }) { first, _ in first })
    }

    func contains(_ family: String) -> Bool { families.withLock { $0[family] != nil } }

    /// Call it after the revocation was committed.
    func insert(_ family: String, until: Int64, now: Int64) {
        families.withLock { families in
            families = families.filter { $0.value > now }
            families[family] = until
        }
    }
}
