internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

extension Failure {
    /// The failure of a server, or of the way to it.
    init(_ error: ClientError) {
        var sentence = error.description
        if case .refused(let refusal) = error.kind, let hint = Self.hint(refusal) { sentence += " " + hint }
        self.init(Self.exitCode(error), Console.printable(sentence))
    }

    /// The exit code for an error. Errors that only requests of this program can get are mapped here; all others as
    /// `ClientError` maps them.
    private static func exitCode(_ error: ClientError) -> Int32 {
        switch error.code {
        case .requestInvalid, .usernameInvalid, .authEmailInvalid, .authPasswordUnusable, .authProviderUnknown: 64
        case .photoTypeUnsupported, .photoTooLarge, .photoTooManyPixels, .photoDamaged, .authCodeInvalid,
            .chatTextInvalid, .queueTrackInvalid, .mediaUnsupported, .mediaDamaged, .uploadTooLarge:
            65
        case .userNotFound, .chatNotFound, .queueEntryNotFound, .trackNotFound, .albumNotFound, .artistNotFound,
            .genreNotFound, .folderNotFound, .trackUnavailable, .uploadNotFound, .playerDeviceNotFound, .trackNoLyrics:
            66
        case .userPrivate, .roomBanned, .roomGuestsNotAllowed, .inviteInvalid, .inviteExpired, .inviteUsedUp,
            .inviteRevoked, .chatMuted, .chatOff, .queueClosed, .queueAccountRequired:
            77
        case .usernameTaken, .usernameMismatch, .usernameAlreadyChosen, .authEmailTaken, .authEmailRequired,
            .userBlocked, .userLimitReached, .roomLive, .roomLimitReached, .chatTooLate, .roomNotJoined, .queueFull,
            .queuePersonLimit, .trackInFolder,
            .queueShare, .queueDuplicate, .queueVotesFull, .queueNotApproved, .queueEmpty, .quotaExceeded,
            .quotaServerFull, .uploadLimitReached, .uploadOffsetConflict, .uploadChecksumMismatch:
            1
        case .jobNotFound, .appPasswordNotFound, .speakerNotFound: 66
        case .jobEnded, .jobUnended, .appPasswordLimitReached, .speakerTaken, .speakerLimitReached: 1
        case .trackConversionFailed: 65
        default: error.exitCode
        }
    }

    /// Advice that may help.
    private static func hint(_ error: WireError) -> String? {
        switch error.code {
        case .authAccountRequired: "Run sonactl signup or sonactl login."
        case .roomForbidden: error.permission.map { "That takes somebody who may \($0) there." }
        case .roomNotJoined: "Leave sonactl listen or sonactl chat running there meanwhile."
        case .queueAccountRequired: "Run sonactl signup or sonactl login."
        case .roomGuestsNotAllowed: "Run sonactl signup or sonactl login."
        case .authForbidden: error.permission.map { "That needs the permission \($0)." }
        case .authUsernameRequired: "Run sonactl username claim."
        case .userBlocked: "Run sonactl people unblock."
        case .chatMuted: error.retryAfterMilliseconds.map { "You may write again at \(Self.date(after: $0))." }
        case .authBanned, .roomBanned: error.retryAfterMilliseconds.map { "The ban ends at \(Self.date(after: $0))." }
        default: error.retryAfterMilliseconds.map { "Try again in \(max(1, ($0 + 999) / 1000)) s." }
        }
    }

    private static func date(after milliseconds: Int) -> String {
        let date = MonotonicClock.wallMilliseconds().addingReportingOverflow(Int64(milliseconds))
        return Console.date(milliseconds: date.overflow ? .max : date.partialValue)
    }
}
