package import SonaWire

/// One thing that happened, as it goes into the journal: what, by whom, to whom.
///
/// ```swift
/// try journal.append(JournalEntry(.roleChanged, actor: admin, user: uid, ["role": "moderator"]), in: &db)
/// ```
/// The subject is whom it concerns, also when somebody acted for themselves (`own`): all that ever concerned an account
/// is found by its subject.
package struct JournalEntry: Sendable, Equatable {
    /// The words are in files for ever: add, never rename. A new one needs no migration.
    package enum Kind: String, Sendable, CaseIterable {
        case signUp = "sign_up"
        case signIn = "sign_in"
        /// Counted and thinned: see `FailedSignIns`.
        case signInFailed = "sign_in_failed"
        case signOutEverywhere = "sign_out_everywhere"
        /// A refresh token came a second time, and its family was ended.
        case tokenReused = "token_reused"
        case passwordChanged = "password_changed"
        case recoveryRequested = "recovery_requested"
        case recovered
        case emailConfirmed = "email_confirmed"
        case emailChanged = "email_changed"
        case usernameClaimed = "username_claimed"
        case usernameChanged = "username_changed"
        case roleChanged = "role_changed"
        case banned
        case unbanned
        case accountExported = "account_exported"
        case accountRemoved = "account_removed"
        case roomDeleted = "room_deleted"
        case roomKicked = "room_kicked"
        case roomBanned = "room_banned"
        case roomUnbanned = "room_unbanned"
        case roomMuted = "room_muted"
        case roomUnmuted = "room_unmuted"
        /// Somebody became a co-host or a moderator, or is one no more.
        case roomStanding = "room_standing"
        /// And with it those whom nothing else held.
        case roomInviteRevoked = "room_invite_revoked"
        /// A moderator deleted what somebody else had said.
        case roomMessageDeleted = "room_message_deleted"
        case operatorAction = "operator_action"
        /// The journal's own: from here on it is sealed anew, since its key or its head was not what it had been. What
        /// lies before can't be vouched for.
        case journalReset = "journal_reset"
    }

    package let kind: Kind
    /// Who did it; `nil` for the server itself and its operator.
    package let actor: UserID?
    /// The account or the room it was done to; `nil` if there is none, or none that is known.
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

    /// What somebody did with their own account.
    package static func own(_ kind: Kind, _ uid: UserID, _ detail: JournalDetail = [:]) -> Self {
        Self(kind, actor: uid, user: uid, detail)
    }
}

/// One line of the journal as it lies in the file.
///
/// Texts and not identifiers: somebody may have altered it (`Journal.verify` tells), and an admin should see it then, too.
package struct JournalLine: Sendable, Equatable {
    /// 1, 2, 3 … without gaps.
    package let id: Int64
    package let atMilliseconds: Int64
    /// A `JournalEntry.Kind`, or the word of a newer program.
    package let kind: String
    package let actor: String?
    package let subject: String?
    /// A JSON object, canonical.
    package let detail: String
}
