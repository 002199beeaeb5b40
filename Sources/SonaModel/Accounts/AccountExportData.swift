internal import SonaDatabase
internal import SonaWire

/// Everything that is stored about one account, read in one snapshot of the database.
struct AccountExportData: Sendable {
    private let user: UserRecord
    private let profile: Profile
    private let settings: Settings
    private let identities: [IdentityRecord]
    private let rooms: [RoomRecord]
    private let playing: (slots: [RoomID: [Slot]], autoplays: [RoomID: Autoplay])
    private let replays: [RoomID: [Replay]]
    private let recordings: [RecordingStore.Stored]
    private let audiences: [RoomID: [Audience]]
    private let songRequests: [RoomID: SongRequests]
    private let sourceKeys: [RoomID: Int64]
    private let speakers: [RoomID: [Speaker]]
    private let webhooks: [Webhook]
    private let duties: [(room: RoomID, slot: Slot)]
    private let followed: [FollowRecord]
    private let followers: Int
    private let blocked: [BlockRecord]
    private let signIns: [RefreshTokenRecord]
    private let appPasswords: [AppPasswordRecord]
    private let ban: BanRecord?
    /// Codes that were given out, among them those of addresses that wait for their confirmation.
    private let codes: [AccountCodeRecord]
    /// Usernames that the account gave up and that are still held for it.
    private let heldNames: [HeldNameRecord]
    private let traces: RoomTraces
    private let reports: [ReportRecord]
    private let sighting: SightingRecord?
    private let words: [FilteredWordRecord]
    private let notifications: (notifications: [Notification], preferences: [NotificationPreference])
    private let registrationInvites: [RegistrationInviteRecord]
    /// Members of other modules.
    var others: [Accounts.ExportMember] = []

    /// Reads the account's rows.
    ///
    /// - Throws: `userUnknown`; errors of the database.
    init(of uid: UserID, in db: inout some DatabaseAccess & ~Copyable) throws {
        guard let user = try db.first(UserRecord.self, key: uid), let profile = try People.profile(of: uid, in: &db),
            let settings = try db.first(SettingsRecord.self, key: uid)?.settings
        else { throw Refusal.userUnknown }
        self.user = user
        self.profile = profile
        self.settings = settings
        identities = try db.all(IdentityRecord.filter(IdentityRecord.uid == uid))
        rooms = try db.all(RoomRecord.filter(RoomRecord.owner == uid))
        playing = try ScheduleStore.exported(of: uid, in: &db)
        replays = try ReplayDAO.exported(of: uid, in: &db)
        recordings = try RecordingStore.exported(of: uid, in: &db)
        audiences = try AudienceStore.exported(of: uid, in: &db)
        songRequests = try SongRequestsStore.exported(of: uid, in: &db)
        sourceKeys = try SourceKeyStore.exported(of: uid, in: &db)
        speakers = try SpeakerStore.exported(of: uid, in: &db)
        webhooks = try WebhookStore.list("room_id IN (SELECT id FROM rooms WHERE owner_uid = \(uid))", &db)
        duties = try ScheduleStore.duties(of: uid, in: &db)
        followed = try db.all(FollowRecord.filter(FollowRecord.follower == uid))
        followers = try db.count(FollowRecord.filter(FollowRecord.followed == uid))
        blocked = try db.all(BlockRecord.filter(BlockRecord.blocker == uid))
        signIns = try db.all(RefreshTokenRecord.filter(RefreshTokenRecord.uid == uid))
        appPasswords = try AppPasswordDAO.all(of: uid, in: &db)
        ban = try db.first(BanRecord.self, key: uid)
        heldNames = try db.all(HeldNameRecord.filter(HeldNameRecord.uid == uid))
        traces = try RoomTraces(of: uid, in: &db)
        reports = try Reports.sent(by: uid, in: &db)
        words = try db.all(FilteredWordRecord.filter(FilteredWordRecord.by == uid))
        sighting = try db.first(SightingRecord.self, key: uid)
        notifications = try Notifications.exported(uid, in: &db)
        registrationInvites = try RegistrationDAO.invites(by: uid, in: &db)
        codes = try db.all(AccountCodeRecord.filter(AccountCodeRecord.uid == uid))
    }

