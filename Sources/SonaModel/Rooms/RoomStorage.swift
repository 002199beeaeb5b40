internal import SonaDatabase
internal import SonaWire

/// What is stored of rooms over empty evenings and restarts: people, invites, chat, what played, what is to play.
package struct RoomStorage: Sendable {
    package let membership: MembershipStore
    package let invites: InviteStore
    package let chat: ChatStore
    package let history: HistoryStore
    package let queues: QueueStore
    package let autoplays: AutoplayStore
    package let audiences: AudienceStore
    package let songRequests: SongRequestsStore
    package let sourceKeys: SourceKeyStore
    package let speakers: SpeakerStore
    package let schedules: ScheduleStore
    package let replays: ReplayStore
    package let recordings: RecordingStore

    private let dao: MembershipDAO
    private let clock: WallClock

    /// Rows of one step of `tidy`: a write of some milliseconds at most.
    private static let stepRows = 500
    /// How long ended invites are kept to say why they don't work.
    private static let endedInviteMilliseconds: Int64 = 30 * 86_400_000

    init(
        _ daos: ModelDAOs, key: InviteKey, notifications: Notifications, journal: Journal, clock: WallClock,
        readLimit: Duration
    ) {
        let changes = ChangeCounter()
        membership = MembershipStore(daos.membership, journal: journal, clock: clock, changes: changes)
        invites = InviteStore(daos.invites, key: key, journal: journal, clock: clock, changes: changes)
        chat = ChatStore(daos.chat, journal: journal, clock: clock, changes: changes, readLimit: readLimit)
        history = HistoryStore(daos.playing, notifications: notifications, readLimit: readLimit)
        queues = QueueStore(daos.playing)
        autoplays = AutoplayStore(daos.playing)
        audiences = AudienceStore(daos.playing)
        songRequests = SongRequestsStore(daos.playing)
        sourceKeys = SourceKeyStore(daos.playing, clock: clock)
        speakers = SpeakerStore(daos.playing, clock: clock)
        schedules = ScheduleStore(daos.playing, notifications: notifications, clock: clock)
        replays = ReplayStore(daos.playing, clock: clock, readLimit: readLimit)
        recordings = RecordingStore(daos.playing, clock: clock)
        dao = daos.membership
        self.clock = clock
    }

    /// Forgets what is of no more use: bans and mutes that have ended, guests whose tokens have, invites whose time
    /// ended a month ago and by which nobody is here. For an hourly round; in small steps, between which others write.
    ///
    /// Guests who have become accounts are guests no more.
    ///
    /// - Returns: Rows that went.
    /// - Throws: `busy`, `storage`.
    @discardableResult
    package func tidy() async throws(Refusal) -> Int {
        let now = clock.nowMilliseconds()
        try await dao.write { db in
            for table in ["room_members", "room_invite_uses", "room_bans", "room_mutes"] as [SQL] {
                try db.execute("UPDATE \(table) SET is_guest = 0 WHERE is_guest AND uid IN (SELECT uid FROM users)")
            }
        }
        // Broadcasts that go on are written every few seconds.
        var count = try await audiences.closeStale(before: now - 600_000)
        for statement in Self.statements(now: now) {
            var step: Int
            repeat {
                step = try await dao.write { db in try db.execute(statement) }
                count += step
            } while step == Self.stepRows
        }
        return count
    }

    private static func statements(now: Int64) -> [SQL] {
        // A guest was given a token before they were let in: it has ended by then.
        let guests = now - Int64(Accounts.guestTokenSeconds) * 1_000
        let invites = now - endedInviteMilliseconds
        return [
            step("room_members", "is_guest AND since_ms <= \(guests)"),
            step(
                "room_invites",
                """
                expires_ms <= \(invites)
                AND NOT EXISTS (SELECT 1 FROM room_members m WHERE m.invite_id = room_invites.id)
                """),
            step("room_bans", "until_ms <= \(now)"),
            step("room_mutes", "until_ms <= \(now)"),
            // A guest can't come back, and what they came by is what they are known by.
            step(
                "room_bans",
                """
                is_guest AND created_ms <= \(guests)
                AND NOT EXISTS (SELECT 1 FROM room_invites i WHERE i.id = room_bans.invite_id)
                """),
            step("room_mutes", "is_guest AND created_ms <= \(guests)"),
            step("room_invite_uses", "is_guest AND at_ms <= \(guests)"),
            step("room_slot_starts", "start_ms <= \(now - ScheduleStore.keptMilliseconds)"),
        ]
    }

    private static func step(_ table: SQL, _ condition: SQL) -> SQL {
        "DELETE FROM \(table) WHERE rowid IN (SELECT rowid FROM \(table) WHERE \(condition) LIMIT \(stepRows))"
    }
}
