extension Catalogue {
    /// Invites to make an account, and accounts that wait for approval.
    ///
    /// Source: Protocol/spec/registration.md.
    static let registration = Area(
        "registration",
        requests: [
            RegistrationInvites.self, RegistrationInviteCreate.self, RegistrationRevoke.self, RegistrationWaiting.self,
            RegistrationApprove.self, RegistrationReject.self,
        ])
}

extension Limits {
    /// Bytes of the code of a registration invite.
    public static let registrationCodeBytes = 1...64
    /// Bytes of what somebody who signs up tells the administrators.
    public static let introductionBytes = 0...1_000
    /// Bytes of what administrators note of an invite, and of why they reject an account.
    public static let registrationNoteBytes = 0...200
    /// Accounts that one invite can allow.
    public static let registrationUses: ClosedRange<Int64> = 1...100_000
    /// Seconds for which an invite can be good: from a minute to a year.
    public static let registrationSeconds: ClosedRange<Int64> = 60...31_536_000
    /// Seconds for which an invite is good if the request says nothing: a week.
    public static let registrationSecondsDefault = 604_800
    /// Invites that are good at a time.
    public static let registrationInvitesMax = 1_000
    /// Accounts that wait at a time.
    public static let registrationWaitingMax = 10_000
    /// The name of the feature in the welcome.
    public static let registrationFeature = "registration"
}

// MARK: - Objects

/// An invite to make an account.
///
/// Source: Protocol/spec/registration.md, "Registration invite".
public struct RegistrationInvite: DeclaredObject, Hashable {
    /// 1, 2, 3 and so on. The journal names an invite by it.
    public var id: Int64
    /// The code that the person who signs up shows. 1 to 64 bytes.
    public var code: String
    /// How many accounts it allows; `nil`: any number.
    public var maxUses: Int64?
    /// How many accounts were made with it.
    public var uses: Int64
    /// Milliseconds since 1970, UTC, as the next two.
    public var expiresMilliseconds: Int64
    public var createdMilliseconds: Int64
    /// `nil`: it was not revoked.
    public var revokedMilliseconds: Int64?
    /// One line of at most 200 bytes.
    public var note: String?
    /// Who made it; `nil` for the operator, and for accounts that are gone.
    public var by: UserID?

    public init(
        id: Int64, code: String, maxUses: Int64?, uses: Int64, expiresMilliseconds: Int64, createdMilliseconds: Int64,
        revokedMilliseconds: Int64?, note: String?, by: UserID?
    ) {
        self.id = id
        self.code = code
        self.maxUses = maxUses
        self.uses = uses
        self.expiresMilliseconds = expiresMilliseconds
        self.createdMilliseconds = createdMilliseconds
        self.revokedMilliseconds = revokedMilliseconds
        self.note = note
        self.by = by
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("code", \Self.code, .text(bytes: Limits.registrationCodeBytes)),
        Member(nullable: "max_uses", \Self.maxUses, .integer(Limits.registrationUses)),
        Member("uses", \Self.uses, .count),
        Member("expires_ms", \Self.expiresMilliseconds, .wallTime),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member(nullable: "revoked_ms", \Self.revokedMilliseconds, .wallTime),
        Member(nullable: "note", \Self.note, .line(bytes: Limits.registrationNoteBytes)),
        Member(nullable: "by", \Self.by, .userID),
        make: Self.init)
}

/// An account that waits for approval.
///
/// Source: Protocol/spec/registration.md, "registration.waiting".
public struct WaitingAccount: DeclaredObject, Hashable {
    public var user: User
    /// Milliseconds since 1970, UTC.
    public var sinceMilliseconds: Int64
    /// Whether somebody who reads the mail of the account's address has confirmed it.
    public var isEmailConfirmed: Bool
    /// What the person wrote for the administrators.
    public var introduction: String?

    public init(user: User, sinceMilliseconds: Int64, isEmailConfirmed: Bool, introduction: String?) {
        self.user = user
        self.sinceMilliseconds = sinceMilliseconds
        self.isEmailConfirmed = isEmailConfirmed
        self.introduction = introduction
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("since_ms", \Self.sinceMilliseconds, .wallTime),
        Member("email_confirmed", \Self.isEmailConfirmed, .flag),
        Member(nullable: "introduction", \Self.introduction, .text(bytes: Limits.introductionBytes)),
        make: Self.init)
}

// MARK: - Invites

/// `registration.invite`: makes an invite with which people can make accounts.
///
/// Source: Protocol/spec/registration.md, "registration.invite".
public struct RegistrationInviteCreate: DeclaredRequest {
    public typealias Response = RegistrationInviteResult
    public static let type = "registration.invite"
    public static let permission: Permission? = .registrationManage

