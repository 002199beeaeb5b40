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
    public static let inviteIDBytes = 1...64
    public static let inviteCodeBytes = 1...200
    /// Bytes of the path of a link.
    public static let invitePathBytes = 1...300
    public static let inviteLabelBytes = 1...60
    /// From a minute to 90 days; a week if nobody says.
    public static let inviteExpirySeconds: ClosedRange<Int64> = 60...7_776_000
    public static let inviteExpirySecondsDefault = 604_800
    public static let inviteUses: ClosedRange<Int64> = 1...100_000
    /// Invites of one room that are neither revoked nor expired nor used up; further ones are `room.limit_reached`.
    public static let invitesPerRoomMax = 200
    /// People who wait for one room; further ones are `room.full`.
    public static let waitingRoomMax = 200
}

// MARK: - Objects

/// What an invite makes of who comes by it.
///
/// Source: Protocol/spec/joining.md, "Invite".
public enum InviteRole: String, CaseIterable, Sendable {
    case listen
    case suggest
    case vote
    case control
    /// Accounts only: makes the standing `cohost`.
    case cohost

    /// What it adds to the capabilities of the standing.
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

/// A way into a room, as those see it who may make one. Without its code: that is told once.
///
/// Source: Protocol/spec/joining.md, "Invite".
public struct Invite: DeclaredObject, Hashable {
    public var id: InviteID
    public var role: InviteRole
    /// One line of 1 to 60 bytes, for the maker's eyes.
    public var label: String?
    /// Milliseconds since 1970, UTC, like the expiry.
    public var createdMilliseconds: Int64
    public var expiresMilliseconds: Int64
    /// How many people have come by it.
    public var useCount: Int
    /// How many may; `nil`: any number.
    public var useCountMax: Int?
    public var isRevoked: Bool
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

    /// The path of the page that a link leads to. The code stands behind the `#`, so that no server's log gets it.
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

    public var room: RoomReference
    public var role: InviteRole
    /// 60 to 7 776 000 seconds.
    public var expiresInSeconds: Int
    /// 1 to 100 000; `nil`: any number.
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
    public var invite: Invite
    /// 1 to 200 bytes; whoever has it may enter.
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

/// `invite.list`: the invites of a room that let somebody in, or let in those who are there.
///
/// Source: Protocol/spec/joining.md, "invite.list".
public struct InviteList: RoomRequest {
    public typealias Response = InviteListResult
    public static let type = "invite.list"
    public static let permission: Permission? = .roomsControl

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

/// `invite.revoke`: closes a way in; whoever is inside by it alone is out within a second.
///
/// Source: Protocol/spec/joining.md, "invite.revoke".
public struct InviteRevoke: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "invite.revoke"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
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

/// `room.waiting`: who knocks.
///
/// Source: Protocol/spec/joining.md, "room.waiting".
public struct RoomWaiting: RoomRequest {
    public typealias Response = RoomWaitingResult
    public static let type = "room.waiting"
    public static let permission: Permission? = .roomsControl

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

/// `room.admit`: lets in who waits.
///
/// Source: Protocol/spec/joining.md, "room.admit".
public struct RoomAdmit: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.admit"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

/// `room.deny`: sends away who waits.
///
/// Source: Protocol/spec/joining.md, "room.deny".
public struct RoomDeny: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.deny"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
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
    public static let kicked = "kicked"
    public static let banned = "banned"
    public static let inviteRevoked = "invite_revoked"

    public var room: RoomID
    /// A word for programs, 1 to 64 bytes; new ones may come.
    public var reason: String
    /// When one may come again, in milliseconds since 1970, UTC, if that is known.
    public var untilMilliseconds: Int64?
    /// What whoever did it wants to be shown: one line of at most 200 bytes.
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

/// `room.knocked`: somebody waits to be let in. Personal, to those in the room who may moderate.
///
/// Source: Protocol/spec/joining.md, "room.knocked".
public struct RoomKnocked: DeclaredEvent {
    public static let type = "room.knocked"
    public static let scope = EventScope.personal

    public var room: RoomID
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

    public var room: RoomID

    public init(room: RoomID) { self.room = room }

    public static let declaration = Declaration(Member("room", \Self.room, .roomID), make: Self.init)
}
