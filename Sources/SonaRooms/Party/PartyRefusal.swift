/// Why a command was not carried out: which rule stands against it, and until when.
///
/// Where several do, the one that stands longest is named, so that at the time given the same command passes if nothing
/// else has happened.
package struct PartyRefusal: Error, Equatable, Sendable {
    /// The rules, each with the code that never changes.
    package enum Rule: String, Sendable, CaseIterable {
        /// It takes control of the queue, or the host's seat.
        case notAllowed = "queue.not_allowed"
        /// The room takes no suggestions, no votes or no votes to skip.
        case closed = "queue.closed"
        /// The room takes them from accounts only, and this is a guest.
        case accountRequired = "queue.account_required"
        case tooNew = "queue.too_new"
        case full = "queue.full"
        case personLimit = "queue.person_limit"
        case share = "queue.share"
        /// The same track waits already, or plays.
        case duplicate = "queue.duplicate"
        case cooldown = "queue.cooldown"
        /// More votes than the queue remembers.
        case votesFull = "queue.votes_full"
        /// No such entry, or not where it would have to be: only what plays can be finished or skipped.
        case unknownEntry = "queue.entry_not_found"
        case notApproved = "queue.not_approved"
        /// There is nothing to go on to, or back to.
        case empty = "queue.empty"
        case invalidTrack = "queue.track_invalid"
        case invalidRules = "queue.rules_invalid"
    }

    package var rule: Rule
    /// When the command would pass, ms; `nil` if it takes somebody's doing.
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

    /// The one of several that stands longest; of those without end, the first.
    static func longest(_ refusals: [PartyRefusal]) -> PartyRefusal? {
        refusals.first { $0.liftsAtMilliseconds == nil }
            ?? refusals.max { ($0.liftsAtMilliseconds ?? .max) < ($1.liftsAtMilliseconds ?? .max) }
    }
}
