import SonaDatabase
import SonaEventLoop
import SonaModel
import SonaText
import SonaWire
import Testing

@testable import SonaServer

/// Conversion of the model's refusals into errors of the protocol.
struct WireErrorModelTests {
    /// Every kind of refusal, with the error that a client gets.
    private static let refusals: [(Refusal, WireError)] = server + signingIn + users + photos + rooms + chat

    private static let server: [(Refusal, WireError)] = [
        (.storage(DatabaseError(kind: .io, detail: "hidden", hint: "hidden")), error("server.storage_failed")),
        (.busy(retryAfterMilliseconds: 1_000), error("server.busy", retry: 1_000)),
        (.tooMany(retryAfterMilliseconds: 20), error("request.rate_limited", retry: 20)),
        (.invalid, error("request.invalid")),
    ]

    private static let signingIn: [(Refusal, WireError)] = [
        (.emailInvalid, error("auth.email_invalid")),
        (.emailTaken, error("auth.email_taken")),
        (.emailRequired, error("auth.email_required")),
        (.passwordUnusable, error("auth.password_unusable")),
        (.credentialsInvalid, error("auth.credentials_invalid")),
        (.refreshInvalid, error("auth.refresh_invalid")),
        (.tokenInvalid, error("auth.token_invalid")),
        (.tokenExpired, error("auth.token_expired")),
        (.codeInvalid, error("auth.code_invalid")),
        (.reauthenticationRequired, error("auth.reauth_required")),
        (.providerUnknown, error("auth.provider_unknown")),
        (.providerUnavailable, error("auth.provider_unavailable")),
        (.accountRequired, error("auth.account_required")),
        (.banned(retryAfterMilliseconds: 60_000), error("auth.banned", retry: 60_000)),
        (.banned(retryAfterMilliseconds: nil), error("auth.banned")),
        (.forbidden(Permission.usersBan), error("auth.forbidden", permission: "users.ban")),
        (.rateLimited(retryAfterMilliseconds: 3), error("auth.rate_limited", retry: 3)),
        (.hashingBusy(retryAfterMilliseconds: 250), error("auth.busy", retry: 250)),
    ]

    private static let users: [(Refusal, WireError)] = [
        (.usernameInvalid(.reserved), error("username.invalid", "\(UsernameError.reserved)")),
        (
            .usernameInvalid(.tooShort(minimum: 3)),
            error("username.invalid", "\(UsernameError.tooShort(minimum: 3))")
        ),
        (.usernameTaken, error("username.taken")),
        (.usernameMismatch, error("username.mismatch")),
        (.usernameAlreadyChosen, error("username.already_chosen")),
        (
            .displayNameInvalid,
            error("request.invalid", Refusal.displayNameInvalid.message, field: "data.display_name")
        ),
        (.bioInvalid, error("request.invalid", Refusal.bioInvalid.message, field: "data.bio")),
        (.userUnknown, error("user.not_found")),
        (.oneself, error("request.invalid", "You can't do that to your own account.", field: "data.user")),
        (.lastAdmin, error("user.last_admin")),
        (.userPrivate, error("user.private")),
        (.userBlocked, error("user.blocked")),
        (.peopleLimitReached, error("user.limit_reached")),
    ]

    private static let photos: [(Refusal, WireError)] = [
        (.refused(.photoDamaged), error("photo.damaged")),
        (.busy(.photoBusy, retryAfterMilliseconds: 5_000), error("photo.busy", retry: 5_000)),
    ]

    private static let rooms: [(Refusal, WireError)] = [
        (.roomUnknown, error("room.not_found")),
        (.roomClosed, error("room.closed")),
        (.limitReached, error("room.limit_reached")),
        (.ownerUnknown, error("auth.account_required")),
        (.titleInvalid, error("request.invalid", Refusal.titleInvalid.message, field: "data.title")),
        (.guestsNotAllowed, error("room.guests_not_allowed")),
        (.inviteInvalid, error("invite.invalid")),
        (.inviteExpired, error("invite.expired")),
        (.inviteUsedUp, error("invite.used_up")),
        (.inviteRevoked, error("invite.revoked")),
        (.forbidden(Capability.moderate), error("room.forbidden", permission: "moderate")),
        (.forbidden(Capability?.none), error("room.forbidden")),
        (.banned(untilMilliseconds: nil, reason: nil), error("room.banned")),
        (.banned(untilMilliseconds: nil, reason: "Noise."), error("room.banned", "Noise.")),
    ]