    /// How many accounts it allows; `nil`: any number.
    public var maxUses: Int64?
    /// For how long it is good: a minute to a year.
    public var seconds: Int64
    /// One line of at most 200 bytes.
    public var note: String?

    public init(maxUses: Int64? = nil, seconds: Int64 = Int64(Limits.registrationSecondsDefault), note: String? = nil) {
        self.maxUses = maxUses
        self.seconds = seconds
        self.note = note
    }

    public static let declaration = Declaration(
        Member(optional: "max_uses", \Self.maxUses, .integer(Limits.registrationUses)),
        Member(
            "seconds", \Self.seconds, .integer(Limits.registrationSeconds),
            default: Int64(Limits.registrationSecondsDefault)),
        Member(optional: "note", \Self.note, .line(bytes: Limits.registrationNoteBytes)),
        make: Self.init)
}

/// The invite as it is now.
public struct RegistrationInviteResult: DeclaredObject, Equatable {
    public var invite: RegistrationInvite

    public init(invite: RegistrationInvite) { self.invite = invite }

    public static let declaration = Declaration(Member("invite", \Self.invite, .object), make: Self.init)
}

/// `registration.invites`: the invites that were made, the newest first.
///
/// Source: Protocol/spec/registration.md, "registration.invites".
public struct RegistrationInvites: DeclaredRequest {
    public typealias Response = RegistrationInvitePage
    public static let type = "registration.invites"
    public static let permission: Permission? = .registrationManage

    /// Only invites of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(before: Int64? = nil, limit: Int = Limits.userPageCountDefault) {
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "before", \Self.before, .number),
        Member("limit", \Self.limit, .integer(Limits.userPageCount), default: Limits.userPageCountDefault),
        make: Self.init)
}

/// The answer to `registration.invites`.
public struct RegistrationInvitePage: DeclaredObject, Equatable {
    public var invites: [RegistrationInvite]
    /// What to ask with as `before` for the page after; `nil` on the last page.
    public var nextBefore: Int64?

    public init(invites: [RegistrationInvite], nextBefore: Int64?) {
        self.invites = invites
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("invites", \Self.invites, .objects()),
        Member(nullable: "next_before", \Self.nextBefore, .number),
        make: Self.init)
}

/// `registration.revoke`: ends an invite. Accounts that were made with it stay.
///
/// Source: Protocol/spec/registration.md, "registration.revoke".
public struct RegistrationRevoke: DeclaredRequest {
    public typealias Response = RegistrationInviteResult
    public static let type = "registration.revoke"
    public static let permission: Permission? = .registrationManage

    public var id: Int64

    public init(id: Int64) { self.id = id }

    public static let declaration = Declaration(Member("id", \Self.id, .number), make: Self.init)
}

// MARK: - Approval

/// `registration.waiting`: accounts that wait for approval, those that wait for longest first.
///
/// Source: Protocol/spec/registration.md, "registration.waiting".
public struct RegistrationWaiting: PageRequest {
    public typealias Response = WaitingAccountPage
    public static let type = "registration.waiting"
    public static let permission: Permission? = .registrationManage

    public var limit: Int
    public var cursor: String?

    public init(limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// The answer to `registration.waiting`.
public struct WaitingAccountPage: DeclaredObject, Equatable {
    public var accounts: [WaitingAccount]
    /// How many wait, on all pages.
    public var count: Int
    public var nextCursor: String?

    public init(accounts: [WaitingAccount], count: Int, nextCursor: String?) {
        self.accounts = accounts
        self.count = count
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("accounts", \Self.accounts, .objects()),
        Member("count", \Self.count, .count),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `registration.approve`: lets an account that waits sign in.
///
/// Source: Protocol/spec/registration.md, "registration.approve".
public struct RegistrationApprove: UserRequest {
    public typealias Response = AdminUserResult
    public static let type = "registration.approve"
    public static let permission: Permission? = .registrationManage

    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `registration.reject`: refuses an account that waits. It is removed a week later.
///
/// Source: Protocol/spec/registration.md, "registration.reject".
public struct RegistrationReject: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "registration.reject"
    public static let permission: Permission? = .registrationManage

    public var user: UserReference
    /// One line of at most 200 bytes, which the person is told.
    public var reason: String?

    public init(user: UserReference, reason: String? = nil) {
        self.user = user
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member(optional: "reason", \Self.reason, .line(bytes: Limits.registrationNoteBytes)),
        make: Self.init)
}
