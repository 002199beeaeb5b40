extension Catalogue {
    /// Standings in a room, and moderation.
    ///
    /// Source: Protocol/spec/roles.md.
    static let roles = Area(
        "roles",
        requests: [
            RoomMembers.self, RoomSetStanding.self, RoomKick.self, RoomBan.self, RoomUnban.self, RoomBans.self,
            RoomMute.self, RoomUnmute.self,
        ],
        events: [RoomStandingChanged.self, RoomMembersChanged.self, RoomModerated.self])
}

extension Limits {
    /// Users in `joined`, and in `left`, of `room.members_changed`.
    public static let membersChangedCount = 0...50
    /// Members for which the interval between two `room.members_changed`, and two `room.listeners`, grows by a second.
    /// The interval is at least 1 s and at most `membersIntervalSecondsMax`.
    public static let membersToldPerSecond = 50
    /// Seconds between two `room.members_changed` in the largest rooms.
    public static let membersIntervalSecondsMax = 10
}

// MARK: - Objects

/// Somebody in a room, as the others there see them.
///
/// Source: Protocol/spec/roles.md, "Room member".
public struct RoomMember: DeclaredObject, Hashable {
    /// Who it is, with name and photo.
    public var user: UserCard
    /// What they are in the room.
    public var standing: Standing
    /// Whether they have the host seat.
    public var isHost: Bool
    /// Milliseconds since 1970, UTC. `Limits.integerMax`: until a moderator lifts it. `nil`: not muted.
    public var mutedUntilMilliseconds: Int64?
    /// When they came in; `nil` if they are not there.
    public var joinedMilliseconds: Int64?

    public init(
        user: UserCard, standing: Standing, isHost: Bool = false, mutedUntilMilliseconds: Int64? = nil,
        joinedMilliseconds: Int64?
    ) {
        self.user = user
        self.standing = standing
        self.isHost = isHost
        self.mutedUntilMilliseconds = mutedUntilMilliseconds
        self.joinedMilliseconds = joinedMilliseconds
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("standing", \Self.standing, .word),
        Member("host", \Self.isHost, .flag),
        Member(nullable: "muted_until_ms", \Self.mutedUntilMilliseconds, .wallTime),
        Member(nullable: "joined_ms", \Self.joinedMilliseconds, .wallTime),
        make: Self.init)
}

/// Somebody who may not enter a room.
///
/// Source: Protocol/spec/roles.md, "room.bans".
public struct RoomBanned: DeclaredObject, Hashable {
    /// Who may not enter.
    public var user: User
    /// Milliseconds since 1970, UTC; `nil`: for good.
    public var untilMilliseconds: Int64?
    /// One line of at most 200 bytes.
    public var reason: String?
    /// Who banned them. `nil` if that account is gone.
    public var by: User?
    /// When the ban was made, milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64

    public init(user: User, untilMilliseconds: Int64?, reason: String?, by: User?, createdMilliseconds: Int64) {
        self.user = user
        self.untilMilliseconds = untilMilliseconds
        self.reason = reason
        self.by = by
        self.createdMilliseconds = createdMilliseconds
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member(nullable: "until_ms", \Self.untilMilliseconds, .wallTime),
        Member(nullable: "reason", \Self.reason, .line(bytes: Limits.banReasonBytes)),
        Member(nullable: "by", \Self.by, .object),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        make: Self.init)
}

/// The rank of somebody in a room, the highest first.
///
/// Source: Protocol/spec/roles.md, "Standing".
public enum Standing: String, CaseIterable, Sendable {
    /// Made the room. May do everything in it.
    case owner
    /// Runs the room together with the owner.
    case cohost
    /// Moderates.
    case moderator
    /// An account that was let in or came by an invite.
    case member
    /// Anybody else, guests included.
    case listener

