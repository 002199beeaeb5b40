package import SonaWire

/// A member's request to the queue. The right it takes is in brackets. Rights other than `control` and `report` may
/// also come from the room's rules.
package enum PartyCommand: Sendable, Equatable {
    /// Adds tracks one after the other, all or none (control).
    case add([TrackReference], at: QueuePlace)
    /// (suggest) From a member who controls the queue this is the same as `add` at the end.
    case suggest(TrackReference)
    /// Moves a pending entry to the end of the waiting entries (control).
    case approve(QueueEntryID)
    /// (control)
    case reject(QueueEntryID)
    /// Removes a waiting or pending entry (control, or the member's own entry).
    case remove(QueueEntryID)
    /// (control)
    case move(QueueEntryID, to: QueuePlace)
    /// Removes all waiting and pending entries; the playing one goes on (control).
    case clear
    /// Shuffles the waiting entries by the seed; see `SeededShuffle` (control).
    case shuffle(seed: UInt64)
    /// (control)
    case setRepeat(RepeatMode)
    /// Goes on to the next entry (control). If an entry is given, it must be the one that plays, so that two members
    /// who press at once skip only one track.
    case next(from: QueueEntryID?)
    /// Goes back to the entry that ended last; the playing one waits at the head of the queue (control).
    case previous
    /// An entry begins to sound: the chosen one, or any waiting one, which is then chosen (report).
    case started(QueueEntryID)
    /// The playing entry has come to its end (report).
    case finished(QueueEntryID)
    /// Likes or dislikes a waiting entry, or takes that back; the last vote counts (vote).
    case vote(QueueEntryID, Vote?)
    /// Votes to skip the playing entry, or takes that back (vote). The caller decides which listeners are active.
    case voteSkip(QueueEntryID, isWanted: Bool, activeListeners: Int)
    /// (control)
    case setRules(QueueRules)
    /// Changes some of the rules (control).
    case changeRules(QueueRules.Change)

    /// The right that the command takes; `nil` if that depends on the room's rules or on the entry.
    var right: PartyRights? {
        switch self {
        case .suggest, .vote, .voteSkip, .remove: nil
        case .started, .finished: .report
        case .add, .approve, .reject, .move, .clear, .shuffle, .setRepeat, .next, .previous, .setRules,
            .changeRules:
            .control
        }
    }
}
