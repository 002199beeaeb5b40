extension Catalogue {
    /// Invites and waiting rooms.
    ///
    /// Source: Protocol/spec/joining.md.
    static let joining = Area(
        "joining",
        requests: [
            InviteCreate.self, InviteList.self, InviteRevoke.self, RoomWaiting.self, RoomAdmit.self, RoomDeny.self,
        ],
        events: [RoomRemoved.self, RoomKnocked.self, RoomAdmitted.self, RoomDenied.self])
}

extension Limits {
    /// The feature that announces invites, waiting rooms, standing, and the host seat changing hands.
    public static let membershipFeature = "membership"
    /// Bytes of an invite's identifier.
    public static let inviteIDBytes = 1...64
    /// Bytes of the code that lets people in.
    public static let inviteCodeBytes = 1...200
    /// Bytes of the path of a link.
    public static let invitePathBytes = 1...300
    /// Bytes of the label that an invite's maker gives it.
    public static let inviteLabelBytes = 1...60
    /// From a minute to 90 days; a week if nobody says.
    public static let inviteExpirySeconds: ClosedRange<Int64> = 60...7_776_000
    /// Seconds until an invite expires if the request says nothing: a week.
    public static let inviteExpirySecondsDefault = 604_800
    /// How many people one invite can be limited to.
    public static let inviteUses: ClosedRange<Int64> = 1...100_000
    /// Invites of one room that are neither revoked nor expired nor used up; further ones are `room.limit_reached`.
    public static let invitesPerRoomMax = 200
    /// People who wait for one room; further ones are `room.full`.
    public static let waitingRoomMax = 200
}

// MARK: - Objects

/// What people may do who enter by an invite.
///
/// Source: Protocol/spec/joining.md, "Invite".
public enum InviteRole: String, CaseIterable, Sendable {
    /// Enter, listen and chat.
    case listen
    /// Suggest tracks as well.
    case suggest
    /// Vote as well.
    case vote
    /// Control playback and the queue as well.
    case control
    /// Accounts only: makes the standing `cohost`.
    case cohost

    /// Capabilities the invite adds to those of the standing.
    public var capabilities: Set<Capability> {
        switch self {
        case .listen: [.listen, .chat]
        case .suggest: [.listen, .chat, .suggest]
        case .vote: [.listen, .chat, .suggest, .vote]
        case .control: [.listen, .chat, .suggest, .vote, .control]
        case .cohost: Standing.cohost.capabilities
        }
    }
}

extension InviteRole: Comparable {
    /// Ordered by what the role lets people do: `.listen < .cohost`.
    public static func < (left: InviteRole, right: InviteRole) -> Bool {
        left.capabilities.isStrictSubset(of: right.capabilities)
    }
}

/// A way into a room, as shown to people who may make one. It lacks the code, which is told once.
///
/// Source: Protocol/spec/joining.md, "Invite".
public struct Invite: DeclaredObject, Hashable {
    /// Names the invite in requests. It does not let anybody in; only the code does.
    public var id: InviteID
    /// What the invite adds to the capabilities of people who use it.
    public var role: InviteRole
    /// One line of 1 to 60 bytes, for the maker's eyes.
    public var label: String?
    /// Milliseconds since 1970, UTC, like the expiry.
    public var createdMilliseconds: Int64
    /// When the invite stops letting people in, milliseconds since 1970, UTC.
    public var expiresMilliseconds: Int64
    /// How many people have come by it.
    public var useCount: Int
    /// How many people may come by it. `nil`: unlimited.
    public var useCountMax: Int?
    /// Whether somebody closed the invite before its expiry.
    public var isRevoked: Bool
    /// Who made the invite.
    public var createdBy: User

