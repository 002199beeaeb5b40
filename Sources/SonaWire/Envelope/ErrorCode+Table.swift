/// The table behind `ErrorCode`: one row a code, in the order of the page. Everything else about codes derives from it.
///
/// Source: Protocol/spec/errors.md, "Codes".
extension ErrorCode {
    /// The facts about one code.
    struct Row: Sendable {
        let code: ErrorCode
        /// The code as it stands in a message.
        let text: String
        /// The status of an HTTP answer that carries the code.
        let status: Int
        /// Whether the same request may succeed later without anything else being done.
        let retry: Bool
        /// A sentence for people.
        let meaning: String

        init(_ code: ErrorCode, _ text: String, _ status: Int, retry: Bool = false, _ meaning: String) {
            self.code = code
            self.text = text
            self.status = status
            self.retry = retry
            self.meaning = meaning
        }
    }

    private static let rows = Dictionary(uniqueKeysWithValues: table.map { ($0.code, $0) })

    /// The code's row. A code of a newer revision is not in the table and gets a row of its own.
    var row: Row {
        if let row = Self.rows[self] { return row }
        guard case .other(let text) = self else { preconditionFailure("Every code of this revision has a row.") }
        return Row(self, text, 500, "The server reports \(text).")
    }

    static let table: [Row] = [
        Row(.helloRequired, "hello.required", 400, "The first message must be hello."),
        Row(.helloRepeated, "hello.repeated", 409, "This connection has said hello before."),
        Row(.requestMalformed, "request.malformed", 400, "The message is not a request."),
        Row(.requestTooDeep, "request.too_deep", 400, "The message is nested too deeply."),
        Row(.requestInvalid, "request.invalid", 400, "A field is missing or has an unusable value."),
        Row(.requestUnknown, "request.unknown", 404, "There is no request of this type."),
        Row(.requestRateLimited, "request.rate_limited", 429, retry: true, "Too many requests in a short time."),
        Row(
            .requestOriginForbidden, "request.origin_forbidden", 403,
            "Pages of another origin may not ask this server."),
        Row(.requestHostUnknown, "request.host_unknown", 421, "The server does not answer for this host."),
        Row(.requestMediaType, "request.media_type", 415, "The body must be application/json."),
        Row(
            .requestAddressBanned, "request.address_banned", 403, "The server answers nobody at this network address."),
        Row(.frameMalformed, "frame.malformed", 400, "The binary message does not have the form of its type."),
        Row(.frameUnknown, "frame.unknown", 400, "There is no binary message of this type here."),
        Row(.authRequired, "auth.required", 401, "Sign in first."),
        Row(.authTokenInvalid, "auth.token_invalid", 401, "The access token is not valid."),
        Row(.authTokenExpired, "auth.token_expired", 401, "The access token has expired."),
        Row(.authCredentialsInvalid, "auth.credentials_invalid", 401, "The e-mail address or the password is wrong."),
        Row(.authEmailInvalid, "auth.email_invalid", 422, "This is not an e-mail address."),
        Row(.authEmailTaken, "auth.email_taken", 409, "An account with this e-mail address exists."),
        Row(.authPasswordUnusable, "auth.password_unusable", 422, "A password has 8 to 128 characters."),
        Row(.authRefreshInvalid, "auth.refresh_invalid", 401, "The refresh token is not valid any more."),
        Row(.authAccountRequired, "auth.account_required", 403, "Guests cannot do this."),
        Row(.authRateLimited, "auth.rate_limited", 429, retry: true, "Too many attempts to sign in."),
        Row(.authBusy, "auth.busy", 503, retry: true, "Too many people are signing in just now."),
        Row(.authUsernameRequired, "auth.username_required", 403, "Choose a username first."),
        Row(.authForbidden, "auth.forbidden", 403, "Your role does not allow this."),
        Row(.authBanned, "auth.banned", 403, "This account has been banned."),
        Row(
            .authReauthRequired, "auth.reauth_required", 403,
            "Prove who you are again: the last time is more than five minutes ago."),
        Row(
            .authProviderUnavailable, "auth.provider_unavailable", 503, retry: true,
            "The provider of the sign-in cannot be reached."),
        Row(.authProviderUnknown, "auth.provider_unknown", 422, "The server takes no sign-ins from this provider."),
        Row(.authEmailRequired, "auth.email_required", 409, "The account has no e-mail address."),
        Row(.authCodeInvalid, "auth.code_invalid", 422, "The code is invalid, used or expired."),
        Row(.authRegistrationClosed, "auth.registration_closed", 403, "This server takes no new accounts."),
        Row(.authTermsRequired, "auth.terms_required", 403, "Accept the terms of this server first."),
        Row(.authInviteRequired, "auth.invite_required", 403, "This server takes new accounts by invite only."),
        Row(.authApprovalPending, "auth.approval_pending", 403, "An administrator has to approve this account first."),
        Row(.authRejected, "auth.rejected", 403, "An administrator has rejected this account."),
        Row(.registrationDecided, "registration.decided", 409, "This account does not wait for approval."),
        Row(.setupDone, "setup.done", 409, "This server has an administrator already."),
        Row(.appPasswordNotFound, "app_password.not_found", 404, "There is no such app password."),
        Row(.appPasswordLimitReached, "app_password.limit_reached", 409, "You have as many app passwords as you may."),
        Row(
            .usernameInvalid, "username.invalid", 422,
            "A username has 3 to 24 letters, digits, dots, hyphens and underscores, a letter or digit first; "
                + "some are reserved."),
        Row(.usernameTaken, "username.taken", 409, "Somebody has this username, or one that looks like it."),
        Row(.usernameMismatch, "username.mismatch", 409, "This is not your current username."),
        Row(.usernameAlreadyChosen, "username.already_chosen", 409, "You have chosen a username before."),
        Row(.userNotFound, "user.not_found", 404, "There is no such user."),
        Row(.userPrivate, "user.private", 403, "The profile is private."),
        Row(.userBlocked, "user.blocked", 409, "You have blocked this user: unblock them first."),
        Row(.userLimitReached, "user.limit_reached", 409, "You follow or have blocked as many users as you may."),
        Row(.userLastAdmin, "user.last_admin", 409, "This is the last administrator: make another one first."),
        Row(.photoTypeUnsupported, "photo.type_unsupported", 415, "A photo is a PNG, JPEG or WebP image."),
        Row(.photoTooLarge, "photo.too_large", 413, "A photo has at most 5 MiB."),
        Row(.photoTooManyPixels, "photo.too_many_pixels", 422, "The image has too many pixels."),
        Row(.photoDamaged, "photo.damaged", 422, "The image is damaged."),
        Row(.photoBusy, "photo.busy", 503, retry: true, "Too many photos are being worked on just now."),
        Row(.roomNotFound, "room.not_found", 404, "There is no such room."),
        Row(.roomForbidden, "room.forbidden", 403, "This is not allowed in this room."),
        Row(.roomFull, "room.full", 409, "The room is full."),
        Row(.roomLimitReached, "room.limit_reached", 409, "The account or the room has reached its limit."),
        Row(.roomNotJoined, "room.not_joined", 409, "Join the room first."),
        Row(.roomClosed, "room.closed", 410, "The room has been closed."),
        Row(.roomLive, "room.live", 409, "This cannot be changed while the room is live."),
        Row(.roomGuestsNotAllowed, "room.guests_not_allowed", 403, "Guests may not enter this room: sign in."),
        Row(.roomBanned, "room.banned", 403, "You have been banned from this room."),
        Row(.roomApprovalPending, "room.approval_pending", 409, "Wait: somebody inside has to let you in."),
        Row(
            .roomResyncLimited, "room.resync_limited", 429, retry: true,
            "Entering the same room again is possible every five seconds."),
        Row(
            .roomShifted, "room.shifted", 409,
            "Who hears the room later than others do, does not vote on what plays."),
        Row(.contentRefused, "content.refused", 422, "The text has a word that this server does not take."),
        Row(.transferNotFound, "transfer.not_found", 404, "There is no such offer of a room."),
        Row(.trackNotFound, "track.not_found", 404, "There is no such track."),
        Row(.trackInFolder, "track.in_folder", 409, "Tracks of the server's folders can't be removed here."),
        Row(.trackUnavailable, "track.unavailable", 410, "The file of the track is not there just now."),
        Row(.trackNoLyrics, "track.no_lyrics", 404, "The words of this track are not known."),
        Row(.trackNoCover, "track.no_cover", 404, "The track has no cover."),
        Row(
            .trackConversionFailed, "track.conversion_failed", 422,
            "The sound of the track can't be made into what was asked for."),
        Row(.albumNotFound, "album.not_found", 404, "There is no such album."),
        Row(.artistNotFound, "artist.not_found", 404, "There is no such artist."),
        Row(.genreNotFound, "genre.not_found", 404, "There is no such genre."),
        Row(.folderNotFound, "folder.not_found", 404, "There is no such music folder."),
        Row(.trackNotApproved, "track.not_approved", 409, "The track has not been approved."),
        Row(.trackNotInLibrary, "track.not_in_library", 409, "What the room plays is not a track of the library."),
        Row(.likeLimitReached, "like.limit_reached", 409, "The account has liked or rated as much as it may."),
        Row(.playerDeviceNotFound, "player.device_not_found", 404, "This device is not there."),
        Row(.playerQueueFull, "player.queue_full", 409, "The queue has as many tracks as it may."),
        Row(.playlistNotFound, "playlist.not_found", 404, "There is no such playlist."),
        Row(.playlistForbidden, "playlist.forbidden", 403, "Only the owner of this playlist may do that."),
        Row(
            .playlistConflict, "playlist.conflict", 409,
            "The playlist has changed meanwhile: get it again, then repeat the request."),
        Row(.playlistFull, "playlist.full", 409, "A playlist has at most 10 000 entries."),
        Row(.playlistLimitReached, "playlist.limit_reached", 409, "You have as many playlists as you may."),
        Row(
            .playlistInvalidName, "playlist.invalid_name", 422, "The title of a playlist is one line of 1 to 100 bytes."
        ),
        Row(.playlistSmart, "playlist.smart", 409, "A smart playlist is made by its rule, another one has none."),
        Row(
            .playlistCollaboratorsFull, "playlist.collaborators_full", 409,
            "As many people as may be edit this playlist already."),
        Row(.playlistUnreadable, "playlist.unreadable", 422, "The file is no playlist in this format."),
        Row(.privacyDenied, "privacy.denied", 403, "Not everybody who was named allows that."),
        Row(.scheduleNotFound, "schedule.not_found", 404, "There is no such slot."),
        Row(.scheduleFull, "schedule.full", 409, "A schedule has at most 200 slots."),
        Row(.scheduleZoneUnknown, "schedule.zone_unknown", 422, "The server knows no such time zone."),
        Row(.replayNotFound, "replay.not_found", 404, "There is no such replay."),
        Row(.recordingNotFound, "recording.not_found", 404, "There is no such recording."),
        Row(.recordingOff, "recording.off", 409, "Nothing is recorded here."),
        Row(.scrobbleNotFound, "scrobble.not_found", 404, "There is no such connection to a service."),
        Row(.scrobbleLimitReached, "scrobble.limit_reached", 409, "An account connects at most five services."),
        Row(.serviceRefused, "service.refused", 422, "The service does not accept this."),
        Row(.serviceUnreachable, "service.unreachable", 502, retry: true, "The service does not answer as it should."),
        Row(
            .serviceAddressForbidden, "service.address_forbidden", 403,
            "This server does not connect to that address."),
        Row(.serviceUnavailable, "service.unavailable", 409, "This server does not work with that service."),
        Row(.webhookNotFound, "webhook.not_found", 404, "There is no such webhook."),
        Row(.webhookLimitReached, "webhook.limit_reached", 409, "There are as many webhooks as there may be."),
        Row(.speakerNotFound, "speaker.not_found", 404, "The room has no such speaker."),
        Row(.speakerTaken, "speaker.taken", 409, "Another room has this speaker."),
        Row(.speakerLimitReached, "speaker.limit_reached", 409, "The room has as many speakers as it may."),
        Row(.planNotFound, "plan.not_found", 404, "There is no such plan."),
        Row(.planLimitReached, "plan.limit_reached", 409, "The server has as many plans as it may."),
        Row(.quotaUploads, "quota.uploads", 429, retry: true, "You have uploaded as many files today as you may."),
        Row(.quotaBitRate, "quota.bit_rate", 429, retry: true, "You send more sound a second than you may."),
        Row(.mediaTakenDown, "media.taken_down", 451, "This file was taken down here, and is not taken again."),
        Row(.refusedContentNotFound, "content.not_found", 404, "There is no such refused content."),
        Row(.shareNotFollowed, "share.not_followed", 403, "You can share with people who follow you."),
        Row(.submissionNotFound, "submission.not_found", 404, "There is no such submission."),
        Row(.submissionDecided, "submission.already_decided", 409, "Somebody has decided that already."),
        Row(
            .submissionLimitReached, "submission.limit_reached", 429, retry: true,
            "As many of your tracks wait for a decision as may."),
        Row(.jobNotFound, "job.not_found", 404, "There is no such job."),
        Row(.jobEnded, "job.ended", 409, "The job has ended already."),
        Row(
            .jobUnended, "job.unended", 409,
            "The job did not fail and was not cancelled, or the same work waits again already."),
        Row(
            .jobLimitReached, "job.limit_reached", 429, retry: true,
            "As much work as the account may ask for is waiting already."),
        Row(.uploadNotFound, "upload.not_found", 404, "There is no such upload, or it has expired."),
        Row(.uploadVersion, "upload.version", 412, "Uploads here speak tus 1.0.0: say so in Tus-Resumable."),
        Row(.uploadOffsetConflict, "upload.offset_conflict", 409, "The server has another part of the upload."),
        Row(.uploadLocked, "upload.locked", 423, retry: true, "Another request is sending to this upload."),
        Row(.uploadTooLarge, "upload.too_large", 413, "The file is larger than the server takes."),
        Row(.uploadLimitReached, "upload.limit_reached", 409, "You have as many uploads under way as you may."),
        Row(.uploadChecksumMismatch, "upload.checksum_mismatch", 460, "The bytes are not those of the checksum."),
        Row(.quotaExceeded, "quota.exceeded", 413, "You have no space left for this upload."),
        Row(.quotaServerFull, "quota.server_full", 507, "The server has no space left for this upload."),
        Row(.mediaUnsupported, "media.unsupported", 415, "The file is no music of a kind that the server knows."),
        Row(.mediaDamaged, "media.damaged", 422, "The file can't be read: it is damaged."),
        Row(.inviteInvalid, "invite.invalid", 403, "This is not an invite to this room."),
        Row(.inviteExpired, "invite.expired", 410, "The invite has expired."),
        Row(.inviteUsedUp, "invite.used_up", 410, "The invite has been used as often as it may be."),
        Row(.inviteRevoked, "invite.revoked", 410, "The invite has been taken back."),
        Row(.hostSeatTaken, "host.seat_taken", 409, "Somebody else is the host."),
        Row(.hostNotHost, "host.not_host", 403, "Only the host can do this."),
        Row(.hostAbsent, "host.absent", 409, "The room has no host at the moment."),
        Row(.hostTimeout, "host.timeout", 504, retry: true, "The host did not answer in time."),
        Row(.hostRefused, "host.refused", 409, "The host cannot do this."),
        Row(
            .chatTextInvalid, "chat.text_invalid", 422,
            "A message has 1 to 500 characters, at most ten line breaks, and no control characters."),
        Row(.chatMuted, "chat.muted", 403, "You have been muted."),
        Row(.chatSlowMode, "chat.slow_mode", 429, retry: true, "The room is in slow mode."),
        Row(.chatOff, "chat.off", 403, "The chat of this room is off."),
        Row(.chatNotFound, "chat.not_found", 404, "There is no such message."),
        Row(.chatTooLate, "chat.too_late", 409, "The message is too old to be edited."),
        Row(.chatRateLimited, "chat.rate_limited", 429, retry: true, "Too many messages in a short time."),
        Row(.historyTooLong, "history.too_long", 413, "This is too long for one answer: ask for a shorter time."),
        Row(.queueClosed, "queue.closed", 403, "The room does not accept this from you."),
        Row(.queueAccountRequired, "queue.account_required", 403, "The room accepts this from accounts only."),
        Row(.queueTooNew, "queue.too_new", 403, retry: true, "You have not been here for long enough."),
        Row(.queueFull, "queue.full", 409, "The queue is full."),
        Row(.queuePersonLimit, "queue.person_limit", 409, "You have as many waiting tracks as the room allows."),
        Row(.queueShare, "queue.share", 409, "Enough of the recent tracks were yours."),
        Row(.queueDuplicate, "queue.duplicate", 409, "The track is already waiting or playing."),
        Row(.queueCooldown, "queue.cooldown", 409, retry: true, "The track was played a short time ago."),
        Row(.queueVotesFull, "queue.votes_full", 409, "The queue has no room for more votes."),
        Row(.queueEntryNotFound, "queue.entry_not_found", 404, "There is no such entry in that list."),
        Row(.queueNotApproved, "queue.not_approved", 409, "The entry still has to be approved."),
        Row(.queueEmpty, "queue.empty", 409, "There is no track to change to."),
        Row(
            .queueTrackInvalid, "queue.track_invalid", 422,
            "Nothing identifies the track, or its source is invalid."),
        Row(.reportNotFound, "report.not_found", 404, "There is no such report."),
        Row(.reportResolved, "report.resolved", 409, "Somebody has decided this report already."),
        Row(.audioMalformed, "audio.malformed", 400, "This is not an Opus packet, or it does not match its header."),
        Row(.audioWrongEpoch, "audio.wrong_epoch", 409, "The packet belongs to another epoch."),
        Row(.audioLate, "audio.late", 408, "The packet came too late to be heard."),
        Row(.audioTooFast, "audio.too_fast", 429, "Audio comes faster than it sounds."),
        Row(.serverDraining, "server.draining", 503, retry: true, "The server is about to stop."),
        Row(.serverBusy, "server.busy", 503, retry: true, "The server has too much to do."),
        Row(.serverInternal, "server.internal", 500, retry: true, "The server made a mistake."),
        Row(.serverStorageFailed, "server.storage_failed", 503, retry: true, "The server could not store this."),
        Row(
            .serverMaintenance, "server.maintenance", 503, retry: true,
            "The server is being worked on. Try again later."),
    ]
}
