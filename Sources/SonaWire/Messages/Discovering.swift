extension Catalogue {
    /// Music that goes with other music, and with other people.
    ///
    /// Source: Protocol/spec/discovering.md.
    static let discovering = Area(
        "discovering",
        requests: [TrackSimilar.self, RadioStart.self, PlaysFeed.self, PlaylistIntersect.self])
}

extension Limits {
    /// The feature that announces radios, similar tracks, the feed, and music in common.
    public static let discoveringFeature = "discovering"
    /// Tracks that are alike, or of a radio.
    public static let discoveredCount: ClosedRange<Int64> = 1...100
    public static let discoveredCountDefault = 25
    /// People whose taste is compared in one request, besides the caller.
    public static let intersectedUsers = 1...10
}

// MARK: - Similar tracks

/// `track.similar`: tracks that the listeners of one play and like, too.
///
/// Source: Protocol/spec/discovering.md, "track.similar".
public struct TrackSimilar: DeclaredRequest {
    public typealias Response = SimilarTracks
    public static let type = "track.similar"
    public static let permission: Permission? = .libraryListen

    public var track: MusicID
    public var limit: Int

    public init(track: MusicID, limit: Int = Limits.discoveredCountDefault) {
        self.track = track
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("track", \Self.track, .musicID),
        Member("limit", \Self.limit, .integer(Limits.discoveredCount), default: Limits.discoveredCountDefault),
        make: Self.init)
}

/// The answer to `track.similar`.
public struct SimilarTracks: DeclaredObject, Equatable {
    /// The most alike first.
    public var tracks: [MusicTrack]
    /// How many of the first tracks are there because the same people hear them; the others share artist or genre.
    public var byListeners: Int

    public init(tracks: [MusicTrack], byListeners: Int) {
        self.tracks = tracks
        self.byListeners = byListeners
    }

    public static let declaration = Declaration(
        Member("tracks", \Self.tracks, .objects()), Member("by_listeners", \Self.byListeners, .count), make: Self.init)
}

// MARK: - Radio

/// What a radio begins from.
public enum RadioSeed: Hashable, Sendable {
    case track(MusicID)
    case artist(MusicID)
    case genre(MusicID)
    case playlist(MusicID)
}

/// `radio.start`: tracks that go with a track, an artist, a genre or a playlist, in an order that is good to listen to.
///
/// Source: Protocol/spec/discovering.md, "radio.start".
public struct RadioStart: DeclaredRequest {
    public typealias Response = Radio
    public static let type = "radio.start"
    public static let permission: Permission? = .libraryListen

    public var from: RadioSeed
    public var limit: Int
    /// The same number gives the same tracks as long as the library and what is heard of it stay the same. `nil`: the
    /// server draws one.
    public var seed: Int64?

    public init(from: RadioSeed, limit: Int = Limits.discoveredCountDefault, seed: Int64? = nil) {
        self.from = from
        self.limit = limit
        self.seed = seed
    }

    public static let declaration = Declaration(
        Member(\Self.from, spread: .radioSeed),
        Member("limit", \Self.limit, .integer(Limits.discoveredCount), default: Limits.discoveredCountDefault),
        Member(optional: "seed", \Self.seed, .count), make: Self.init)
}

/// The answer to `radio.start`.
public struct Radio: DeclaredObject, Equatable {
    public var tracks: [MusicTrack]
    public var seed: Int64

    public init(tracks: [MusicTrack], seed: Int64) {
        self.tracks = tracks
        self.seed = seed
    }

    public static let declaration = Declaration(
        Member("tracks", \Self.tracks, .objects()), Member("seed", \Self.seed, .count), make: Self.init)
}

extension Spread where Value == RadioSeed {
    fileprivate static var radioSeed: Spread {
        let keys = ["track", "artist", "genre", "playlist"]
        return Spread(
            read: { fields throws(WireError) in
                var seeds: [RadioSeed] = []
                if let id = try Form<MusicID>.musicID.read(fields, "track") { seeds.append(.track(id)) }
                if let id = try Form<MusicID>.musicID.read(fields, "artist") { seeds.append(.artist(id)) }
                if let id = try Form<MusicID>.musicID.read(fields, "genre") { seeds.append(.genre(id)) }
                if let id = try Form<MusicID>.musicID.read(fields, "playlist") { seeds.append(.playlist(id)) }
                guard seeds.count == 1, let seed = seeds.first else {
                    throw WireError(
                        .requestInvalid, "data names exactly one thing: track, artist, genre or playlist.",
                        field: "data")
                }
                return seed
            },
            write: { seed, writer in
                switch seed {
                case .track(let id): writer.member("track", id.rawValue)
                case .artist(let id): writer.member("artist", id.rawValue)
                case .genre(let id): writer.member("genre", id.rawValue)
                case .playlist(let id): writer.member("playlist", id.rawValue)
                }
            },
            properties: [],
            keywords: [
                .oneOf(
                    keys.map { key in
                        .object(keys.map { .init($0, $0 == key ? .musicID : .null, isRequired: $0 == key) })
                    })
            ])
    }
}

// MARK: - Friends

/// `plays.feed`: what friends play who let their friends see it, the last first.
///
/// Source: Protocol/spec/discovering.md, "plays.feed".
public struct PlaysFeed: DeclaredRequest {
    public typealias Response = FeedPage
    public static let type = "plays.feed"
    public static let permission: Permission? = .libraryCollect

    public var limit: Int
    public var cursor: String?

    public init(limit: Int = Limits.musicPageCountDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("limit", \Self.limit, .integer(Limits.musicPageCount), default: Limits.musicPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor), make: Self.init)
}

/// A friend's play of a track that the caller sees.
public struct FriendPlay: DeclaredObject, Equatable {
    public var user: UserCard
    public var atMilliseconds: Int64
    public var track: MusicTrack

    public init(user: UserCard, atMilliseconds: Int64, track: MusicTrack) {
        self.user = user
        self.atMilliseconds = atMilliseconds
        self.track = track
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object), Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member("track", \Self.track, .object), make: Self.init)
}

/// The answer to `plays.feed`.
public struct FeedPage: DeclaredObject, Equatable {
    public var plays: [FriendPlay]
    /// `nil` on the last page.
    public var nextCursor: String?

    public init(plays: [FriendPlay], nextCursor: String?) {
        self.plays = plays
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("plays", \Self.plays, .objects()), Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `playlist.intersect`: tracks that the caller and all of these people play or like.
///
/// Source: Protocol/spec/discovering.md, "playlist.intersect".
public struct PlaylistIntersect: DeclaredRequest {
    public typealias Response = CommonTracks
    public static let type = "playlist.intersect"
    public static let permission: Permission? = .libraryCollect

    public var users: [UserID]
    public var limit: Int

    public init(users: [UserID], limit: Int = Limits.discoveredCountDefault) {
        self.users = users
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("users", \Self.users, .userIDs(count: Limits.intersectedUsers)),
        Member("limit", \Self.limit, .integer(Limits.discoveredCount), default: Limits.discoveredCountDefault),
        make: Self.init)
}

/// The answer to `playlist.intersect`.
public struct CommonTracks: DeclaredObject, Equatable {
    /// Those first that most of them like.
    public var tracks: [MusicTrack]
    /// How many there are in all.
    public var count: Int

    public init(tracks: [MusicTrack], count: Int) {
        self.tracks = tracks
        self.count = count
    }

    public static let declaration = Declaration(
        Member("tracks", \Self.tracks, .objects()), Member("count", \Self.count, .count), make: Self.init)
}
