package import SonaWire

/// An event for the journal: what was done, by whom, to whom.
///
/// ```swift
/// try journal.append(JournalEntry(.roleChanged, actor: admin, user: uid, ["role": "moderator"]), in: &db)
/// ```
/// The subject is always set, also when a user acts on their own account (`own`). So all lines about an account are
/// found by its subject.
package struct JournalEntry: Sendable, Equatable {
    /// The words are stored for ever: never rename one. A new one needs no migration.
    package enum Kind: String, Sendable, CaseIterable {
        case signUp = "sign_up"
        case signIn = "sign_in"
        /// Counted and thinned: see `FailedSignIns`.
        case signInFailed = "sign_in_failed"
        case signOutEverywhere = "sign_out_everywhere"
        /// A refresh token was used twice, and its family was ended.
        case tokenReused = "token_reused"
        case passwordChanged = "password_changed"
        case recoveryRequested = "recovery_requested"
        case recovered
        case appPasswordMade = "app_password_made"
        case appPasswordRevoked = "app_password_revoked"
        case emailConfirmed = "email_confirmed"
        case emailChanged = "email_changed"
        case usernameClaimed = "username_claimed"
        case usernameChanged = "username_changed"
        case roleChanged = "role_changed"
        case banned
        case unbanned
        /// Without the address: lines stay for ever.
        case addressBanned = "address_banned"
        case addressUnbanned = "address_unbanned"
        case accountExported = "account_exported"
        case accountRemoved = "account_removed"
        case roomDeleted = "room_deleted"
        /// The room has another owner.
        case roomTransferred = "room_transferred"
        /// The room was closed because its owner had not been seen for long.
        case roomAbandoned = "room_abandoned"
        case roomKicked = "room_kicked"
        case roomBanned = "room_banned"
        case roomUnbanned = "room_unbanned"
        case roomMuted = "room_muted"
        case roomUnmuted = "room_unmuted"
        /// A user became a co-host or a moderator of a room, or lost that standing.
        case roomStanding = "room_standing"
        /// An invite was revoked, which also ends the memberships that it alone had given.
        case roomInviteRevoked = "room_invite_revoked"
        /// A moderator deleted another user's message.
        case roomMessageDeleted = "room_message_deleted"
        /// An administrator took down something that somebody else had made; the detail says what.
        case takenDown = "taken_down"
        /// A plan was made, changed, removed, given to an account or taken from it.
        case planChanged = "plan_changed"
        /// A content that was taken down may be uploaded again.
        case contentAllowed = "content_allowed"
        case reportResolved = "report_resolved"
        /// Without the word: lines stay for ever.
        case wordAdded = "word_added"
        case wordRemoved = "word_removed"
        case registrationInvited = "registration_invited"
        case registrationInviteRevoked = "registration_invite_revoked"
        case registrationApproved = "registration_approved"
        case registrationRejected = "registration_rejected"
        /// A curator changed what somebody else's track says of itself, or removed it.
        case trackEdited = "track_edited"
        case trackRemoved = "track_removed"
        case submissionApproved = "submission_approved"
        case submissionRejected = "submission_rejected"
        case operatorAction = "operator_action"
        /// A backup was made, or failed, by hand or by schedule; the detail says which and how.
        case backupMade = "backup_made"
        case backupFailed = "backup_failed"
        /// Written by the journal itself: its key or head had changed, so a new seal begins here. Earlier lines can't
        /// be verified.
        case journalReset = "journal_reset"
    }

    package let kind: Kind
    /// The user who acted. `nil`: the server itself or its operator.
    package let actor: UserID?
    /// The identifier of the account or room that it concerns. `nil` if there is none or it is unknown.
    package let subject: String?
    package let detail: JournalDetail

    package init(_ kind: Kind, actor: UserID? = nil, user: UserID? = nil, _ detail: JournalDetail = [:]) {
        self.kind = kind
        self.actor = actor
        subject = user?.rawValue
        self.detail = detail
    }

    package init(_ kind: Kind, actor: UserID? = nil, room: RoomID, _ detail: JournalDetail = [:]) {
        self.kind = kind
        self.actor = actor
        subject = room.rawValue
        self.detail = detail
    }

    /// An action of a user on their own account.
    package static func own(_ kind: Kind, _ uid: UserID, _ detail: JournalDetail = [:]) -> Self {
        Self(kind, actor: uid, user: uid, detail)
    }
}

/// One line of the journal as it is stored.
///
/// The fields are plain texts, because a manipulated line (see `Journal.verify`) must be readable, too.
package struct JournalLine: Sendable, Equatable {
    /// 1, 2, 3 … without gaps.
    package let id: Int64
    package let atMilliseconds: Int64
    /// The word of a `JournalEntry.Kind`, maybe of a newer version.
    package let kind: String
    package let actor: String?
    package let subject: String?
    /// A JSON object in the canonical form of `JournalDetail`.
    package let detail: String
}
