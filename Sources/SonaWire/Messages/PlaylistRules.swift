extension Limits {
    /// Conditions of a rule, groups included, at all depths together.
    public static let playlistConditionsMax = 32
    /// How deep groups of conditions are nested: 1 is a rule without groups.
    public static let playlistRuleDepthMax = 4
    /// Days that a condition about time goes back.
    static let playlistRuleDays: ClosedRange<Int64> = 1...36_500
    /// Tracks of a smart playlist if its rule says nothing.
    public static let playlistRuleLimitDefault = 1_000
}

/// What a condition of a smart playlist is about.
///
/// Source: Protocol/spec/playlists.md, "Rule".
public enum PlaylistField: String, CaseIterable, Sendable {
    /// The track's genre, artist or album has the identifier `id`.
    case genre, artist, album
    /// The year lies within `min` and `max`.
    case year
    /// The track came into the library within the last `days`.
    case added
    /// The track lasts from `min` to `max` milliseconds.
    case duration
    /// The track was heard from `min` to `max` times, by everybody together.
    case plays
    /// The playlist's owner likes the track.
    case liked
    /// The playlist's owner rates the track from `min` to `max`.
    case rating
    /// The playlist's owner heard the track from `min` to `max` times.
    case heard
    /// The playlist's owner heard the track within the last `days`.
    case played
}

/// The order of a smart playlist. Equal tracks are in the order in which they came into the library.
public enum PlaylistSort: String, CaseIterable, Sendable {
    /// By title, by the first artist, or by album, disc and place.
    case title, artist, album
    /// The newest first.
    case added
    /// By year, the latest first.
    case year
    /// The most heard first.
    case plays
    /// In an order without meaning that stays the same.
    case random
}

/// One condition about a track, or a group of them.
///
/// Source: Protocol/spec/playlists.md, "Rule".
public struct PlaylistCondition: DeclaredObject, Hashable {
    /// What it is about; `nil` for a group.
    public var field: PlaylistField?
    public var id: MusicID?
    public var minimum: Int64?
    public var maximum: Int64?
    public var days: Int64?
    /// Holds for the tracks for which it would not hold otherwise.
    public var isNot: Bool
    /// A group, all of which hold.
    public var all: [PlaylistCondition]?
    /// A group, one of which holds at least.
    public var any: [PlaylistCondition]?

    public init(
        field: PlaylistField? = nil, id: MusicID? = nil, minimum: Int64? = nil, maximum: Int64? = nil,
        days: Int64? = nil, isNot: Bool = false, all: [PlaylistCondition]? = nil, any: [PlaylistCondition]? = nil
    ) {
        self.field = field
        self.id = id
        self.minimum = minimum
        self.maximum = maximum
        self.days = days
        self.isNot = isNot
        self.all = all
        self.any = any
    }

    public static let declaration = Declaration(
        Member(optional: "field", \Self.field, .word),
        Member(optional: "id", \Self.id, .musicID),
        Member(optional: "min", \Self.minimum, .count),
        Member(optional: "max", \Self.maximum, .count),
        Member(optional: "days", \Self.days, .integer(Limits.playlistRuleDays)),
        Member("not", \Self.isNot, .flag, default: false),
        Member(optional: "all", \Self.all, .conditions),
        Member(optional: "any", \Self.any, .conditions),
        make: Self.init
    ).checked { condition, fields throws(WireError) in
        if let key = condition.fault { throw fields.invalid(key, "must fit the other fields of the condition") }
    }

    /// The field at fault, if they do not belong together.
    private var fault: String? {
        let groups = (all == nil ? 0 : 1) + (any == nil ? 0 : 1)
        guard let field else {
            if groups != 1 { return "field" }
            return id != nil ? "id" : minimum != nil ? "min" : maximum != nil ? "max" : days != nil ? "days" : nil
        }
        if groups > 0 { return all != nil ? "all" : "any" }
        let needsID = field == .genre || field == .artist || field == .album
        let needsDays = field == .added || field == .played
        let needsRange = !needsID && !needsDays && field != .liked
        if (id != nil) != needsID { return "id" }
        if (days != nil) != needsDays { return "days" }
        if (minimum != nil || maximum != nil) != needsRange { return minimum == nil && maximum != nil ? "max" : "min" }
        if let minimum, let maximum, minimum > maximum { return "max" }
        return nil
    }

    /// Conditions of the group, itself included, and how deep they are.
    fileprivate var size: (count: Int, depth: Int) {
        var (count, depth) = (1, 0)
        for part in (all ?? []) + (any ?? []) {
            let size = part.size
            count += size.count
            depth = max(depth, size.depth)
        }
        return (count, depth + 1)
    }
}

/// What a smart playlist is made of: conditions, an order and a limit.
///
/// Source: Protocol/spec/playlists.md, "Rule".
public struct PlaylistRule: DeclaredObject, Hashable {
    /// How the conditions go together.
    public enum Match: String, CaseIterable, Sendable {
        case all, any
    }

    public var match: Match
    /// None: every track.
    public var conditions: [PlaylistCondition]
    public var sort: PlaylistSort
    /// The most tracks.
    public var limit: Int

    public init(
        match: Match = .all, conditions: [PlaylistCondition], sort: PlaylistSort = .added,
        limit: Int = Limits.playlistRuleLimitDefault
    ) {
        self.match = match
        self.conditions = conditions
        self.sort = sort
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("match", \Self.match, .word, default: .all),
        Member("conditions", \Self.conditions, .objects(count: 0...Limits.playlistConditionsMax)),
        Member("sort", \Self.sort, .word, default: .added),
        Member(
            "limit", \Self.limit, .integer(1...Int64(Limits.playlistEntriesMax)),
            default: Limits.playlistRuleLimitDefault),
        make: Self.init
    ).checked { rule, fields throws(WireError) in
        let sizes = rule.conditions.map(\.size)
        let count = sizes.reduce(0) { $0 + $1.count }
        guard count <= Limits.playlistConditionsMax else {
            throw fields.invalid(
                "conditions", "must hold at most \(Limits.playlistConditionsMax) conditions, groups included")
        }
        guard sizes.allSatisfy({ $0.depth <= Limits.playlistRuleDepthMax }) else {
            throw fields.invalid("conditions", "must be nested at most \(Limits.playlistRuleDepthMax) deep")
        }
    }
}

extension Form where Value == [PlaylistCondition] {
    /// The conditions of a group. A schema cannot hold itself here, so that of the parts is the sentence.
    fileprivate static var conditions: Form {
        let count = 1...Limits.playlistConditionsMax
        return Form(
            Schema.anyObject.described("A condition.").array(count: count),
            read: { fields, key throws(WireError) in
                try fields.arrayIfPresent(key, of: PlaylistCondition.self, count: count)
            }, write: { conditions, writer in writer.array(conditions) { $0.encode(into: &$1) } })
    }
}
