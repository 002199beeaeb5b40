/// `user.get`: one user, as far as the caller may see them.
///
/// Source: Protocol/spec/people.md, "user.get".
public struct UserGet: UserRequest {
    public typealias Response = UserDetails
    public static let type = "user.get"
    public static let permission: Permission? = .peopleView

    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// The answer to `user.get`.
public struct UserDetails: WireObject, Equatable {
    public var user: User
    /// `nil` if it is neither public nor a friend's.
    public var profile: Profile?
    /// `nil` for guests and for oneself.
    public var relation: Relation?
    public var followerCount: Int
    public var followingCount: Int

    public init(user: User, profile: Profile?, relation: Relation?, followerCount: Int, followingCount: Int) {
        self.user = user
        self.profile = profile
        self.relation = relation
        self.followerCount = followerCount
        self.followingCount = followingCount
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        profile = try fields.objectIfPresent("profile", as: Profile.self)
        relation = try fields.objectIfPresent("relation", as: Relation.self)
        followerCount = Int(try fields.integer("followers", in: 0...Limits.integerMax))
        followingCount = Int(try fields.integer("following", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("profile", orNull: profile)
            writer.member("relation", orNull: relation)
            writer.member("followers", followerCount)
            writer.member("following", followingCount)
        }
    }
}

/// `user.search`: users by the beginnings of words in their names.
///
/// Source: Protocol/spec/people.md, "user.search".
public struct UserSearch: WireRequest {
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

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        query = try fields.line("query", bytes: Limits.searchQueryBytes)
        limit = try fields.userLimit()
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("query", query)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}
