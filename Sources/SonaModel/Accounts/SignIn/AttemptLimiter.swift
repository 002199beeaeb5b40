internal import SonaBase

/// Counts something per address, failed sign-ins for instance: so many in a while, then no more until the oldest is that
/// old.
///
/// An attempt is counted before it is made (`take`) and given back when it turns out to be none (`refund`): of any
/// number that come at once no more get through than may. In memory, for at most `keysMax` networks; past that, the one
/// that came longest ago is forgotten.
final class AttemptLimiter: Sendable {
    static let keysMax = 10_000

    let attemptsMax: Int
    let windowMilliseconds: Int64
    /// When attempts were made, per network, oldest first.
    private let attempts = Monitor<[String: [Int64]]>([:])

    init(attemptsMax: Int, windowMilliseconds: Int64) {
        self.attemptsMax = attemptsMax
        self.windowMilliseconds = windowMilliseconds
    }

    /// Counts an attempt against an address and the networks it is in (`ClientNetwork`).
    ///
    /// - Parameters:
    ///   - address: `nil` counts nothing.
    ///   - max: Another limit than `attemptsMax` for this one attempt.
    /// - Throws: `rateLimited` if `address` has tried too often; then nothing is counted.
    func take(_ address: String?, now: Int64, max: Int? = nil) throws(Refusal) {
        guard let address else { return }
        let max = max ?? attemptsMax
        try take(ClientNetwork.all(address).map { ($0.key, $0.factor * max) }, now: now)
    }

    /// The same for something that is no network address: the address of a mailbox, an account.
    func take(key: String, now: Int64) throws(Refusal) { try take([(key, attemptsMax)], now: now) }

    /// Whether another attempt would be refused. Decides nothing.
    func isFull(key: String, now: Int64) -> Bool {
        attempts.withLock { timeToWait(key, max: attemptsMax, in: &$0, now: now) != nil }
    }

    /// Takes back an attempt that was none.
    ///
    /// - Parameter time: When it was counted.
    func refund(_ address: String?, at time: Int64) {
        guard let address else { return }
        attempts.withLock { attempts in
            for (key, _) in ClientNetwork.all(address) {
                guard let index = attempts[key]?.lastIndex(of: time) else { continue }
                attempts[key]?.remove(at: index)
                if attempts[key]?.isEmpty == true { attempts[key] = nil }
            }
        }
    }

    private func take(_ keys: [(key: String, max: Int)], now: Int64) throws(Refusal) {
        let wait = attempts.withLock { attempts -> Int64? in
            let waits = keys.compactMap { timeToWait($0.key, max: $0.max, in: &attempts, now: now) }
            if let wait = waits.max() { return wait }
            for (key, _) in keys { record(key, in: &attempts, now: now) }
            return nil
        }
        if let wait { throw .rateLimited(retryAfterMilliseconds: Int(max(1, wait))) }
    }

    private func timeToWait(_ key: String, max: Int, in attempts: inout [String: [Int64]], now: Int64) -> Int64? {
        guard var times = attempts[key] else { return nil }
        times.removeAll { $0 <= now - windowMilliseconds }
        attempts[key] = times.isEmpty ? nil : times
        guard times.count >= max else { return nil }
        // Free again when so many have aged that one less than the limit is left.
        return times[times.count - max] + windowMilliseconds - now
    }

    private func record(_ key: String, in attempts: inout [String: [Int64]], now: Int64) {
        if attempts[key] == nil, attempts.count >= Self.keysMax { makeRoom(in: &attempts, now: now) }
        attempts[key, default: []].append(now)
    }

    private func makeRoom(in attempts: inout [String: [Int64]], now: Int64) {
        attempts = attempts.filter { ($0.value.last ?? 0) > now - windowMilliseconds }
        guard attempts.count >= Self.keysMax else { return }
        let oldest = attempts.min { ($0.value.last ?? 0) < ($1.value.last ?? 0) }
        if let oldest { attempts[oldest.key] = nil }
    }
}

/// The limits that addresses have. `deploy/limits.md` shows them.
struct AttemptLimits: Sendable {
    private static let hour: Int64 = 3_600_000

    /// 20 failed sign-ins in a quarter of an hour.
    let failures = AttemptLimiter(attemptsMax: 20, windowMilliseconds: 15 * 60_000)
    /// Attempts to sign up, whatever becomes of them. A school or an office may be one address.
    let signUps = AttemptLimiter(attemptsMax: 300, windowMilliseconds: hour)
    /// Sign-ups that found their address taken: an answer that tells who has an account.
    let takenAddresses = AttemptLimiter(attemptsMax: 5, windowMilliseconds: hour)
    /// While there were more of those in all, each client has `takenAddressesAtLast`.
    let takenAddressesInAll = AttemptLimiter(attemptsMax: 100, windowMilliseconds: hour)
    let takenAddressesAtLast = 1
    /// Requests that may send mail.
    let mails = AttemptLimiter(attemptsMax: 20, windowMilliseconds: hour)
    /// Names asked for: as fast as somebody types, for a while.
    let nameChecks = AttemptLimiter(attemptsMax: 60, windowMilliseconds: 60_000)
    /// Mails to one mailbox that its owner need not have asked for.
    let mailsToOne = AttemptLimiter(attemptsMax: 6, windowMilliseconds: hour)
    let mailsToOnePerDay = AttemptLimiter(attemptsMax: 12, windowMilliseconds: 24 * hour)
    /// Mails that tell an owner that somebody gave their address for a new account.
    let takenNotices = AttemptLimiter(attemptsMax: 1, windowMilliseconds: 24 * hour)
    /// Lines of the journal that say that an account was exported.
    let exportLines = AttemptLimiter(attemptsMax: 1, windowMilliseconds: hour)
}
