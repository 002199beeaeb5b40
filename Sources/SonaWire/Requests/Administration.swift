/// `users.list`: the accounts of this server, a page at a time.
///
/// Source: Protocol/spec/permissions.md, "users.list".
public struct UsersList: WireRequest {
    public typealias Response = AdminUserPage
    public static let type = "users.list"
    public static let permission: Permission? = .usersList

    /// One line of at most 100 bytes.
    public var query: String?
    public var role: AccountRole?
    /// Only those who are banned, or only those who are not.
    public var isBanned: Bool?
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(
        query: String? = nil, role: AccountRole? = nil, isBanned: Bool? = nil,
        limit: Int = Limits.userPageCountDefault, cursor: String? = nil
    ) {
        self.query = query
        self.role = role
        self.isBanned = isBanned
        self.limit = limit
        self.cursor = cursor
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        query = try fields.lineIfPresent("query", bytes: Limits.usersQueryBytes)
        role = try fields.wordIfPresent("role", as: AccountRole.self)
        isBanned = try fields.boolIfPresent("banned")
        limit = try fields.userLimit()
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("query", ifPresent: query)
            writer.member("role", ifPresent: role?.rawValue)
            writer.member("banned", ifPresent: isBanned)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

/// The answer to `users.list`.
public struct AdminUserPage: WireObject, Equatable {
    public var users: [AdminUser]
    /// What to ask with for the next page; `nil` on the last.
    public var nextCursor: String?

    public init(users: [AdminUser], nextCursor: String?) {
        self.users = users
        self.nextCursor = nextCursor
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        users = try fields.array("users", of: AdminUser.self)
        nextCursor = try fields.stringIfPresent("next_cursor", bytes: Limits.cursorBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("users", users)
            writer.member("next_cursor", orNull: nextCursor)
        }
    }
}

/// `users.ban`: keeps an account out, for a while or for good.
///
/// Source: Protocol/spec/permissions.md, "users.ban".
public struct UsersBan: WireRequest {
    public typealias Response = AdminUserResult
    public static let type = "users.ban"
    public static let permission: Permission? = .usersBan

    public var user: UserReference
    /// 1 to 315 360 000, ten years; absent: for good.
    public var seconds: Int64?
    /// One line of at most 200 bytes.
    public var reason: String?

    public init(user: UserReference, seconds: Int64? = nil, reason: String? = nil) {
        self.user = user
        self.seconds = seconds
        self.reason = reason
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        user = try fields.user()
        seconds = try fields.integerIfPresent("seconds", in: Limits.banSeconds)
        reason = try fields.lineIfPresent("reason", bytes: Limits.banReasonBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user.text)
            writer.member("seconds", ifPresent: seconds)
            writer.member("reason", ifPresent: reason)
        }
    }
}

/// `users.unban`: lets an account in again.
///
/// Source: Protocol/spec/permissions.md, "users.unban".
public struct UsersUnban: UserRequest {
    public typealias Response = AdminUserResult
    public static let type = "users.unban"
    public static let permission: Permission? = .usersBan

    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `users.set_role`: makes an account an admin, or a user again.
///
/// Source: Protocol/spec/permissions.md, "users.set_role".
public struct UsersSetRole: WireRequest {
    public typealias Response = AdminUserResult
    public static let type = "users.set_role"
    public static let permission: Permission? = .usersSetRole

    public var user: UserReference
    /// `user` or `admin`: the third is reserved.
    public var role: AccountRole

    public init(user: UserReference, role: AccountRole) {
        self.user = user
        self.role = role
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        user = try fields.user()
        role = try fields.parsed("role", "user or admin") { text in
            AccountRole(rawValue: text).flatMap { $0 == .moderator ? nil : $0 }
        }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user.text)
            writer.member("role", role.rawValue)
        }
    }
}

/// The account as it is now: the answer to `users.ban`, `users.unban` and `users.set_role`.
public struct AdminUserResult: WireObject, Equatable {
    public var user: AdminUser

    public init(user: AdminUser) { self.user = user }

    public init(_ json: JSON) throws(WireError) { user = try Fields(json).object("user", as: AdminUser.self) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("user", user) } }
}
