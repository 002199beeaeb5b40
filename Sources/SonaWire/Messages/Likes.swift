extension Catalogue {
    /// What an account likes, and how it rates music.
    ///
    /// Source: Protocol/spec/likes.md.
    static let likes = Area(
        "likes", requests: [LikeSet.self, LikeList.self, RatingSet.self], events: [LikeChanged.self])
}

extension Limits {
    /// The feature that announces likes and ratings.
    public static let likesFeature = "likes"
    /// The stars of a rating.
    public static let ratings: ClosedRange<Int64> = 1...5
    /// Tracks that one account has liked or rated. The same number of albums, of artists, and so on.
    public static let opinionsMax = 20_000
}

// MARK: - Words

/// The kinds of things that an account may like and rate.
///
/// Source: Protocol/spec/likes.md, "Opinion".
public enum LikeKind: String, CaseIterable, Sendable {
    case track, album, artist, playlist
}

/// The thing that a like or a rating is about.
public enum LikeTarget: Hashable, Sendable {
    case item(LikeKind, MusicID)
    /// The track that is heard now in the room that the connection is in.
    case room
}

// MARK: - Objects

/// An account's opinion of one thing. Its own clients alone are told of it.
///
/// Source: Protocol/spec/likes.md, "Opinion".
public struct Opinion: DeclaredObject, Hashable {
    public var kind: LikeKind
    public var id: MusicID
    public var isLiked: Bool
    /// The time of the like, milliseconds since 1970; `nil` if it is not liked.
    public var likedMilliseconds: Int64?
    /// 1 to 5 stars; `nil` if it is not rated.
    public var rating: Int?

    public init(kind: LikeKind, id: MusicID, isLiked: Bool, likedMilliseconds: Int64?, rating: Int?) {
        self.kind = kind
        self.id = id
        self.isLiked = isLiked
        self.likedMilliseconds = likedMilliseconds
        self.rating = rating
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .word),
        Member("id", \Self.id, .musicID),
        Member("liked", \Self.isLiked, .flag),
        Member(nullable: "liked_ms", \Self.likedMilliseconds, .wallTime),
        Member(nullable: "rating", \Self.rating, .integer(Limits.ratings)),
        make: Self.init)
}

/// One entry of a list of likes. At most one of the objects is there; none if the caller no longer sees the thing.
public struct LikedItem: DeclaredObject, Equatable {
    public var id: MusicID
    /// The time of the like, milliseconds since 1970.
    public var likedMilliseconds: Int64
    public var track: MusicTrack?
    public var album: MusicAlbum?
    public var artist: MusicGroup?
    public var playlist: Playlist?

    public init(
        id: MusicID, likedMilliseconds: Int64, track: MusicTrack? = nil, album: MusicAlbum? = nil,
        artist: MusicGroup? = nil, playlist: Playlist? = nil
    ) {
        self.id = id
        self.likedMilliseconds = likedMilliseconds
        self.track = track
        self.album = album
        self.artist = artist
        self.playlist = playlist
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("liked_ms", \Self.likedMilliseconds, .wallTime),
        Member(optional: "track", \Self.track, .object),
        Member(optional: "album", \Self.album, .object),
        Member(optional: "artist", \Self.artist, .object),
        Member(optional: "playlist", \Self.playlist, .object),
        make: Self.init)
}

// MARK: - Requests

/// `like.set`: likes something, or no longer does. Doing it twice is the same as once.
///
/// Source: Protocol/spec/likes.md, "like.set".
public struct LikeSet: DeclaredRequest {
    public typealias Response = OpinionResult
    public static let type = "like.set"
    public static let permission: Permission? = .libraryCollect

    public var target: LikeTarget
    public var isLiked: Bool

    public init(target: LikeTarget, isLiked: Bool) {
        self.target = target
        self.isLiked = isLiked
    }

    public static let declaration = Declaration(
        Member(\Self.target, spread: .likeTarget), Member("liked", \Self.isLiked, .flag), make: Self.init)
}

/// `rating.set`: gives something one to five stars, or takes them back.
///
/// Source: Protocol/spec/likes.md, "rating.set".
public struct RatingSet: DeclaredRequest {
    public typealias Response = OpinionResult
    public static let type = "rating.set"
    public static let permission: Permission? = .libraryCollect

