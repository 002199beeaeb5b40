/// What a room allows its listeners with its queue.
///
/// Who controls the queue is bound by `entriesMax` alone. Their entries take part in the rotation like anybody's.
package struct PartyRules: Sendable, Equatable {
    package enum Audience: String, Sendable, CaseIterable {
        case nobody
        /// Who has an account.
        case members
        /// Guests as well.
        case everybody
    }

    package enum Ordering: String, Sendable, CaseIterable {
        /// As it stands, which is as whoever controls it put it.
        case manual
        /// By votes, in turns; see `Rotation`.
        case votes
    }

    package var ordering = Ordering.manual
    package var suggesters = Audience.members
    package var voters = Audience.everybody
    /// Whether suggestions wait for somebody to approve them.
    package var needsApproval = true
    /// Entries of one person that wait, approved or not.
    package var waitingPerPersonMax = 3
    /// Entries that wait, approved or not, and the one that plays.
    package var entriesMax = 200
    /// The last so many plays are those in which nobody may have more than `sharePlaysMax`.
    package var shareWindow = 20
    /// As many as `shareWindow`, or more, is no limit.
    package var sharePlaysMax = 8
    /// Plays of one person in a row, in the order by votes.
    package var rowMax = 2
    /// Seconds from the moment a track is chosen to play until it may be suggested again.
    package var cooldownSeconds = 3_600
    /// Seconds a newcomer has to have been here before suggesting or voting.
    package var dwellSeconds = 30
    /// Votes needed to skip, in percent of the active listeners; 0: nobody can vote to skip. See `skipVotesNeeded`.
    package var skipPercent = 50
    /// Seconds the votes of somebody who left still count.
    package var graceSeconds = 60

    package init() {}

    package static let waitingPerPersonRange = 1...100
    package static let entriesRange = 1...500
    package static let shareWindowRange = 1...100
    package static let sharePlaysRange = 1...100
    package static let rowRange = 1...100
    package static let cooldownRange = 0...86_400
    package static let dwellRange = 0...3_600
    package static let skipPercentRange = 0...100
    package static let graceRange = 0...3_600

    /// Nobody skips alone.
    package static let skipVotesMin = 2
    /// However many listen, this many votes are enough; what bounds the memory they take.
    package static let skipVotesMax = 10_000

    /// Votes it takes to skip: the share of the active listeners rounded up, at least `skipVotesMin`, at most
    /// `skipVotesMax`.
    package func skipVotesNeeded(activeListeners: Int) -> Int {
        // Beyond this many listeners one percent is more than the most that is asked for.
        let listeners = min(max(0, activeListeners), Self.skipVotesMax * 100)
        let share = (listeners * skipPercent + 99) / 100
        return min(max(Self.skipVotesMin, share), Self.skipVotesMax)
    }

    /// The name of the first number that is out of its range, as it stands in messages and in storage.
    package var fieldOutOfRange: String? {
        let numbers: [(String, Int, ClosedRange<Int>)] = [
            ("waiting_per_person_max", waitingPerPersonMax, Self.waitingPerPersonRange),
            ("entries_max", entriesMax, Self.entriesRange),
            ("share_window", shareWindow, Self.shareWindowRange),
            ("share_plays_max", sharePlaysMax, Self.sharePlaysRange),
            ("row_max", rowMax, Self.rowRange),
            ("cooldown_seconds", cooldownSeconds, Self.cooldownRange),
            ("dwell_seconds", dwellSeconds, Self.dwellRange),
            ("skip_percent", skipPercent, Self.skipPercentRange),
            ("grace_seconds", graceSeconds, Self.graceRange),
        ]
        return numbers.first { !$0.2.contains($0.1) }?.0
    }
}
