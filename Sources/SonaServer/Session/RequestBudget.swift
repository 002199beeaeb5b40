internal import SonaWire

/// Requests a connection may still make: a bucket that holds a second's worth and refills evenly.
struct RequestBudget {
    private let rate: Double
    private var tokens: Double
    private var filledAt: Int64 = 0

    init(perSecond: Int) {
        rate = Double(perSecond)
        tokens = rate
    }

    /// - Returns: Milliseconds until there is room, or nil if the request may be made.
    mutating func take(now: Int64) -> Int? {
        if filledAt > 0 { tokens = min(rate, tokens + Double(now - filledAt) * rate / 1_000_000) }
        filledAt = now
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return Int((1 - tokens) / rate * 1000) + 1
    }
}

/// Messages that could not be understood, within the last minute.
struct FaultCounter {
    private var times: [Int64] = []

    /// - Returns: Whether that was one too many.
    mutating func add(now: Int64) -> Bool {
        times.removeAll { now - $0 > Int64(Limits.malformedWindowSeconds) * 1_000_000 }
        times.append(now)
        return times.count >= Limits.malformedMessagesMax
    }
}
