internal import SonaBase
internal import SonaDatabase

/// Families that were revoked recently, so that some of their access tokens have not expired yet.
///
/// Every authentication asks this, in memory. The database has the families, too, so that a restart does not make their
/// tokens valid again. Families are kept for the lifetime of an access token.
final class RevokedFamilies: Sendable {
    /// Until when each family has to be remembered, milliseconds since 1970.
    private let families: Monitor<[String: Int64]>

    /// - Parameter stored: The families in the database at start.
    init(_ stored: [RevokedFamilyRecord]) {
        families = Monitor(Dictionary(stored.map { ($0.family, $0.untilMilliseconds) }) { first, _ in first })
    }

    /// Whether a family was revoked. Any thread.
    func contains(_ family: String) -> Bool { families.withLock { $0[family] != nil } }

    /// Remembers a family. Call it after the revocation was committed.
    func insert(_ family: String, until: Int64, now: Int64) {
        families.withLock { families in
            families = families.filter { $0.value > now }
            families[family] = until
        }
    }
}
