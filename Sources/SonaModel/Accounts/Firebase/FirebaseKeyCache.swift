internal import SonaCrypto

/// Which keys are good at a given time, and when to ask for others. Values only; times are milliseconds since 1970.
///
/// The clock may jump. Keys from the future are not fresh, and an attempt in the future holds nobody back: a jump costs
/// one more reading, and never makes old keys good.
struct FirebaseKeyCache: Sendable {
    enum Finding {
        case key(RSAVerificationKey)
        /// The document is fresh and names no such key.
        case absent
        /// There is no fresh document, or there might be a newer one that could not be had.
        case unavailable
    }

    /// A name that is not known is reason to read the document again, but only this long after the last time.
    static let rereadMilliseconds: Int64 = 60_000
    /// After a failure, how long to leave the source alone.
    static let retryMilliseconds: Int64 = 10_000

    private struct Document {
        var keys: [String: RSAVerificationKey]
        var loadedAt: Int64
        /// From here on it should be replaced, from there on it is no good.
        var refreshAt: Int64
        var expiresAt: Int64
    }

    private var document: Document?
    private var attemptedAt: Int64?
    private var hasFailed = false

    func find(_ kid: String, now: Int64) -> Finding {
        guard let document = fresh(now) else { return .unavailable }
        if let key = document.keys[kid] { return .key(key) }
        return hasFailed || document.keys.isEmpty ? .unavailable : .absent
    }

    /// Whether to read the document before saying that `kid` is not there.
    func shouldLoad(for kid: String, now: Int64) -> Bool {
        guard let document = fresh(now) else { return isRested(Self.retryMilliseconds, now) }
        return document.keys[kid] == nil && isRested(Self.rereadMilliseconds, now)
    }

    /// Whether it is time for another document although this one is still good.
    func isRefreshDue(_ now: Int64) -> Bool {
        guard let document = fresh(now) else { return false }
        return now >= document.refreshAt && isRested(Self.retryMilliseconds, now)
    }

    mutating func begin(at now: Int64) { attemptedAt = now }

    /// - Parameters:
    ///   - now: When the reading *began*: the document is at least that old.
    ///   - ageMaxSeconds: `nil` for keys that are good until they are replaced.
    mutating func succeed(_ set: FirebaseKeySet, ageMaxSeconds: Int64?, at now: Int64) {
        let age = ageMaxSeconds.map { $0 * 1_000 }
        document = Document(
            keys: set.keys, loadedAt: now, refreshAt: age.map { now + $0 / 5 * 4 } ?? .max,
            expiresAt: age.map { now + $0 } ?? .max)
        hasFailed = false
    }

    /// - Parameter keepsKeys: Whether the keys so far stay good for their time.
    mutating func fail(keepsKeys: Bool) {
        hasFailed = true
        if !keepsKeys { document = nil }
    }

    private func fresh(_ now: Int64) -> Document? {
        guard let document, document.loadedAt <= now, now < document.expiresAt else { return nil }
        return document
    }

    private func isRested(_ milliseconds: Int64, _ now: Int64) -> Bool {
        guard let attemptedAt, attemptedAt <= now else { return true }
        return now - attemptedAt >= milliseconds
    }
}
