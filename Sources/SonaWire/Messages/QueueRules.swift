// MARK: - Objects

/// The rules of a room's queue: who may suggest and vote, how much, and in which order entries play.
///
/// People who control the queue are bound by `entriesMax` alone. Their entries take part in the rotation like all
/// others.
///
/// Source: Protocol/spec/queue.md, "Rules".
public struct QueueRules: WireObject, Hashable {
    /// Who may do something with the queue.
    public enum Audience: String, Sendable, CaseIterable {
        /// Only people whose standing or invite allows it.
        case nobody
        /// Everybody with an account.
        case members
        /// Guests as well.
        case everybody
    }

    /// What decides which entry plays next.
    public enum Ordering: String, Sendable, CaseIterable {
        /// In the order in which the entries stand. People who control the queue set it.
        case manual
        /// By votes; people take turns.
        case votes
    }

    /// What decides which entry plays next.
    public var ordering = Ordering.manual
    /// Who may suggest tracks.
    public var suggesters = Audience.members
    /// Who may vote.
    public var voters = Audience.everybody
    /// Whether suggestions wait for somebody to approve them.
    public var needsApproval = true
    /// Entries of one person that wait, approved or not.
    public var waitingPerPersonMax = 3
    /// Entries that wait, approved or not, and the one that plays.
    public var entriesMax = 200
    /// Number of latest plays among which one person may have at most `sharePlaysMax`.
    public var shareWindow = 20
    /// As many as `shareWindow`, or more, is no limit.
    public var sharePlaysMax = 8
    /// Plays of one person in a row, in the order by votes.
    public var rowMax = 2
    /// Seconds from the moment a track is chosen to play until it may be suggested again.
    public var cooldownSeconds = 3_600
    /// Seconds a newcomer has to have been here before suggesting or voting.
    public var dwellSeconds = 30
    /// Votes needed to skip, in percent of the active listeners; 0: nobody can vote to skip. See `skipVotesNeeded`.
    public var skipPercent = 50
    /// Seconds the votes of somebody who left still count.
    public var graceSeconds = 60

    public init() {}

    // MARK: Numbers

    /// The rules that are numbers, by the names they have in messages.
    public enum Number: String, Sendable, CaseIterable {
        /// 1 to 100: entries of one person that wait, approved or not.
        case waitingPerPersonMax = "waiting_per_person_max"
        /// Entries that wait, approved or not, and the one that plays.
        case entriesMax = "entries_max"
        /// 1 to 100: the latest plays that `sharePlaysMax` looks at.
        case shareWindow = "share_window"
        /// 1 to 100: plays of one person among the `shareWindow` latest.
        case sharePlaysMax = "share_plays_max"
        /// 1 to 100: plays of one person in a row, in the order by votes.
        case rowMax = "row_max"
        /// 0 to 86 400 s until a track that was chosen may be suggested again.
        case cooldownSeconds = "cooldown_s"
        /// 0 to 3600 s a newcomer has to have been here before suggesting or voting.
        case dwellSeconds = "dwell_s"
        /// 0 to 100 % of the active listeners, whose votes skip what plays.
        case skipPercent = "skip_percent"
        /// 0 to 3600 s for which votes of somebody who left still count.
        case graceSeconds = "grace_s"

        /// The values the rule can have, both ends included.
        public var range: ClosedRange<Int> {
            switch self {
            case .waitingPerPersonMax, .shareWindow, .sharePlaysMax, .rowMax: 1...100
            case .entriesMax: QueueRules.entriesRange
            case .cooldownSeconds: 0...86_400
            case .dwellSeconds, .graceSeconds: 0...3_600
            case .skipPercent: 0...100
            }
        }

        var path: WritableKeyPath<QueueRules, Int> {
            switch self {
            case .waitingPerPersonMax: \.waitingPerPersonMax
            case .entriesMax: \.entriesMax
            case .shareWindow: \.shareWindow
            case .sharePlaysMax: \.sharePlaysMax
            case .rowMax: \.rowMax
            case .cooldownSeconds: \.cooldownSeconds
            case .dwellSeconds: \.dwellSeconds
            case .skipPercent: \.skipPercent
            case .graceSeconds: \.graceSeconds
            }
        }
    }

    /// Values of `entriesMax`.
    public static let entriesRange = 1...500

    /// The rule by its number's name.
    public subscript(number: Number) -> Int {
        get { self[keyPath: number.path] }
        set { self[keyPath: number.path] = newValue }
    }

    /// The first number that is out of its range.
    public var outOfRange: Number? { Number.allCases.first { !$0.range.contains(self[$0]) } }

    // MARK: Votes to skip

