/// Somebody in a room, as the others there see them.
///
/// Source: Protocol/spec/roles.md, "Room member".
public struct RoomMember: WireObject, Hashable {
    public var user: UserCard
    public var standing: Standing
    /// Whether they have the host seat.
    public var isHost: Bool
    /// Milliseconds since 1970, UTC; `Limits.integerMax` until somebody lifts it; `nil`: not muted.
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: UserCard.self)
        standing = try fields.word("standing", as: Standing.self)
        isHost = try fields.bool("host")
        mutedUntilMilliseconds = try fields.integerIfPresent("muted_until_ms", in: 0...Limits.integerMax)
        joinedMilliseconds = try fields.integerIfPresent("joined_ms", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("standing", standing.rawValue)
            writer.member("host", isHost)
            writer.member("muted_until_ms", orNull: mutedUntilMilliseconds)
            writer.member("joined_ms", orNull: joinedMilliseconds)
        }
    }
}

/// Somebody who may not enter a room.
///
/// Source: Protocol/spec/roles.md, "room.bans".
public struct RoomBanned: WireObject, Hashable {
    public var user: User
    /// Milliseconds since 1970, UTC; `nil`: for good.
    public var untilMilliseconds: Int64?
    /// One line of at most 200 bytes.
    public var reason: String?
    /// `nil` if whoever it was has no account any more.
    public var by: User?
    public var createdMilliseconds: Int64

    public init(user: User, untilMilliseconds: Int64?, reason: String?, by: User?, createdMilliseconds: Int64) {
        self.user = user
        self.untilMilliseconds = untilMilliseconds
        self.reason = reason
        self.by = by
        self.createdMilliseconds = createdMilliseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        untilMilliseconds = try fields.integerIfPresent("until_ms", in: 0...Limits.integerMax)
        reason = try fields.lineIfPresent("reason", bytes: Limits.banReasonBytes)
        by = try fields.objectIfPresent("by", as: User.self)
        createdMilliseconds = try fields.integer("created_ms", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("until_ms", orNull: untilMilliseconds)
            writer.member("reason", orNull: reason)
            writer.member("by", orNull: by)
            writer.member("created_ms", createdMilliseconds)
        }
    }
}
