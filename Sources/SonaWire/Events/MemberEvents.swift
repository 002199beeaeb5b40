/// `room.standing_changed`: somebody is more in the room than before, or less, or may do other things.
///
/// Source: Protocol/spec/roles.md, "room.standing_changed".
public struct RoomStandingChanged: WireEvent {
    public static let type = "room.standing_changed"

    public var user: User
    public var standing: Standing
    /// Their capabilities from here on, words of 1 to 64 bytes; new ones may come.
    public var may: [String]

    /// - Parameter may: The standing's capabilities if left out, in the order of the page.
    public init(user: User, standing: Standing, may: [String]? = nil) {
        self.user = user
        self.standing = standing
        self.may = may ?? Capability.words(standing.capabilities)
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        standing = try fields.word("standing", as: Standing.self)
        may = try fields.strings("may", bytes: Limits.permissionBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("standing", standing.rawValue)
            writer.member("may", may)
        }
    }
}

/// `room.members_changed`: who came and went. Live only, at most once a second.
///
/// Source: Protocol/spec/roles.md, "room.members_changed".
public struct RoomMembersChanged: WireEvent {
    public static let type = "room.members_changed"

    /// At most 50.
    public var joined: [User]
    /// At most 50.
    public var left: [UserID]
    /// Whether others came or went too, who did not fit.
    public var hasMore: Bool
    /// How many people `room.members` lists now; ghosts are not among them.
    public var count: Int
    public var ghostCount: Int

    public init(joined: [User], left: [UserID], hasMore: Bool = false, count: Int, ghostCount: Int) {
        self.joined = joined
        self.left = left
        self.hasMore = hasMore
        self.count = count
        self.ghostCount = ghostCount
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        joined = try fields.array("joined", of: User.self, count: Limits.membersChangedCount)
        left = try fields.userIDs("left", count: Limits.membersChangedCount)
        hasMore = try fields.bool("more")
        count = Int(try fields.integer("count", in: 0...Limits.integerMax))
        ghostCount = Int(try fields.integer("ghosts", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("joined", joined)
            writer.member("left", left.map(\.rawValue))
            writer.member("more", hasMore)
            writer.member("count", count)
            writer.member("ghosts", ghostCount)
        }
    }
}

/// `room.moderated`: what was done to keep order. Personal, to those in the room who may moderate, and to whoever was
/// muted or unmuted.
///
/// Source: Protocol/spec/roles.md, "room.moderated".
public struct RoomModerated: WireEvent {
    public static let type = "room.moderated"

    /// The actions of this revision.
    public enum Action: String, CaseIterable, Sendable {
        case kick
        case ban
        case unban
        case mute
        case unmute
        /// A message of theirs was deleted.
        case delete
        case admit
        case deny
    }

    public var room: RoomID
    /// A word of 1 to 64 bytes; new ones may come. See `Action`.
    public var action: String
    public var user: User
    /// `nil` to the muted themselves.
    public var by: User?
    /// Milliseconds since 1970, UTC, of a ban or mute that ends by itself.
    public var untilMilliseconds: Int64?

    public init(room: RoomID, action: Action, user: User, by: User?, untilMilliseconds: Int64? = nil) {
        self.room = room
        self.action = action.rawValue
        self.user = user
        self.by = by
        self.untilMilliseconds = untilMilliseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.roomID()
        action = try fields.line("action", bytes: Limits.reasonBytes)
        user = try fields.object("user", as: User.self)
        by = try fields.objectIfPresent("by", as: User.self)
        untilMilliseconds = try fields.integerIfPresent("until_ms", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("action", action)
            writer.member("user", user)
            writer.member("by", orNull: by)
            writer.member("until_ms", ifPresent: untilMilliseconds)
        }
    }
}