    public init(
        id: InviteID, role: InviteRole, label: String? = nil, createdMilliseconds: Int64, expiresMilliseconds: Int64,
        useCount: Int = 0, useCountMax: Int? = nil, isRevoked: Bool = false, createdBy: User
    ) {
        self.id = id
        self.role = role
        self.label = label
        self.createdMilliseconds = createdMilliseconds
        self.expiresMilliseconds = expiresMilliseconds
        self.useCount = useCount
        self.useCountMax = useCountMax
        self.isRevoked = isRevoked
        self.createdBy = createdBy
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .inviteID),
        Member("role", \Self.role, .word),
        Member(nullable: "label", \Self.label, .line(bytes: Limits.inviteLabelBytes)),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member("expires_ms", \Self.expiresMilliseconds, .wallTime),
        Member("uses", \Self.useCount, .count),
        Member(nullable: "uses_max", \Self.useCountMax, .integer(Limits.inviteUses)),
        Member("revoked", \Self.isRevoked, .flag),
        Member("created_by", \Self.createdBy, .object),
        make: Self.init)

    /// The path of the page that a link leads to. The code stands after the `#`, so that no server logs it.
    public static func path(room: RoomID, code: String) -> String { "/r/\(room)#\(code)" }
}

// MARK: - Requests

/// `invite.create`: makes a way into a room.
///
/// Source: Protocol/spec/joining.md, "invite.create".
public struct InviteCreate: DeclaredRequest {
    public typealias Response = InviteCreated
    public static let type = "invite.create"
    public static let permission: Permission? = .roomsControl

    /// The room the invite leads into.
    public var room: RoomReference
    /// What the invite adds to the capabilities of people who use it. `listen` if absent.
    public var role: InviteRole
    /// 60 to 7 776 000 seconds.
    public var expiresInSeconds: Int
    /// How many people may come by it, 1 to 100 000. `nil`: unlimited.
    public var useCountMax: Int?
    /// One line of 1 to 60 bytes.
    public var label: String?

    public init(
        room: RoomReference, role: InviteRole = .listen,
        expiresInSeconds: Int = Limits.inviteExpirySecondsDefault, useCountMax: Int? = nil, label: String? = nil
    ) {
        self.room = room
        self.role = role
        self.expiresInSeconds = expiresInSeconds
        self.useCountMax = useCountMax
        self.label = label
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("role", \Self.role, .word, default: .listen),
        Member(
            "expires_in_s", \Self.expiresInSeconds, .integer(Limits.inviteExpirySeconds),
            default: Limits.inviteExpirySecondsDefault),
        Member(optional: "uses", \Self.useCountMax, .integer(Limits.inviteUses)),
        Member(optional: "label", \Self.label, .line(bytes: Limits.inviteLabelBytes)),
        make: Self.init)
}

/// The answer to `invite.create`: the only place where the code stands.
public struct InviteCreated: DeclaredObject, Equatable {
    /// The invite, as later lists show it.
    public var invite: Invite
    /// 1 to 200 bytes. Everybody who has the code may enter.
    public var code: String
    /// `Invite.path`: 1 to 300 bytes.
    public var path: String

    public init(invite: Invite, code: String, path: String) {
        self.invite = invite
        self.code = code
        self.path = path
    }

    public static let declaration = Declaration(
        Member("invite", \Self.invite, .object),
        Member("code", \Self.code, .line(bytes: Limits.inviteCodeBytes)),
        Member("path", \Self.path, .line(bytes: Limits.invitePathBytes)),
        make: Self.init)
}

/// `invite.list`: invites of a room that still let people in, or by which people are inside.
///
/// Source: Protocol/spec/joining.md, "invite.list".
public struct InviteList: RoomRequest {
    public typealias Response = InviteListResult
    public static let type = "invite.list"
    public static let permission: Permission? = .roomsControl

    /// The room whose invites are listed.
    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// The answer to `invite.list`.
public struct InviteListResult: DeclaredObject, Equatable {
    /// Newest first.
    public var invites: [Invite]

    public init(invites: [Invite]) { self.invites = invites }

    public static let declaration = Declaration(
        Member("invites", \Self.invites, .objects(count: 0...Limits.invitesPerRoomMax)),
        make: Self.init)
}

/// `invite.revoke`: closes a way in. People who are inside by it alone are put out within a second.
///
/// Source: Protocol/spec/joining.md, "invite.revoke".
public struct InviteRevoke: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "invite.revoke"
    public static let permission: Permission? = .roomsControl

    /// The room of the invite.
    public var room: RoomReference
    /// The invite to close.
    public var invite: InviteID

    public init(room: RoomReference, invite: InviteID) {
        self.room = room
        self.invite = invite
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("invite", \Self.invite, .inviteID),
        make: Self.init)
}

