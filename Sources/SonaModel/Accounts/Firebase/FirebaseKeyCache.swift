internal import SonaCrypto

/// Decides which keys are valid at a given time, and when to load others. A value without I/O; times are milliseconds
/// since 1970.
///
/// The clock may jump. Keys loaded in the future count as not fresh, and a loading attempt in the future does not delay
/// the next one. So a jump costs at most one more loading and never makes old keys valid.
struct FirebaseKeyCache: Sendable {
    enum Finding {
        case key(RSAVerificationKey)
        /// The document is fresh and has no key with this name.
        case absent
        /// There is no fresh document, or loading a newer one failed.
        case unavailable
    }

    /// The minimum time between two loadings that were caused by unknown key names.
    static let rereadMilliseconds: Int64 = 60_000
    /// The minimum time between a failed loading and the next one.
    static let retryMilliseconds: Int64 = 10_000

    private struct Document {
        var keys: [String: RSAVerificationKey]
        var loadedAt: Int64
        /// When to load the next document.
        var refreshAt: Int64
        var expiresAt: Int64
    }

    private var document: Document?
    private var attemptedAt: Int64?
    private var hasFailed = false

    /// Looks for the key named `kid` in the loaded document.
    func find(_ kid: String, now: Int64) -> Finding {
        guard let document = fresh(now) else { return .unavailable }
        if let key = document.keys[kid] { return .key(key) }
        return hasFailed || document.keys.isEmpty ? .unavailable : .absent
    }

    /// Whether to load the document again before `kid` counts as absent.
    func shouldLoad(for kid: String, now: Int64) -> Bool {
        guard let document = fresh(now) else { return isRested(Self.retryMilliseconds, now) }
        return document.keys[kid] == nil && isRested(Self.rereadMilliseconds, now)
    }

    /// Whether it is time to load the next document although this one is still valid.
    func isRefreshDue(_ now: Int64) -> Bool {
        guard let document = fresh(now) else { return false }
        return now >= document.refreshAt && isRested(Self.retryMilliseconds, now)
    }

    /// Records the start of a loading.
    mutating func begin(at now: Int64) { attemptedAt = now }

    /// - Parameters:
    ///   - now: When the loading *began*: the document may be that old.
    ///   - ageMaxSeconds: How long the keys stay valid. `nil`: until they are replaced.
    mutating func succeed(_ set: FirebaseKeySet, ageMaxSeconds: Int64?, at now: Int64) {
        let age = ageMaxSeconds.map { $0 * 1_000 }
        document = Document(
            keys: set.keys, loadedAt: now, refreshAt: age.map { now + $0 / 5 * 4 } ?? .max,
            expiresAt: age.map { now + $0 } ?? .max)
        hasFailed = false
    }

    /// Records a failed loading.
    ///
    /// - Parameter keepsKeys: Whether the current keys stay valid until they expire.
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
