/// A user as they stand in a list: who they are, and what to show for them.
///
/// Source: Protocol/spec/people.md, "User card".
public struct UserCard: WireObject, Hashable {
    public var user: User
    /// One line of 1 to 100 bytes; `nil` if there is none or the caller may not see it, like the photo.
    public var displayName: String?
    public var photo: Photo?

    public init(user: User, displayName: String? = nil, photo: Photo? = nil) {
        self.user = user
        self.displayName = displayName
        self.photo = photo
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        displayName = try fields.lineIfPresent("display_name", bytes: Limits.displayNameBytes)
        photo = try fields.objectIfPresent("photo", as: Photo.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("display_name", orNull: displayName)
            writer.member("photo", orNull: photo)
        }
    }
}

/// A page of users: the answer to `user.search` and to the lists of `people.*`.
///
/// Source: Protocol/spec/people.md, "Pages".
public struct UserPage: WireObject, Equatable {
    public var users: [UserCard]
    /// What to ask with for the next page; `nil` on the last.
    public var nextCursor: String?

    public init(users: [UserCard], nextCursor: String?) {
        self.users = users
        self.nextCursor = nextCursor
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        users = try fields.array("users", of: UserCard.self)
        nextCursor = try fields.stringIfPresent("next_cursor", bytes: Limits.cursorBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("users", users)
            writer.member("next_cursor", orNull: nextCursor)
        }
    }
}

/// How the caller and another user stand to each other.
///
/// That the other has blocked the caller is not told: they are then not found.
///
/// Source: Protocol/spec/people.md, "Relation".
public struct Relation: WireObject, Hashable {
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

    public var areFriends: Bool { isFollowing && isFollowedBy }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        isFollowing = try fields.bool("following")
        isFollowedBy = try fields.bool("followed_by")
        isBlocked = try fields.bool("blocked")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("following", isFollowing)
            writer.member("followed_by", isFollowedBy)
            writer.member("blocked", isBlocked)
        }
    }
}

/// What somebody does in the room they are in.
public enum PresenceState: String, CaseIterable, Sendable {
    /// Is its host.
    case live
    case listening
}

/// Somebody the caller follows, and the room they are in now.
///
/// Source: Protocol/spec/people.md, "people.presence".
public struct Presence: WireObject, Hashable {
    public var user: UserCard
    public var state: PresenceState
    public var room: Room

    public init(user: UserCard, state: PresenceState, room: Room) {
        self.user = user
        self.state = state
        self.room = room
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: UserCard.self)
        state = try fields.word("state", as: PresenceState.self)
        room = try fields.object("room", as: Room.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("state", state.rawValue)
            writer.member("room", room)
        }
    }
}
