package import SonaWire

/// Tracks which stored changes a room has already taken.
///
/// Each change has a number, given when it was written. A change written first may arrive here last; it is skipped if a
/// newer change of the same subject was taken.
package struct TakenChanges: Sendable {
    /// The subject of a change. Only changes of the same subject replace each other.
    package enum Subject: Hashable, Sendable {
        case standing(UserID)
        case ban(UserID)
        case mute(UserID)
        case message(Int64)
        case autoplay
    }

    private var latest: [Subject: (changeNumber: Int64, at: Int64)] = [:]

    /// Longer than any change takes to arrive, µs.
    static let keptMicroseconds: Int64 = 120_000_000
    private static let cleanedFrom = 1_024

    package init() {}

    /// - Returns: Whether to take the change: no newer one was taken.
    package mutating func take(_ changeNumber: Int64, of subject: Subject, now: Int64) -> Bool {
        if let known = latest[subject], known.changeNumber >= changeNumber { return false }
        if latest.count >= Self.cleanedFrom { latest = latest.filter { $0.value.at > now - Self.keptMicroseconds } }
        latest[subject] = (changeNumber, now)
        return true
    }
}
