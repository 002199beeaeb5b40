extension Catalogue {
    /// Permissions, and what admins do.
    ///
    /// Source: Protocol/spec/permissions.md.
    static let permissions = Area(
        "permissions",
        requests: [
            UsersList.self, UsersBan.self, UsersUnban.self, UsersSetRole.self, AddressesList.self, AddressesBan.self,
            AddressesUnban.self, ContentTakeDown.self, ContentTakenDown.self, ContentAllow.self, JournalList.self,
            JournalVerify.self,
        ])
}

extension Limits {
    /// Bytes of a permission's name.
    public static let permissionBytes = 1...64
    /// Bytes of the text that `users.list` searches for. Empty: all accounts.
    public static let usersQueryBytes = 0...100
    /// Bytes of what a moderator or admin tells the person concerned.
    public static let banReasonBytes = 0...200
    /// Seconds for which a ban can be made, up to ten years.
    public static let banSeconds: ClosedRange<Int64> = 1...315_360_000
    /// Bytes of the kind of a journal line.
    public static let journalKindBytes = 1...64
    /// Bytes of the name of the actor, and of the person concerned, in a journal line.
    public static let journalPartyBytes = 1...128
    /// Lines in one page of the journal.
    public static let journalPageCount: ClosedRange<Int64> = 1...200
    /// Lines in one page of the journal if the request says nothing.
    public static let journalPageCountDefault = 50
}

// MARK: - Objects

/// That an account may not sign in, until when, and why.
///
/// Source: Protocol/spec/permissions.md, "users.ban".
public struct Ban: DeclaredObject, Hashable {
    /// Milliseconds since 1970, UTC; `nil`: for good.
    public var untilMilliseconds: Int64?
    /// One line of at most 200 bytes.
    public var reason: String?

    public init(untilMilliseconds: Int64?, reason: String?) {
        self.untilMilliseconds = untilMilliseconds
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member(nullable: "until_ms", \Self.untilMilliseconds, .wallTime),
        Member(nullable: "reason", \Self.reason, .line(bytes: Limits.banReasonBytes)),
        make: Self.init)
}

/// An account as admins see it. Without the e-mail address: running the place does not take it.
///
/// Source: Protocol/spec/permissions.md, "Admin user".
public struct AdminUser: DeclaredObject, Hashable {
    /// The account, as others see it.
    public var user: User
    /// What the account may do on the whole server.
    public var role: AccountRole
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    /// The ban in force, or `nil` if there is none.
    public var ban: Ban?

    public init(user: User, role: AccountRole, createdMilliseconds: Int64, ban: Ban? = nil) {
        self.user = user
        self.role = role
        self.createdMilliseconds = createdMilliseconds
        self.ban = ban
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("role", \Self.role, .word),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member(nullable: "ban", \Self.ban, .object),
        make: Self.init)
}

/// One line of the journal: who did what to whom, and when.
///
/// Source: Protocol/spec/permissions.md, "The journal".
public struct JournalLine: DeclaredObject, Equatable {
    /// Counts the lines from 1.
    public var id: Int64
    /// Milliseconds since 1970, UTC.
    public var atMilliseconds: Int64
    /// The kind of event: a word of 1 to 64 bytes, such as `role_changed`. Newer servers may use further words.
    public var kind: String
    /// Who did it, as a rule a `uid`: one line of 1 to 128 bytes. `nil` for the server and its operator.
    ///
    /// Not a `UserID`: a line that was altered must still be shown to admins.
    public var actor: String?
    /// The user or room it was done to, in the same form.
    public var subject: String?
    /// An object, with fields that depend on `kind`.
    public var detail: JSON

    public init(
        id: Int64, atMilliseconds: Int64, kind: String, actor: String?, subject: String?,
        detail: JSON = .emptyObject
    ) {
        self.id = id
        self.atMilliseconds = atMilliseconds
        self.kind = kind
        self.actor = actor
        self.subject = subject
        self.detail = detail
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member("kind", \Self.kind, .line(bytes: Limits.journalKindBytes)),
        Member(nullable: "actor", \Self.actor, .line(bytes: Limits.journalPartyBytes)),
        Member(nullable: "subject", \Self.subject, .line(bytes: Limits.journalPartyBytes)),
        Member("detail", \Self.detail, .anyObject),
        make: Self.init)
}