    /// What the standing alone allows. Invites and permissions may add to it.
    public var capabilities: Set<Capability> {
        switch self {
        case .owner: Set(Capability.allCases)
        case .cohost: Set(Capability.allCases).subtracting([.manage])
        case .moderator: [.listen, .suggest, .vote, .chat, .moderate]
        case .member, .listener: [.listen, .chat]
        }
    }
}

extension Capability {
    /// The words of a set as they stand in a message, in the order of the page.
    public static func words(_ capabilities: Set<Capability>) -> [String] {
        allCases.filter(capabilities.contains).map(\.rawValue)
    }
}

extension Standing: Comparable {
    /// Ordered by what the standing allows: `.listener < .owner`.
    public static func < (left: Standing, right: Standing) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .listener: 0
        case .member: 1
        case .moderator: 2
        case .cohost: 3
        case .owner: 4
        }
    }
}

/// One thing somebody may do in a room. Snapshots and `room.forbidden` name it by this word.
///
/// A newer server may name further ones, so `may` is an array of texts.
///
/// Source: Protocol/spec/roles.md, "Capabilities".
public enum Capability: String, CaseIterable, Sendable {
    /// Hear the room.
    case listen
    /// Propose what is to be played.
    case suggest
    /// Vote on entries of the queue, and to skip.
    case vote
    /// As far as the room's rule for chat and no mute stand in the way.
    case chat
    /// Play, pause and seek.
    case control
    /// Let in, kick, ban, mute, delete messages.
    case moderate
    /// Take the vacant seat, take the seat back, make invites, give standing below one's own.
    case host
    /// Change and delete the room, make cohosts.
    case manage
}

// MARK: - Requests

/// `room.members`: who is in a room, a page at a time.
///
/// Source: Protocol/spec/roles.md, "room.members".
public struct RoomMembers: DeclaredRequest {
    public typealias Response = RoomMemberPage
    public static let type = "room.members"
    public static let permission: Permission? = .roomsListen

    /// The room the connection is in if absent.
    public var room: RoomReference?
    /// Includes people of a standing above listener who are not there, after those who are. For moderators.
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

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("absent", \Self.includesAbsent, .flag, default: false),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// The answer to `room.members`.
public struct RoomMemberPage: DeclaredObject, Equatable {
    /// The highest standing first; within a standing, by arrival.
    public var members: [RoomMember]
    /// How many people the whole list has, on all pages, ghosts and the absent not counted.
    public var count: Int
    /// How many people are there unseen.
    public var ghostCount: Int
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(members: [RoomMember], count: Int, ghostCount: Int, nextCursor: String?) {
        self.members = members
        self.count = count
        self.ghostCount = ghostCount
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("members", \Self.members, .objects(count: 0...Int(Limits.userPageCount.upperBound))),
        Member("count", \Self.count, .count),
        Member("ghosts", \Self.ghostCount, .count),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `room.set_standing`: makes an account more in a room, or less.
///
/// Source: Protocol/spec/roles.md, "room.set_standing".
public struct RoomSetStanding: DeclaredRequest {
    public typealias Response = RoomMemberResult
    public static let type = "room.set_standing"
    public static let permission: Permission? = .roomsControl

    /// The room the standing is in.
    public var room: RoomReference
    /// Whose standing is set.
    public var user: UserReference
    /// Any but `owner`.
    public var standing: Standing

    public init(room: RoomReference, user: UserReference, standing: Standing) {
        self.room = room
        self.user = user
        self.standing = standing
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("user", \Self.user, .userReference),
        Member("standing", \Self.standing, .givenStanding),
        make: Self.init)
}

/// One member: the answer to `room.set_standing`.
public struct RoomMemberResult: DeclaredObject, Equatable {
    /// The member after the change.
    public var member: RoomMember

    public init(member: RoomMember) { self.member = member }

    public static let declaration = Declaration(Member("member", \Self.member, .object), make: Self.init)
}

/// `room.kick`: puts somebody out. They may come again.
///
/// Source: Protocol/spec/roles.md, "room.kick".
public struct RoomKick: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "room.kick"
    public static let permission: Permission? = .roomsControl

    /// The room to put the user out of.
    public var room: RoomReference
    /// The user to put out.
    public var user: UserReference
    /// One line of at most 200 bytes, which the person is shown.
    public var reason: String?

    public init(room: RoomReference, user: UserReference, reason: String? = nil) {
        self.room = room
        self.user = user
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("user", \Self.user, .userReference),
        Member(optional: "reason", \Self.reason, .line(bytes: Limits.banReasonBytes)),
        make: Self.init)
}

/// `room.ban`: puts somebody out and keeps them out.
///
/// Source: Protocol/spec/roles.md, "room.ban".
public struct RoomBan: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "room.ban"
    public static let permission: Permission? = .roomsControl

