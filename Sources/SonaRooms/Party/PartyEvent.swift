package import SonaWire

/// What members are told. Whoever applies these in order to what a newcomer is given has the same lists again.
package enum PartyEvent: Sendable, Equatable {
    package enum Removal: String, Sendable, CaseIterable {
        /// By whoever asked for it.
        case withdrawn
        /// By somebody who controls the queue.
        case removed
        case rejected
        case cleared
        /// The track was gone back to, so it does not come a second time.
        case recalled
    }

    /// New entries in a row: those approved after the entry given, or first in the queue, those pending last in theirs.
    case added([QueueEntry], after: QueueEntryID?)
    case removed([QueueEntryID], Removal)
    /// A pending entry, now the last of those that wait.
    case approved(QueueEntryID)
    /// An entry and those it stands after now and stood after before; `nil` is the head of the queue.
    case moved(QueueEntryID, after: QueueEntryID?, from: QueueEntryID?)
    /// All that wait, in their new order.
    case reordered([QueueEntryID])
    case votesChanged(QueueEntryID, upvotes: Int, downvotes: Int)
    case rulesChanged(QueueRules)
    case repeatChanged(RepeatMode)
    /// What plays, or is about to. The entry waits no longer; those who wanted the one before skipped have had their say.
    case now(NowPlaying?)
    case skipProgress(votes: Int, needed: Int)
}

/// The entry that plays.
package struct NowPlaying: Sendable, Equatable {
    package internal(set) var entry: QueueEntry
    /// How many entries have been played here, this one counted; tells one play from the next when one repeats.
    package internal(set) var play: Int64
    /// When the host said that it sounds, ms; `nil` until then.
    package internal(set) var startedMilliseconds: Int64?
}
