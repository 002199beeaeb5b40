/// That an account may not sign in, until when, and why.
///
/// Source: Protocol/spec/permissions.md, "users.ban".
public struct Ban: WireObject, Hashable {
    /// Milliseconds since 1970, UTC; `nil`: for good.
    public var untilMilliseconds: Int64?
    /// One line of at most 200 bytes.
    public var reason: String?

    public init(untilMilliseconds: Int64?, reason: String?) {
        self.untilMilliseconds = untilMilliseconds
        self.reason = reason
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        untilMilliseconds = try fields.integerIfPresent("until_ms", in: 0...Limits.integerMax)
        reason = try fields.lineIfPresent("reason", bytes: Limits.banReasonBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("until_ms", orNull: untilMilliseconds)
            writer.member("reason", orNull: reason)
        }
    }
}

/// An account as admins see it. Without the e-mail address: running the place does not take it.
///
/// Source: Protocol/spec/permissions.md, "Admin user".
public struct AdminUser: WireObject, Hashable {
    public var user: User
    public var role: AccountRole
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    /// `nil` if there is none in force.
    public var ban: Ban?

    public init(user: User, role: AccountRole, createdMilliseconds: Int64, ban: Ban? = nil) {
        self.user = user
        self.role = role
        self.createdMilliseconds = createdMilliseconds
        self.ban = ban
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        user = try fields.object("user", as: User.self)
        role = try fields.word("role", as: AccountRole.self)
        createdMilliseconds = try fields.integer("created_ms", in: 0...Limits.integerMax)
        ban = try fields.objectIfPresent("ban", as: Ban.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("role", role.rawValue)
            writer.member("created_ms", createdMilliseconds)
            writer.member("ban", orNull: ban)
        }
    }
}