    public var target: LikeTarget
    /// `nil`: no rating from now on.
    public var rating: Int?

    public init(target: LikeTarget, rating: Int?) {
        self.target = target
        self.rating = rating
    }

    public static let declaration = Declaration(
        Member(\Self.target, spread: .likeTarget),
        Member(nullable: "rating", \Self.rating, .integer(Limits.ratings), isRequired: false), make: Self.init)
}

/// The opinion after the request.
public struct OpinionResult: DeclaredObject, Equatable {
    public var opinion: Opinion

    public init(opinion: Opinion) { self.opinion = opinion }

    public static let declaration = Declaration(Member("opinion", \Self.opinion, .object), make: Self.init)
}

/// `like.list`: what the caller likes, the last like first.
///
/// Source: Protocol/spec/likes.md, "like.list".
public struct LikeList: DeclaredRequest {
    public typealias Response = LikePage
    public static let type = "like.list"
    public static let permission: Permission? = .libraryCollect

    public var kind: LikeKind
    /// 1 to 100.
    public var limit: Int
    public var cursor: String?

    public init(kind: LikeKind = .track, limit: Int = Limits.musicPageCountDefault, cursor: String? = nil) {
        self.kind = kind
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .word, default: .track),
        Member("limit", \Self.limit, .integer(Limits.musicPageCount), default: Limits.musicPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor), make: Self.init)
}

/// The answer to `like.list`.
public struct LikePage: DeclaredObject, Equatable {
    public var likes: [LikedItem]
    /// How many things of the kind the caller likes.
    public var count: Int
    /// `nil` on the last page.
    public var nextCursor: String?

    public init(likes: [LikedItem], count: Int, nextCursor: String?) {
        self.likes = likes
        self.count = count
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("likes", \Self.likes, .objects()), Member("count", \Self.count, .count),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor), make: Self.init)
}

// MARK: - Events

/// `like.changed`: the account likes or rates something differently. To all its connections.
///
/// Source: Protocol/spec/likes.md, "like.changed".
public struct LikeChanged: DeclaredEvent {
    public static let type = "like.changed"
    public static let scope = EventScope.personal

    public var opinion: Opinion

    public init(opinion: Opinion) { self.opinion = opinion }

    public static let declaration = Declaration(Member("opinion", \Self.opinion, .object), make: Self.init)
}

// MARK: - Forms

extension Schema {
    /// The value of `room` where something else is named.
    fileprivate static var noRoom: Schema { Schema(["enum": [false, JSON.null]]) }
}

extension Spread where Value == LikeTarget {
    /// One key that names a thing by its kind, or `room`.
    fileprivate static var likeTarget: Spread {
        let kinds = LikeKind.allCases.map(\.rawValue)
        return Spread(
            read: { fields throws(WireError) in
                var targets: [LikeTarget] = []
                for kind in LikeKind.allCases {
                    if let id = try Form<MusicID>.musicID.read(fields, kind.rawValue) {
                        targets.append(.item(kind, id))
                    }
                }
                if try fields.boolIfPresent("room") == true { targets.append(.room) }
                guard targets.count == 1, let target = targets.first else {
                    throw WireError(
                        .requestInvalid, "data names exactly one thing: \(kinds.joined(separator: ", ")) or room.",
                        field: "data")
                }
                return target
            },
            write: { target, writer in
                switch target {
                case .item(.track, let id): writer.member("track", id.rawValue)
                case .item(.album, let id): writer.member("album", id.rawValue)
                case .item(.artist, let id): writer.member("artist", id.rawValue)
                case .item(.playlist, let id): writer.member("playlist", id.rawValue)
                case .room: writer.member("room", true)
                }
            },
            properties: [],
            keywords: [
                .oneOf(
                    (kinds + ["room"]).map { key in
                        .object(
                            (kinds + ["room"]).map { other in
                                let isNamed = other == key
                                if other == "room" {
                                    return .init(
                                        other, isNamed ? Schema(["const": true]) : .noRoom, isRequired: isNamed)
                                }
                                return .init(other, isNamed ? .musicID : .null, isRequired: isNamed)
                            })
                    })
            ])
    }
}
