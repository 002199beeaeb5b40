/// The table behind `ErrorCode`: text, HTTP status, whether to retry, and a sentence.
///
/// Source: Protocol/spec/errors.md, "Codes".
extension ErrorCode {
    struct Row {
        var text: String
        var status: Int
        var retry: Bool
        var meaning: String

        init(_ text: String, _ status: Int, retry: Bool = false, _ meaning: String) {
            self.text = text
            self.status = status
            self.retry = retry
            self.meaning = meaning
        }
    }

    var row: Row {
        switch self {
        case .helloRequired: Row("hello.required", 400, "The first message must be hello.")
        case .helloRepeated: Row("hello.repeated", 409, "This connection has said hello before.")
        case .requestMalformed: Row("request.malformed", 400, "The message is not a request.")
        case .requestTooDeep: Row("request.too_deep", 400, "The message is nested too deeply.")
        case .requestInvalid: Row("request.invalid", 400, "A field is missing or has an unusable value.")
        case .requestUnknown: Row("request.unknown", 404, "There is no request of this type.")
        case .requestRateLimited: Row("request.rate_limited", 429, retry: true, "Too many requests in a short time.")
        case .requestOriginForbidden:
            Row("request.origin_forbidden", 403, "Pages of another origin may not ask this server.")
        case .requestHostUnknown: Row("request.host_unknown", 421, "The server does not answer for this host.")
        case .requestMediaType: Row("request.media_type", 415, "The body must be application/json.")
        case .frameMalformed: Row("frame.malformed", 400, "The binary message does not have the form of its type.")
        case .frameUnknown: Row("frame.unknown", 400, "There is no binary message of this type here.")
        case .authRequired: Row("auth.required", 401, "Sign in first.")
        case .authTokenInvalid: Row("auth.token_invalid", 401, "The access token is not valid.")
        case .authTokenExpired: Row("auth.token_expired", 401, "The access token has expired.")
        case .authCredentialsInvalid:
            Row(
                "auth.credentials_invalid", 401,
                "The e-mail address or the password is wrong.")
        case .authEmailInvalid: Row("auth.email_invalid", 422, "This is not an e-mail address.")
        case .authEmailTaken: Row("auth.email_taken", 409, "An account with this e-mail address exists.")
        case .authPasswordUnusable: Row("auth.password_unusable", 422, "A password has 8 to 128 characters.")
        case .authRefreshInvalid: Row("auth.refresh_invalid", 401, "The refresh token is not valid any more.")
        case .authAccountRequired: Row("auth.account_required", 403, "Guests cannot do this.")
        case .authRateLimited: Row("auth.rate_limited", 429, retry: true, "Too many attempts to sign in.")
        case .authBusy: Row("auth.busy", 503, retry: true, "Too many people are signing in just now.")
        case .authUsernameRequired: Row("auth.username_required", 403, "Choose a username first.")
        case .authForbidden: Row("auth.forbidden", 403, "Your role does not allow this.")
        case .authBanned: Row("auth.banned", 403, "This account has been banned.")
        case .authReauthRequired:
            Row(
                "auth.reauth_required", 403,
                "Prove who you are again: the last time is more than five minutes ago.")
        case .authProviderUnavailable:
            Row("auth.provider_unavailable", 503, retry: true, "The provider of the sign-in cannot be reached.")
        case .authProviderUnknown: Row("auth.provider_unknown", 422, "Nobody signs in here with this provider.")
        case .authEmailRequired: Row("auth.email_required", 409, "The account has no e-mail address.")
        case .authCodeInvalid: Row("auth.code_invalid", 422, "The code is not valid, or not any more.")
        case .usernameInvalid:
            Row(
                "username.invalid", 422,
                "A username has 3 to 24 letters, digits, dots, hyphens and underscores, a letter or digit first; "
                    + "some are reserved.")
        case .usernameTaken: Row("username.taken", 409, "Somebody has this username, or one that looks like it.")
        case .usernameMismatch: Row("username.mismatch", 409, "This is not your current username.")
        case .usernameAlreadyChosen: Row("username.already_chosen", 409, "You have chosen a username before.")
        case .userNotFound: Row("user.not_found", 404, "There is no such user.")
        case .userPrivate: Row("user.private", 403, "The profile is private.")
        case .userBlocked: Row("user.blocked", 409, "You have blocked this user: unblock them first.")
        case .userLimitReached: Row("user.limit_reached", 409, "No more users fit into this list.")
        case .userLastAdmin: Row("user.last_admin", 409, "This is the last administrator: make another one first.")
        case .photoTypeUnsupported: Row("photo.type_unsupported", 415, "A photo is a PNG, JPEG or WebP image.")
        case .photoTooLarge: Row("photo.too_large", 413, "A photo has at most 5 MiB.")
        case .photoTooManyPixels: Row("photo.too_many_pixels", 422, "The image has too many pixels.")
        case .photoDamaged: Row("photo.damaged", 422, "The image is damaged.")
        case .photoBusy: Row("photo.busy", 503, retry: true, "Too many photos are being worked on just now.")
        case .roomNotFound: Row("room.not_found", 404, "There is no such room.")
        case .roomForbidden: Row("room.forbidden", 403, "This is not allowed in this room.")
        case .roomFull: Row("room.full", 409, "The room is full.")
        case .roomLimitReached: Row("room.limit_reached", 409, "No more rooms can be made.")
        case .roomNotJoined: Row("room.not_joined", 409, "Join the room first.")
        case .roomClosed: Row("room.closed", 410, "The room has been closed.")
        case .roomLive: Row("room.live", 409, "Not while the room plays.")
        case .roomGuestsNotAllowed:
            Row("room.guests_not_allowed", 403, "Guests may not enter this room: sign in.")
        case .roomBanned: Row("room.banned", 403, "You have been banned from this room.")
        case .roomApprovalPending: Row("room.approval_pending", 409, "Wait: somebody inside has to let you in.")
        case .roomResyncLimited:
            Row("room.resync_limited", 429, retry: true, "Entering the same room again is possible every five seconds.")
        case .inviteInvalid: Row("invite.invalid", 403, "This is not an invite to this room.")
        case .inviteExpired: Row("invite.expired", 410, "The invite has expired.")
        case .inviteUsedUp: Row("invite.used_up", 410, "The invite has been used as often as it may be.")
        case .inviteRevoked: Row("invite.revoked", 410, "The invite has been taken back.")
        case .hostSeatTaken: Row("host.seat_taken", 409, "Somebody else is the host.")
        case .hostNotHost: Row("host.not_host", 403, "Only the host can do this.")
        case .hostAbsent: Row("host.absent", 409, "The room has no host at the moment.")
        case .hostTimeout: Row("host.timeout", 504, retry: true, "The host did not answer in time.")
        case .hostRefused: Row("host.refused", 409, "The host cannot do this.")
        case .chatTextInvalid:
            Row(
                "chat.text_invalid", 422,
                "A message has 1 to 500 characters, at most ten line breaks, and no control characters.")
        case .chatMuted: Row("chat.muted", 403, "You have been muted.")
        case .chatSlowMode: Row("chat.slow_mode", 429, retry: true, "The room is in slow mode.")
        case .chatOff: Row("chat.off", 403, "The chat of this room is off.")
        case .chatNotFound: Row("chat.not_found", 404, "There is no such message.")
        case .chatTooLate: Row("chat.too_late", 409, "The message is too old to be edited.")
        case .chatRateLimited: Row("chat.rate_limited", 429, retry: true, "Too many messages in a short time.")
        case .historyTooLong: Row("history.too_long", 413, "This is too long for one answer: ask for a shorter time.")
        case .queueClosed: Row("queue.closed", 403, "The room does not take this from you.")
        case .queueAccountRequired: Row("queue.account_required", 403, "The room takes this from accounts only.")
        case .queueTooNew: Row("queue.too_new", 403, retry: true, "You have not been here for long enough.")
        case .queueFull: Row("queue.full", 409, "The queue is full.")
        case .queuePersonLimit: Row("queue.person_limit", 409, "As many of your tracks wait as may.")
        case .queueShare: Row("queue.share", 409, "Of what was played lately, enough was yours.")
        case .queueDuplicate: Row("queue.duplicate", 409, "The track waits already, or plays.")
        case .queueCooldown: Row("queue.cooldown", 409, retry: true, "The track was played a short time ago.")
        case .queueVotesFull: Row("queue.votes_full", 409, "There are as many votes as the queue remembers.")
        case .queueEntryNotFound: Row("queue.entry_not_found", 404, "There is no such entry there.")
        case .queueNotApproved: Row("queue.not_approved", 409, "The entry has still to be approved.")
        case .queueEmpty: Row("queue.empty", 409, "There is nothing to go on to.")
        case .queueTrackInvalid:
            Row("queue.track_invalid", 422, "There is nothing to tell the track by, or its source is none.")
        case .audioMalformed:
            Row(
                "audio.malformed", 400,
                "This is not an Opus packet, or it does not match its header.")
        case .audioWrongEpoch: Row("audio.wrong_epoch", 409, "The packet belongs to another epoch.")
        case .audioLate: Row("audio.late", 408, "The packet came too late to be heard.")
        case .audioTooFast: Row("audio.too_fast", 429, "Audio comes faster than it sounds.")
        case .serverDraining: Row("server.draining", 503, retry: true, "The server is about to stop.")
        case .serverBusy: Row("server.busy", 503, retry: true, "The server has too much to do.")
        case .serverInternal: Row("server.internal", 500, retry: true, "The server made a mistake.")
        case .serverStorageFailed: Row("server.storage_failed", 503, retry: true, "The server could not store this.")
        case .other(let text): Row(text, 500, "The server reports \(text).")
        }
    }
}
