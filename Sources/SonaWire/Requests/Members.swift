/// `room.members`: who is in a room, a page at a time.
///
/// Source: Protocol/spec/roles.md, "room.members".
public struct RoomMembers: WireRequest {
    public typealias Response = RoomMemberPage
    public static let type = "room.members"
    public static let permission: Permission? = .roomsListen

    /// The room the connection is in if absent.
    public var room: RoomReference?
    /// Those of a standing above listener who are not there come after those who are. For who may moderate.
    public var includesAbsent: Bool
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(
        room: RoomReference? = nil, includesAbsent: Bool = false, limit: Int = Limits.userPageCountDefault,
        cursor: String? = nil
    ) {
        self.room = room
        self.includesAbsent = includesAbsent
        self.limit = limit
        self.cursor = cursor
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        includesAbsent = try fields.boolIfPresent("absent") ?? false
        limit = try fields.userLimit()
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("absent", includesAbsent)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

/// The answer to `room.members`.
public struct RoomMemberPage: WireObject, Equatable {
    /// Of the highest standing first, then who came first.
    public var members: [RoomMember]
    /// How many people the whole list has, on all pages, ghosts and the absent not counted.
    public var count: Int
    /// How many people are there unseen.
    public var ghostCount: Int
    /// What to ask with for the next page; `nil` on the last.
    public var nextCursor: String?

    public init(members: [RoomMember], count: Int, ghostCount: Int, nextCursor: String?) {
        self.members = members
        self.count = count
        self.ghostCount = ghostCount
        self.nextCursor = nextCursor
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        members = try fields.array(
            "members", of: RoomMember.self, count: 0...Int(Limits.userPageCount.upperBound))
        count = Int(try fields.integer("count", in: 0...Limits.integerMax))
        ghostCount = Int(try fields.integer("ghosts", in: 0...Limits.integerMax))
        nextCursor = try fields.stringIfPresent("next_cursor", bytes: Limits.cursorBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("members", members)
            writer.member("count", count)
            writer.member("ghosts", ghostCount)
            writer.member("next_cursor", orNull: nextCursor)
        }
    }
}

/// `room.set_standing`: makes an account more in a room, or less.
///
/// Source: Protocol/spec/roles.md, "room.set_standing".
public struct RoomSetStanding: WireRequest {
    public typealias Response = RoomMemberResult
    public static let type = "room.set_standing"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference
    /// Any but `owner`.
    public var standing: Standing

    public init(room: RoomReference, user: UserReference, standing: Standing) {
        self.room = room
        self.user = user
        self.standing = standing
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        user = try fields.user()
        standing = try fields.parsed("standing", "one of cohost, moderator, member, listener") { text in
            text == Standing.owner.rawValue ? nil : Standing(rawValue: text)
        }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("user", user.text)
            writer.member("standing", standing.rawValue)
        }
    }
}

/// One member: the answer to `room.set_standing`.
public struct RoomMemberResult: WireObject, Equatable {
    public var member: RoomMember

    public init(member: RoomMember) { self.member = member }

    public init(_ json: JSON) throws(WireError) { member = try Fields(json).object("member", as: RoomMember.self) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("member", member) } }
}
