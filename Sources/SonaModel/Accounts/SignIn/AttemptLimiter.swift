internal import SonaDatabase

/// Counts something per address, failed sign-ins for instance: so many in a while, then no more until the oldest is that
/// old.
///
/// In memory, for at most `addressesMax` addresses; past that, the one that came longest ago is forgotten.
final class AttemptLimiter: Sendable {
    static let addressesMax = 10_000

    let attemptsMax: Int
    let windowMilliseconds: Int64
    /// When attempts were made, per address, oldest first.
    private let attempts = Monitor<[String: [Int64]]>([:])

    init(attemptsMax: Int, windowMilliseconds: Int64) {
        self.attemptsMax = attemptsMax
        self.windowMilliseconds = windowMilliseconds
    }

    /// - Throws: `rateLimited` if `address` has tried too often.
    func check(_ address: String?, now: Int64) throws(AccountError) {
        guard let address else { return }
        let wait = attempts.withLock { attempts -> Int64? in timeToWait(address, in: &attempts, now: now) }
        if let wait { throw .rateLimited(retryAfterMilliseconds: Int(max(1, wait))) }
    }

    func record(_ address: String?, now: Int64) {
        guard let address else { return }
        attempts.withLock { attempts in record(address, in: &attempts, now: now) }
    }

    /// Checks and records at once: for what counts whether it succeeds or not.
    func take(_ address: String?, now: Int64) throws(AccountError) {
        guard let address else { return }
        let wait = attempts.withLock { attempts -> Int64? in
            let wait = timeToWait(address, in: &attempts, now: now)
            if wait == nil { record(address, in: &attempts, now: now) }
            return wait
        }
        if let wait { throw .rateLimited(retryAfterMilliseconds: Int(max(1, wait))) }
    }

    private func timeToWait(_ address: String, in attempts: inout [String: [Int64]], now: Int64) -> Int64? {
        guard var times = attempts[address] else { return nil }
        times.removeAll { $0 <= now - windowMilliseconds }
        attempts[address] = times.isEmpty ? nil : times
        guard times.count >= attemptsMax else { return nil }
        // Free again when so many have aged that one less than the limit is left.
        return times[times.count - attemptsMax] + windowMilliseconds - now
    }

    private func record(_ address: String, in attempts: inout [String: [Int64]], now: Int64) {
        if attempts[address] == nil, attempts.count >= Self.addressesMax { makeRoom(in: &attempts, now: now) }
        // Attempts that were under way together may pass the limit; more than that need not be remembered.
        attempts[address, default: []].append(now)
        if attempts[address, default: []].count > 2 * attemptsMax { attempts[address]?.removeFirst() }
    }

    private func makeRoom(in attempts: inout [String: [Int64]], now: Int64) {
        attempts = attempts.filter { ($0.value.last ?? 0) > now - windowMilliseconds }
        guard attempts.count >= Self.addressesMax else { return }
        let oldest = attempts.min { ($0.value.last ?? 0) < ($1.value.last ?? 0) }
        if let oldest { attempts[oldest.key] = nil }
    }
}

/// The limits that addresses have.
struct AttemptLimits: Sendable {
    /// 20 failed sign-ins in a quarter of an hour.
    let failures = AttemptLimiter(attemptsMax: 20, windowMilliseconds: 15 * 60_000)
    /// New accounts: a thousand in an hour. A school or an office may be one address.
    let signUps = AttemptLimiter(attemptsMax: 1_000, windowMilliseconds: 3_600_000)
    /// Requests that may send mail.
    let mails = AttemptLimiter(attemptsMax: 20, windowMilliseconds: 3_600_000)
    /// Names asked for: as fast as somebody types, for a while.
    let nameChecks = AttemptLimiter(attemptsMax: 60, windowMilliseconds: 60_000)
}
