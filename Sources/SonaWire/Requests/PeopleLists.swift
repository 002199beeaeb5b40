/// `people.followers`: who follows a user, a page at a time.
///
/// Source: Protocol/spec/people.md, "people.followers".
public struct PeopleFollowers: WireRequest {
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

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        user = try fields.userIfPresent()
        limit = try fields.userLimit()
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", ifPresent: user?.text)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

/// `people.following`: whom a user follows, a page at a time.
///
/// Source: Protocol/spec/people.md, "people.following".
public struct PeopleFollowing: WireRequest {
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

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        user = try fields.userIfPresent()
        limit = try fields.userLimit()
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", ifPresent: user?.text)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

/// `people.friends`: whom the caller follows and is followed by, a page at a time.
///
/// Source: Protocol/spec/people.md, "people.friends".
public struct PeopleFriends: PageRequest {
    public typealias Response = UserPage
    public static let type = "people.friends"
    public static let permission: Permission? = .peopleFollow

    public var limit: Int
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

    public var limit: Int
    public var cursor: String?

    public init(limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// `people.presence`: where those whom the caller follows are now.
///
/// Source: Protocol/spec/people.md, "people.presence".
public struct PeoplePresence: FieldlessRequest {
    public typealias Response = Presences
    public static let type = "people.presence"
    public static let permission: Permission? = .peopleFollow

    public init() {}
}

/// The answer to `people.presence`.
public struct Presences: WireObject, Equatable {
    public var people: [Presence]

    public init(people: [Presence]) { self.people = people }

    public init(_ json: JSON) throws(WireError) { people = try Fields(json).array("people", of: Presence.self) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("people", people) } }
}
