internal import SonaCrypto

/// The keys that Firebase signs ID tokens with, from a file or from an address.
///
/// States, seen from one token: its key is *known* (in a document that is fresh), *absent* (a fresh document does not
/// name it) or *unavailable* (no document is fresh, or the last attempt to get a newer one failed). `load` moves
/// between them. Keys that cannot be had mean no, never yes.
///
/// | source | a document is good | it is replaced |
/// |---|---|---|
/// | address | as long as its answer allows, 1 min to 24 h, else 1 h | in the last fifth of that time, still serving |
/// | file | until the file is another one | at once when the file is another one |
///
/// Both are read again when a token names a key that is not there, at most once a minute, and after a failure at most
/// every ten seconds. When an address fails, its keys stay good for the rest of their time. When a file is gone or
/// malformed, its keys are gone at once, for somebody has changed them: put a new file in place by renaming it.
package actor FirebaseKeys {
    /// Gets what lies at an address, with the `max-age` of its `Cache-Control`.
    ///
    /// It must end by itself (a time limit of seconds), check the server's certificate, and stop reading a body after
    /// 256 KiB, which are refused here anyway.
    package typealias Fetch = @Sendable (String) async throws -> (body: [UInt8], maxAgeSeconds: Int?)

    /// Google's JWK set of the keys for ID tokens.
    package static let googleAddress =
        "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
    /// What a `max-age` counts for at least and at most, and what is assumed without one.
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
    /// The one reading that is under way. Whoever needs it waits for it; nobody's cancellation ends it.
    private var loading: Task<Void, Never>?

    /// - Parameters:
    ///   - path: A JWK set or Google's object of certificates. It need not be there yet.
    ///   - log: Told each failure to read it, a `FirebaseKeyError`; on any thread.
    package init(file path: String, clock: WallClock, log: (@Sendable (any Error) -> Void)? = nil) {
        source = .file(FirebaseKeyFile(path: path))
        self.clock = clock
        self.log = log
    }

    /// - Parameters:
    ///   - address: Of a JWK set or an object of certificates. Over plain HTTP, whoever is on the way signs in as
    ///     anybody.
    ///   - log: Told each failure, a `FirebaseKeyError` or what `fetch` threw; on any thread.
    package init(
        address: String, clock: WallClock, log: (@Sendable (any Error) -> Void)? = nil, fetch: @escaping Fetch
    ) {
        source = .address(address, fetch)
        self.clock = clock
        self.log = log
    }

    /// The key called `kid`, or `nil` if the document does not name it.
    ///
    /// Waits for a reading only if the key is not known.
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

    // MARK: Reading

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
