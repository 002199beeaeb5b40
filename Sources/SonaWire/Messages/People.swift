extension Catalogue {
    /// Usernames, profiles, and following.
    ///
    /// Source: Protocol/spec/people.md.
    static let people = Area(
        "people",
        requests: [
            UsernameCheck.self, UsernameClaim.self, UsernameChange.self, UserGet.self, UserSearch.self,
            ProfileUpdate.self, PhotoRemove.self, SettingsUpdate.self, PeopleFollow.self, PeopleUnfollow.self,
            PeopleBlock.self, PeopleUnblock.self, PeopleFollowers.self, PeopleFollowing.self, PeopleFriends.self,
            PeopleBlocked.self, PeoplePresence.self,
        ])
}

extension Limits {
    /// The feature that announces usernames, profiles, following, roles and the rest of accounts.
    public static let peopleFeature = "people"
    /// Bytes of the text that users are searched by.
    public static let searchQueryBytes = 1...100
    /// Users in one page.
    public static let userPageCount: ClosedRange<Int64> = 1...100
    /// Users in one page if the request says nothing.
    public static let userPageCountDefault = 20
    /// Users one account can follow. One more is `user.limit_reached`.
    public static let followsMax = 5_000
    /// Users one account can block. One more is `user.limit_reached`.
    public static let blocksMax = 5_000
}

// MARK: - Objects

/// A user as an entry of a list: the name to show, and the photo.
///
/// Source: Protocol/spec/people.md, "User card".
public struct UserCard: DeclaredObject, Hashable {
    /// Who it is.
    public var user: User
    /// One line of 1 to 100 bytes. `nil` if there is none, or if the caller may not see it. The same holds for the
    /// photo.
    public var displayName: String?
    /// The user's photo, or `nil` if there is none.
    public var photo: Photo?

    public init(user: User, displayName: String? = nil, photo: Photo? = nil) {
        self.user = user
        self.displayName = displayName
        self.photo = photo
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member(nullable: "display_name", \Self.displayName, .line(bytes: Limits.displayNameBytes)),
        Member(nullable: "photo", \Self.photo, .object),
        make: Self.init)
}