    /// The export as one JSON object. It tells only that there is a password, and when sign-ins began. The hashes are
    /// left out: nobody can use them.
    ///
    /// - Parameter journal: Lines of the journal about the account, newest first.
    func json(journal: [JournalLine]) -> SonaWire.JSON {
        var writer = JSONWriter(reserving: 4096)
        writer.object { writer in
            writer.member("uid", user.uid.rawValue)
            writer.member("username", orNull: user.username?.rawValue)
            writer.member("email", orNull: user.email)
            writer.member("email_confirmed", user.isEmailConfirmed)
            writer.member("has_password", user.passwordHash != nil)
            writer.member("role", user.role.rawValue)
            writer.member("created_ms", user.createdMilliseconds)
            writer.member("seen_ms", orNull: sighting?.seenMilliseconds)
            writer.member("profile", profile)
            writer.member("settings", settings)
            Self.array("identities", identities, &writer) { writer, identity in
                writer.member("name", identity.name)
                writer.member("created_ms", identity.createdMilliseconds)
            }
            Self.array("held_usernames", heldNames, &writer) { writer, held in
                writer.member("username", held.usernameKey)
                writer.member("until_ms", held.untilMilliseconds)
            }
            Self.array("rooms", rooms, &writer) { writer, room in
                writer.member("id", room.id.rawValue)
                writer.member("title", room.settings.title)
                writer.member("visibility", room.settings.visibility.rawValue)
                writer.member("delivery", room.settings.delivery.rawValue)
                writer.member("lead_ms", Int64(room.settings.leadMilliseconds))
                writer.member("created_ms", room.createdMilliseconds)
                writer.member("last_live_ms", orNull: room.lastLiveMilliseconds)
                writer.member("autoplay", playing.autoplays[room.id] ?? Autoplay(isOn: false))
                writer.member("slots", playing.slots[room.id] ?? [])
                writer.member("keeps_replays", room.settings.keepsReplays)
                writer.member("offers_data_saver", room.settings.offersDataSaver)
                writer.member("replays", replays[room.id] ?? [])
                writer.member("song_requests", songRequests[room.id] ?? SongRequests(isOn: false))
                writer.member("webhooks", webhooks.filter { $0.room == room.id })
                writer.member("speakers", speakers[room.id] ?? [])
                writer.member("audiences", audiences[room.id] ?? [])
            }
            Self.array("recordings", recordings, &writer) { writer, recording in
                writer.member("id", recording.id.rawValue)
                writer.member("room", recording.room.rawValue)
                writer.member("start_ms", recording.startMilliseconds)
                writer.member("length_ms", recording.lengthMilliseconds)
                writer.member("bytes", recording.bytes)
            }
            Self.array("source_keys", sourceKeys.sorted { $0.key.rawValue < $1.key.rawValue }, &writer) { writer, key in
                writer.member("room", key.key.rawValue)
                writer.member("made_ms", key.value)
            }
            Self.array("dj_slots", duties, &writer) { writer, duty in
                writer.member("room", duty.room.rawValue)
                writer.member("slot", duty.slot)
            }
            Self.array("following", followed, &writer) { writer, follow in
                writer.member("uid", follow.followed.rawValue)
                writer.member("since_ms", follow.createdMilliseconds)
            }
            writer.member("followers", Int64(followers))
            Self.array("blocked", blocked, &writer) { writer, block in
                writer.member("uid", block.blocked.rawValue)
                writer.member("since_ms", block.createdMilliseconds)
            }
            traces.write(into: &writer)
            Self.array("reports", reports, &writer) { writer, report in
                writer.member("at_ms", report.atMilliseconds)
                writer.member("kind", report.kind)
                writer.member("room", orNull: report.room?.rawValue)
                writer.member("user", orNull: report.user?.rawValue)
                writer.member("text", orNull: report.text)
            }
            Self.array("filtered_words", words, &writer) { writer, word in
                writer.member("word", word.word)
                writer.member("created_ms", word.createdMilliseconds)
            }
            Self.array("registration_invites", registrationInvites, &writer) { writer, invite in
                writer.member("created_ms", invite.createdMilliseconds)
                writer.member("expires_ms", invite.expiresMilliseconds)
                writer.member("uses", invite.uses)
                writer.member("note", orNull: invite.note)
            }
            writer.key("notifications")
            writer.beginArray()
            for notification in notifications.notifications { notification.encode(into: &writer) }
            writer.endArray()
            Self.array("notification_preferences", notifications.preferences, &writer) { writer, preference in
                writer.member("kind", preference.kind)
                writer.member("show", preference.isShown)
                writer.member("mail", preference.isMailed)
            }
            Self.array("sign_ins", signIns, &writer) { writer, token in
                writer.member("created_ms", token.createdMilliseconds)
                writer.member("expires_ms", token.expiresMilliseconds)
            }
            Self.array("app_passwords", appPasswords, &writer) { writer, password in
                writer.member("name", password.name)
                writer.member("created_ms", password.createdMilliseconds)
                writer.member("used_ms", orNull: password.usedMilliseconds)
                writer.member("used_from", orNull: password.usedFrom)
                writer.member("client", orNull: password.client)
            }
            Self.array("codes", codes, &writer) { writer, code in
                writer.member("purpose", code.purpose.rawValue)
                writer.member("email", orNull: code.email)
                writer.member("created_ms", code.createdMilliseconds)
                writer.member("expires_ms", code.expiresMilliseconds)
            }
            for (key, writeValue) in others {
                writer.key(key)
                writeValue(&writer)
            }
            if let ban {
                writer.member("banned_ms", ban.createdMilliseconds)
                writer.member("ban", Ban(untilMilliseconds: ban.untilMilliseconds, reason: ban.reason))
            }
            Self.array("journal", journal, &writer) { writer, line in
                writer.member("at_ms", line.atMilliseconds)
                writer.member("kind", line.kind)
                writer.member("detail", line.detail)
            }
        }
        guard let json = try? SonaWire.JSON.parse(writer.bytes) else {
            preconditionFailure("JSONWriter wrote invalid JSON.")
        }
        return json
    }

    private static func array<Element>(
        _ key: String, _ elements: [Element], _ writer: inout JSONWriter,
        _ members: (inout JSONWriter, Element) -> Void
    ) {
        writer.key(key)
        writer.beginArray()
        for element in elements { writer.object { members(&$0, element) } }
        writer.endArray()
    }
}
