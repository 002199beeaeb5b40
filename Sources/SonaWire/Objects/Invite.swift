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
public struct Invite: WireObject, Hashable {
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        id = try fields.parsed("id", "an invite identifier", InviteID.init)
        role = try fields.word("role", as: InviteRole.self)
        label = try fields.lineIfPresent("label", bytes: Limits.inviteLabelBytes)
        createdMilliseconds = try fields.integer("created_ms", in: 0...Limits.integerMax)
        expiresMilliseconds = try fields.integer("expires_ms", in: 0...Limits.integerMax)
        useCount = Int(try fields.integer("uses", in: 0...Limits.integerMax))
        useCountMax = try fields.integerIfPresent("uses_max", in: Limits.inviteUses).map { Int($0) }
        isRevoked = try fields.bool("revoked")
        createdBy = try fields.object("created_by", as: User.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id.rawValue)
            writer.member("role", role.rawValue)
            writer.member("label", orNull: label)
            writer.member("created_ms", createdMilliseconds)
            writer.member("expires_ms", expiresMilliseconds)
            writer.member("uses", useCount)
            writer.member("uses_max", orNull: useCountMax)
            writer.member("revoked", isRevoked)
            writer.member("created_by", createdBy)
        }
    }

    /// The path of the page that a link leads to. The code stands behind the `#`, so that no server's log gets it.
    public static func path(room: RoomID, code: String) -> String { "/r/\(room)#\(code)" }
}
