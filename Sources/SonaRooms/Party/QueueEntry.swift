package import SonaWire

/// Identifies one entry of a room's queue for ever: identifiers rise and are never reused.
package struct QueueEntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1 to 2^53 − 1.
    package let rawValue: Int64

    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { String(rawValue) }
}

/// A track in the queue, as every member may see it: the number of votes is public, the voters are not.
package struct QueueEntry: Sendable, Equatable {
    package enum Approval: String, Sendable, CaseIterable {
        /// Suggested; a member who controls the queue has yet to approve it.
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

/// A place in the queue. The named entries are waiting ones.
package enum QueuePlace: Sendable, Equatable {
    case first
    case last
    case before(QueueEntryID)
    case after(QueueEntryID)
}