/// A page of users: the answer to `user.search` and to the lists of `people.*`.
///
/// Source: Protocol/spec/people.md, "Pages".
public struct UserPage: DeclaredObject, Equatable {
    /// The users of this page.
    public var users: [UserCard]
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(users: [UserCard], nextCursor: String?) {
        self.users = users
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("users", \Self.users, .objects()),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// How the caller and another user stand to each other.
///
/// That the other has blocked the caller is not told: they are then not found.
///
/// Source: Protocol/spec/people.md, "Relation".
public struct Relation: DeclaredObject, Hashable {
    /// The caller follows the other.
    public var isFollowing: Bool
    /// The other follows the caller.
    public var isFollowedBy: Bool
    /// The caller has blocked the other.
    public var isBlocked: Bool

    public init(isFollowing: Bool = false, isFollowedBy: Bool = false, isBlocked: Bool = false) {
        self.isFollowing = isFollowing
        self.isFollowedBy = isFollowedBy
        self.isBlocked = isBlocked
    }

    /// Whether both follow each other.
    public var areFriends: Bool { isFollowing && isFollowedBy }

    public static let declaration = Declaration(
        Member("following", \Self.isFollowing, .flag),
        Member("followed_by", \Self.isFollowedBy, .flag),
        Member("blocked", \Self.isBlocked, .flag),
        make: Self.init)
}

/// The part somebody takes in the room they are in.
public enum PresenceState: String, CaseIterable, Sendable {
    /// Is its host.
    case live
    /// Hears the room.
    case listening
}

/// Somebody the caller follows, and the room they are in now.
///
/// Source: Protocol/spec/people.md, "people.presence".
public struct Presence: DeclaredObject, Hashable {
    /// Whom the caller follows.
    public var user: UserCard
    /// What the user does in the room.
    public var state: PresenceState
    /// The room the user is in.
    public var room: Room

    public init(user: UserCard, state: PresenceState, room: Room) {
        self.user = user
        self.state = state
        self.room = room
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("state", \Self.state, .word),
        Member("room", \Self.room, .object),
        make: Self.init)
}

// MARK: - Requests

/// `people.follow`: begins to follow a user.
///
/// Source: Protocol/spec/people.md, "people.follow".
public struct PeopleFollow: UserRequest {
    public typealias Response = RelationResult
    public static let type = "people.follow"
    public static let permission: Permission? = .peopleFollow

    /// The user to follow.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `people.unfollow`: ceases to follow a user. The answer is the same if the caller did not follow them.
///
/// Source: Protocol/spec/people.md, "people.unfollow".
public struct PeopleUnfollow: UserRequest {
    public typealias Response = RelationResult
    public static let type = "people.unfollow"
    public static let permission: Permission? = .peopleFollow

    /// The user to follow no longer.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `people.block`: shuts a user out, and ends following both ways.
///
/// Source: Protocol/spec/people.md, "people.block".
public struct PeopleBlock: UserRequest {
    public typealias Response = RelationResult
    public static let type = "people.block"
    public static let permission: Permission? = .peopleFollow

    /// The user to block.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `people.unblock`: lets a user in again. Following does not come back.
///
/// Source: Protocol/spec/people.md, "people.unblock".
public struct PeopleUnblock: UserRequest {
    public typealias Response = RelationResult
    public static let type = "people.unblock"
    public static let permission: Permission? = .peopleFollow

    /// The user to block no longer.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// How the caller and the user stand to each other now: the answer to `people.follow` and its three likes.
public struct RelationResult: DeclaredObject, Equatable {
    /// How both stand to each other after the request.
    public var relation: Relation

    public init(relation: Relation) { self.relation = relation }

    public static let declaration = Declaration(Member("relation", \Self.relation, .object), make: Self.init)
}

/// `people.followers`: who follows a user, a page at a time.
///
/// Source: Protocol/spec/people.md, "people.followers".
public struct PeopleFollowers: DeclaredRequest {
    public typealias Response = UserPage
    public static let type = "people.followers"
    public static let permission: Permission? = .peopleFollow

    /// The caller if absent.
    public var user: UserReference?
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(user: UserReference? = nil, limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.user = user
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member(optional: "user", \Self.user, .userReference),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// `people.following`: whom a user follows, a page at a time.
///
/// Source: Protocol/spec/people.md, "people.following".
public struct PeopleFollowing: DeclaredRequest {
    public typealias Response = UserPage
    public static let type = "people.following"
    public static let permission: Permission? = .peopleFollow

    /// The caller if absent.
    public var user: UserReference?
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(user: UserReference? = nil, limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.user = user
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member(optional: "user", \Self.user, .userReference),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// `people.friends`: whom the caller follows and is followed by, a page at a time.
///
/// Source: Protocol/spec/people.md, "people.friends".
public struct PeopleFriends: PageRequest {
    public typealias Response = UserPage
    public static let type = "people.friends"
    public static let permission: Permission? = .peopleFollow

    /// Users in one page, 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before. `nil`: the first page.
    public var cursor: String?

    public init(limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// `people.blocked`: whom the caller has blocked, a page at a time.
///
/// Source: Protocol/spec/people.md, "people.blocked".
public struct PeopleBlocked: PageRequest {
    public typealias Response = UserPage
    public static let type = "people.blocked"
    public static let permission: Permission? = .peopleFollow

    /// Users in one page, 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before. `nil`: the first page.
    public var cursor: String?

    public init(limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// `people.presence`: where the people are whom the caller follows.
///
/// Source: Protocol/spec/people.md, "people.presence".
public struct PeoplePresence: FieldlessRequest {
    public typealias Response = Presences
    public static let type = "people.presence"
    public static let permission: Permission? = .peopleFollow

    public init() {}
}

/// The answer to `people.presence`.
public struct Presences: DeclaredObject, Equatable {
    /// People the caller follows and may see in a room now.
    public var people: [Presence]

    public init(people: [Presence]) { self.people = people }

    public static let declaration = Declaration(Member("people", \Self.people, .objects()), make: Self.init)
}

/// `user.get`: one user, as far as the caller may see them.
///
/// Source: Protocol/spec/people.md, "user.get".
public struct UserGet: UserRequest {
    public typealias Response = UserDetails
    public static let type = "user.get"
    public static let permission: Permission? = .peopleView

    /// The user to look up.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// The answer to `user.get`.
public struct UserDetails: DeclaredObject, Equatable {
    /// The user, as others see them.
    public var user: User
    /// `nil` if it is neither public nor a friend's.
    public var profile: Profile?
    /// `nil` for guests and for oneself.
    public var relation: Relation?
    /// How many users follow this user.
    public var followerCount: Int
    /// How many users this user follows.
    public var followingCount: Int

    public init(user: User, profile: Profile?, relation: Relation?, followerCount: Int, followingCount: Int) {
        self.user = user
        self.profile = profile
        self.relation = relation
        self.followerCount = followerCount
        self.followingCount = followingCount
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member(nullable: "profile", \Self.profile, .object),
        Member(nullable: "relation", \Self.relation, .object),
        Member("followers", \Self.followerCount, .count),
        Member("following", \Self.followingCount, .count),
        make: Self.init)
}

/// `user.search`: users by the beginnings of words in their names.
///
/// Source: Protocol/spec/people.md, "user.search".
public struct UserSearch: DeclaredRequest {
    public typealias Response = UserPage
    public static let type = "user.search"
    public static let permission: Permission? = .peopleFind

    /// One line of 1 to 100 bytes.
    public var query: String
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(query: String, limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.query = query
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("query", \Self.query, .line(bytes: Limits.searchQueryBytes)),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}
