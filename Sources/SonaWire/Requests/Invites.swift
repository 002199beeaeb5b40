/// `invite.create`: makes a way into a room.
///
/// Source: Protocol/spec/joining.md, "invite.create".
public struct InviteCreate: WireRequest {
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

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        role = try fields.wordIfPresent("role", as: InviteRole.self) ?? .listen
        expiresInSeconds =
            try fields.integerIfPresent("expires_in_s", in: Limits.inviteExpirySeconds).map { Int($0) }
            ?? Limits.inviteExpirySecondsDefault
        useCountMax = try fields.integerIfPresent("uses", in: Limits.inviteUses).map { Int($0) }
        label = try fields.lineIfPresent("label", bytes: Limits.inviteLabelBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("role", role.rawValue)
            writer.member("expires_in_s", expiresInSeconds)
            writer.member("uses", ifPresent: useCountMax)
            writer.member("label", ifPresent: label)
        }
    }
}

/// The answer to `invite.create`: the only place where the code stands.
public struct InviteCreated: WireObject, Equatable {
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        invite = try fields.object("invite", as: Invite.self)
        code = try fields.line("code", bytes: Limits.inviteCodeBytes)
        path = try fields.line("path", bytes: Limits.invitePathBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("invite", invite)
            writer.member("code", code)
            writer.member("path", path)
        }
    }
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
public struct InviteListResult: WireObject, Equatable {
    /// Newest first.
    public var invites: [Invite]

    public init(invites: [Invite]) { self.invites = invites }

    public init(_ json: JSON) throws(WireError) {
        invites = try Fields(json).array("invites", of: Invite.self, count: 0...Limits.invitesPerRoomMax)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("invites", invites) } }
}

/// `invite.revoke`: closes a way in; whoever is inside by it alone is out within a second.
///
/// Source: Protocol/spec/joining.md, "invite.revoke".
public struct InviteRevoke: WireRequest {
    public typealias Response = Empty
    public static let type = "invite.revoke"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var invite: InviteID

    public init(room: RoomReference, invite: InviteID) {
        self.room = room
        self.invite = invite
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        invite = try fields.parsed("invite", "an invite identifier", InviteID.init)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("invite", invite.rawValue)
        }
    }
}