/// `room.waiting`: the people who wait to be let in.
///
/// Source: Protocol/spec/joining.md, "room.waiting".
public struct RoomWaiting: RoomRequest {
    public typealias Response = RoomWaitingResult
    public static let type = "room.waiting"
    public static let permission: Permission? = .roomsControl

    /// The room people wait for.
    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// The answer to `room.waiting`.
public struct RoomWaitingResult: DeclaredObject, Equatable {
    /// In the order they came, at most 200.
    public var users: [UserCard]

    public init(users: [UserCard]) { self.users = users }

    public static let declaration = Declaration(
        Member("users", \Self.users, .objects(count: 0...Limits.waitingRoomMax)),
        make: Self.init)
}

/// `room.admit`: lets in somebody who waits.
///
/// Source: Protocol/spec/joining.md, "room.admit".
public struct RoomAdmit: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.admit"
    public static let permission: Permission? = .roomsControl

    /// The room the user waits for.
    public var room: RoomReference
    /// The waiting user to let in.
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

/// `room.deny`: sends away somebody who waits.
///
/// Source: Protocol/spec/joining.md, "room.deny".
public struct RoomDeny: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.deny"
    public static let permission: Permission? = .roomsControl

    /// The room the user waits for.
    public var room: RoomReference
    /// The waiting user to send away.
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

// MARK: - Events

/// `room.removed`: the connection was put out of a room, and is in none. Personal.
///
/// Source: Protocol/spec/joining.md, "room.removed".
public struct RoomRemoved: DeclaredEvent {
    public static let type = "room.removed"
    public static let scope = EventScope.personal

    // Reasons of this revision.
    /// Reason: a moderator kicked the user.
    public static let kicked = "kicked"
    /// Reason: a moderator banned the user.
    public static let banned = "banned"
    /// Reason: the invite by which the user was inside has been revoked.
    public static let inviteRevoked = "invite_revoked"

    /// The room the connection is no longer in.
    public var room: RoomID
    /// A word for programs, 1 to 64 bytes; new ones may come.
    public var reason: String
    /// When one may come again, in milliseconds since 1970, UTC, if that is known.
    public var untilMilliseconds: Int64?
    /// A message from the moderator to the person removed: one line of at most 200 bytes.
    public var message: String?

    public init(room: RoomID, reason: String, untilMilliseconds: Int64? = nil, message: String? = nil) {
        self.room = room
        self.reason = reason
        self.untilMilliseconds = untilMilliseconds
        self.message = message
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("reason", \Self.reason, .line(bytes: Limits.reasonBytes)),
        Member(optional: "until_ms", \Self.untilMilliseconds, .wallTime),
        Member(optional: "message", \Self.message, .line(bytes: Limits.banReasonBytes)),
        make: Self.init)
}

/// `room.knocked`: somebody waits to be let in. Personal, to people in the room who may moderate.
///
/// Source: Protocol/spec/joining.md, "room.knocked".
public struct RoomKnocked: DeclaredEvent {
    public static let type = "room.knocked"
    public static let scope = EventScope.personal

    /// The room the user waits for.
    public var room: RoomID
    /// Who waits.
    public var user: User

    public init(room: RoomID, user: User) {
        self.room = room
        self.user = user
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("user", \Self.user, .object),
        make: Self.init)
}

/// `room.admitted`: the room that this connection knocked at may be joined. Personal.
///
/// Source: Protocol/spec/joining.md, "room.admitted".
public struct RoomAdmitted: DeclaredEvent {
    public static let type = "room.admitted"
    public static let scope = EventScope.personal

    /// The room that can now be joined.
    public var room: RoomID

    public init(room: RoomID) { self.room = room }

    public static let declaration = Declaration(Member("room", \Self.room, .roomID), make: Self.init)
}

/// `room.denied`: the room that this connection knocked at stays shut. Personal.
///
/// Source: Protocol/spec/joining.md, "room.denied".
public struct RoomDenied: DeclaredEvent {
    public static let type = "room.denied"
    public static let scope = EventScope.personal

    /// The room the caller waited for.
    public var room: RoomID

    public init(room: RoomID) { self.room = room }

    public static let declaration = Declaration(Member("room", \Self.room, .roomID), make: Self.init)
}
