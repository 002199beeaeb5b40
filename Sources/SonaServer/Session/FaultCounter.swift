internal import SonaWire

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
