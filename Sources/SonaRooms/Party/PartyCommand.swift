package import SonaWire

/// What members ask of the queue. In brackets, the right it takes; others than `control` and `report` also come with the
/// room's rules.
package enum PartyCommand: Sendable, Equatable {
    /// Puts tracks in, one after the other, all or none (control).
    case add([TrackReference], at: QueuePlace)
    /// (suggest) From who controls the queue the same as `add` at the end.
    case suggest(TrackReference)
    /// Moves a pending entry to the end of those that wait to be played (control).
    case approve(QueueEntryID)
    /// (control)
    case reject(QueueEntryID)
    /// Takes a waiting or pending entry out (control, or one's own).
    case remove(QueueEntryID)
    /// (control)
    case move(QueueEntryID, to: QueuePlace)
    /// Takes out all that is waiting or pending; what plays goes on (control).
    case clear
    /// Puts what waits in an order that the seed decides; see `SeededShuffle` (control).
    case shuffle(seed: UInt64)
    /// (control)
    case setRepeat(RepeatMode)
    /// Goes on to what comes next (control). An entry given must be the one that plays, so that two who press at once
    /// skip one track.
    case next(from: QueueEntryID?)
    /// Goes back to what ended last; what plays waits at the head of the queue (control).
    case previous
    /// An entry begins to sound: the one chosen, or any that waits, which is then chosen (report).
    case started(QueueEntryID)
    /// The one that plays has come to its end (report).
    case finished(QueueEntryID)
    /// Likes or dislikes a waiting entry, or takes that back; the last word counts (vote).
    case vote(QueueEntryID, Vote?)
    /// Wants the entry that plays skipped, or no longer (vote). Who is active, the caller decides.
    case voteSkip(QueueEntryID, isWanted: Bool, activeListeners: Int)
    /// (control)
    case setRules(QueueRules)
    /// Changes some of the rules (control).
    case changeRules(QueueRules.Change)

    /// What it takes to ask for it; `nil` where that depends on the room's rules, or on the entry.
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
