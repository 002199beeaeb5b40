internal import SonaDatabase
internal import SonaWire

/// The tracks of a smart playlist, found by its rule.
///
/// The statement is put together from the typed conditions of the rule: its text comes from this file alone, and every
/// value is bound. The caller bounds its time.
struct PlaylistRuleQuery {
    /// A track that the rule fits.
    struct Found {
        let track: Int64
        let id: MusicID
        let album: Int64?
        let durationMilliseconds: Int64
    }

    private static let dayMilliseconds: Int64 = 86_400_000

    private let rule: PlaylistRule
    /// Whose likes, ratings and plays count: the playlist's owner's, whoever looks.
    private let owner: UserID
    private let now: Int64

    init(_ rule: PlaylistRule, owner: UserID, now: Int64) {
        self.rule = rule
        self.owner = owner
        self.now = now
    }

    /// The tracks that the listener sees, in the order of the rule.
    func tracks(for listener: Listener, in db: inout some DatabaseAccess & ~Copyable) throws -> [Found] {
        let isRandom = rule.sort == .random
        let end: SQL = isRandom ? "" : "LIMIT \(rule.limit)"
        let found = try db.all(
            """
            SELECT t.number, t.id, t.album, t.duration_ms FROM tracks t
            WHERE \(Access.condition(for: listener)) AND \(condition) ORDER BY \(order), t.number \(end)
            """
        ) { row in
            Found(
                track: try row.next(), id: try row.next(), album: try row.next(), durationMilliseconds: try row.next())
        }
        guard isRandom else { return found }
        // An order of the whole list by identifiers: a track that comes in later leaves the others where they were.
        return found.map { (number: PlaylistShuffle.number(of: $0.id, seed: 0), found: $0) }
            .sorted { ($0.number, $0.found.id.rawValue) < ($1.number, $1.found.id.rawValue) }
            .prefix(rule.limit).map(\.found)
    }

    private var order: SQL {
        switch rule.sort {
        case .title: "t.title_sort"
        case .artist: "t.artist_sort, t.album_sort, t.disc, t.place"
        case .album: "t.album_sort, t.disc, t.place"
        case .added: "t.added_ms DESC"
        case .year: "t.year DESC"
        case .plays: "t.plays DESC"
        case .random: "t.number"
        }
    }

    private var condition: SQL { Self.joined(rule.conditions.map(sql), isAny: rule.match == .any) }

    private static func joined(_ conditions: [SQL], isAny: Bool) -> SQL {
        guard var all = conditions.first else { return "1" }
        for condition in conditions.dropFirst() {
            all = isAny ? "\(all) OR \(condition)" : "\(all) AND \(condition)"
        }
        return "(\(all))"
    }

    /// A condition that is never NULL: a track without a year is not of 1990, and counts as not of 1990.
    private func sql(_ condition: PlaylistCondition) -> SQL {
        let holds: SQL =
            if let all = condition.all {
                Self.joined(all.map(sql), isAny: false)
            } else if let any = condition.any {
                Self.joined(any.map(sql), isAny: true)
            } else {
                holds(condition)
            }
        return condition.isNot ? "(\(holds)) IS NOT TRUE" : "(\(holds)) IS TRUE"
    }

    private func holds(_ condition: PlaylistCondition) -> SQL {
        let since = now - (condition.days ?? 0) * Self.dayMilliseconds
        switch condition.field {
        case .genre:
            return """
                t.number IN (SELECT j.track FROM track_genres j JOIN genres g ON g.number = j.genre
                    WHERE g.id = \(condition.id))
                """
        case .artist:
            return """
                t.number IN (SELECT j.track FROM track_artists j JOIN artists a ON a.number = j.artist
                    WHERE a.id = \(condition.id))
                """
        case .album: return "t.album = (SELECT number FROM albums WHERE id = \(condition.id))"
        case .year: return Self.within("t.year", condition)
        case .duration: return Self.within("t.duration_ms", condition)
        case .plays: return Self.within("t.plays", condition)
        case .liked:
            return """
                t.number IN (SELECT o.track FROM track_opinions o WHERE o.uid = \(owner) AND o.liked_ms IS NOT NULL)
                """
        case .rating:
            let rating: SQL = "(SELECT o.rating FROM track_opinions o WHERE o.uid = \(owner) AND o.track = t.number)"
            return Self.within(rating, condition)
        case .heard:
            return Self.within(
                "(SELECT count(*) FROM plays y WHERE y.track = t.number AND y.uid = \(owner))", condition)
        case .played:
            return """
                EXISTS (SELECT 1 FROM plays y WHERE y.track = t.number AND y.uid = \(owner) AND y.at_ms >= \(since))
                """
        case .added: return "t.added_ms >= \(since)"
        case nil: return "0"
        }
    }

    private static func within(_ column: SQL, _ condition: PlaylistCondition) -> SQL {
        "\(column) BETWEEN \(condition.minimum ?? Int64(0)) AND \(condition.maximum ?? Int64.max)"
    }
}
