package import SonaWire

/// Names one entry of a room's queue for ever: ids rise and are never given twice.
package struct QueueEntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1 to 2^53 − 1.
    package let rawValue: Int64

    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { String(rawValue) }
}

/// A track in the queue, as every member may see it: who voted is nobody's business, how many did is.
package struct QueueEntry: Sendable, Equatable {
    package enum Approval: String, Sendable, CaseIterable {
        /// Suggested; whoever controls the queue has still to say yes.
        case pending
        case approved
    }

    package let id: QueueEntryID
    package let reference: TrackReference
    package let suggestedBy: UserID
    /// Wall time, ms.
    package let addedMilliseconds: Int64
    package internal(set) var approval: Approval
    package internal(set) var upvotes = 0
    package internal(set) var downvotes = 0

    package var score: Int { upvotes - downvotes }
}

/// Where in the queue something goes. The entries named are waiting ones.
package enum QueuePlace: Sendable, Equatable {
    case first
    case last
    case before(QueueEntryID)
    case after(QueueEntryID)
}
