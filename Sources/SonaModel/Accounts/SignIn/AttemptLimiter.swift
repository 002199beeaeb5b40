internal import SonaBase

/// Limits attempts per key in a sliding window, for example failed sign-ins per network.
///
/// An attempt is counted before it is made (`take`) and taken back if it does not count (`refund`). So concurrent
/// attempts cannot exceed the limit. In memory, for at most `keysMax` keys; beyond that, the key whose last attempt is
/// oldest is forgotten.
final class AttemptLimiter: Sendable {
    static let keysMax = 10_000

    let attemptsMax: Int
    let windowMilliseconds: Int64
    /// Times of attempts per key, oldest first, milliseconds since 1970.
    private let attempts = Monitor<[String: [Int64]]>([:])

    init(attemptsMax: Int, windowMilliseconds: Int64) {
        self.attemptsMax = attemptsMax
        self.windowMilliseconds = windowMilliseconds
    }

    /// Counts an attempt against an address and the networks that contain it (`ClientNetwork`).
    ///
    /// - Parameters:
    ///   - address: `nil` counts nothing.
    ///   - max: A limit for this one attempt, in place of `attemptsMax`.
    /// - Throws: `rateLimited` if one of the limits is reached. Then nothing is counted.
    func take(_ address: String?, now: Int64, max: Int? = nil) throws(Refusal) {
        guard let address else { return }
        let max = max ?? attemptsMax
        try take(ClientNetwork.all(address).map { ($0.key, $0.factor * max) }, now: now)
    }

    /// Counts an attempt against another kind of key: a mailbox or an account.
    ///
    /// - Throws: `rateLimited` if the limit is reached. Then nothing is counted.
    func take(key: String, now: Int64) throws(Refusal) { try take([(key, attemptsMax)], now: now) }

    /// Whether another attempt would be refused now. Counts nothing.
    func isFull(key: String, now: Int64) -> Bool {
        attempts.withLock { timeToWait(key, max: attemptsMax, in: &$0, now: now) != nil }
    }

    /// Whether another attempt from an address would be refused now. Counts nothing.
    ///
    /// - Parameter address: `nil` is never refused.
    func isFull(_ address: String?, now: Int64) -> Bool {
        guard let address else { return false }
        return attempts.withLock { attempts in
            ClientNetwork.all(address).contains { network in
                timeToWait(network.key, max: network.factor * attemptsMax, in: &attempts, now: now) != nil
            }
        }
    }

    /// Takes back an attempt that does not count.
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
        // Free again as soon as one less than the limit is left in the window.
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

/// The limits of sign-ins, sign-ups and mails. `deploy/limits.md` shows them.
struct AttemptLimits: Sendable {
    private static let hour: Int64 = 3_600_000

    /// Failed sign-ins per network.
    let failures = AttemptLimiter(attemptsMax: 20, windowMilliseconds: 15 * 60_000)
    /// Failed sign-ins with app passwords per network. An app that does not know of a new password asks on.
    let appFailures = AttemptLimiter(attemptsMax: 60, windowMilliseconds: 15 * 60_000)
    /// Attempts to sign up per network, successful or not. A school or an office may share one address.
    let signUps = AttemptLimiter(attemptsMax: 300, windowMilliseconds: hour)
    /// Sign-ups per network whose e-mail address was taken. That answer reveals who has an account.
    let takenAddresses = AttemptLimiter(attemptsMax: 5, windowMilliseconds: hour)
    /// The same for all networks together. While it is full, each network has `takenAddressesAtLast`.
    let takenAddressesInAll = AttemptLimiter(attemptsMax: 100, windowMilliseconds: hour)
    let takenAddressesAtLast = 1
    /// Requests per network that may send mail.
    let mails = AttemptLimiter(attemptsMax: 20, windowMilliseconds: hour)
    /// Checks of usernames per network: enough for a check at every keystroke.
    let nameChecks = AttemptLimiter(attemptsMax: 60, windowMilliseconds: 60_000)
    /// Mails to one mailbox whose owner may not have asked for them.
    let mailsToOne = AttemptLimiter(attemptsMax: 6, windowMilliseconds: hour)
    let mailsToOnePerDay = AttemptLimiter(attemptsMax: 12, windowMilliseconds: 24 * hour)
    /// Mails that tell an owner about a sign-up with their address.
    let takenNotices = AttemptLimiter(attemptsMax: 1, windowMilliseconds: 24 * hour)
    /// Lines of the journal about exports, per account.
    let exportLines = AttemptLimiter(attemptsMax: 1, windowMilliseconds: hour)
}