    private static let chat: [(Refusal, WireError)] = [
        (.chatOff, error("chat.off")),
        (.messageUnknown, error("chat.not_found")),
        (.notAuthor, error("room.forbidden")),
        (.messageTooOld, error("chat.too_late")),
        (.muted(untilMilliseconds: nil), error("chat.muted")),
        (.textInvalid(.empty), error("chat.text_invalid", field: "data.text")),
        (.textInvalid(.controlCharacter(at: 3)), error("chat.text_invalid", field: "data.text")),
    ]

    private static func error(
        _ code: String, _ message: String? = nil, field: String? = nil, permission: String? = nil, retry: Int? = nil
    ) -> WireError {
        WireError(
            ErrorCode(code) ?? .other(code), message, field: field, permission: permission,
            retryAfterMilliseconds: retry)
    }

    @Test func `every refusal becomes the error of its code, with its field, permission and retry time`() {
        for (refusal, expected) in Self.refusals { #expect(WireError(refusal) == expected, "\(expected)") }
    }

    /// SQLite's texts may contain users' data.
    @Test func `a client sees neither the database's error nor the problem of a chat text`() {
        let storage = Refusal.storage(DatabaseError(kind: .io, detail: "hidden", hint: "hidden"))
        let text = Refusal.textInvalid(.tooLong(maximum: 500))
        #expect(storage.cause != nil && text.textProblem != nil)
        for refusal in [storage, text] {
            let error = WireError(refusal)
            #expect(error.message == WireError(refusal.code).message)
            #expect(!"\(error)".contains("hidden"))
        }
    }

    /// Goal: an end becomes the time that is left at the moment of the conversion. Way: the wall clock before and after
    /// gives the bounds.
    @Test(arguments: [
        Refusal.banned(untilMilliseconds: 1, reason: "Noise."), .muted(untilMilliseconds: 1),
    ])
    func `a ban or mute with an end gets the milliseconds that are left as its retry time`(refusal: Refusal) throws {
        var refusal = refusal
        let before = MonotonicClock.wallMilliseconds()
        let until = before + 90_000
        refusal.untilMilliseconds = until
        let left = try #require(WireError(refusal).retryAfterMilliseconds)
        let after = MonotonicClock.wallMilliseconds()
        #expect(Int(until - after)...Int(until - before) ~= left)
        #expect(WireError(refusal).message == refusal.message ?? WireError(refusal.code).message)
    }

    @Test func `the retry time is 0 after the end, and the longest one does not overflow`() {
        #expect(WireError(Refusal.muted(untilMilliseconds: 0)).retryAfterMilliseconds == 0)
        #expect(WireError(Refusal.banned(untilMilliseconds: 0, reason: nil)).retryAfterMilliseconds == 0)
        #expect(WireError(Refusal.banned(retryAfterMilliseconds: .max)).retryAfterMilliseconds == .max)
    }

    @Test func `an end counts before a retry time`() {
        var refusal = Refusal.muted(untilMilliseconds: 0)
        refusal.retryAfterMilliseconds = 5_000
        #expect(WireError(refusal).retryAfterMilliseconds == 0)
    }

    @Test func `errors of the protocol pass unchanged, and any other error becomes server.internal`() {
        let own = WireError(.roomLive, "Own.", field: "data.x", permission: "p", retryAfterMilliseconds: 7)
        #expect(WireError(own as any Error) == own)
        #expect(WireError(Refusal.roomClosed as any Error) == WireError(.roomClosed))
        #expect(WireError(DatabaseError(kind: .io, detail: "hidden") as any Error) == WireError(.serverInternal))
        #expect(WireError(CancellationError()) == WireError(.serverInternal))
    }
}
