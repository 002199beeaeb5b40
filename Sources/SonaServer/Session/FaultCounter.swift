internal import SonaWire

/// Messages within the last minute that could not be understood.
struct FaultCounter {
    private var times: [Int64] = []

    /// - Returns: Whether the limit is reached.
    mutating func add(now: Int64) -> Bool {
        times.removeAll { now - $0 > Int64(Limits.malformedWindowSeconds) * 1_000_000 }
        times.append(now)
        return times.count >= Limits.malformedMessagesMax
    }
}