    /// The room the user may no longer enter.
    public var room: RoomReference
    /// The user to ban.
    public var user: UserReference
    /// Up to ten years; for good if absent.
    public var seconds: Int64?
    /// One line of at most 200 bytes, which the person is shown.
    public var reason: String?

    public init(room: RoomReference, user: UserReference, seconds: Int64? = nil, reason: String? = nil) {
        self.room = room
        self.user = user
        self.seconds = seconds
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("user", \Self.user, .userReference),
        Member(optional: "seconds", \Self.seconds, .integer(Limits.banSeconds)),
        Member(optional: "reason", \Self.reason, .line(bytes: Limits.banReasonBytes)),
        make: Self.init)
}

/// `room.unban`: lets somebody come again. Without a ban, nothing happens.
///
/// Source: Protocol/spec/roles.md, "room.unban".
public struct RoomUnban: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.unban"
    public static let permission: Permission? = .roomsControl

    /// The room the user may enter again.
    public var room: RoomReference
    /// The banned user.
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

/// `room.bans`: people who may not enter a room, the newest ban first, a page at a time.
///
/// Source: Protocol/spec/roles.md, "room.bans".
public struct RoomBans: DeclaredRequest {
    public typealias Response = RoomBanPage
    public static let type = "room.bans"
    public static let permission: Permission? = .roomsControl