    /// Nobody skips alone.
    public static let skipVotesMin = 2
    /// However many listen, this many votes are enough; what bounds the memory they take.
    public static let skipVotesMax = 10_000

    /// Votes it takes to skip: the share of the active listeners rounded up, at least `skipVotesMin`, at most
    /// `skipVotesMax`.
    public func skipVotesNeeded(activeListeners: Int) -> Int {
        // Beyond this many listeners one percent is more than the most that is asked for.
        let listeners = min(max(0, activeListeners), Self.skipVotesMax * 100)
        let share = (listeners * skipPercent + 99) / 100
        return min(max(Self.skipVotesMin, share), Self.skipVotesMax)
    }

    // MARK: Messages

    /// Rules that are absent have the values of a new room.
    public init(_ json: JSON) throws(WireError) { self = QueueRules().changed(try Change(json)) }

    public func encode(into writer: inout JSONWriter) { Change(self).encode(into: &writer) }

    public static var schema: Schema { .object(properties { ($0, true) }) }

    /// - Parameter presence: The schema of a rule, and whether it must be there.
    private static func properties(_ presence: (Schema) -> (Schema, Bool)) -> [Schema.Property] {
        let audience = Form<Audience>.word.schema
        let words = [
            ("ordering", Form<Ordering>.word.schema), ("suggesters", audience), ("voters", audience),
            ("needs_approval", Schema.bool),
        ]
        let numbers = Number.allCases.map { number in
            (number.rawValue, Schema.integer(Int64(number.range.lowerBound)...Int64(number.range.upperBound)))
        }
        return (words + numbers).map { key, schema in
            let (schema, isRequired) = presence(schema)
            return Schema.Property(key, schema, isRequired: isRequired)
        }
    }

    /// Some of the rules.
    public struct Change: WireObject, Hashable {
        /// The change is the definition `queue_rules_change` of the schemas.
        public static let schemaName = "queue_rules_change"
        public static var schema: Schema { .object(properties { ($0.orNull, false) }) }

        /// What decides which entry plays next. `nil`: unchanged.
        public var ordering: Ordering?
        /// Who may suggest tracks. `nil`: unchanged.
        public var suggesters: Audience?
        /// Who may vote. `nil`: unchanged.
        public var voters: Audience?
        /// Whether suggestions wait for approval. `nil`: unchanged.
        public var needsApproval: Bool?
        /// New values of rules that are numbers. Rules that are not in it stay unchanged.
        public var numbers: [Number: Int] = [:]

        public init() {}

        public init(_ rules: QueueRules) {
            ordering = rules.ordering
            suggesters = rules.suggesters
            voters = rules.voters
            needsApproval = rules.needsApproval
            for number in Number.allCases { numbers[number] = rules[number] }
        }

        public init(_ json: JSON) throws(WireError) {
            let fields = try Fields(json)
            ordering = try fields.wordIfPresent("ordering", as: Ordering.self)
            suggesters = try fields.wordIfPresent("suggesters", as: Audience.self)
            voters = try fields.wordIfPresent("voters", as: Audience.self)
            needsApproval = try fields.boolIfPresent("needs_approval")
            for number in Number.allCases {
                let range = Int64(number.range.lowerBound)...Int64(number.range.upperBound)
                numbers[number] = try fields.integerIfPresent(number.rawValue, in: range).map { Int($0) }
            }
        }

        public func encode(into writer: inout JSONWriter) {
            writer.object { writer in
                writer.member("ordering", ifPresent: ordering?.rawValue)
                writer.member("suggesters", ifPresent: suggesters?.rawValue)
                writer.member("voters", ifPresent: voters?.rawValue)
                writer.member("needs_approval", ifPresent: needsApproval)
                for number in Number.allCases {
                    guard let value = numbers[number] else { continue }
                    writer.key(number.rawValue)
                    writer.integer(value)
                }
            }
        }
    }

    /// The rules with some of them changed.
    public func changed(_ change: Change) -> QueueRules {
        var rules = self
        rules.ordering = change.ordering ?? ordering
        rules.suggesters = change.suggesters ?? suggesters
        rules.voters = change.voters ?? voters
        rules.needsApproval = change.needsApproval ?? needsApproval
        for (number, value) in change.numbers { rules[number] = value }
        return rules
    }
}

/// Whether entries of a queue come again after they have played.
public enum RepeatMode: String, Sendable, CaseIterable {
    /// It does not come again.
    case off
    /// It goes to the end of the queue, as a new entry with an id of its own.
    case all
    /// It plays again until somebody goes on to the next.
    case one
}

/// A person's vote on an entry.
public enum Vote: String, Sendable, CaseIterable {
    /// They like it.
    case up
    /// They dislike it.
    case down
}
