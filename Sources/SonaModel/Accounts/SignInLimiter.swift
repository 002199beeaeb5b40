internal import SonaDatabase

/// Counts failed sign-ins per address: 20 in a quarter of an hour, then no more until the oldest is that old.
///
/// In memory, for at most `addressesMax` addresses; past that, the one that failed longest ago is forgotten.
final class SignInLimiter: Sendable {
    static let failuresMax = 20
    static let windowMilliseconds: Int64 = 15 * 60 * 1_000
    static let addressesMax = 10_000

    /// The times of failures per address, oldest first.
    private let failures = Monitor<[String: [Int64]]>([:])

    /// - Throws: `rateLimited` if `address` has failed too often.
    func check(_ address: String, now: Int64) throws(AccountError) {
        let wait = failures.withLock { failures -> Int64? in
            guard var times = failures[address] else { return nil }
            times.removeAll { $0 <= now - Self.windowMilliseconds }
            failures[address] = times.isEmpty ? nil : times
            guard times.count >= Self.failuresMax else { return nil }
            // Free again when so many have aged that one less than the limit is left.
            return times[times.count - Self.failuresMax] + Self.windowMilliseconds - now
        }
        if let wait { throw .rateLimited(retryAfterMilliseconds: Int(max(1, wait))) }
    }

    func recordFailure(_ address: String, now: Int64) {
        failures.withLock { failures in
            if failures[address] == nil, failures.count >= Self.addressesMax { Self.makeRoom(in: &failures, now: now) }
            // Attempts that were under way together may pass the limit; more than that need not be remembered.
            failures[address, default: []].append(now)
            if failures[address, default: []].count > 2 * Self.failuresMax { failures[address]?.removeFirst() }
        }
    }

    private static func makeRoom(in failures: inout [String: [Int64]], now: Int64) {
        failures = failures.filter { ($0.value.last ?? 0) > now - windowMilliseconds }
        guard failures.count >= addressesMax else { return }
        let oldest = failures.min { ($0.value.last ?? 0) < ($1.value.last ?? 0) }
        if let oldest { failures[oldest.key] = nil }
    }
}