/// One thing a role allows. Errors and `user.me` name it by this word.
///
/// A newer server may name further ones, so `Me.permissions` and `WireError.permission` are texts.
///
/// Source: Protocol/spec/permissions.md, "Permissions".
public enum Permission: String, CaseIterable, Sendable {
    /// Enter rooms, listen, chat, and use the queue.
    case roomsListen = "rooms.listen"
    /// See profiles.
    case peopleView = "people.view"
    /// Make rooms.
    case roomsCreate = "rooms.create"
    /// Control rooms one owns or has a standing in, as far as the standing allows.
    case roomsControl = "rooms.control"
    /// Search for users, and for rooms of friends and people one follows.
    case peopleFind = "people.find"
    /// Follow and block users, and see the lists of both.
    case peopleFollow = "people.follow"
    /// Change one's own profile, photo, username and settings.
    case profileEdit = "profile.edit"
    /// Change one's own password and address, export and remove the account.
    case accountManage = "account.manage"
    /// See the accounts of the server.
    case usersList = "users.list"
    /// Ban accounts and lift bans.
    case usersBan = "users.ban"
    /// Ban network addresses and lift these bans.
    case addressesBan = "addresses.ban"
    /// Take down rooms, texts, pictures, messages and profiles of others.
    case contentTakeDown = "content.take_down"
    /// Read reports, and decide them.
    case reportsHandle = "reports.handle"
    /// Say which words are kept out of texts.
    case wordsManage = "words.manage"
    /// Give rooms another owner.
    case roomsMove = "rooms.move"
    /// Make registration invites, and decide whose accounts are approved.
    case registrationManage = "registration.manage"
    /// Make accounts admins, or users again.
    case usersSetRole = "users.set_role"
    /// Read and verify the journal.
    case journalRead = "journal.read"
    /// Seeing how any room is heard, by whomever.
    case roomsInspect = "rooms.inspect"
    /// Find music in the library and hear it, as far as one has access to it.
    case libraryListen = "library.listen"
    /// Download the files of music that one may hear whole.
    case libraryDownload = "library.download"
    /// Upload music, and edit and remove one's own.
    case libraryUpload = "library.upload"
    /// Collect music: likes, ratings, playlists, plays and submissions of one's own.
    case libraryCollect = "library.collect"
    /// Hear uploads that were submitted, and edit what any track says of itself that one sees.
    case libraryCurate = "library.curate"
    /// See all music, remove uploads of others, scan music folders, say who sees them, and what is wrong with their
    /// files.
    case libraryManage = "library.manage"
    /// Say what accounts may take of the server.
    case plansManage = "plans.manage"
    /// See how busy the server is.
    case serverInspect = "server.inspect"

    /// The permissions of guests, who have no role.
    public static let ofGuests: Set<Permission> = [.roomsListen, .peopleView, .libraryListen]

    /// The permissions of every account.
    static let ofUsers = ofGuests.union([
        .roomsCreate, .roomsControl, .peopleFind, .peopleFollow, .profileEdit, .accountManage,
        .libraryDownload, .libraryUpload, .libraryCollect,
    ])
    /// The permissions of those who look after the library's contents.
    static let ofCurators = ofUsers.union([.libraryCurate])
    static let ofAdmins = ofCurators.union([
        .usersList, .usersBan, .usersSetRole, .addressesBan, .contentTakeDown, .reportsHandle,
        .wordsManage, .roomsMove, .registrationManage, .journalRead, .roomsInspect,
        .libraryManage, .plansManage, .serverInspect,
    ])
}

/// What an account may do on the whole server. See `Capability` for what somebody may do in a room.
///
/// Source: Protocol/spec/permissions.md, "Roles".
public enum AccountRole: String, CaseIterable, Sendable {
    /// Every account that was given no other role.
    case user
    /// Decides what is submitted to the library, and edits what tracks say of themselves.
    case curator
    /// The person who runs the server, and accounts they made admins.
    case admin

    /// All permissions the role has. Source: Protocol/spec/permissions.md.
    public var permissions: Set<Permission> {
        switch self {
        case .user: Permission.ofUsers
        case .curator: Permission.ofCurators
        case .admin: Permission.ofAdmins
        }
    }
}

// MARK: - Requests

/// `users.list`: the accounts of this server, a page at a time.
///
/// Source: Protocol/spec/permissions.md, "users.list".
public struct UsersList: DeclaredRequest {
    public typealias Response = AdminUserPage
    public static let type = "users.list"
    public static let permission: Permission? = .usersList

    /// One line of at most 100 bytes.
    public var query: String?
    /// Only accounts of this role. `nil`: of any role.
    public var role: AccountRole?
    /// `true`: only banned accounts. `false`: only accounts that are not banned. `nil`: both.
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

