/// `people.follow`: begins to follow a user.
///
/// Source: Protocol/spec/people.md, "people.follow".
public struct PeopleFollow: UserRequest {
    public typealias Response = RelationResult
    public static let type = "people.follow"
    public static let permission: Permission? = .peopleFollow

    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `people.unfollow`: ceases to follow a user. Whoever does not follow them is told the same.
///
/// Source: Protocol/spec/people.md, "people.unfollow".
public struct PeopleUnfollow: UserRequest {
    public typealias Response = RelationResult
    public static let type = "people.unfollow"
    public static let permission: Permission? = .peopleFollow

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

    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// How the caller and the user stand to each other now: the answer to `people.follow` and its three likes.
public struct RelationResult: WireObject, Equatable {
    public var relation: Relation

    public init(relation: Relation) { self.relation = relation }

    public init(_ json: JSON) throws(WireError) {
        relation = try Fields(json).object("relation", as: Relation.self)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("relation", relation) } }
}
