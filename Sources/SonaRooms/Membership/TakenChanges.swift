package import SonaWire

/// Which changes of what is stored about a room it has taken.
///
/// Each has a number, given when it was written; who wrote first may be the last to tell. An older one than was taken of
/// the same is left.
package struct TakenChanges: Sendable {
    /// What a change is of: one of these follows another only of the same.
    package enum Subject: Hashable, Sendable {
        case standing(UserID)
        case ban(UserID)
        case mute(UserID)
        case message(Int64)
    }

    private var latest: [Subject: (changeNumber: Int64, at: Int64)] = [:]

    /// Longer than any change is on its way, µs.
    static let keptMicroseconds: Int64 = 120_000_000
    private static let cleanedFrom = 1_024

    package init() {}

    /// - Returns: Whether the change is to be taken: no later one was.
    package mutating func take(_ changeNumber: Int64, of subject: Subject, now: Int64) -> Bool {
        if let known = latest[subject], known.changeNumber >= changeNumber { return false }
        if latest.count >= Self.cleanedFrom { latest = latest.filter { $0.value.at > now - Self.keptMicroseconds } }
        latest[subject] = (changeNumber, now)
        return true
    }
}
