package import SonaWire

/// An event for members. A client that applies the events in order to a newcomer's snapshot has the same lists.
package enum PartyEvent: Sendable, Equatable {
    /// New entries in a row. Approved ones stand after the given entry, or first in the queue; pending ones stand last
    /// in their list.
    case added([QueueEntry], after: QueueEntryID?)
    case removed([QueueEntryID], QueueChange.Removal)
    /// A pending entry, now the last of the waiting ones.
    case approved(QueueEntryID)
    /// An entry with its new and its old predecessor; `nil` is the head of the queue.
    case moved(QueueEntryID, after: QueueEntryID?, from: QueueEntryID?)
    /// All waiting entries, in their new order.
    case reordered([QueueEntryID])
    case votesChanged(QueueEntryID, upvotes: Int, downvotes: Int)
    case rulesChanged(QueueRules)
    case repeatChanged(RepeatMode)
    /// The entry that plays or is about to. It no longer waits, and the skip votes against the one before are void.
    case now(NowPlaying?)
    case skipProgress(votes: Int, needed: Int)
}

/// The entry that plays.
package struct NowPlaying: Sendable, Equatable {
    package internal(set) var entry: QueueEntry
    /// Number of entries played in this room, this one included. It tells one play from the next when an entry repeats.
    package internal(set) var play: Int64
    /// Time at which the host reported that it sounds, ms; `nil` until then.
    package internal(set) var startedMilliseconds: Int64?
}
