internal import SonaCrypto
internal import SonaEventLoop
internal import SonaWire

/// How often visitors may search and ask, by address and by room. On the loop.
///
/// Bounded: of addresses those that were heard of longest ago are forgotten, which gives them no more than a new address has.
struct SongRequestLimits {
    /// So many at once, then one in so many µs.
    struct Rate {
        let burst: Int64
        let microseconds: Int64
    }

    static let searches = Rate(burst: 40, microseconds: 1_000_000)
    static let asksByAddress = Rate(burst: 5, microseconds: 60_000_000)
    static let asksByRoom = Rate(burst: 30, microseconds: 10_000_000)
    private static let keysMax = 10_000

    /// When the burst is whole again, µs, by what is limited.
    private var full: [String: Int64] = [:]
    /// How many are remembered.
    var count: Int { full.count }
    private let key = HMACKey(SecureRandom.bytes(32))

    /// Takes one.
    ///
    /// - Throws: `request.rate_limited`, with the time to wait.
    mutating func take(_ rate: Rate, _ name: String, now: Int64) throws(WireError) {
        let until = max(full[name] ?? 0, now) + rate.microseconds
        let most = rate.burst * rate.microseconds
        guard until - now <= most else {
            throw WireError(.requestRateLimited, retryAfterMilliseconds: Int((until - now - most) / 1_000) + 1)
        }
        full[name] = until
        guard full.count > Self.keysMax else { return }
        full = full.filter { $0.value > now }
        // An attack from very many addresses: the half that waits least is forgotten.
        guard full.count > Self.keysMax else { return }
        let middle = full.values.sorted()[full.count / 2]
        full = full.filter { $0.value > middle }
    }

    /// An identifier for a visitor, which tells nothing of the address and is another one after a restart.
    func visitor(at address: String) -> UserID? {
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return UserID(String(key.tag(address.utf8).prefix(28).map { letters[Int($0) % letters.count] }))
    }
}
