/// The kind of an error, in a word that never changes its meaning.
///
/// A server may know codes that this module does not; they arrive as `other` and are told apart by `text`.
///
/// Source: Protocol/spec/errors.md, "Codes".
public enum ErrorCode: Hashable, Sendable, CustomStringConvertible {
    // Text, status, retry and meaning of each case stand in its row of `table`.
    case helloRequired, helloRepeated
    case requestMalformed, requestTooDeep, requestInvalid, requestUnknown, requestRateLimited
    case requestOriginForbidden, requestHostUnknown, requestMediaType, requestAddressBanned
    case frameMalformed, frameUnknown
    case authRequired, authTokenInvalid, authTokenExpired, authCredentialsInvalid, authEmailInvalid, authEmailTaken
    case authPasswordUnusable, authRefreshInvalid, authAccountRequired, authRateLimited, authBusy
    case authUsernameRequired, authForbidden, authBanned, authReauthRequired, authProviderUnavailable
    case authProviderUnknown, authEmailRequired, authCodeInvalid, authRegistrationClosed, authTermsRequired
    case authInviteRequired, authApprovalPending, authRejected, registrationDecided, setupDone
    case appPasswordNotFound, appPasswordLimitReached
    case usernameInvalid, usernameTaken, usernameMismatch, usernameAlreadyChosen
    case userNotFound, userPrivate, userBlocked, userLimitReached, userLastAdmin
    case photoTypeUnsupported, photoTooLarge, photoTooManyPixels, photoDamaged, photoBusy
    case roomNotFound, roomForbidden, roomFull, roomLimitReached, roomNotJoined, roomClosed, roomLive
    case roomGuestsNotAllowed, roomBanned, roomApprovalPending, roomResyncLimited, roomShifted
    case transferNotFound, contentRefused
    case trackNotFound, trackInFolder, trackUnavailable, trackNoCover, trackNoLyrics, trackConversionFailed
    case albumNotFound, artistNotFound, genreNotFound, folderNotFound
    case trackNotApproved, trackNotInLibrary, likeLimitReached, privacyDenied
    case playerDeviceNotFound, playerQueueFull
    case playlistNotFound, playlistForbidden, playlistConflict, playlistFull, playlistLimitReached, playlistInvalidName
    case playlistSmart, playlistCollaboratorsFull, playlistUnreadable
    case scheduleNotFound, scheduleFull, scheduleZoneUnknown
    case replayNotFound, recordingNotFound, recordingOff
    case scrobbleNotFound, scrobbleLimitReached, serviceRefused, serviceUnreachable, serviceAddressForbidden
    case serviceUnavailable, webhookNotFound, webhookLimitReached
    case speakerNotFound, speakerTaken, speakerLimitReached
    case planNotFound, planLimitReached, quotaUploads, quotaBitRate
    case mediaTakenDown, shareNotFollowed, refusedContentNotFound
    case submissionNotFound, submissionDecided, submissionLimitReached
    case jobNotFound, jobEnded, jobUnended, jobLimitReached
    case uploadNotFound, uploadVersion, uploadOffsetConflict, uploadLocked, uploadTooLarge, uploadLimitReached
    case uploadChecksumMismatch, quotaExceeded, quotaServerFull, mediaUnsupported, mediaDamaged
    case inviteInvalid, inviteExpired, inviteUsedUp, inviteRevoked
    case hostSeatTaken, hostNotHost, hostAbsent, hostTimeout, hostRefused
    case chatTextInvalid, chatMuted, chatSlowMode, chatOff, chatNotFound, chatTooLate, chatRateLimited
    case historyTooLong
    case queueClosed, queueAccountRequired, queueTooNew, queueFull, queuePersonLimit, queueShare, queueDuplicate
    case queueCooldown, queueVotesFull, queueEntryNotFound, queueNotApproved, queueEmpty, queueTrackInvalid
    case reportNotFound, reportResolved
    case audioMalformed, audioWrongEpoch, audioLate, audioTooFast
    case serverDraining, serverBusy, serverInternal, serverStorageFailed, serverMaintenance
    /// A code of a newer revision. Treated like `server.internal`, but not to be retried.
    case other(String)

    /// Every code of this revision, in the order of the page.
    public static let known: [ErrorCode] = table.map(\.code)

    private static let byText = Dictionary(uniqueKeysWithValues: known.map { ($0.text, $0) })

    /// - Parameter text: The code as it stands in a message: two or more lower-case words joined by dots.
    /// - Returns: `nil` if it does not have that form or is longer than `Limits.errorCodeBytes`.
    public init?(_ text: String) {
        if let code = Self.byText[text] {
            self = code
            return
        }
        guard Limits.errorCodeBytes.contains(text.utf8.count) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isWord = { (part: Substring.UTF8View) in
            guard let first = part.first, 0x61...0x7A ~= first else { return false }
            return part.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") }
        }
        guard parts.count >= 2, parts.allSatisfy(isWord) else { return nil }
        self = .other(text)
    }

    /// The code as it stands in a message.
    public var text: String { row.text }
    /// The status of an HTTP answer that carries the code.
    public var httpStatus: Int { row.status }
    /// Whether the same request may succeed later without anything else being done.
    public var isRetryable: Bool { row.retry }
    /// A sentence for people, used where nobody knows a better one.
    public var meaning: String { row.meaning }
    /// The code as it stands in a message.
    public var description: String { text }
}
