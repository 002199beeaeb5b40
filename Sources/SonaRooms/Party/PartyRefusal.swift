/// The reason why a command was not carried out: the rule that stands against it, and until when.
///
/// If several rules do, the one that stands longest is named. At the time given, the same command therefore passes if
/// nothing else has happened.
package struct PartyRefusal: Error, Equatable, Sendable {
    /// The rules; their codes never change.
    package enum Rule: String, Sendable, CaseIterable {
        /// The command takes control of the queue, or the host seat.
        case notAllowed = "queue.not_allowed"
        /// The room takes no suggestions, no votes or no votes to skip.
        case closed = "queue.closed"
        /// The room takes them from accounts only, and the member is a guest.
        case accountRequired = "queue.account_required"
        case tooNew = "queue.too_new"
        case full = "queue.full"
        case personLimit = "queue.person_limit"
        case share = "queue.share"
        /// The same track already waits or plays.
        case duplicate = "queue.duplicate"
        case cooldown = "queue.cooldown"
        /// The queue holds the most votes it remembers.
        case votesFull = "queue.votes_full"
        /// The entry does not exist, or not in the required place: only a playing entry can be finished or skipped.
        case unknownEntry = "queue.entry_not_found"
        case notApproved = "queue.not_approved"
        /// There is no entry to go on to, or back to.
        case empty = "queue.empty"
        case invalidTrack = "queue.track_invalid"
        case invalidRules = "queue.rules_invalid"
    }

    package var rule: Rule
    /// Time at which the command would pass, ms; `nil` if that depends on somebody's action.
    package var liftsAtMilliseconds: Int64?
    /// The number that was reached, in the unit of the rule.
    package var limit: Int?
    /// The rule that is out of range, with `queue.invalid_rules`.
    package var field: String?

    package init(_ rule: Rule, liftsAt: Int64? = nil, limit: Int? = nil, field: String? = nil) {
        self.rule = rule
        liftsAtMilliseconds = liftsAt
        self.limit = limit
        self.field = field
    }

    /// The refusal that stands longest; among those without end, the first.
    static func longest(_ refusals: [PartyRefusal]) -> PartyRefusal? {
        refusals.first { $0.liftsAtMilliseconds == nil }
            ?? refusals.max { ($0.liftsAtMilliseconds ?? .max) < ($1.liftsAtMilliseconds ?? .max) }
    }
}