    public static let declaration = Declaration(
        Member(optional: "query", \Self.query, .line(bytes: Limits.usersQueryBytes)),
        Member(optional: "role", \Self.role, .word),
        Member(optional: "banned", \Self.isBanned, .flag),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// The answer to `users.list`.
public struct AdminUserPage: DeclaredObject, Equatable {
    /// The accounts of this page.
    public var users: [AdminUser]
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(users: [AdminUser], nextCursor: String?) {
        self.users = users
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("users", \Self.users, .objects()),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `users.ban`: keeps an account out, for a while or for good.
///
/// Source: Protocol/spec/permissions.md, "users.ban".
public struct UsersBan: DeclaredRequest {
    public typealias Response = AdminUserResult
    public static let type = "users.ban"
    public static let permission: Permission? = .usersBan

    /// The account to ban.
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

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member(optional: "seconds", \Self.seconds, .integer(Limits.banSeconds)),
        Member(optional: "reason", \Self.reason, .line(bytes: Limits.banReasonBytes)),
        make: Self.init)
}

/// `users.unban`: lets an account in again.
///
/// Source: Protocol/spec/permissions.md, "users.unban".
public struct UsersUnban: UserRequest {
    public typealias Response = AdminUserResult
    public static let type = "users.unban"
    public static let permission: Permission? = .usersBan

    /// The account to let in again.
    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `users.set_role`: makes an account an admin, or a user again.
///
/// Source: Protocol/spec/permissions.md, "users.set_role".
public struct UsersSetRole: DeclaredRequest {
    public typealias Response = AdminUserResult
    public static let type = "users.set_role"
    public static let permission: Permission? = .usersSetRole

    /// The account whose role is set.
    public var user: UserReference
    /// `user` or `admin`: the third is reserved.
    public var role: AccountRole

    public init(user: UserReference, role: AccountRole) {
        self.user = user
        self.role = role
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member("role", \Self.role, .word),
        make: Self.init)
}

/// The account as it is now: the answer to `users.ban`, `users.unban` and `users.set_role`.
public struct AdminUserResult: DeclaredObject, Equatable {
    /// The account after the change.
    public var user: AdminUser

    public init(user: AdminUser) { self.user = user }

    public static let declaration = Declaration(Member("user", \Self.user, .object), make: Self.init)
}

/// `journal.list`: lines of the journal, newest first.
///
/// Source: Protocol/spec/permissions.md, "journal.list".
public struct JournalList: DeclaredRequest {
    public typealias Response = JournalPage
    public static let type = "journal.list"
    public static let permission: Permission? = .journalRead

    /// Only lines of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 200.
    public var limit: Int
    /// Only lines of this kind, a word of 1 to 64 bytes.
    public var kind: String?
    /// Only lines whose subject is this user.
    public var user: UserReference?

    public init(
        before: Int64? = nil, limit: Int = Limits.journalPageCountDefault, kind: String? = nil,
        user: UserReference? = nil
    ) {
        self.before = before
        self.limit = limit
        self.kind = kind
        self.user = user
    }

    public static let declaration = Declaration(
        Member(optional: "before", \Self.before, .number),
        Member("limit", \Self.limit, .integer(Limits.journalPageCount), default: Limits.journalPageCountDefault),
        Member(optional: "kind", \Self.kind, .line(bytes: Limits.journalKindBytes)),
        Member(optional: "user", \Self.user, .userReference),
        make: Self.init)
}

/// The answer to `journal.list`.
public struct JournalPage: DeclaredObject, Equatable {
    /// The lines of this page.
    public var entries: [JournalLine]
    /// The `before` that asks for the next page. `nil` on the last page.
    public var nextBefore: Int64?

    public init(entries: [JournalLine], nextBefore: Int64?) {
        self.entries = entries
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("entries", \Self.entries, .objects()),
        Member(nullable: "next_before", \Self.nextBefore, .number),
        make: Self.init)
}

/// `journal.verify`: whether the journal still says what was written into it.
///
/// Source: Protocol/spec/permissions.md, "journal.verify".
public struct JournalVerify: FieldlessRequest {
    public typealias Response = JournalVerification
    public static let type = "journal.verify"
    public static let permission: Permission? = .journalRead

    public init() {}
}

/// The answer to `journal.verify`.
public struct JournalVerification: DeclaredObject, Equatable {
    /// How many lines were looked at.
    public var entryCount: Int64
    /// Whether every line that was checked is as it was written.
    public var isIntact: Bool
    /// The `id` of the first line that is not as it was written, if one can be named.
    public var firstFault: Int64?
    /// The fault, a word such as `altered`: one line of at most 512 bytes.
    public var reason: String?

    public init(entryCount: Int64, isIntact: Bool, firstFault: Int64? = nil, reason: String? = nil) {
        self.entryCount = entryCount
        self.isIntact = isIntact
        self.firstFault = firstFault
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member("entries", \Self.entryCount, .count),
        Member("intact", \Self.isIntact, .flag),
        Member(nullable: "first_fault", \Self.firstFault, .number),
        Member(nullable: "reason", \Self.reason, .line(bytes: Limits.errorMessageBytes)),
        make: Self.init)
}