    /// The room whose bans are listed.
    public var room: RoomReference
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(room: RoomReference, limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.room = room
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// The answer to `room.bans`.
public struct RoomBanPage: DeclaredObject, Equatable {
    /// The bans of this page, at most 100.
    public var bans: [RoomBanned]
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(bans: [RoomBanned], nextCursor: String?) {
        self.bans = bans
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("bans", \Self.bans, .objects(count: 0...Int(Limits.userPageCount.upperBound))),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `room.mute`: keeps somebody from writing and reacting.
///
/// Source: Protocol/spec/roles.md, "room.mute".
public struct RoomMute: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "room.mute"
    public static let permission: Permission? = .roomsControl

    /// The room whose chat it is about.
    public var room: RoomReference
    /// The user to mute.
    public var user: UserReference
    /// Seconds, up to ten years. `nil`: until a moderator lifts it.
    public var seconds: Int64?

    public init(room: RoomReference, user: UserReference, seconds: Int64? = nil) {
        self.room = room
        self.user = user
        self.seconds = seconds
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("user", \Self.user, .userReference),
        Member(optional: "seconds", \Self.seconds, .integer(Limits.banSeconds)),
        make: Self.init)
}

/// `room.unmute`: lets somebody write again. Without a mute, nothing happens.
///
/// Source: Protocol/spec/roles.md, "room.unmute".
public struct RoomUnmute: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.unmute"
    public static let permission: Permission? = .roomsControl

    /// The room whose chat it is about.
    public var room: RoomReference
    /// The muted user.
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

// MARK: - Events

/// `room.standing_changed`: somebody's standing or capabilities in the room changed.
///
/// Source: Protocol/spec/roles.md, "room.standing_changed".
public struct RoomStandingChanged: DeclaredEvent {
    public static let type = "room.standing_changed"

    /// Whose standing changed.
    public var user: User
    /// What the user is in the room now.
    public var standing: Standing
    /// Their capabilities from here on, words of 1 to 64 bytes; new ones may come.
    public var may: [String]

    /// - Parameter may: The standing's capabilities if left out, in the order of the page.
    public init(user: User, standing: Standing, may: [String]? = nil) {
        self.user = user
        self.standing = standing
        self.may = may ?? Capability.words(standing.capabilities)
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("standing", \Self.standing, .word),
        Member("may", \Self.may, .texts(bytes: Limits.permissionBytes)),
        make: Self.init)
}

/// `room.members_changed`: people who came and people who left. Live only, at most once a second.
///
/// Source: Protocol/spec/roles.md, "room.members_changed".
public struct RoomMembersChanged: DeclaredEvent {
    public static let type = "room.members_changed"
    public static let scope = EventScope.roomLive

    /// At most 50.
    public var joined: [User]
    /// At most 50.
    public var left: [UserID]
    /// Whether more people came or left than the lists hold.
    public var hasMore: Bool
    /// How many people `room.members` lists now; ghosts are not among them.
    public var count: Int
    /// How many of the members are ghosts: counted, but not named.
    public var ghostCount: Int

    public init(joined: [User], left: [UserID], hasMore: Bool = false, count: Int, ghostCount: Int) {
        self.joined = joined
        self.left = left
        self.hasMore = hasMore
        self.count = count
        self.ghostCount = ghostCount
    }

    public static let declaration = Declaration(
        Member("joined", \Self.joined, .objects(count: Limits.membersChangedCount)),
        Member("left", \Self.left, .userIDs(count: Limits.membersChangedCount)),
        Member("more", \Self.hasMore, .flag),
        Member("count", \Self.count, .count),
        Member("ghosts", \Self.ghostCount, .count),
        make: Self.init)
}

/// `room.moderated`: a moderator acted. Personal, to moderators in the room, and to the person who was muted or
/// unmuted.
///
/// Source: Protocol/spec/roles.md, "room.moderated".
public struct RoomModerated: DeclaredEvent {
    public static let type = "room.moderated"
    public static let scope = EventScope.personal

    /// The actions of this revision.
    public enum Action: String, CaseIterable, Sendable {
        /// The user was put out.
        case kick
        /// The user may no longer enter.
        case ban
        /// The user may enter again.
        case unban
        /// The user may no longer write in the chat.
        case mute
        /// The user may write again.
        case unmute
        /// A message of theirs was deleted.
        case delete
        /// The user was let in from the waiting room.
        case admit
        /// The user was sent away from the waiting room.
        case deny
    }

    /// The room it happened in.
    public var room: RoomID
    /// A word of 1 to 64 bytes; new ones may come. See `Action`.
    public var action: String
    /// The user it was done to.
    public var user: User
    /// `nil` to the muted themselves.
    public var by: User?
    /// Milliseconds since 1970, UTC, of a ban or mute that ends by itself.
    public var untilMilliseconds: Int64?

    public init(room: RoomID, action: Action, user: User, by: User?, untilMilliseconds: Int64? = nil) {
        self.init(
            room: room, word: action.rawValue, user: user, by: by, untilMilliseconds: untilMilliseconds)
    }

    private init(room: RoomID, word: String, user: User, by: User?, untilMilliseconds: Int64?) {
        self.room = room
        action = word
        self.user = user
        self.by = by
        self.untilMilliseconds = untilMilliseconds
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("action", \Self.action, .line(bytes: Limits.reasonBytes)),
        Member("user", \Self.user, .object),
        Member(nullable: "by", \Self.by, .object),
        Member(optional: "until_ms", \Self.untilMilliseconds, .wallTime),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == Standing {
    /// A standing that can be given: any but the owner's.
    fileprivate static var givenStanding: Form {
        let given = Standing.allCases.filter { $0 != .owner }.map(\.rawValue)
        return .parsed(
            .words(given), "one of cohost, moderator, member, listener",
            { text in text == Standing.owner.rawValue ? nil : Standing(rawValue: text) }
        ) { $0.rawValue }
    }
}
