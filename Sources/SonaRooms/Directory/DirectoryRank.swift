internal import SonaWire

/// The rank of a room among others, as a number: the greater comes first.
///
/// | bits | meaning |
/// |---|---|
/// | 63 | live |
/// | 62 | found by a name, not by a mention; 0 in a room's stored rank |
/// | 58–53 | step of listeners |
/// | 52–0 | when the room was made, ms since 1970 |
///
/// Rooms of equal rank are ordered by room identifier.
struct DirectoryRank: Comparable, Hashable, Sendable {
    private static let live: UInt64 = 1 << 63
    private static let name: UInt64 = 1 << 62

    private(set) var bits: UInt64

    /// - Parameter formerStep: The step that the room had so far. The room keeps it a little longer when listeners
    ///   leave.
    init(_ room: Room, formerStep: Int?) {
        bits = UInt64(min(max(0, room.createdMilliseconds), Limits.integerMax))
        bits |= UInt64(Self.step(room.listenerCount, former: formerStep)) << 53
        if room.isLive { bits |= Self.live }
    }

    var isLive: Bool { bits & Self.live != 0 }
    var step: Int { Int(bits >> 53 & 63) }

    func found(by match: DirectoryMatch) -> Self {
        var rank = self
        if match == .name { rank.bits |= Self.name }
        return rank
    }

    static func < (one: Self, other: Self) -> Bool { one.bits < other.bits }

    /// 0, 1, 2–3, 4–7, 8–15 listeners and so on.
    ///
    /// The step falls only when a quarter of the listeners at its lower edge are gone. A room in which one listener
    /// comes and goes therefore keeps its place.
    private static func step(_ count: Int, former: Int?) -> Int {
        let step = Int.bitWidth - max(0, count).leadingZeroBitCount
        guard let former, step == former - 1 else { return step }
        let edge = 1 << step
        return count >= edge - edge / 4 ? former : step
    }
}
