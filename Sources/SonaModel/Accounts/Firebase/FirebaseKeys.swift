internal import SonaCrypto

/// The keys that Firebase signs ID tokens with, loaded from a file or from a web address.
///
/// States, as one token sees them:
/// - *known*: its key is in a fresh document.
/// - *absent*: a fresh document does not have it.
/// - *unavailable*: no document is fresh, or the last attempt to load a newer one failed. The token is refused.
///
/// `load` moves between the states.
///
/// | source | a document is valid | it is replaced |
/// |---|---|---|
/// | address | for the `max-age` of its answer, 1 min to 24 h; without one, 1 h | in the last fifth of that time |
/// | file | until the file changes | at once when the file changes |
///
/// Both are loaded again when a token names an unknown key, at most once a minute. After a failure they are loaded at
/// most every ten seconds. If loading from an address fails, its keys stay valid until they expire. If a file is
/// missing or malformed, its keys are void at once, because somebody has changed them. Replace a file by renaming a new
/// one over it.
package actor FirebaseKeys {
    /// Loads the document at an address, with the `max-age` of its `Cache-Control`.
    ///
    /// It must have a time limit of seconds, check the server's certificate and stop reading a body after 256 KiB.
    /// Longer bodies are refused here anyway.
    package typealias Fetch = @Sendable (String) async throws -> (body: [UInt8], maxAgeSeconds: Int?)

    /// Google's JWK set of the keys for ID tokens.
    package static let googleAddress =
        "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
    /// The bounds of a `max-age`, and the value without one.
    package static let ageSeconds: ClosedRange<Int64> = 60...86_400
    package static let ageSecondsDefault: Int64 = 3_600

    private enum Source {
        case file(FirebaseKeyFile)
        case address(String, Fetch)
    }

    private var source: Source
    private let clock: WallClock
    private let log: (@Sendable (any Error) -> Void)?
    private var cache = FirebaseKeyCache()
    /// The loading that is under way. All callers that need it wait for it. A cancelled caller does not cancel it.
    private var loading: Task<Void, Never>?

    /// - Parameters:
    ///   - path: A file with a JWK set or Google's object of certificates. It need not exist yet.
    ///   - log: Called for each failed loading with a `FirebaseKeyError`; on any thread.
    package init(file path: String, clock: WallClock, log: (@Sendable (any Error) -> Void)? = nil) {
        source = .file(FirebaseKeyFile(path: path))
        self.clock = clock
        self.log = log
    }

    /// - Parameters:
    ///   - address: The address of a JWK set or an object of certificates. Use HTTPS: over plain HTTP an attacker on
    ///     the network could sign in as anybody.
    ///   - log: Called for each failed loading with a `FirebaseKeyError` or the error of `fetch`; on any thread.
    package init(
        address: String, clock: WallClock, log: (@Sendable (any Error) -> Void)? = nil, fetch: @escaping Fetch
    ) {
        source = .address(address, fetch)
        self.clock = clock
        self.log = log
    }

    /// Returns the key named `kid`, or `nil` if the document does not have it.
    ///
    /// Waits for a loading only if the key is not known.
    /// - Throws: `keysUnavailable`.
    func key(named kid: String) async throws(FirebaseError) -> RSAVerificationKey? {
        let now = clock.nowMilliseconds()
        let hasFileChanged = hasFileChanged
        if !hasFileChanged, case .key(let key) = cache.find(kid, now: now) {
            if cache.isRefreshDue(now) { startLoading() }
            return key
        }
        if loading != nil || hasFileChanged || cache.shouldLoad(for: kid, now: now) { await startLoading().value }
        switch cache.find(kid, now: clock.nowMilliseconds()) {
        case .key(let key): return key
        case .absent: return nil
        case .unavailable: throw .keysUnavailable
        }
    }

    // MARK: Loading

    private var hasFileChanged: Bool {
        if case .file(let file) = source { file.hasChanged } else { false }
    }

    @discardableResult
    private func startLoading() -> Task<Void, Never> {
        if let loading { return loading }
        let task = Task { await self.load() }
        loading = task
        return task
    }

    private func load() async {
        let start = clock.nowMilliseconds()
        cache.begin(at: start)
        switch source {
        case .file(var file):
            do {
                defer { source = .file(file) }
                cache.succeed(try FirebaseKeySet(document: try file.read()), ageMaxSeconds: nil, at: start)
            } catch {
                cache.fail(keepsKeys: false)
                log?(error)
            }
        case .address(let address, let fetch):
            do {
                let (body, maxAge) = try await fetch(address)
                let age = maxAge.map { min(max(Int64($0), Self.ageSeconds.lowerBound), Self.ageSeconds.upperBound) }
                cache.succeed(
                    try FirebaseKeySet(document: body), ageMaxSeconds: age ?? Self.ageSecondsDefault, at: start)
            } catch {
                cache.fail(keepsKeys: true)
                log?(error)
            }
        }
        loading = nil
    }
}
