internal import SonaDatabase
package import SonaWire

/// Who may not enter, and who may not chat.
extension MembershipStore {
    /// Bars somebody from a room; what ban they had is replaced, what standing they had is gone.
    ///
    /// The ban of a guest holds for later guests who come by the same invite.
    ///
    /// - Parameters:
    ///   - until: `nil` for good.
    ///   - reason: What they are told: 1 to 200 bytes.
    /// - Returns: The ban, and what they were; `nil` for a listener.
    /// - Throws: `roomUnknown`, `roomClosed`, `invalid` (the owner, a time that is past, the reason), `forbidden`,
    ///   `limitReached`, `busy`, `storage`.
    @discardableResult
    package func ban(
        _ uid: UserID, from room: RoomID, until: Int64? = nil, reason: String? = nil, by actor: UserID?
    ) async throws(Refusal) -> (ban: RoomBanned, member: Member?, changeNumber: Int64) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        if let until, until <= now { throw .invalid }
        return try await membership.write { db in
            try MembershipDAO.refuseOwner(uid, of: room, in: &db)
            try RoomRights.require(.moderate, of: actor, over: uid, in: room, &db)
            let key = RoomPerson(room, uid)
            if try !db.exists(RoomBanRecord.self, key: key) {
                try MembershipDAO.makeRoomForBan(in: room, now: now, &db)
            }
            let isGuest = try !db.exists(UserRecord.self, key: uid)
            try db.upsert(
                RoomBanRecord(
                    room: room, uid: uid, isGuest: isGuest, untilMilliseconds: until, reason: reason, by: actor,
                    invite: try MembershipDAO.invite(of: uid, to: room, in: &db),
                    createdMilliseconds: now))
            let member = try MembershipDAO.member(uid, of: room, in: &db)
            if member != nil { _ = try db.delete(RoomMemberRecord.self, key: key) }
            let detail = until.map { [("until_ms" as StaticString, JournalDetail.Value.integer($0))] } ?? []
            try journal.append(Self.entry(.roomBanned, uid, room, actor, detail), in: &db)
            let made = try Self.bans("WHERE b.room_id = \(room) AND b.uid = \(uid)", in: &db)
            guard let ban = made.first else { throw Refusal.userUnknown }
            return (ban, member, changes.next())
        }
    }

    /// - Returns: Whether there was a ban that still held.
    /// - Throws: `forbidden`, `roomUnknown`, `roomClosed`, `busy`, `storage`.
    @discardableResult
    package func unban(
        _ uid: UserID, in room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (held: Bool, changeNumber: Int64) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await membership.write { db in
            try RoomRights.require(.moderate, of: actor, in: room, &db)
            let held = try MembershipDAO.ban(of: uid, in: room, now: now, &db) != nil
            _ = try db.delete(RoomBanRecord.self, key: RoomPerson(room, uid))
            if held { try journal.append(Self.entry(.roomUnbanned, uid, room, actor), in: &db) }
            return (held, changes.next())
        }
    }

    /// The ban that keeps somebody out now.
    ///
    /// - Parameter invite: What a guest comes by; a guest who has used it already is not held by another's ban.
    /// - Throws: `busy`, `storage`.
    package func ban(
        of uid: UserID, isGuest: Bool, by invite: InviteID? = nil, in room: RoomID
    ) async throws(Refusal) -> RoomBanned? {
        let now = clock.nowMilliseconds()
        return try await membership.read { db in
            var barred = try MembershipDAO.ban(of: uid, in: room, now: now, &db)
            if barred == nil, isGuest, let invite, try !db.exists(InviteUseRecord.self, key: InviteUse(invite, uid)) {
                barred = try MembershipDAO.ban(ofInvite: invite, in: room, now: now, &db)
            }
            guard let barred else { return nil }
            return try Self.bans("WHERE b.room_id = \(room) AND b.uid = \(barred.uid)", in: &db).first
        }
    }

    /// All that hold now, at most `bansMax`, for a room that opens; newest first.
    ///
    /// - Throws: `busy`, `storage`.
    package func bans(in room: RoomID) async throws(Refusal) -> [RoomBanned] {
        let now = clock.nowMilliseconds()
        return try await membership.read { db in
            try Self.bans(
                """
                WHERE b.room_id = \(room) AND \(RoomBanRecord.holds(at: now))
                ORDER BY b.created_ms DESC, b.uid DESC
                """, in: &db)
        }
    }

    /// Some that hold now, newest first.
    ///
    /// - Parameter limit: 1…100.
    /// - Throws: `busy`, `storage`.
    package func bans(
        in room: RoomID, after cursor: PageCursor?, limit: Int
    ) async throws(Refusal) -> (bans: [RoomBanned], next: PageCursor?) {
        let limit = min(max(limit, 1), Int(Limits.userPageCount.upperBound))
        var condition: SQL = "b.room_id = \(room) AND \(RoomBanRecord.holds(at: clock.nowMilliseconds()))"
        if let cursor { condition = "\(condition) AND (b.created_ms, b.uid) < (\(cursor.sortKey), \(cursor.uid))" }
        let rest: SQL = "WHERE \(condition) ORDER BY b.created_ms DESC, b.uid DESC LIMIT \(limit + 1)"
        return try await membership.read { db in
            let found = try Self.bans(rest, in: &db)
            let last = found.count > limit ? found[limit - 1] : nil
            let next = last.map { PageCursor(sortKey: $0.createdMilliseconds, uid: $0.user.uid) }
            return (Array(found.prefix(limit)), next)
        }
    }

    private static func bans(_ rest: SQL, in db: inout some DatabaseAccess & ~Copyable) throws -> [RoomBanned] {
        try db.all("\(RoomBanned.select) \(rest)") { row in try RoomBanned(row: &row) }
    }

    // MARK: Mutes

    /// Keeps somebody from writing in the chat; what mute they had is replaced.
    ///
    /// - Parameter until: `nil` for good.
    /// - Returns: The number of the change.
    /// - Throws: `roomUnknown`, `roomClosed`, `invalid` (the owner, a time that is past), `forbidden`, `limitReached`,
    ///   `busy`, `storage`.
    @discardableResult
    package func mute(
        _ uid: UserID, in room: RoomID, until: Int64? = nil, by actor: UserID?
    ) async throws(Refusal) -> Int64 {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        if let until, until <= now { throw .invalid }
        return try await membership.write { db in
            try MembershipDAO.refuseOwner(uid, of: room, in: &db)
            try RoomRights.require(.moderate, of: actor, over: uid, in: room, &db)
            if try !db.exists(RoomMuteRecord.self, key: RoomPerson(room, uid)) {
                try MembershipDAO.makeRoomForMute(in: room, now: now, &db)
            }
            try db.upsert(
                RoomMuteRecord(
                    room: room, uid: uid, isGuest: try !db.exists(UserRecord.self, key: uid),
                    untilMilliseconds: until, by: actor, createdMilliseconds: now))
            let detail = until.map { [("until_ms" as StaticString, JournalDetail.Value.integer($0))] } ?? []
            try journal.append(Self.entry(.roomMuted, uid, room, actor, detail), in: &db)
            return changes.next()
        }
    }

    /// - Returns: Whether there was a mute that still held.
    /// - Throws: `forbidden`, `roomUnknown`, `roomClosed`, `busy`, `storage`.
    @discardableResult
    package func unmute(
        _ uid: UserID, in room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (held: Bool, changeNumber: Int64) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await membership.write { db in
            try RoomRights.require(.moderate, of: actor, over: uid, in: room, &db)
            let key = RoomPerson(room, uid)
            guard let mute = try db.first(RoomMuteRecord.self, key: key) else { return (false, changes.next()) }
            _ = try db.delete(RoomMuteRecord.self, key: key)
            guard mute.untilMilliseconds ?? .max > now else { return (false, changes.next()) }
            try journal.append(Self.entry(.roomUnmuted, uid, room, actor), in: &db)
            return (true, changes.next())
        }
    }

    /// All that hold now, at most `bansMax`.
    ///
    /// - Throws: `busy`, `storage`.
    package func mutes(in room: RoomID) async throws(Refusal) -> [Mute] {
        let now = clock.nowMilliseconds()
        return try await membership.read { db in
            try db.all(
                """
                SELECT uid, until_ms FROM room_mutes
                WHERE room_id = \(room) AND (until_ms IS NULL OR until_ms > \(now)) ORDER BY uid
                """
            ) { row in Mute(uid: try row.next(), untilMilliseconds: try row.next()) }
        }
    }
}
